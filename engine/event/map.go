package event

// MapKept says what became of the run's copy of the project's map: brought in
// (K = 0, Mode copy), marked after Worker K, or brought up to date at the end.
type MapKept struct {
	K     int    `json:"k"`
	Mode  string `json:"mode"` // copy, mark or patch
	Paths int    `json:"paths"`
	Error string `json:"error,omitempty"`
}

// Type is the event's name in the log.
func (MapKept) Type() string { return "map.kept" }

var _ = register[MapKept]()

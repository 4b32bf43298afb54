package event

// Metrics compare Workers with each other. Zero is not known.
type Metrics struct {
	// Tokens are those in and out, over all turns.
	Tokens int64 `json:"tokens"`
	// PerByte is tokens for each byte of its prompt and its RESULT.
	PerByte float64 `json:"tokens_per_byte"`
	// PerTurn is tokens in for each turn.
	PerTurn float64 `json:"input_per_turn"`
}

// From these on a figure deserves a look: what comes before is usual.
const (
	ManyTokens  = 117_000 // of one Worker
	ManyPerByte = 20.     // tokens
	SeverePer   = 50.     // tokens for a byte
	ManyPerTurn = 15_000. // tokens in
	// What is aimed at where tasks are of a usual size, and what deserves a look
	// whatever their size.
	LeastPW   = 0.83
	ManyTasks = 4 // from which on a task is small beside the whole plan
	LeastWG   = 0.98
	LowWG     = 0.80
)

// Metrics of what the Worker has taken so far; PerByte once it has ended.
func (w Worker) metrics() Metrics {
	m := Metrics{Tokens: w.Tokens.In + w.Tokens.Out}
	if bytes := int64(w.Prompt.Bytes) + w.bytesOut; w.bytesOut > 0 && m.Tokens > 0 {
		m.PerByte = float64(m.Tokens) / float64(bytes)
	}
	if w.Turns > 0 {
		m.PerTurn = float64(w.Tokens.In) / float64(w.Turns)
	}
	return m
}

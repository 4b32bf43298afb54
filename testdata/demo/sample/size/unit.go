package size

// factors holds the bytes in one of each unit, by its lower-case suffix.
var factors = map[string]int64{
	"":  1,
	"b": 1,

	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "pb": 1e15, "eb": 1e18,

	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "pib": 1 << 50, "eib": 1 << 60,
}

// decimal lists the units Format chooses from, each a thousand of the one
// before it.
var decimal = []string{"KB", "MB", "GB", "TB", "PB", "EB"}

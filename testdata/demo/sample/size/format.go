package size

import (
	"fmt"
	"math"
)

// Format writes bytes with one decimal in the largest unit that leaves a
// number of at least one, counting in thousands: 999 B, 1.5 MB.
func Format(bytes int64) string {
	if -1000 < bytes && bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	value := float64(bytes)
	suffix := ""
	for _, suffix = range decimal {
		value /= 1000
		// From 999.95 on, one decimal would read 1000.0: the next unit says it.
		if math.Abs(value) < 999.95 {
			break
		}
	}
	return fmt.Sprintf("%.1f %s", value, suffix)
}

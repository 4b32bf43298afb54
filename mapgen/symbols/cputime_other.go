//go:build !unix

package symbols

import "time"

var watchStart = time.Now()

// processTime is the time on the clock where the system does not tell more.
func processTime() time.Duration { return time.Since(watchStart) }

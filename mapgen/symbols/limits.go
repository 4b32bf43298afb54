package symbols

import (
	"bytes"
	"time"
)

// Limits bounds the work one file may cost. A zero field means its default.
type Limits struct {
	Bytes int           `json:"bytes"` // a larger file is marked "too large" (2 MiB)
	Line  int           `json:"line"`  // a longer line marks the file "minified" (1 MiB)
	Depth int           `json:"depth"` // nesting beyond is left out, marked "ast: partial (depth)" (2000)
	Time  time.Duration `json:"time"`  // of parsing, marked "ast: timeout" (1.5 s)
}

// DefaultLimits are the limits Extract takes for zero fields.
var DefaultLimits = Limits{Bytes: 2 << 20, Line: 1 << 20, Depth: 2000, Time: 1500 * time.Millisecond}

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Line <= 0 {
		l.Line = DefaultLimits.Line
	}
	if l.Depth <= 0 {
		l.Depth = DefaultLimits.Depth
	}
	if l.Time <= 0 {
		l.Time = DefaultLimits.Time
	}
	return l
}

// Scripts are the one kind of source that is shipped squeezed; such a file
// is long lines throughout, which a literal in ordinary code never is.
const (
	squeezedBytes = 16 << 10
	squeezedMean  = 1000
)

// unreadable says why a decoded text is not worth (or not safe for) a parser.
func unreadable(lang *language, text []byte, limits Limits) string {
	longest, lines := 0, 1
	for rest := text; ; lines++ {
		at := bytes.IndexByte(rest, '\n')
		if at < 0 {
			longest = max(longest, len(rest))
			break
		}
		longest = max(longest, at)
		rest = rest[at+1:]
	}
	if longest > limits.Line {
		return "minified"
	}
	if lang.squeezed && len(text) > squeezedBytes && len(text)/lines > squeezedMean {
		return "minified"
	}
	return ""
}

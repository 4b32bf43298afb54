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
	Time  time.Duration `json:"time"`  // of computing in the parser, marked "ast: timeout" (1.5 s)
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

// Scripts are the one kind of source that is shipped squeezed; such a file is
// long lines throughout, which a literal in ordinary code never is. Parsers are
// slow on long lines, and beyond a size nothing in it is worth the wait.
const (
	squeezedBytes = 16 << 10
	squeezedMean  = 1000
	squeezedLimit = 256 << 10
)

// lengths are the longest line of a text and the mean of all, in bytes.
func lengths(text []byte) (longest, mean int) {
	count := 1
	for rest := text; ; count++ {
		at := bytes.IndexByte(rest, '\n')
		if at < 0 {
			return max(longest, len(rest)), len(text) / count
		}
		longest = max(longest, at)
		rest = rest[at+1:]
	}
}

// openAngles is how many angle brackets one statement may open without closing
// them: the parsers keep every reading of each in memory at once.
const openAngles = 1000

// closeAngles blanks a statement that opens too many angle brackets, keeping
// the length.
func closeAngles(text []byte) (out []byte, cut bool) {
	out = text
	from, open := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			switch text[i] {
			case '<':
				open++
				continue
			case '>':
				open--
				continue
			case ';', '{', '}':
			default:
				continue
			}
		}
		if open > openAngles {
			if !cut {
				out, cut = bytes.Clone(text), true
			}
			for at := from; at < i; at++ {
				if out[at] != '\n' {
					out[at] = ' '
				}
			}
		}
		from, open = i, 0
	}
	return out, cut
}

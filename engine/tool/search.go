package tool

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// Search is the name of the tool that searches in files.
const Search = "search"

const (
	maxMatches   = 50
	maxMatchLine = 200 // bytes
)

func (w *work) search(r reach) Tool {
	return Tool{
		Name:        Search,
		Description: "Find lines that match a regular expression, in the files you may read.",
		Params: []Param{
			{Name: "pattern", Type: "string", About: "regular expression (RE2)"},
			{Name: "dir", Type: "string", About: "a file or folder to look in; without it, everywhere", Optional: true},
		},
		run: func(ctx context.Context, a args) (string, error) {
			pattern, note := a.str("pattern"), ""
			expr, err := regexp.Compile(pattern)
			if err != nil {
				expr, note = regexp.MustCompile(regexp.QuoteMeta(pattern)), "(no regular expression: searched for as it stands)\n"
			}
			paths, err := w.paths(ctx, r)
			if err != nil {
				return "", err
			}
			var b strings.Builder
			n := 0
			for _, p := range inFolder(a.str("dir"), paths) {
				if ctx.Err() != nil {
					return "", context.Cause(ctx)
				}
				text, _, err := r.read(p)
				if err != nil {
					continue // not there yet, or no text
				}
				number := 0
				for line := range strings.Lines(text) {
					number++
					if !expr.MatchString(strings.TrimSuffix(line, "\n")) {
						continue
					}
					if n++; n <= maxMatches {
						fmt.Fprintf(&b, "%s:%d: %s\n", p, number, shortLine(line))
					}
				}
			}
			switch {
			case n == 0:
				return note + "no line matches\n", nil
			case n > maxMatches:
				note += fmt.Sprintf("(%d lines match, the first %d of them)\n", n, maxMatches)
			}
			return note + b.String(), nil
		},
	}
}

func shortLine(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if len(line) > maxMatchLine {
		line = strings.ToValidUTF8(line[:maxMatchLine], "") + "…"
	}
	return line
}

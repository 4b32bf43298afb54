package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Symbols are the signs that stand beside a word. Each takes one cell.
type Symbols struct {
	Done     string
	Failed   string
	Running  string
	Waiting  string // for a person
	Pending  string
	Stopped  string
	Affected string // by a change of an earlier worker
	Flagged  string // claimed and observed changes differ
	Unknown  string
	Cursor   string // before the selected row
	Ellipsis string

	Spinner []string // frames, to be shown in turn
	Bullet  string
	Frame   lipgloss.Border
}

// Unicode returns symbols found in every common terminal font, none an emoji.
func Unicode() Symbols {
	return Symbols{
		Done:     "✓",
		Failed:   "✗",
		Running:  "▸",
		Waiting:  "?",
		Pending:  "·",
		Stopped:  "■",
		Affected: "≈",
		Flagged:  "!",
		Unknown:  "~",
		Cursor:   "›",
		Ellipsis: "…",
		Spinner:  []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
		Bullet:   "•",
		Frame:    lipgloss.NormalBorder(),
	}
}

// ASCII returns symbols for terminals and fonts without more.
func ASCII() Symbols {
	return Symbols{
		Done:     "+",
		Failed:   "x",
		Running:  ">",
		Waiting:  "?",
		Pending:  ".",
		Stopped:  "#",
		Affected: "=",
		Flagged:  "!",
		Unknown:  "~",
		Cursor:   "*",
		Ellipsis: "~",
		Spinner:  []string{"|", "/", "-", "\\"},
		Bullet:   "-",
		Frame:    lipgloss.ASCIIBorder(),
	}
}

// SymbolsFor returns the symbols the locale can show; getenv is os.Getenv or a
// stand-in.
func SymbolsFor(getenv func(string) string) Symbols {
	if getenv("TERM") == "linux" {
		return ASCII() // the console font has no more than the line drawing
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			if strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") {
				return Unicode()
			}
			return ASCII()
		}
	}
	return Unicode()
}

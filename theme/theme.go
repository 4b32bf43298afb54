package theme

import (
	"errors"
	"fmt"
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// Names that [New] knows.
const (
	Auto     = "auto"     // dark or light, as the terminal's background is
	Dark     = "dark"     // for backgrounds from #000000 to #1e1e1e
	Light    = "light"    // for backgrounds from #f5f5f5 to #ffffff
	Contrast = "contrast" // at least 7:1, on a dark or a light background
	None     = "none"     // attributes only: NO_COLOR, monochrome terminals
)

// Names lists what [New] knows, in the order to offer it.
func Names() []string { return []string{Auto, Dark, Light, Contrast, None} }

// ErrUnknown is what New wraps for a name that is not in [Names].
var ErrUnknown = errors.New("unknown theme")

// Theme is a set of styles by meaning. It is a value: views keep their copy
// and get a new one when the terminal's background becomes known.
type Theme struct {
	Name    string
	Symbols Symbols

	Text     lipgloss.Style // what is read
	Muted    lipgloss.Style // what is there for completeness: times, paths
	Accent   lipgloss.Style // what can be acted upon: keys, links, the one thing of note
	Title    lipgloss.Style // the head of a pane
	Good     lipgloss.Style
	Warn     lipgloss.Style
	Bad      lipgloss.Style
	Running  lipgloss.Style // at work now
	Waiting  lipgloss.Style // waiting for a person
	Tool     lipgloss.Style // a tool call and its result
	Thinking lipgloss.Style // a model's reasoning, which is not its answer

	Border      lipgloss.Style
	BorderFocus lipgloss.Style // of the pane that gets the keys
	Selection   lipgloss.Style // the row the keys act upon
	StatusBar   lipgloss.Style

	DiffAdd  lipgloss.Style
	DiffDel  lipgloss.Style
	DiffHunk lipgloss.Style

	colors *palette // nil without colour
}

// New returns the theme of that name; an empty name is [Auto]. background is
// what the terminal answered, nil if it has not (or not yet): then it is taken
// for dark.
func New(name string, background color.Color) (Theme, error) {
	dark := background == nil || luminance(background) < 0.18
	var t Theme
	switch name {
	case Auto, "":
		name = Light
		if dark {
			name = Dark
		}
		return New(name, background)
	case Dark:
		t = colored(darkPalette)
	case Light:
		t = colored(lightPalette)
	case Contrast:
		t = colored(lightContrastPalette)
		if dark {
			t = colored(darkContrastPalette)
		}
	case None:
		t = uncolored()
	default:
		return Theme{}, fmt.Errorf("choosing the theme %q: %w; choose one of %s", name, ErrUnknown, strings.Join(Names(), ", "))
	}
	t.Name = name
	t.Symbols = Unicode()
	return t, nil
}

func colored(p palette) Theme {
	fg := func(hex string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(hex))
	}
	return Theme{
		Text:        fg(p.text),
		Muted:       fg(p.muted),
		Accent:      fg(p.accent),
		Title:       fg(p.text).Bold(true),
		Good:        fg(p.good),
		Warn:        fg(p.warn),
		Bad:         fg(p.bad).Bold(true),
		Running:     fg(p.running),
		Waiting:     fg(p.waiting).Bold(true),
		Tool:        fg(p.tool),
		Thinking:    fg(p.muted).Italic(true),
		Border:      fg(p.border),
		BorderFocus: fg(p.accent).Bold(true),
		Selection:   fg(p.text).Background(lipgloss.Color(p.selection)).Bold(true),
		StatusBar:   fg(p.text).Background(lipgloss.Color(p.bar)),
		DiffAdd:     fg(p.good),
		DiffDel:     fg(p.bad),
		DiffHunk:    fg(p.accent),
		colors:      &p,
	}
}

func uncolored() Theme {
	plain := lipgloss.NewStyle()
	return Theme{
		Text:        plain,
		Muted:       plain,
		Accent:      plain.Underline(true),
		Title:       plain.Bold(true),
		Good:        plain,
		Warn:        plain.Bold(true),
		Bad:         plain.Bold(true).Underline(true),
		Running:     plain,
		Waiting:     plain.Bold(true),
		Tool:        plain,
		Thinking:    plain.Italic(true),
		Border:      plain,
		BorderFocus: plain.Bold(true),
		Selection:   plain.Reverse(true),
		StatusBar:   plain.Reverse(true),
		DiffAdd:     plain,
		DiffDel:     plain.Underline(true),
		DiffHunk:    plain.Bold(true),
	}
}

// Selected returns style as it looks inside the selected row.
func (t Theme) Selected(style lipgloss.Style) lipgloss.Style {
	if t.colors == nil {
		return style.Reverse(true)
	}
	return style.Background(lipgloss.Color(t.colors.selection))
}

// InBar returns style as it looks inside the status bar.
func (t Theme) InBar(style lipgloss.Style) lipgloss.Style {
	if t.colors == nil {
		return style.Reverse(true)
	}
	return style.Background(lipgloss.Color(t.colors.bar))
}

// ASCII returns the theme with symbols and borders every terminal and font
// has.
func (t Theme) ASCII() Theme {
	t.Symbols = ASCII()
	return t
}

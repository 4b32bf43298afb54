package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/theme/text"
)

// mapConfirm shows what an act on the map would write and asks; everything but
// yes means no.
type mapConfirm struct {
	sheet
	act     mapAct
	changes []mapgen.Change
}

func newMapConfirm(act mapAct, told, words string, changes []mapgen.Change) *mapConfirm {
	if told != "" {
		words = told + "\n" + words
	}
	return &mapConfirm{sheet: sheet{body: words}, act: act, changes: changes}
}

// changesWords say what would be written, a line a directory. It takes a while
// where there are many: not in Update.
func changesWords(changes []mapgen.Change) string {
	var b strings.Builder
	if len(changes) > 0 {
		fmt.Fprintf(&b, "Documents of the map in %s are written; your own files are not touched:\n", dirsCounted(len(changes)))
	}
	for _, c := range changes {
		fmt.Fprintf(&b, "  %s  %s\n", text.Visible(c.Dir), changeWords(c))
	}
	return b.String()
}

// changeWords say what becomes of the documents of a directory.
func changeWords(c mapgen.Change) string {
	var words []string
	for _, d := range []struct {
		name string
		mapgen.Rewrite
	}{{"index", c.Index}, {"map", c.Map}} {
		switch {
		case d.Same():
		case d.New == nil:
			words = append(words, d.name+" removed")
		case d.Old == nil:
			words = append(words, d.name+" new")
		default:
			added, gone := 0, 0
			for l := range strings.SplitSeq(mapgen.Diff(d.Path, d.Old, d.New), "\n") {
				switch {
				case strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "--- "):
				case strings.HasPrefix(l, "+"):
					added++
				case strings.HasPrefix(l, "-"):
					gone++
				}
			}
			words = append(words, fmt.Sprintf("%s +%d -%d", d.name, added, gone))
		}
	}
	return strings.Join(words, " · ")
}

func (c *mapConfirm) title() string { return text.Visible(c.act.verb) + "?" }
func (*mapConfirm) width() int      { return 100 }

func (c *mapConfirm) lines(m *model, width, height int) []string {
	words := "do it"
	if len(c.changes) > 0 {
		words = "do it (d shows the diff first)"
	}
	return c.ask(m, width, height, "y", words, "n", "no (also enter, esc)")
}

func (c *mapConfirm) hints(*model) []hint {
	hints := []hint{{"y", "do it"}, {"esc", "no"}}
	if len(c.changes) > 0 {
		hints = append(hints, hint{"d", "diff"})
	}
	return hints
}

func (c *mapConfirm) key(m *model, key string) tea.Cmd {
	switch key {
	case "y":
		m.pop()
		return m.carryOutMap(c.act)
	case "n", "enter", "q":
		m.pop()
	case "d":
		if len(c.changes) > 0 {
			m.push(newPatch(m, "what would be written", diffOf(c.changes, "", false)))
		}
	default:
		if b, ok := find(Bindings(), key, Everywhere); ok {
			moveIn(c, b.Action, c.height)
		}
	}
	return nil
}

package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/theme/text"
	"growbench/views"
)

// kindWords say what a kind of finding means.
var kindWords = map[string]string{
	mapgen.KindMissing:    "It is in the project, and the map does not have it.",
	mapgen.KindOrphaned:   "The map has it, and it is not in the project any more.",
	mapgen.KindSignature:  "What the file exports differs from what the map lists.",
	mapgen.KindPair:       "Of a directory's two documents one is not there.",
	mapgen.KindLink:       "A link of the map leads to the wrong place or nowhere.",
	mapgen.KindStale:      "The map says something else than the files.",
	mapgen.KindDirty:      "Somebody left a mark that this is out of date.",
	mapgen.KindFormat:     "A document was edited into a form the map's readers do not take.",
	mapgen.KindUnreadable: "It cannot be read, so nobody can tell whether the map is right.",
}

// findings are what a check of the map found, to be walked through.
type findings struct {
	list    []mapgen.Finding
	only    string // of this directory alone; "" is all
	at, top int
	listed  int // rows of the list in the window
}

// beginValidation checks the whole map; with only what is found in one
// directory is shown.
func (m *model) beginValidation(only string) tea.Cmd {
	return m.beginMap(mapAct{
		verb: "check the map", doing: "checking the map", reads: true, only: only,
		do: func(ctx context.Context, p *mapgen.Project) (mapOutcome, error) {
			v, err := p.Validate(ctx, false)
			return mapOutcome{validation: &v}, err
		},
	})
}

// showFindings shows what was found, standing where one stood before.
func (m *model) showFindings(v mapgen.Validation, only string) tea.Cmd {
	f := &findings{only: only}
	for _, one := range v.Findings {
		if only == "" || one.Dir == only {
			f.list = append(f.list, one)
		}
	}
	if before := m.chart.findings; before != nil && only == before.only {
		f.at = max(min(before.at, len(f.list)-1), 0)
	}
	m.chart.findings = f
	switch {
	case len(f.list) > 0:
		return m.surface(f)
	case only != "":
		m.notice = "the map of " + text.Visible(only) + " is right"
	default:
		m.notice = "the map is right: nothing was found"
	}
	return nil
}

func (f *findings) title() string {
	if f.only != "" {
		return fmt.Sprintf("%d found in %s", len(f.list), text.Visible(f.only))
	}
	return fmt.Sprintf("%d found in the map", len(f.list))
}
func (*findings) width() int { return 110 }

func (*findings) hints(*model) []hint {
	return []hint{{"enter", "go there"}, {"r", "mend it"}, {"V", "mend all"}, {"j/k", "walk"}, {"esc", "close"}}
}

// explained is how many rows tell about the finding at hand.
const explained = 5

func (f *findings) lines(m *model, width, height int) []string {
	f.listed = max(min(height-explained-1, len(f.list)), 1)
	f.at = max(min(f.at, len(f.list)-1), 0)
	f.top = max(min(f.top, f.at, len(f.list)-f.listed), f.at-f.listed+1, 0)
	var lines []string
	for i := f.top; i < min(f.top+f.listed, len(f.list)); i++ {
		one := f.list[i]
		pen, cursor := m.theme.Text, "  "
		if i == f.at {
			pen, cursor = m.theme.Selection, m.theme.Symbols.Cursor+" "
		}
		lines = append(lines, views.NewRow(width).Add(m.theme.Accent, cursor).Add(m.theme.Warn, text.Pad(one.Kind, 11)).
			Add(pen, text.Visible(spotPath(views.Spot{Dir: one.Dir, File: one.File}))).
			Add(m.theme.Muted, "  "+text.Line(one.Detail)).String())
	}
	one := f.list[f.at]
	mends := m.mends(one)
	if m.settling() {
		mends = "… a moment, then the keys count"
	}
	lines = append(lines, views.NewRow(width).Rule(m.theme.Border, m.theme.Symbols.Frame.Top).String())
	for _, p := range []struct {
		pen   views.Pen
		words string
	}{{m.theme.Text, kindWords[one.Kind]}, {m.theme.Muted, text.Line(one.Detail)}, {m.theme.Accent, mends}} {
		for _, l := range text.Wrap(p.words, width) {
			lines = append(lines, views.NewRow(width).Add(p.pen, l).String())
		}
	}
	return lines[:min(len(lines), max(height, 0))]
}

// mends says what does away with a finding.
func (m *model) mends(f mapgen.Finding) string {
	if f.Kind == mapgen.KindUnreadable {
		return "r lets its owner read it, where that is enough; else: " + text.Line(f.Fix)
	}
	return "r regenerates the directory; on the command line: " + text.Line(f.Fix)
}

func (f *findings) key(m *model, key string) tea.Cmd {
	switch key {
	case "enter":
		m.pop()
		m.walkTo(f.list[f.at])
	case "r":
		m.pop()
		m.walkTo(f.list[f.at])
		return m.beginMap(fixAct(f.list[f.at]))
	case "V":
		m.pop()
		return m.beginMap(mendAct())
	case "q", "v":
		m.pop()
	default:
		if b, ok := find(Bindings(), key, Everywhere); ok {
			moveIn(f, b.Action, f.listed)
		}
	}
	return nil
}

// walkTo goes to where a finding is.
func (m *model) walkTo(f mapgen.Finding) {
	m.show(mapPane)
	spot := views.Spot{Dir: f.Dir}
	if d := m.chart.data.Find(f.Dir); d != nil {
		for _, file := range d.Files {
			if file.Name == f.File {
				spot.File = f.File
			}
		}
	}
	m.visitSpot(spot)
}

// Scroll moves through the findings, Page by whole windows.
func (f *findings) Scroll(rows int) { f.at = max(min(f.at+rows, len(f.list)-1), 0) }
func (f *findings) Page(pages int)  { f.Scroll(pages * max(f.listed-1, 1)) }

// Home and End go to the first and to the last one.
func (f *findings) Home() { f.at = 0 }
func (f *findings) End()  { f.Scroll(len(f.list)) }

func (f *findings) click(m *model, row int) tea.Cmd {
	if i := f.top + row; row < f.listed && i < len(f.list) {
		if f.at == i {
			return f.key(m, "enter")
		}
		f.at = i
	}
	return nil
}

// Copies are the findings as text.
func (f *findings) Copies() []views.Copy {
	all := ""
	line := func(one mapgen.Finding) string {
		return one.Kind + " " + spotPath(views.Spot{Dir: one.Dir, File: one.File}) + ": " + one.Detail
	}
	for _, one := range f.list {
		all += line(one) + "\n"
	}
	return []views.Copy{{Name: "finding", Text: line(f.list[f.at])}, {Name: "all findings", Text: all}}
}

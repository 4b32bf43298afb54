package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/doc"
	"growbench/theme/text"
	"growbench/views"
)

// form is a sheet of texts that the operator fills in, with what is wrong with
// them beside it. What is typed is kept as it is typed; closing the form loses
// nothing.
type form struct {
	work   formWork
	fields []*field
	at     int // the field being typed in
	top    int // the first row shown
	x, y   int // of the cursor

	talk     *talk
	dirty    bool // something was typed that is not saved
	found    found
	checking bool
	stale    bool   // something was typed since the check at hand began
	note     string // what became of the last key
}

// field is one text of a form.
type field struct {
	head  string // of the fields that begin here
	name  string
	wants string // what belongs there
	short bool   // a line of its own, without line ends
	area  views.Area
}

// formWork is what a form is filled in for. check, keep and save are called
// outside the screen.
type formWork interface {
	title() string
	// scope is where the keys belong that this form alone has.
	scope() Scope
	hints(f *form) []hint
	check(ctx context.Context, texts []string) found
	keep(number uint64, texts []string) error
	save(number uint64, texts []string) (done string, err error)
	// key does what a key means in this form alone.
	key(m *model, f *form, key string) (cmd tea.Cmd, known bool)
}

// found is what is to be said of what is typed: problems, by the name of the
// field or of its group, and facts.
type found struct {
	problems []doc.Problem
	facts    []string
}

// formMsg is news of a form: it is open, it was checked, kept or saved.
type formMsg struct {
	form    *form
	opened  bool
	checked *found
	saved   bool
	words   string
}

func (f *form) title() string { return f.work.title() }
func (*form) width() int      { return 400 }

func (f *form) texts() []string {
	out := make([]string, len(f.fields))
	for i, field := range f.fields {
		out[i] = field.area.Text()
	}
	return out
}

func (f *form) cursor() (x, y int)                { return f.x, f.y }
func (f *form) key(m *model, key string) tea.Cmd  { return f.typed(m, key, "") }
func (f *form) paste(m *model, s string) tea.Cmd  { return f.insert(m, s) }
func (f *form) insert(m *model, s string) tea.Cmd { f.fields[f.at].area.Insert(s); return f.changed(m) }

func (f *form) typed(m *model, key, typed string) tea.Cmd {
	area := &f.fields[f.at].area
	f.note = ""
	if cmd, known := f.work.key(m, f, key); known {
		return cmd
	}
	switch key {
	case "tab":
		f.move(1)
	case "shift+tab":
		f.move(-1)
	case "f2":
		m.spoke()
		return f.save()
	case "enter":
		if f.fields[f.at].short {
			f.move(1)
			return nil
		}
		m.spoke()
		return f.insert(m, "\n")
	case "up", "down":
		if !area.Press(key, "") {
			f.move(map[string]int{"up": -1, "down": 1}[key])
		}
	default:
		before := area.Text()
		if area.Press(key, typed) && area.Text() != before {
			return f.changed(m)
		}
	}
	return nil
}

// move goes to another field.
func (f *form) move(by int) {
	f.at = min(max(f.at+by, 0), len(f.fields)-1)
}

// changed keeps what is typed, and has it checked.
func (f *form) changed(m *model) tea.Cmd {
	f.dirty = true
	return tea.Batch(f.keep(), f.check(m.ctx))
}

func (f *form) keep() tea.Cmd {
	work, n, texts := f.work, f.talk.typing(), f.texts()
	return task("keeping what is typed", func() tea.Msg {
		if err := work.keep(n, texts); err != nil {
			return formMsg{form: f, words: "what you type is not kept: " + text.Line(err.Error())}
		}
		return nil
	})
}

// check has what is typed checked; one check is under way at any time.
func (f *form) check(ctx context.Context) tea.Cmd {
	if f.checking {
		f.stale = true
		return nil
	}
	f.checking, f.stale = true, false
	work, texts := f.work, f.texts()
	return task("checking what is typed", func() tea.Msg {
		found := work.check(ctx, texts)
		return formMsg{form: f, checked: &found}
	})
}

func (f *form) save() tea.Cmd {
	work, n, texts := f.work, f.talk.typing(), f.texts()
	f.note = "saving…"
	return task("saving what is typed", func() tea.Msg {
		done, err := work.save(n, texts)
		if err != nil {
			return formMsg{form: f, words: text.Visible(err.Error())}
		}
		return formMsg{form: f, saved: true, words: done}
	})
}

// formed takes news of a form in.
func (m *model) formed(msg formMsg) tea.Cmd {
	f := msg.form
	if f == nil {
		m.notice = msg.words
		return nil
	}
	switch {
	case msg.opened:
		m.talk.forms = append(m.talk.forms, f)
		m.push(f)
		return f.check(m.ctx)
	case msg.checked != nil:
		f.found, f.checking = *msg.checked, false
		if f.stale {
			return f.check(m.ctx)
		}
	case msg.saved:
		f.dirty = false
		if m.top() == f {
			m.pop()
		}
		m.talk.dropForm(f)
		m.notice = msg.words
	default:
		f.note = msg.words
	}
	return nil
}

// lines draws the fields, and what was found beside or below them.
func (f *form) lines(m *model, width, height int) []string {
	if width >= besideWidth {
		left := width * 60 / 100
		body := f.page(m, left, height)
		beside := f.findings(m, width-left-3, height)
		for i := range body {
			body[i] = text.Pad(body[i], left) + m.theme.Border.Write(" "+m.theme.Symbols.Frame.Left+" ") + beside[i]
		}
		return body
	}
	below := max(min(height/3, 8), 1)
	body := f.page(m, width, height-below-1)
	rule := views.NewRow(width).Rule(m.theme.Border, m.theme.Symbols.Frame.Top).String()
	return append(append(body, rule), f.findings(m, width, below)...)
}

// page is the part of the fields around the cursor.
func (f *form) page(m *model, width, height int) []string {
	var rows []string
	label, caret, from := 0, 0, 0
	for i, field := range f.fields {
		focused := i == f.at
		if field.head != "" {
			from = len(rows)
			rows = append(rows, views.NewRow(width).Add(m.theme.Title, field.head).String())
		}
		look, sign := m.theme.Muted, "  "
		if focused {
			look, sign = m.theme.Accent, m.theme.Symbols.Cursor+" "
			if label = len(rows); field.head != "" {
				label = from
			}
		}
		r := views.NewRow(width).Add(look, sign+field.name)
		if focused || field.area.Text() == "" {
			r.Add(m.theme.Muted, "  "+field.wants)
		}
		rows = append(rows, r.String())
		const indent = 4
		inner := max(width-indent, 1)
		lines, x, y := field.area.View(inner, field.area.Rows(inner))
		if focused {
			f.x, caret = x+indent, len(rows)+y
		}
		for _, l := range lines {
			rows = append(rows, views.NewRow(width).Plain(views.Blank(indent)).Add(m.theme.Text, l).String())
		}
	}
	if caret >= f.top+height {
		f.top = caret - height + 1
	}
	if label < f.top {
		f.top = min(label, caret)
	}
	f.top = max(min(f.top, len(rows)-height), caret-height+1, 0)
	f.y = caret - f.top
	rows = rows[f.top:min(f.top+height, len(rows))]
	for len(rows) < height {
		rows = append(rows, views.Blank(width))
	}
	return rows
}

// findings are the note, the problems and the facts, those of the field at hand
// first.
func (f *form) findings(m *model, width, height int) []string {
	var out []string
	put := func(pen views.Pen, words string) {
		for _, line := range text.Wrap(words, width) {
			out = append(out, views.NewRow(width).Add(pen, line).String())
		}
	}
	if f.note != "" {
		put(m.theme.Warn, f.note)
	}
	problems := slices.Clone(f.found.problems)
	name := f.fields[f.at].name
	slices.SortStableFunc(problems, func(a, b doc.Problem) int { return rank(a, name) - rank(b, name) })
	switch {
	case doc.HasErrors(problems):
		put(m.theme.Bad, "It does not pass yet.")
	case f.checking && len(problems) == 0 && f.found.facts == nil:
		put(m.theme.Muted, "checking…")
	case len(problems) > 0:
		put(m.theme.Good, "It passes, with remarks.")
	default:
		put(m.theme.Good, "It passes.")
	}
	for _, p := range problems {
		pen := m.theme.Warn
		if p.Level == doc.Error {
			pen = m.theme.Bad
		}
		words := p.Text
		if !strings.HasPrefix(words, p.Section) {
			words = p.Section + ": " + words
		}
		put(pen, "- "+text.Line(words))
	}
	for _, fact := range f.found.facts {
		put(m.theme.Muted, text.Line(fact))
	}
	if len(out) > height && height > 0 {
		more := fmt.Sprintf("… %d more rows", len(out)-height+1)
		out = append(out[:height-1], views.NewRow(width).Add(m.theme.Muted, more).String())
	}
	for len(out) < height {
		out = append(out, views.Blank(width))
	}
	return out
}

// rank puts errors of the field at hand first, then other errors.
func rank(p doc.Problem, field string) int {
	n := 0
	if p.Level != doc.Error {
		n = 2
	}
	if p.Section != field {
		n++
	}
	return n
}

package ui

import (
	"fmt"
	"strings"

	"growbench/engine/doc"
	"growbench/theme/text"
	"growbench/views"
)

func (*talk) title() string { return "conversation" }
func (*talk) width() int    { return 400 }

func (t *talk) wheel(_ *model, steps int) { t.view.Scroll(steps * wheelRows) }

// maxTyping is how many rows of what is typed are shown.
const maxTyping = 10

// invitation stands where nothing is typed yet.
const invitation = "say what you want; enter sends it"

// besideWidth is from where Task #0 stands beside the conversation.
const besideWidth = 110

// lines draws the transcript, what is asked, and the line being typed.
func (t *talk) lines(m *model, width, height int) []string {
	t.height = height
	prompt := m.theme.Symbols.Cursor + " "
	room := max(width-text.Width(prompt), 1)
	typing, x, y := t.input.View(room, min(t.input.Rows(room), max(height/3, 1), maxTyping))
	below := 2 + len(typing)
	left := width
	if width >= besideWidth {
		left = width * 60 / 100
	}
	t.view.SetLook(m.theme)
	rows := height - below
	if t.note != "" {
		rows--
	}
	t.view.SetSize(left, max(rows, 1))
	body := t.view.View()
	if t.hint != "" && len(t.look.State.Messages) <= 1 {
		for i, line := range text.Wrap(t.hint, left) {
			if row := i + 2; row < len(body) {
				body[row] = views.NewRow(left).Add(m.theme.Muted, line).String()
			}
		}
	}
	if t.note != "" {
		body = append([]string{views.NewRow(left).Add(m.theme.Muted, t.note).String()}, body...)
	}
	if left < width {
		for i, line := range t.beside(m, width-left-3, len(body)) {
			body[i] = text.Pad(body[i], left) + m.theme.Border.Write(" "+m.theme.Symbols.Frame.Left+" ") + line
		}
	}
	t.x, t.y = text.Width(prompt)+x, height-len(typing)+y
	body = append(body, t.asked(m, width), t.meter(m, width))
	for i, row := range typing {
		if i > 0 {
			prompt = views.Blank(text.Width(prompt))
		}
		line := views.NewRow(width).Add(m.theme.Accent, prompt)
		if t.session != nil && t.look.Model && t.input.Text() == "" {
			line.Add(m.theme.Muted, invitation)
		} else {
			line.Plain(row)
		}
		body = append(body, line.String())
	}
	return body[len(body)-min(height, len(body)):]
}

// asked is the question at hand, and what goes on.
func (t *talk) asked(m *model, width int) string {
	row, l := views.NewRow(width), t.look
	pen, goes := t.goesOn(m)
	if len(l.Waits) == 0 {
		return row.Add(pen, goes).String()
	}
	room := width
	if goes != "" {
		room -= text.Width(goes) + 2
	}
	question := m.theme.Symbols.Waiting + " " + text.Line(l.Waits[0].Text)
	return row.Add(m.theme.Waiting, text.Truncate(question, max(room, 0), "…")).End(pen, goes).String()
}

// goesOn is what goes on by itself, else what keeps anything from it.
func (t *talk) goesOn(m *model) (views.Pen, string) {
	l := t.look
	switch {
	case l.Stopping:
		return m.theme.Warn, "stopping…"
	case l.Doing != "":
		return m.theme.Running, text.Line(l.Doing) + "…"
	case l.Turn:
		return m.theme.Running, "answering…"
	case len(l.Waits) > 0:
		return m.theme.Muted, "" // a run that waits does nothing else
	case l.Run.Lives():
		return m.theme.Running, fmt.Sprintf("run %s: %s, %d of %d Workers done", text.Line(l.Run.Run), text.Line(l.Run.Phase), l.Run.Done, l.Run.N)
	case !l.Model && t.session != nil:
		return m.theme.Muted, "no model answers here (roles.giver): f4 writes Task #0"
	}
	return m.theme.Muted, ""
}

// meter says how little of each side crosses to the next.
func (t *talk) meter(m *model, width int) string {
	var parts []string
	add := func(name string, v *float64) {
		if v != nil {
			parts = append(parts, fmt.Sprintf("%s %.1f%%", name, *v*100))
		}
	}
	if v, ok := t.look.State.Draft.Isolation(); ok {
		add("G→P", &v)
	}
	add("P→W", t.look.Run.PW)
	add("W→G", t.look.Run.WG)
	words := fmt.Sprintf("%d bytes said", t.look.State.Bytes)
	if len(parts) > 0 {
		kept := "kept back: " + strings.Join(parts, " · ")
		if words += " · " + kept; text.Width(words) > width {
			words = kept
		}
	}
	return views.NewRow(width).Add(m.theme.Muted, words).String()
}

// beside is Task #0 as it stands, with what is wrong with it.
func (t *talk) beside(m *model, width, height int) []string {
	var out []string
	put := func(pen views.Pen, words string) {
		for _, line := range text.Wrap(words, width) {
			out = append(out, views.NewRow(width).Add(pen, line).String())
		}
	}
	d := t.look.State.Draft
	put(m.theme.Title, "Task #0")
	switch {
	case d.SHA256 == "" && t.followed():
		put(m.theme.Muted, "There is none yet.")
	case d.SHA256 == "":
		put(m.theme.Muted, "There is none yet; f4 writes one.")
	case d.Used != "":
		put(m.theme.Muted, "It became run "+text.Line(d.Used)+".")
	case doc.HasErrors(d.Problems):
		put(m.theme.Bad, "It does not pass.")
	case d.Denied:
		put(m.theme.Warn, "You refused it.")
	default:
		put(m.theme.Good, "It passes.")
	}
	put(m.theme.Text, text.Line(d.Goal))
	for _, p := range d.Problems {
		pen := m.theme.Warn
		if p.Level == doc.Error {
			pen = m.theme.Bad
		}
		put(pen, "- "+text.Line(strings.TrimPrefix(p.Section+": "+p.Text, ": ")))
	}
	if l := m.grow.view; l.Lock != nil {
		out = append(out, views.Blank(width))
		put(m.theme.Title, "Grow loop")
		out = append(out, views.LoopFacts(m.theme, width, *l.Lock, l.Surface)...)
		if l.Proof != nil {
			put(m.theme.Warn, "It has ended: "+text.Line(l.Proof.Reason))
		}
	}
	if len(out) > height {
		out = out[:height]
	}
	for len(out) < height {
		out = append(out, views.Blank(width))
	}
	return out
}

func (t *talk) cursor() (x, y int) { return t.x, t.y }

package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/giver"
	"growbench/theme/text"
	"growbench/views"
)

// talk is the conversation, over the panes. It stays as it is while it is
// closed: what was typed is there when it is opened again.
type talk struct {
	session *giver.Session
	reader  *talkReader
	look    giver.Look
	view    views.Transcript
	input   views.Area
	forms   []*form // what is being filled in, open or not
	typings uint64
	kept    uint64 // how often what is typed was kept
	note    string // why there is no conversation, or only one to read
	opening bool
	free    bool // nobody has what is only followed
	x, y    int  // of the cursor
	height  int
}

func (m *model) openTalk() tea.Cmd {
	if m.talk != nil && (m.talk.session != nil || m.talk.opening) {
		m.push(m.talk)
		return nil
	}
	m.endTalk()
	fresh := &talk{view: views.NewTranscript(m.theme), note: "opening the conversation…", opening: true}
	if m.talk != nil {
		fresh.input = m.talk.input // typed where it could not be opened
	}
	m.talk = fresh
	m.push(m.talk)
	ctx, open, overhear := m.ctx, m.o.Talk, m.o.Overhear
	return task("opening the conversation", func() tea.Msg {
		s, err := open()
		if errors.Is(err, engine.ErrOwned) && overhear != nil {
			r := newTalkFollower(ctx, overhear())
			return talkMsg{opened: r, look: r.look()}
		}
		if err != nil {
			return talkMsg{err: err}
		}
		r := newTalkReader(s)
		sheets, look := r.take(nil)
		return talkMsg{opened: r, sheets: sheets, look: look, input: s.Input(), hint: s.MapHint()}
	})
}

// talkMsg is news of the conversation, or why there is none.
type talkMsg struct {
	opened *talkReader
	reader *talkReader // whose news it is
	free   bool        // nobody has what was only followed
	sheets []*views.Sheet
	look   giver.Look
	input  string
	hint   string // that there is no map
	err    error
}

// actedMsg is what became of something the operator did in the conversation.
type actedMsg struct{ words string }

func (m *model) talked(msg talkMsg) tea.Cmd {
	t := m.talk
	if t == nil || msg.reader != nil && msg.reader != t.reader {
		return nil // of one that was let go
	}
	t.opening = false
	if msg.err != nil {
		t.note = "no conversation: " + text.Line(msg.err.Error())
		if errors.Is(msg.err, engine.ErrOwned) {
			t.note = "another growbench has this conversation; `growbench chat` follows it"
		}
		return nil
	}
	if msg.opened != nil {
		t.session, t.reader, t.note = msg.opened.session, msg.opened, ""
		if len(msg.look.State.Messages) <= 1 {
			m.notice = msg.hint
		}
		if t.session != nil {
			m.grow = growing{by: t.session, view: t.session.Loop()} // how an earlier loop ended is no news
		}
		t.view.Reset("nothing has been said yet")
		t.input.SetText(msg.input + t.input.Text()) // what was typed meanwhile comes after what was kept
	}
	t.look, t.free = msg.look, msg.free
	if t.session == nil {
		t.note = "another growbench has this conversation; it is shown, and nothing can be said here"
		if msg.free {
			t.note = "nobody has this conversation any more; enter takes it over"
		}
	}
	m.followLoop()
	if n := len(msg.look.State.Messages); n > 1 { // the first says nothing
		t.view.Grow(pagesOf(n), msg.sheets...)
	}
	return m.hearTalk()
}

// hearTalk waits for what comes next. Only one is under way at any time.
func (m *model) hearTalk() tea.Cmd {
	ctx, r := m.ctx, m.talk.reader
	return task("following the conversation", func() tea.Msg {
		if !r.urgent {
			select {
			case <-ctx.Done():
				return nil
			case <-r.hurry:
				r.urgent = true
			case <-time.After(streamEvery):
			}
		}
		updates, err := r.next(ctx)
		if err != nil {
			return nil // the conversation or the workbench is closed
		}
		sheets, look := r.take(updates)
		r.urgent = r.urgent && look.Turn
		return talkMsg{reader: r, sheets: sheets, look: look, free: r.free}
	})
}

func (*talk) title() string { return "conversation" }
func (*talk) width() int    { return 400 }

func (t *talk) hints(m *model) []hint {
	return append(m.loopHints(), []hint{
		{"enter", "say"}, {"f2", "approve"}, {"f3", "refuse, with these words"}, {"f4", "edit Task #0"}, {"f5", "what crosses"}, {"f6", "plan by hand"}, {"f12", "memory"},
		{"ctrl+x", "stop the answer"}, {"alt+enter", "new line"}, {"pgup", "back"}, {"esc", "close"},
	}...)
}

// maxTyping is how many rows of what is typed are shown.
const maxTyping = 10

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
	t.view.SetSize(left, max(height-below, 1))
	body := t.view.View()
	if t.note != "" {
		body = append([]string{views.NewRow(left).Add(m.theme.Muted, t.note).String()}, body...)[:max(height-below, 1)]
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
		body = append(body, views.NewRow(width).Add(m.theme.Accent, prompt).Plain(row).String())
	}
	return body[len(body)-min(height, len(body)):]
}

// asked is the question at hand, else what goes on.
func (t *talk) asked(m *model, width int) string {
	row := views.NewRow(width)
	l := t.look
	switch {
	case len(l.Waits) > 0:
		return row.Add(m.theme.Waiting, m.theme.Symbols.Waiting+" "+text.Line(l.Waits[0].Text)).String()
	case l.Stopping:
		return row.Add(m.theme.Warn, "stopping…").String()
	case l.Doing != "":
		return row.Add(m.theme.Running, text.Line(l.Doing)+"…").String()
	case l.Turn:
		return row.Add(m.theme.Running, "answering…").String()
	case l.Run.Lives():
		return row.Add(m.theme.Running, fmt.Sprintf("run %s: %s, %d of %d Workers done", text.Line(l.Run.Run), text.Line(l.Run.Phase), l.Run.Done, l.Run.N)).String()
	case !l.Model && t.session != nil:
		return row.Add(m.theme.Muted, "no model answers here (roles.giver): f4 writes Task #0").String()
	}
	return row.String()
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
		words += " · kept back: " + strings.Join(parts, " · ")
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

func (t *talk) key(m *model, key string) tea.Cmd { return t.typed(m, key, "") }

func (t *talk) paste(m *model, s string) tea.Cmd {
	if t.followed() {
		return t.typed(m, "", "")
	}
	t.input.Insert(strings.TrimRight(s, "\r\n"))
	return t.keep()
}

// keep puts what is typed on disk.
func (t *talk) keep() tea.Cmd {
	if t.session == nil {
		return nil
	}
	t.kept++
	s, n, words := t.session, t.kept, t.input.Text()
	return task("keeping what is typed", func() tea.Msg {
		if err := s.KeepInput(n, words); err != nil {
			return actedMsg{"what you type is not kept: " + text.Line(err.Error())}
		}
		return nil
	})
}

func (t *talk) typed(m *model, key, typed string) tea.Cmd {
	if t.followed() && key == "enter" && t.free {
		return m.openTalk()
	}
	switch key {
	case "up", "down":
		if !t.input.Press(key, "") { // no further row of what is typed
			t.view.Scroll(map[string]int{"up": -1, "down": 1}[key])
		}
	case "pgup":
		t.view.Page(-1)
	case "pgdown":
		t.view.Page(1)
	case "ctrl+home":
		t.view.Home()
	case "ctrl+end":
		t.view.End()
	case "ctrl+o":
		t.view.FoldAll(!t.view.Folded())
	case "enter", "f2", "f3", "f4", "f5", "f6", "f12", "ctrl+x":
		if t.session == nil {
			return nil
		}
		return t.act(m, key)
	default:
		if t.followed() {
			m.notice = "nothing can be said here: another growbench has this conversation"
			return nil
		}
		before := t.input.Text()
		if t.input.Press(key, typed) && t.input.Text() != before {
			return t.keep()
		}
	}
	return nil
}

// followed tells that the conversation is another process's.
func (t *talk) followed() bool { return t.reader != nil && t.session == nil }

// act does what a key of the conversation stands for.
func (t *talk) act(m *model, key string) tea.Cmd {
	s, words := t.session, t.input.Text()
	first := giver.Waiting{}
	if len(t.look.Waits) > 0 {
		first = t.look.Waits[0]
	}
	switch key {
	case "enter":
		if strings.TrimSpace(words) == "" {
			return nil
		}
		m.spoke()
		t.input.SetText("")
		t.view.End()
		return tea.Batch(t.keep(), acting("say it", "", func() error { return s.Say(words, giver.ByOperator) }))
	case "f2", "f3":
		if first.ID == "" {
			m.notice = "nothing waits for you"
			return nil
		}
		if key == "f2" {
			return acting("approve it", "approved", func() error { return s.Approve(first.ID, "") })
		}
		t.input.SetText("")
		return tea.Batch(t.keep(), acting("refuse it", "refused", func() error { return s.Deny(first.ID, words) }))
	case "f4":
		return t.openTaskForm(m)
	case "f6":
		return t.openPlanForm(m)
	case "f12":
		return t.openMemory(m)
	case "f5":
		return task("reading what crosses", func() tea.Msg {
			body, err := s.Crossed()
			if err == nil && body == "" {
				return actedMsg{"nothing crosses yet: there is no Task #0"}
			}
			return documentMsg{Talk, "what crosses, and nothing else", body, err}
		})
	case "ctrl+x":
		if !s.Stop() {
			m.notice = "no answer is being made"
			return nil
		}
		t.look.Stopping = true // until the news of its end comes
		t.reader.soon()
	}
	return nil
}

// acting does something of the operator's and says what became of it.
func acting(what, done string, do func() error) tea.Cmd {
	return task("to "+what, func() tea.Msg {
		if err := do(); err != nil {
			return actedMsg{"could not " + what + ": " + text.Line(err.Error())}
		}
		return actedMsg{done}
	})
}

// endTalk lets go of a conversation that was only followed.
func (m *model) endTalk() {
	if m.talk != nil && m.talk.reader != nil && m.talk.reader.follower != nil {
		m.talk.reader.leave()
		m.stack = slices.DeleteFunc(m.stack, func(o overlay) bool { return o == m.talk })
	}
}

// closeTalk lets the conversation go.
func (m *model) closeTalk() {
	if m.talk == nil || m.talk.session == nil {
		return
	}
	t := m.talk
	t.reader.feed.Close()
	for _, f := range t.forms {
		if f.dirty {
			_ = f.work.keep(t.typing(), f.texts())
		}
	}
	_ = t.session.KeepInput(t.kept+1, t.input.Text()) // what is on the screen is what counts
	_ = t.session.Close()                             // what it holds is on disk already
}

// openForm is the form that is being filled in for a work, if any. One in which
// nothing was typed is read anew.
func (t *talk) openForm(is func(formWork) bool) *form {
	for _, f := range t.forms {
		if is(f.work) && f.dirty {
			return f
		}
	}
	t.forms = slices.DeleteFunc(t.forms, func(f *form) bool { return is(f.work) })
	return nil
}

// typing numbers what is typed into forms, in its order.
func (t *talk) typing() uint64 {
	t.typings++
	return t.typings
}

// dropForm forgets a form.
func (t *talk) dropForm(f *form) {
	t.forms = slices.DeleteFunc(t.forms, func(o *form) bool { return o == f })
}

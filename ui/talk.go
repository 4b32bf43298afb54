package ui

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
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
	hint    string // what should be known before anything is said
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
		t.hint = msg.hint
		if t.session != nil {
			m.own(t.session)
		}
		t.view.Reset("nothing has been said yet")
		t.input.SetText(msg.input + t.input.Text()) // what was typed meanwhile comes after what was kept
	}
	t.look, t.free = msg.look, msg.free
	if t.session == nil {
		t.note = "another growbench has this conversation; you watch"
		if msg.free {
			t.note = "nobody has this conversation now; enter takes it over"
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

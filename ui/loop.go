package ui

import (
	"strings"

	"growbench/engine/giver"
	"growbench/loop"
	"growbench/theme"
	"growbench/theme/text"
	"growbench/views"
)

// grower is the conversation's loop as the screen needs it.
type grower interface {
	Loop() giver.LoopView
	Typed()
	CancelLoop()
	HurryLoop()
	Handoffs() []giver.LoopEntry
}

// growing is the grow loop on the screen, whatever else is shown.
type growing struct {
	by    grower // nil before anything is known of it
	view  giver.LoopView
	leave func() // what follows it elsewhere; nil for nothing
}

// shows tells whether the status line names the loop.
func (g growing) shows() bool { return g.view.Status.Text() != "" }

// followLoop shows the loop as it is now. It asks the session rather than trust
// an update, which may be older than a key that ended what it tells of.
func (m *model) followLoop() {
	if m.grow.by == nil {
		return
	}
	before := m.grow.view
	m.grow.view = m.grow.by.Loop()
	now := m.grow.view
	switch {
	case now.Notice != "" && now.Notice != before.Notice:
		m.notice = text.Line(now.Notice)
	case now.Proof != nil && (before.Proof == nil || *before.Proof != *now.Proof):
		m.notice = "the grow loop has ended: " + text.Line(now.Proof.Reason)
	}
	if now.Status.Identity() != before.Status.Identity() {
		m.look() // the window's title
	}
	m.fillHistory()
}

// spoke tells the loop that the operator types. It gives way at once.
func (m *model) spoke() {
	if m.grow.by != nil {
		m.grow.by.Typed()
		m.followLoop()
	}
}

// takesText tells whether something is being typed here. Looking for an action
// is none of it: it leads to panes, and to the loop's own keys.
func (m *model) takesText() bool {
	if top := m.top(); top != nil {
		_, types := top.(typist)
		_, looks := top.(*palette)
		return types && !looks
	}
	return m.line != nil
}

// onLoop does what a key of the loop says.
func (m *model) onLoop(a Action) {
	switch a {
	case CancelLoop:
		m.grow.by.CancelLoop()
		m.notice = "what the grow loop had scheduled is dropped"
	case HurryLoop:
		m.grow.by.HurryLoop()
	case LoopHistory:
		m.switchHistory()
	}
	m.followLoop()
}

// loopTitle stands before the window's title while the loop shows.
func (m *model) loopTitle() string {
	if who := m.grow.view.Status.Identity(); who != "" && !m.grow.elsewhere() {
		return who + " — "
	}
	return ""
}

// worded is a word and how it looks.
type worded struct {
	pen   views.Pen
	words string
}

// loopMark is the loop's part of the status line.
func (m *model) loopMark() (mark []worded, width int) {
	s := m.grow.view.Status
	name, rest := splitMark(s.Text())
	if name == "" {
		return nil, 0
	}
	pen := m.theme.Muted
	var lead []string
	if m.grow.elsewhere() {
		lead = append(lead, "elsewhere")
	}
	if s.State == loop.Deferred {
		pen = m.theme.Warn
		if m.theme.Name == theme.None {
			lead = append(lead, "waits") // for the colour that tells it from an active turn
		}
	}
	if len(lead) > 0 {
		name = strings.Join(lead, ", ") + ": " + name
	}
	return []worded{{m.theme.Muted, name}, {pen, rest}}, text.Width(name + rest)
}

// splitMark cuts what stands in the status line before its last word.
func splitMark(s string) (name, last string) {
	i := strings.LastIndex(s, " ") + 1
	return s[:i], s[i:]
}

// loopHints are the loop's keys while something is scheduled.
func (m *model) loopHints() []hint {
	if m.grow.elsewhere() {
		return nil
	}
	switch m.grow.view.Status.State {
	case loop.Countdown:
		return []hint{{"f9", "next turn now"}, {"f8", "no next turn"}}
	case loop.Deferred:
		return []hint{{"f8", "no next turn"}}
	}
	return nil
}

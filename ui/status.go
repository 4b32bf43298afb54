package ui

import (
	"fmt"
	"strings"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// status says in one line how the run stands.
func (m *model) status() string {
	look, words := m.standing()
	return views.NewRow(m.screen.width).Add(look, words).String()
}

func (m *model) standing() (views.Pen, string) {
	s := m.seen
	switch {
	case s.IsEnded():
		return m.ended()
	case !m.owner:
		return m.theme.Bad, "orphaned: the process that ran this is gone; resume goes on after the last finished Worker"
	case len(s.Waits) > 0:
		w := s.Waits[0]
		who := ""
		if w.K > 0 {
			who = agentName(w.K) + ": "
		}
		return m.theme.Waiting, "waits for you (a answers): " + w.Kind + " — " + who + text.Visible(w.Text)
	case m.stopping:
		return m.theme.Warn, "stopping…"
	}
	words := s.Phase
	switch w := s.Current(); {
	case w != nil:
		words = fmt.Sprintf("Worker %d of %d at work", w.K, s.Plan.N)
	case s.Phase == event.PhasePlanning:
		words = "planning…"
	}
	if !s.Started.IsZero() {
		words += " · " + views.Duration(m.o.Clock().Sub(s.Started))
	}
	if u := s.Usage; u.In+u.Out > 0 {
		words += " · " + views.Tokens(u.In, u.Out, u.Estimated)
	}
	return m.theme.Running, words
}

// ended says how the run ended and, always, what was checked.
func (m *model) ended() (views.Pen, string) {
	s := m.seen
	words := s.Status + " · verified: " + s.Verified
	if s.Verified == event.VerifiedNone {
		words += " (nothing was checked)"
	}
	if s.Reason != "" {
		words += " · " + text.Line(s.Reason)
	}
	if s.Status == event.StatusPassed && s.Branch != "" {
		words += " · branch " + text.Visible(s.Branch)
	}
	look := m.theme.Bad
	switch {
	case s.Status == event.StatusPassed && s.Verified == event.VerifiedPassed:
		look = m.theme.Good
	case s.Status != event.StatusFailed && s.Verified != event.VerifiedFailed:
		look = m.theme.Warn
	}
	return look, words
}

// hints name the keys that matter most now; what just happened is said in
// their place, until the next key.
func (m *model) hints() string {
	r := views.NewRow(m.screen.width)
	if m.notice != "" {
		return r.Add(m.theme.Title, m.notice).String()
	}
	situation := m.situation()
	for _, b := range Bindings() {
		hint, ok := shortHints[b.Action]
		if !ok || b.Disabled != nil && b.Disabled(situation) != "" {
			continue
		}
		r.Add(m.theme.Accent, strings.Join(b.Keys[:1], "")+" ").Add(m.theme.Muted, hint+"  ")
	}
	return r.String()
}

var shortHints = map[Action]string{
	Answer: "answer", Leave: "leave", Stop: "stop", Help: "help", NextPane: "pane", Open: "open", Prompt: "prompt", Task: "task",
}

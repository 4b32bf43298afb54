package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// status says in one line how the run stands.
func (m *model) status() string {
	look, words := m.standing()
	mark, marked := m.loopMark()
	room := m.screen.width
	if marked > 0 {
		room -= marked + 2
	}
	row := views.NewRow(m.screen.width).Add(look, text.Truncate(words, room, "…"))
	if fresh := m.freshness(); fresh != "" && text.Width(words)+text.Width(fresh)+2 <= room {
		row.To(m.screen.width-room+text.Width(fresh)).Add(m.freshPen(), fresh)
	}
	row.To(marked)
	for _, p := range mark {
		row.Add(p.pen, p.words)
	}
	return row.String()
}

func (m *model) standing() (views.Pen, string) {
	s := m.seen
	if words := m.errandLine(); words != "" {
		return m.theme.Running, words
	}
	if m.onMap() && m.mapped() {
		return m.mapStanding()
	}
	if m.listing {
		return m.listStanding()
	}
	switch {
	case m.begins:
		return m.theme.Running, "going on: the run's owner is being started…"
	case s.IsEnded():
		return m.ended()
	case !m.owner && m.o.Project != nil && m.visit.mode == Live:
		return m.theme.Bad, "orphaned: the process that ran this is gone; R goes on after the last finished Worker"
	case !m.owner:
		return m.theme.Bad, "orphaned: the process that ran this is gone; resume goes on after the last finished Worker"
	case len(s.Waits) > 0 && m.visit.mode != Live:
		return m.theme.Waiting, "it waits for an answer: " + text.Line(s.Waits[0].Kind) + ": " + need(s.Waits[0])
	case len(s.Waits) > 0:
		return m.theme.Waiting, waitsUntil(s.Waits[0], m.o.Clock(), m.screen.width)
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
		words += " · " + views.Duration(m.now().Sub(s.Started))
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
	failed := s.FailedEach()
	if failed != "" {
		words += " · " + text.Line(failed)
	}
	if s.Reason != "" {
		words += " · " + text.Line(s.Reason)
	}
	if s.Status == event.StatusPassed && s.Branch != "" {
		words += " · branch " + text.Visible(s.Branch)
	}
	look := m.theme.Bad
	switch {
	case s.Status == event.StatusPassed && s.Verified == event.VerifiedPassed && failed == "":
		look = m.theme.Good
	case s.Status != event.StatusFailed && s.Verified != event.VerifiedFailed:
		look = m.theme.Warn
	}
	return look, words
}

// waits says in one line what the run waits for. The choices stand before the
// text, which may be cut; what can be read elsewhere goes first.
func waits(w event.Waiting, width int) string {
	if len(w.Choices) == 0 {
		return waitsWith(w, "", width)
	}
	var names []string
	for _, c := range w.Choices {
		names = append(names, text.Visible(c))
	}
	return waitsWith(w, " ("+strings.Join(names, ", ")+")", width)
}

// waitsUntil is waits, with what happens by itself in place of the choices.
func waitsUntil(w event.Waiting, now time.Time, width int) string {
	if first := strings.TrimSpace(byItself(w, now)); first != "" {
		return waitsWith(w, "; "+first, width)
	}
	return waits(w, width)
}

func waitsWith(w event.Waiting, choices string, width int) string {
	kind := text.Line(w.Kind)
	who := kind
	if w.K > 0 {
		who += ", " + agentName(w.K)
	}
	const enough = 60 // cells of the text
	about := text.Line(need(w))
	rest := choices + ": " + about
	least := text.Width(choices+": ") + min(text.Width(about), enough)
	var words string
	for _, lead := range []string{"waits for you (a answers): " + who, "waits for you: " + who, "waits for you: " + kind, "waits: " + kind} {
		if words = lead + rest; text.Width(lead)+least <= width {
			break
		}
	}
	return words
}

// hint is a key and in a word what it does.
type hint struct{ key, does string }

func (h hint) width() int { return text.Width(h.key + " " + h.does) }

// hints name the keys that matter most now; what just happened is said in
// their place, until the next key. In the conversation it is said before them:
// what has come since may wait for an answer.
func (m *model) hints() string {
	o := m.top()
	talks := o != nil && o == overlay(m.typing())
	if m.notice != "" && !talks {
		return views.NewRow(m.screen.width).Add(m.theme.Title, m.notice).String()
	}
	if o != nil {
		place, keep := "", 1
		if r, ok := o.(reader); ok {
			place = where(r)
		}
		if talks {
			keep = 2
		}
		return m.hintLine(o.hints(m), place, keep)
	}
	situation := m.situation()
	var hints []hint
	for _, b := range m.hinted() {
		does, ok := shortHints[b.Action]
		if m.onMap() {
			does, ok = mapHints[b.Action]
		}
		if m.listing {
			does, ok = listHints[b.Action]
			ok = ok && (b.Action != List || m.hasRun())
		}
		if b.Action == Pause && m.replay != nil {
			does = m.replay.pauseWord()
		}
		if ok && (b.In == Everywhere || b.In == m.scope() || b.In == InReplay) && b.reason(situation) == "" {
			hints = append(hints, hint{b.key(), does})
		}
	}
	return m.hintLine(hints, "", 1)
}

// hintLine sets hints on the left, after what has just happened, and a word on
// the right. Those that find no room are left out; the last ones, which lead to
// all of them and away, stay.
func (m *model) hintLine(hints []hint, right string, keep int) string {
	const gap = 2
	room := m.screen.width - text.Width(right)
	if right == "" {
		room += gap // none is needed at the edge
	}
	if m.notice != "" {
		room -= text.Width(m.notice) + gap
	}
	last := hints[max(len(hints)-keep, 0):]
	for _, h := range last {
		room -= h.width() + gap
	}
	var fit []hint
	for _, h := range hints[:len(hints)-len(last)] {
		if need := h.width() + gap; need <= room {
			fit, room = append(fit, h), room-need
		}
	}
	fit = append(fit, last...)
	r := views.NewRow(m.screen.width)
	if m.notice != "" {
		r.Add(m.theme.Title, m.notice).Plain("  ")
		if room < 0 {
			fit = nil
		}
	}
	for i, h := range fit {
		if i > 0 {
			r.Plain("  ")
		}
		r.Add(m.theme.Accent, h.key+" ").Add(m.theme.Muted, h.does)
	}
	return r.End(m.theme.Muted, right).String()
}

// hinted are the bindings that may be named at the bottom, in order.
func (m *model) hinted() []Binding {
	all := Bindings()
	if m.onMap() {
		others := slices.DeleteFunc(all, func(b Binding) bool { return b.In == InMap || b.In == InPreview })
		return append(mapBindings(), others...)
	}
	if m.replaying() {
		others := slices.DeleteFunc(all, func(b Binding) bool { return b.In == InReplay })
		return append(replayBindings(), others...)
	}
	return all
}

// listHints are those of the list of runs.
var listHints = map[Action]string{
	Answer: "answer", Leave: "leave", Stop: "stop", Help: "help", Open: "open", Resume: "resume", Retry: "retry",
	Rollback: "drop", Merge: "merge", RunDiff: "diff", Again: "replay", Prune: "delete", List: "back", Filter: "filter",
}

var shortHints = map[Action]string{
	Answer: "answer", Leave: "leave", Stop: "stop", NextPane: "pane", Open: "open", Prompt: "prompt", Task: "task", Diff: "diff", Result: "result", NextStop: "next", Search: "search",
	Filter: "filter", Copy: "copy", Palette: "actions", Help: "help",
	List: "runs", Pause: "pause", StepOn: "step", Faster: "faster", NextStart: "worker",
}

package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// grace is how long a question must have been on the screen before a key
// counts as its answer: what was typed for something else does not.
const grace = time.Second

// question shows one thing the run waits for and takes the answer. No choice
// is made by default.
type question struct {
	id    string
	since time.Time
}

func (m *model) pushAnswer() tea.Cmd {
	m.push(&question{id: m.state.Waits[0].ID, since: m.o.Clock()})
	return tea.Tick(grace, func(time.Time) tea.Msg { return repaintMsg{} })
}

func (q *question) title() string { return "the run waits for you" }
func (q *question) width() int    { return 90 }

func (q *question) wait(m *model) (event.Waiting, bool) {
	i := slices.IndexFunc(m.state.Waits, func(w event.Waiting) bool { return w.ID == q.id })
	if i < 0 {
		return event.Waiting{}, false
	}
	return m.state.Waits[i], true
}

func (q *question) lines(m *model, width, height int) []string {
	w, ok := q.wait(m)
	if !ok {
		return choices(m, width, height, "This was answered already.", "esc", "close")
	}
	lead := w.Kind + ": " + need(w) + byItself(w, m.o.Clock())
	if w.K > 0 {
		lead = agentName(w.K) + ", " + lead
	}
	if m.o.Clock().Sub(q.since) < grace {
		return choices(m, width, height, lead, "…", "a moment, then the choices")
	}
	var pairs []string
	for i, c := range w.Choices {
		if i == 9 {
			pairs = append(pairs, "…", fmt.Sprintf("%d more: use growbench answer", len(w.Choices)-i))
			break
		}
		words := text.Visible(c)
		if i < len(w.Meanings) && w.Meanings[i] != "" {
			words += ": " + text.Visible(w.Meanings[i])
		}
		pairs = append(pairs, strconv.Itoa(i+1), words)
	}
	return choices(m, width, height, lead, append(pairs, "esc", "not now")...)
}

func (*question) hints(*model) []hint { return []hint{{"esc", "close"}} }

// byItself says what happens, and when, if nobody answers.
func byItself(w event.Waiting, now time.Time) string {
	if w.Until.IsZero() || len(w.Choices) == 0 {
		return ""
	}
	left := max(0, (w.Until.Sub(now) + time.Second - 1).Truncate(time.Second))
	return fmt.Sprintf("\n%s in %s if nobody answers", text.Visible(w.Choices[0]), views.Duration(left))
}

// need is what a wait is about, without the Worker and the kind, which are
// shown beside it.
func need(w event.Waiting) string {
	lines := strings.Split(w.Text, "\n")
	for i, l := range lines {
		lines[i] = text.Visible(l)
	}
	words := strings.Join(lines, "\n")
	for _, known := range []string{agentName(w.K) + " is " + text.Visible(w.Kind) + ": ", agentName(w.K) + ": "} {
		if rest, ok := strings.CutPrefix(words, known); ok && w.K > 0 {
			return rest
		}
	}
	return words
}

func (q *question) key(m *model, key string) tea.Cmd {
	w, ok := q.wait(m)
	if !ok {
		m.pop()
		return nil
	}
	n, err := strconv.Atoi(key)
	if err != nil || n < 1 || n > min(len(w.Choices), 9) || m.o.Clock().Sub(q.since) < grace {
		return nil
	}
	m.pop()
	choice := w.Choices[n-1]
	if w.Kind == "affected" && (choice == event.AffectedEdit || choice == event.AffectedAdd) {
		m.push(&written{wait: w, choice: choice})
		return nil
	}
	return m.send(engine.Command{Do: "answer", ID: w.ID, Choice: choice}, "answered: "+text.Visible(choice))
}

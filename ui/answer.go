package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// grace is how long a question must have been on the screen before a key
// counts as its answer: what was typed for something else does not.
const grace = 500 * time.Millisecond

// answers shows what waits, one question at a time, and takes the answers. No
// choice is made by default; what is left alone goes on waiting.
type answers struct {
	sheet
	shown string // key of the question on the screen, "" before the first
	since time.Time
	note  string // what became of the one before
}

func (m *model) pushAnswer() tea.Cmd {
	q := &answers{}
	m.push(q)
	return q.settle(m)
}

func (*answers) width() int { return 100 }

func (q *answers) title() string { return "the run waits for you" }

// at is the place of the question on the screen among all, -1 when it is gone.
func (q *answers) at(list []pending) int {
	for i, p := range list {
		if p.key() == q.shown {
			return i
		}
	}
	return -1
}

func (q *answers) current(m *model) (pending, bool) {
	list := m.pendings()
	if i := q.at(list); i >= 0 {
		return list[i], true
	}
	return pending{}, false
}

// settle shows the next question when there is none or the one shown is gone.
func (q *answers) settle(m *model) tea.Cmd {
	list := m.pendings()
	if q.at(list) >= 0 {
		return m.tick()
	}
	if q.shown != "" {
		q.note = "The question before this needs no answer any more."
		if m.answered[q.shown] {
			q.note = ""
		}
	}
	if len(list) == 0 {
		if q.shown != "" && q.note == "" {
			m.pop() // it was answered from here
		}
		q.shown = ""
		return nil
	}
	return q.show(m, list[0])
}

// show puts a question on the screen; from then on a key must wait a moment.
func (q *answers) show(m *model, p pending) tea.Cmd {
	q.shown = p.key()
	q.sheet = sheet{body: p.wait.Text}
	return q.rise(m)
}

// rise has the moment begin anew in which no key counts.
func (q *answers) rise(m *model) tea.Cmd {
	q.since = m.o.Clock()
	return tea.Batch(m.tick(), tea.Tick(grace, func(time.Time) tea.Msg { return repaintMsg{} }))
}

// early tells whether the question has come up so lately that keys do not
// count yet.
func (q *answers) early(m *model) bool { return m.o.Clock().Sub(q.since) < grace }

// choiceKeys pick a choice; the letters that move are left out.
const choiceKeys = "123456789abcdefhilmorstuvwxyz"

func (q *answers) lines(m *model, width, height int) []string {
	list := m.pendings()
	i := q.at(list)
	if i < 0 {
		words := "Nothing waits for you any more."
		if q.note != "" {
			words = "This was answered elsewhere, its time was up, or its run has ended. " + words
		}
		return choices(m, width, height, words, "esc", "close")
	}
	p := list[i]
	head := q.head(m, p, i, len(list), width)
	foot := q.foot(m, p, width)
	const least = 3 // rows of the text that are shown whatever else there is
	room := height - len(head) - len(foot)
	if room < least {
		// All of it scrolls as one, so that everything can be reached.
		return q.scrolled(m, p, head, width, height)
	}
	lines := head
	q.use(p.wait.Text)
	for _, row := range q.view(width-2, room) {
		lines = append(lines, q.quoted(m, row, width))
	}
	return append(lines, foot...)
}

// use makes body the text that scrolls.
func (q *answers) use(body string) {
	if q.body != body {
		q.sheet = sheet{body: body}
	}
}

// quoted is a row of the question's own text behind a bar: nothing in it can
// be taken for ours.
func (q *answers) quoted(m *model, row string, width int) string {
	return views.NewRow(width).Add(m.theme.Border, m.theme.Symbols.Frame.Left+" ").Add(m.theme.Text, row).String()
}

func (q *answers) head(m *model, p pending, i, all, width int) []string {
	var lines []string
	if q.note != "" {
		lines = append(lines, views.NewRow(width).Add(m.theme.Warn, q.note).String())
	}
	who := text.Visible(p.wait.Kind)
	if p.wait.K > 0 {
		who = agentName(p.wait.K) + ", " + who
	}
	r := views.NewRow(width).Add(m.theme.Waiting, who)
	place := ""
	if all > 1 {
		place = fmt.Sprintf("%d of %d", i+1, all)
	}
	lines = append(lines, r.End(m.theme.Accent, place).String())
	about := "run " + text.Visible(p.runName())
	if p.goal != "" {
		about += " · " + text.Line(p.goal)
	}
	return append(lines, views.NewRow(width).Add(m.theme.Muted, about).String())
}

// foot is what can be chosen, what happens by itself, and where the text goes
// on.
func (q *answers) foot(m *model, p pending, width int) []string {
	note := m.scrollNote(q.place(), width)
	lines := []string{note}
	if words := strings.TrimSpace(byItself(p.wait, m.o.Clock())); words != "" {
		lines = append(lines, views.NewRow(width).Add(m.theme.Accent, words).String())
	}
	for n, c := range p.wait.Choices {
		if n == len(choiceKeys) {
			words := fmt.Sprintf("%d more: growbench answer %s %s CHOICE", len(p.wait.Choices)-n, p.runName(), text.Visible(p.wait.ID))
			lines = append(lines, views.NewRow(width).Add(m.theme.Muted, words).String())
			break
		}
		lines = append(lines, q.choice(m, p, n, c, width))
	}
	last := "not now; it goes on waiting"
	if q.early(m) {
		last = "not now (a moment, then the keys count)"
	}
	return append(lines, views.NewRow(width).Add(m.theme.Accent, text.Pad("esc", 4)).Add(m.theme.Muted, last).String())
}

func (q *answers) choice(m *model, p pending, n int, c string, width int) string {
	pen, key := m.theme.Text, choiceKeys[n:n+1]
	if q.early(m) {
		pen, key = m.theme.Muted, "…" // it comes once it counts
	}
	r := views.NewRow(width).Add(m.theme.Accent, text.Pad(key, 4))
	means := meaning(p.wait, n)
	if means == "" {
		return r.Add(pen, text.Visible(c)).String()
	}
	c = text.Visible(c)
	wide := max(text.Width(c), column(p.wait.Choices, width/2))
	return r.Add(pen, text.Pad(c, wide)).Plain("  ").Add(m.theme.Muted, means).String()
}

// column is how wide the choices stand, so that what they mean stands below
// each other; one that is wider than most is left out of it.
func column(choices []string, most int) int {
	wide := 0
	for _, c := range choices {
		if w := text.Width(text.Visible(c)); w <= most {
			wide = max(wide, w)
		}
	}
	return wide
}

// scrolled is the whole question as one text, for a window too low for more.
func (q *answers) scrolled(m *model, p pending, head []string, width, height int) []string {
	var body strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(p.wait.Text, "\n"), "\n") {
		body.WriteString("| " + line + "\n")
	}
	for n, c := range p.wait.Choices {
		if n < len(choiceKeys) {
			fmt.Fprintf(&body, "%s  %s  %s\n", choiceKeys[n:n+1], strings.ReplaceAll(c, "\n", `\n`), meaning(p.wait, n))
		}
	}
	q.use(body.String())
	head = head[:min(len(head), max(height-2, 0))]
	lines := head
	rows := q.view(width, height-len(head)-1)
	for _, row := range rows {
		lines = append(lines, views.NewRow(width).Add(m.theme.Text, row).String())
	}
	return append(lines, m.scrollNote(q.place(), width))
}

func (q *answers) hints(m *model) []hint {
	var hints []hint
	if p, ok := q.current(m); ok && !q.early(m) {
		for n, c := range p.wait.Choices[:min(len(p.wait.Choices), len(choiceKeys))] {
			hints = append(hints, hint{choiceKeys[n : n+1], text.Truncate(text.Visible(c), 16, "…")})
		}
	}
	if len(m.pendings()) > 1 {
		hints = append(hints, hint{"n", "next"})
	}
	return append(hints, hint{"esc", "close"})
}

func (q *answers) key(m *model, key string) tea.Cmd {
	list := m.pendings()
	i := q.at(list)
	switch {
	case key == "q":
		m.pop()
		return nil
	case i < 0:
		m.pop()
		return nil
	case key == "n" || key == "tab":
		return q.turn(m, list[(i+1)%len(list)])
	case key == "N" || key == "shift+tab":
		return q.turn(m, list[(i+len(list)-1)%len(list)])
	}
	if n := strings.Index(choiceKeys, key); len(key) == 1 && n >= 0 && n < len(list[i].wait.Choices) {
		if q.early(m) {
			return nil
		}
		return q.take(m, list[i], list[i].wait.Choices[n])
	}
	if b, ok := find(Bindings(), key, Everywhere); ok {
		moveIn(q, b.Action, q.height)
	}
	return nil
}

// turn goes to another question. Where there is no other, the moment in which
// no key counts does not begin anew.
func (q *answers) turn(m *model, p pending) tea.Cmd {
	q.note = ""
	if p.key() == q.shown {
		return nil
	}
	return q.show(m, p)
}

// take gives an answer and goes on to the next question.
func (q *answers) take(m *model, p pending, choice string) tea.Cmd {
	if needsText(p.wait.Kind, choice) {
		m.pop()
		m.push(&written{p, choice})
		return nil
	}
	send := m.sendAnswer(p, choice)
	return tea.Batch(send, q.settle(m))
}

// needsText tells whether a choice is nothing without a text that goes with it.
func needsText(kind, choice string) bool {
	switch kind {
	case "affected":
		return choice == event.AffectedEdit || choice == event.AffectedAdd
	case "review":
		return choice == event.ReviewEdit || choice == event.ReviewAgain
	}
	return false
}

// meaning says what choice n does, where its name does not say it all: in the
// words of the run, else in ours.
func meaning(w event.Waiting, n int) string {
	if n < len(w.Meanings) && w.Meanings[n] != "" {
		return text.Visible(w.Meanings[n])
	}
	if words, ok := meanings[w.Kind+" "+w.Choices[n]]; ok {
		return words
	}
	return meanings[w.Choices[n]]
}

var meanings = map[string]string{
	"blocked widen":     "add these files to its task and run the Worker again",
	"blocked fail":      "end the chain here; retry goes on later",
	"limit retry":       "ask the agent again now",
	"limit fail":        "end the chain here; retry goes on later",
	"permission deny":   "refuse it; the agent is told",
	"affected continue": "run the Worker with its task as it is",
	"affected edit":     "change the task's text first",
	"affected add":      "put a task before it",
	"affected replan":   "have the Planner plan the rest anew",
	"affected stop":     "stop the run here",
	"allow once":        "this one time",
	"allow always":      "for the rest of this run",
	"allow":             "let it do this",
	"deny":              "refuse it",
	"keep":              "leave the change as it is",
	"undo":              "take the change back",
	"quarantine":        "take the change out and keep it beside the run",
	"fail":              "end the chain here; retry goes on later",
	"stop":              "stop the run here",
}

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

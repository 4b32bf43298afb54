package ui

import (
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// copies are what a pane or an overlay has to copy, what is most in focus
// first.
type copier interface {
	Copies() []views.Copy
}

// copiedMsg says what became of a text that was copied.
type copiedMsg struct{ words string }

// copies are the texts in focus: those of what is open on top, else those of
// the focused pane, and after them what leads back to the run.
func (m *model) copies() []views.Copy {
	if c, ok := m.top().(copier); ok {
		return c.Copies()
	}
	var all []views.Copy
	switch m.focus {
	case mapPane, previewPane:
		return m.mapCopies()
	case chainPane:
		all = m.agentCopies(m.board.chain.Selected())
	case resultsPane:
		for _, r := range m.state.Results {
			c := views.Copy{Name: fmt.Sprintf("RESULT #%d", r.K), Text: doc.FormatResult(r)}
			if all = append(all, c); r.K == m.board.results.Current() {
				copy(all[1:], all)
				all[0] = c
			}
		}
		if len(all) > 1 {
			all = append(all, views.Copy{Name: "results.md", Text: doc.FormatResults(m.state.Results)})
		}
	case ledgerPane:
		if e := m.board.ledger.Selected(); e != nil {
			all = append(all, views.Copy{Name: e.Symbol + " " + e.Kind, Text: ledgerLine(*e)})
			if e.File != "" {
				all = append(all, views.Copy{Name: "path", Text: e.File})
			}
		}
	default:
		if c, ok := m.board.face(m.focus).(copier); ok {
			all = c.Copies()
		}
	}
	if m.focus == resultsPane || m.focus == ledgerPane {
		return all
	}
	return append(all, m.runCopies()...)
}

// agentCopies are what there is of an agent: its command at work, its RESULT,
// its commit, and where its files stand.
func (m *model) agentCopies(k int) []views.Copy {
	var all []views.Copy
	add := func(name, s string) {
		if s != "" {
			all = append(all, views.Copy{Name: name, Text: s})
		}
	}
	dir := m.visit.source.Dir()
	if w := m.state.Worker(k); w != nil {
		add("title", w.Title)
		add("call at work", joinWords(w.Tool, w.ToolArgs))
		if i := k - 1; i < len(m.state.Results) && m.state.Results[i].K == k {
			add(fmt.Sprintf("RESULT #%d", k), doc.FormatResult(m.state.Results[i]))
		}
		add("commit", w.Commit)
		add("unfinished work", w.Partial)
		add("reason", w.Reason)
	} else {
		add("call at work", joinWords(m.state.Planner.Tool, m.state.Planner.ToolArgs))
	}
	if p := promptOf(m.state, k).Path; p != "" {
		add("path of the prompt", filepath.Join(dir, p))
	}
	add("path of the transcript", filepath.Join(dir, "transcripts", event.AgentFile(k)+".jsonl"))
	return all
}

// runCopies lead to the run from elsewhere.
func (m *model) runCopies() []views.Copy {
	var all []views.Copy
	if m.state.Run != "" {
		all = append(all, views.Copy{Name: "name of the run", Text: m.state.Run})
	}
	if m.state.Branch != "" && m.state.IsEnded() {
		all = append(all, views.Copy{Name: "branch", Text: m.state.Branch})
	}
	if m.o.ComeBack != "" {
		all = append(all, views.Copy{Name: "command that comes back here", Text: m.o.ComeBack})
	}
	return append(all, views.Copy{Name: "directory of the run", Text: m.visit.source.Dir()})
}

func joinWords(a, b string) string {
	if a != "" && b != "" {
		return a + " " + b
	}
	return a + b
}

func ledgerLine(e event.LedgerEntry) string {
	line := fmt.Sprintf("%s %s — %s (Worker %d, %s)", e.Symbol, e.Kind, e.File, e.K, e.Source)
	if e.Text != "" {
		line = e.Text + "\n" + line
	}
	return line
}

// copy takes the one text in focus out, or asks which.
func (m *model) copy() tea.Cmd {
	all := m.copies()
	switch len(all) {
	case 0:
		m.notice = "there is nothing to copy here"
		return nil
	case 1:
		return m.takeOut(all[0])
	}
	n := &menu{name: "copy"}
	for _, c := range all {
		preview := text.Truncate(text.Visible(text.Line(c.Text)), 48, "…")
		n.items = append(n.items, item{words: c.Name + ": " + preview, do: func(m *model) tea.Cmd { return m.takeOut(c) }})
	}
	m.push(n)
	return nil
}

// takeOut copies a text and says which way it went.
func (m *model) takeOut(c views.Copy) tea.Cmd {
	ctx, board := m.ctx, newClipboard(m.o.Getenv)
	return task("copying", func() tea.Msg {
		out, err := board.put(ctx, harmless(c.Text))
		if err != nil {
			return copiedMsg{"could not copy " + text.Line(c.Name) + ": " + text.Line(err.Error())}
		}
		done := copiedMsg{text.Line(c.Name) + ": " + out.words}
		if out.sequence == "" {
			return done
		}
		return tea.Sequence(tea.Raw(out.sequence), func() tea.Msg { return done })()
	})
}

package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// breakage is what is known of one entry of the ledger. What is opened from it
// lies on top, so that esc leads back.
type breakage struct{ event.LedgerEntry }

func (e *breakage) title() string { return "ledger: " + text.Line(e.Symbol) }
func (*breakage) width() int      { return 90 }

// reader is the Worker whose task the entry matters to: the first it affects,
// else the one that broke it.
func (e *breakage) reader() int {
	if len(e.Affected) > 0 {
		return e.Affected[0].K
	}
	return e.K
}

func (e *breakage) lines(m *model, width, height int) []string {
	var lines []string
	add := func(pen views.Pen, words string) {
		for _, l := range text.Wrap(text.Visible(words), width) {
			lines = append(lines, views.NewRow(width).Add(pen, l).String())
		}
	}
	add(m.theme.Title, e.Symbol)
	add(m.theme.Warn, e.Kind+", "+e.Class)
	if e.Text != "" {
		add(m.theme.Text, "claimed: "+e.Text)
	}
	if e.Observed != "" {
		add(m.theme.Text, "seen: "+e.Observed)
	}
	add(m.theme.Muted, fmt.Sprintf("%s, by Worker %d, %s", e.File, e.K, e.Source))
	for _, t := range e.Through {
		add(m.theme.Text, "passed on by "+t.String())
	}
	for _, a := range e.Affected {
		words := fmt.Sprintf("affects Worker %d", a.K)
		if a.Possible {
			words += " (possible: only the symbol is named there)"
		}
		add(m.theme.Warn, words)
	}
	for _, place := range e.Unowned {
		add(m.theme.Warn, "used where no later task looks: "+place)
	}
	for _, place := range e.Possible {
		add(m.theme.Warn, "perhaps used where no later task looks: "+place)
	}
	if e.More > 0 {
		add(m.theme.Warn, fmt.Sprintf("and in %d more places", e.More))
	}
	foot := []string{""}
	for _, c := range e.choices() {
		foot = append(foot, views.NewRow(width).Add(m.theme.Accent, text.Pad(c.key, 4)).Add(m.theme.Text, c.does).String())
	}
	if room := max(height-len(foot), 0); len(lines) > room {
		lines = lines[:room]
	}
	return append(lines, foot...)[:min(len(lines)+len(foot), max(height, 0))]
}

func (e *breakage) choices() []hint {
	return []hint{
		{"t", "the task of " + agentName(e.reader())},
		{"f", "the file, as " + agentName(e.K) + " left it"},
		{"d", "what " + agentName(e.K) + " changed in it"},
		{"esc", "back"},
	}
}

func (*breakage) hints(*model) []hint {
	return []hint{{"esc", "back"}, {"t", "task"}, {"f", "file"}, {"d", "diff"}}
}

func (e *breakage) key(m *model, key string) tea.Cmd {
	switch key {
	case "q":
		m.pop()
	case "t":
		return m.fetchDocument(Task, "the task of "+agentName(e.reader()), taskFile(e.reader()))
	case "f":
		return m.fetchFile(e.K, e.File)
	case "d":
		return m.fetchDiff(e.K, e.File)
	}
	return nil
}

// fetchFile reads a file of the project as Worker k left it.
func (m *model) fetchFile(k int, path string) tea.Cmd {
	ctx, works := m.ctx, m.works()
	title := text.Visible(path) + " as " + agentName(k) + " left it"
	return task("reading a file of the project", func() tea.Msg {
		body, err := fileBody(ctx, works, k, path)
		return documentMsg{action: File, title: title, body: body, err: err}
	})
}

func fileBody(ctx context.Context, works Works, k int, path string) (string, error) {
	data, err := works.File(ctx, k, path)
	if len(data) > maxDocument {
		return string(data[:maxDocument]) + "\n… the file is longer; the rest is not shown\n", err
	}
	return string(data), err
}

package ui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme/text"
)

// written tells how to give an answer that is a text. The run goes on waiting
// meanwhile.
type written struct {
	pending
	choice string
}

func (o *written) title() string { return o.choice + ": the answer is a text" }
func (o *written) width() int    { return 100 }

func (o *written) lines(m *model, width, height int) []string {
	task := filepath.Join(o.dirOf(m), fmt.Sprintf("task%d.md", o.wait.K))
	what := fmt.Sprintf("Copy %s, change the copy, and type:", text.Visible(task))
	if o.choice == event.AffectedAdd {
		what = fmt.Sprintf("Write a task in the form of %s into a file, and type:", text.Visible(task))
	}
	lead := what + "\n" + text.Visible(o.command(m)) +
		"\nWhat the lint refuses changes nothing: the run goes on waiting." + byItself(o.wait, m.o.Clock())
	return choices(m, width, height, lead, "e", "write it in your editor now, beginning with that task", "esc", "close")
}

// dirOf is the directory of the run that asks.
func (o *written) dirOf(m *model) string {
	if o.dir != "" {
		return o.dir
	}
	return m.visit.source.Dir()
}

// command is what to type, as this growbench was started.
func (o *written) command(m *model) string {
	run := filepath.Base(o.dirOf(m))
	program, _, found := strings.Cut(m.o.ComeBack, " attach ")
	if m.o.Project != nil {
		program, found = m.o.Project.Program, true
	}
	if !found {
		program = "growbench"
	}
	return fmt.Sprintf("%s answer %s %s %s --file FILE", program, run, o.wait.ID, o.choice)
}

func (*written) hints(*model) []hint { return []hint{{"e", "editor"}, {"esc", "close"}} }

func (o *written) key(m *model, key string) tea.Cmd {
	m.pop()
	if key == "e" && o.dir != "" && !m.shows(o.dir) {
		m.notice = "open that run first (L, enter); there its answer can be written"
		return nil
	}
	if key == "e" {
		return m.writeAnswer(o.wait, o.choice)
	}
	return nil
}

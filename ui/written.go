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
	begins := text.Visible(filepath.Join(o.dirOf(m), o.begins()))
	what, editor := fmt.Sprintf("Copy %s, change the copy, and type:", begins), "write it in your editor now, beginning with that text"
	switch o.choice {
	case event.AffectedAdd:
		what = fmt.Sprintf("Write a task in the form of %s into a file, and type:", begins)
	case event.ReviewAgain:
		what, editor = "Write what the Planner is to change into a file, and type:", "write it in your editor now"
	}
	lead := what + "\n" + text.Visible(o.command(m)) +
		"\nWhat the lint refuses changes nothing: the run goes on waiting."
	if left := byItself(o.wait, m.o.Clock()); left != "" {
		lead += left + "; the time runs on while you write"
	}
	return choices(m, width, height, lead, "e", editor, "esc", "close")
}

// begins is the file of the run the text is made from, "" if there is none.
func (o *written) begins() string {
	switch o.choice {
	case event.ReviewAgain:
		return ""
	case event.ReviewEdit:
		if o.wait.Kind == "review" {
			return o.wait.File
		}
	}
	return fmt.Sprintf("task%d.md", o.wait.K)
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
		return m.writeAnswer(o.wait, o.choice, o.begins())
	}
	return nil
}

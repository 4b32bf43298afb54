package ui

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"growbench/theme/text"
)

// editBeside gives the terminal to the operator's editor on a file that is
// theirs, and calls changed when it has ended.
func (m *model) editBeside(name, path string, changed func() error) tea.Cmd {
	t := onScreen.Load()
	if t == nil || t.in.file == nil || t.out.file == nil {
		m.notice = "an editor needs a terminal; the file is " + text.Visible(path)
		return nil
	}
	argv, err := editorCommand(m.o.Getenv, exec.LookPath)
	if err != nil {
		m.notice = "cannot open " + name + ": " + text.Line(err.Error())
		return nil
	}
	ctx := m.ctx
	return task("editing "+name, func() tea.Msg {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			if err := os.WriteFile(path, []byte(blankTask0), 0o600); err != nil {
				return actedMsg{"cannot begin " + name + ": " + text.Line(err.Error())}
			}
		}
		return tea.Exec(&visit{t: t, cmd: editorOn(ctx, argv, path)}, func(err error) tea.Msg {
			if err = errors.Join(err, changed()); err != nil {
				return actedMsg{name + ": " + text.Line(err.Error())}
			}
			return actedMsg{name + " is read again"}
		})()
	})
}

// blankTask0 is what an operator begins from.
const blankTask0 = "# Task #0 (for Planner)\n\n### Goal\n\n### Background\n\n### Past failures\nNone — first attempt\n\n### Constraints\n\n### Target Files\n\n### Signatures\n"

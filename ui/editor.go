package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme/text"
)

// errNoEditor is what editorCommand wraps when there is no editor to start.
var errNoEditor = errors.New("no editor")

// editorCommand is the user's editor with its arguments: VISUAL, then EDITOR,
// then what most systems have.
func editorCommand(getenv func(string) string, lookPath func(string) (string, error)) ([]string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		words, err := splitWords(getenv(name))
		if err != nil {
			return nil, fmt.Errorf("%w: %s is %q: %w", errNoEditor, name, getenv(name), err)
		}
		if len(words) == 0 {
			continue
		}
		path, err := lookPath(words[0])
		if err != nil {
			return nil, fmt.Errorf("%w: %s is %q, and %q was not found", errNoEditor, name, getenv(name), words[0])
		}
		return append([]string{path}, words[1:]...), nil
	}
	for _, name := range []string{"sensible-editor", "nano", "vi"} {
		if path, err := lookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, fmt.Errorf("%w: set VISUAL or EDITOR, such as EDITOR=nano", errNoEditor)
}

// splitWords cuts a command into words as a shell would, quotes and
// backslashes heeded, nothing expanded.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord, escaped := rune(0), false, false
	for _, r := range s {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote is left open")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// editedMsg is an editor's end.
type editedMsg struct {
	kept string // the copy, when it was changed
	err  error
}

// edit offers the files of the run in question; they are opened as copies,
// because the run writes them itself.
func (m *model) edit() tea.Cmd {
	k := m.board.chain.Selected()
	n := &menu{name: "open a copy in your editor"}
	add := func(name, file, why string) {
		n.items = append(n.items, item{words: name, why: why, do: func(m *model) tea.Cmd { return m.editFile(name, file) }})
	}
	s := m.situation()
	if k > 0 {
		add("the task of "+agentName(k), fmt.Sprintf("task%d.md", k), noTask(s))
	}
	add("Task #0", "task0.md", "")
	add("the prompt of "+agentName(k), promptOf(m.state, k).Path, noPrompt(s))
	results := ""
	if len(m.state.Results) == 0 {
		results = "there is no RESULT yet"
	}
	add("results.md", "results.md", results)
	add("the transcript of "+agentName(k), filepath.Join("transcripts", event.AgentFile(k)+".jsonl"), "")
	report := ""
	if !m.state.IsEnded() {
		report = "it is written at the end"
	}
	add("report.md", "report.md", report)
	if m.focus == resultsPane && results == "" {
		n.picked = len(n.items) - 3
	}
	m.push(n)
	return nil
}

// editFile opens a copy of a file of the run and gives the terminal to the
// editor until it ends.
func (m *model) editFile(name, file string) tea.Cmd {
	t := onScreen.Load()
	if t == nil || t.in.file == nil || t.out.file == nil {
		m.notice = "an editor needs a terminal"
		return nil
	}
	argv, err := editorCommand(m.o.Getenv, exec.LookPath)
	if err != nil {
		m.notice = "cannot open " + name + ": " + text.Line(err.Error())
		return nil
	}
	ctx, dir := m.ctx, m.visit.source.Dir()
	return task("opening "+name, func() tea.Msg {
		path, body, err := copyOf(dir, file)
		if err != nil {
			return editedMsg{err: err}
		}
		return tea.Exec(&visit{t: t, cmd: editorOn(ctx, argv, path)}, func(err error) tea.Msg { return afterwards(path, body, err) })()
	})
}

// writeAnswer has the operator write the text of an answer in their editor,
// beginning with a file of the run (or with nothing), and sends it. Nothing is sent when
// nothing was written; what is refused stays in its file.
func (m *model) writeAnswer(w event.Waiting, choice, begins string) tea.Cmd {
	t := onScreen.Load()
	if t == nil || t.in.file == nil || t.out.file == nil {
		m.notice = "an editor needs a terminal"
		return nil
	}
	argv, err := editorCommand(m.o.Getenv, exec.LookPath)
	if err != nil {
		m.notice = "cannot open the task: " + text.Line(err.Error())
		return nil
	}
	ctx, source := m.ctx, m.o.Source
	return task("writing an answer", func() tea.Msg {
		path, body, err := draftOf(source.Dir(), begins)
		if err == nil {
			err = os.Chmod(path, 0o600)
		}
		if err != nil {
			return editedMsg{err: err}
		}
		return tea.Exec(&visit{t: t, cmd: editorOn(ctx, argv, path)}, func(err error) tea.Msg {
			now, readErr := os.ReadFile(path)
			if err != nil || readErr != nil || string(now) == body {
				return afterwards(path, body, errors.Join(err, readErr))
			}
			err = source.Do(ctx, engine.Command{Do: "answer", ID: w.ID, Choice: choice, Text: string(now), By: "operator"})
			if err != nil {
				return copiedMsg{"not answered, what you wrote is in " + text.Visible(path) + ": " + text.Line(err.Error())}
			}
			_ = os.RemoveAll(filepath.Dir(path))
			return copiedMsg{"answered: " + text.Visible(choice)}
		})()
	})
}

// editorOn starts the editor on a file; it is ended when the screen ends.
func editorOn(ctx context.Context, argv []string, path string) *exec.Cmd {
	return editorAt(ctx, argv, path, 0)
}

// editorAt starts the editor on a line of a file, where it can be told.
func editorAt(ctx context.Context, argv []string, path string, line int) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], append(argv[1:], placeIn(argv[0], path, line)...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = patience / 2
	return cmd
}

// draftOf is a file of the run to write in, or an empty one.
func draftOf(dir, file string) (path, body string, err error) {
	if file != "" {
		return copyOf(dir, file)
	}
	aside, err := os.MkdirTemp("", "growbench-")
	if err != nil {
		return "", "", err
	}
	path = filepath.Join(aside, "answer.md")
	return path, "", os.WriteFile(path, nil, 0o600)
}

// copyOf puts a file of the run into a directory of its own, as what it is
// called there.
func copyOf(dir, file string) (path, body string, err error) {
	body, err = readInside(dir, file)
	if err != nil {
		return "", "", err
	}
	aside, err := os.MkdirTemp("", "growbench-")
	if err != nil {
		return "", "", fmt.Errorf("make a copy of %s: %w", file, err)
	}
	path = filepath.Join(aside, filepath.Base(file))
	if err := os.WriteFile(path, []byte(body), 0o400); err != nil {
		return "", "", errors.Join(fmt.Errorf("make a copy of %s: %w", file, err), os.RemoveAll(aside))
	}
	return path, body, nil
}

// edited says what became of a visit to the editor.
func (m *model) edited(msg editedMsg) {
	m.notice = ""
	if msg.err != nil {
		m.notice = "the editor: " + text.Line(msg.err.Error())
	}
	if msg.kept != "" {
		m.notice = joinNotes(m.notice, "the run keeps its own file; what you wrote is in "+text.Visible(msg.kept))
	}
}

// afterwards removes a copy. One that was changed is kept: what somebody
// typed is not thrown away.
func afterwards(path, body string, err error) editedMsg {
	now, readErr := os.ReadFile(path)
	if readErr == nil && string(now) != body {
		return editedMsg{path, err}
	}
	_ = os.RemoveAll(filepath.Dir(path)) // what is left is a copy in a temporary directory
	return editedMsg{"", err}
}

func joinNotes(a, b string) string {
	if a != "" {
		a += "; "
	}
	return a + b
}

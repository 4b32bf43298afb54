package ui

import (
	"fmt"
	"io"
	"os"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// maxDocument bounds a prompt or a task that is shown, in bytes.
const maxDocument = 4 << 20

// documentMsg is a file of the run, read to be shown.
type documentMsg struct {
	action      Action // Prompt or Task: what asked for it
	title, body string
	err         error
}

// fetchDocument reads a file of the run directory. The name comes from the
// run's log: it can only lead to a file inside the directory.
func (m *model) fetchDocument(a Action, title, name string) tea.Cmd {
	dir := m.visit.source.Dir()
	return task("reading "+title, func() tea.Msg {
		body, err := readInside(dir, name)
		return documentMsg{a, title, body, err}
	})
}

func readInside(dir, name string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("open the run's directory: %w", err)
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", fmt.Errorf("open a file of the run: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("open %s: not a regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxDocument {
		return string(data[:maxDocument]) + "\n… the file is longer; the rest is not shown\n", nil
	}
	return string(data), nil
}

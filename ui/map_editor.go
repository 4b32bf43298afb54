package ui

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/mapgen/artifact"
	"growbench/theme/text"
	"growbench/views"
)

// mapEditedMsg is an editor's end on a file of the project.
type mapEditedMsg struct {
	dir      string // whose document it is; "" for another file
	name     string
	changed  bool
	document bool
	err      error
}

// pickDocument asks what to open in the editor.
func (m *model) pickDocument(d *views.MapDir, f *views.MapFile) tea.Cmd {
	n := &menu{name: "open in your editor"}
	add := func(words, path string, document bool) {
		n.items = append(n.items, item{words: words, do: func(m *model) tea.Cmd { return m.editInPlace(d.Path, path, document) }})
	}
	add("the map of "+text.Visible(d.Path)+" (checked when you come back)", artifact.MapPath(d.Path), true)
	add("the index of "+text.Visible(d.Path)+" (checked when you come back)", artifact.IndexPath(d.Path), true)
	if f != nil {
		add(text.Visible(f.Name), joinPath(d.Path, f.Name), false)
		n.picked = len(n.items) - 1
	}
	m.push(n)
	return nil
}

// editInPlace gives the terminal to the editor on a file of the project.
func (m *model) editInPlace(dir, name string, document bool) tea.Cmd {
	t := onScreen.Load()
	if t == nil || t.in.file == nil || t.out.file == nil {
		m.notice = "an editor needs a terminal"
		return nil
	}
	argv, err := editorCommand(m.o.Getenv, exec.LookPath)
	if err != nil {
		m.notice = "cannot open " + text.Visible(name) + ": " + text.Line(err.Error())
		return nil
	}
	ctx := m.ctx
	return m.mapTask("opening a file", func(_ context.Context, p *mapgen.Project) tea.Msg {
		full := filepath.Join(p.Root(), filepath.FromSlash(name))
		before, err := os.ReadFile(full)
		if err != nil {
			return mapEditedMsg{dir: dir, name: name, err: err}
		}
		return tea.Exec(&visit{t: t, cmd: editorOn(ctx, argv, full)}, func(err error) tea.Msg {
			after, readErr := os.ReadFile(full)
			return mapEditedMsg{dir: dir, name: name, document: document, err: err, changed: readErr != nil || !bytes.Equal(before, after)}
		})()
	}, func(err error) tea.Msg { return mapEditedMsg{name: name, err: err} })
}

// mapEdited checks a document that was edited and looks at the map again.
func (m *model) mapEdited(msg mapEditedMsg) tea.Cmd {
	m.chart.page.key = pageKey{}
	switch {
	case msg.err != nil:
		m.notice = "the editor: " + text.Line(msg.err.Error())
	case !msg.changed:
		return nil
	case msg.document:
		return tea.Batch(m.lookAtMap(), m.beginValidation(msg.dir))
	}
	return m.lookAtMap()
}

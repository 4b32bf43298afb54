package ui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/mapgen/artifact"
	"growbench/theme/text"
	"growbench/views"
)

// place is where an editor is opened: a file of the project.
type place struct {
	dir      string
	name     string
	line     int  // 0: at its beginning
	document bool // of the map of dir
}

// mapEditedMsg is an editor's end on a file of the project.
type mapEditedMsg struct {
	place
	changed bool
	err     error
}

// pickDocument asks what to open in the editor.
func (m *model) pickDocument(d *views.MapDir, f *views.MapFile, s *views.MapSymbol) tea.Cmd {
	n := &menu{name: "open in your editor"}
	add := func(words string, p place) {
		n.items = append(n.items, item{words: words, do: func(m *model) tea.Cmd { return m.editInPlace(p) }})
	}
	add("the map of "+text.Visible(d.Path)+" (checked when you come back)", place{dir: d.Path, name: artifact.MapPath(d.Path), document: true})
	add("the index of "+text.Visible(d.Path)+" (checked when you come back)", place{dir: d.Path, name: artifact.IndexPath(d.Path), document: true})
	if f != nil {
		words, p := text.Visible(f.Name), place{dir: d.Path, name: joinPath(d.Path, f.Name)}
		if s != nil && s.Line > 0 {
			words, p.line = fmt.Sprintf("%s at line %d", words, s.Line), s.Line
		}
		add(words, p)
		n.picked = len(n.items) - 1
	}
	m.push(n)
	return nil
}

// editInPlace gives the terminal to the editor on a file of the project.
func (m *model) editInPlace(at place) tea.Cmd {
	t := onScreen.Load()
	if t == nil || t.in.file == nil || t.out.file == nil {
		m.notice = "an editor needs a terminal"
		return nil
	}
	argv, err := editorCommand(m.o.Getenv, exec.LookPath)
	if err != nil {
		m.notice = "cannot open " + text.Visible(at.name) + ": " + text.Line(err.Error())
		return nil
	}
	ctx := m.ctx
	return m.mapTask("opening a file", func(_ context.Context, p *mapgen.Project) tea.Msg {
		full := filepath.Join(p.Root(), filepath.FromSlash(at.name))
		before, err := os.ReadFile(full)
		if err != nil {
			return mapEditedMsg{place: at, err: err}
		}
		return tea.Exec(&visit{t: t, cmd: editorAt(ctx, argv, full, at.line)}, func(err error) tea.Msg {
			after, readErr := os.ReadFile(full)
			return mapEditedMsg{place: at, err: err, changed: readErr != nil || !bytes.Equal(before, after)}
		})()
	}, func(err error) tea.Msg { return mapEditedMsg{place: at, err: err} })
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

package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/theme/text"
	"growbench/views"
)

// Works tells what a run's Workers changed.
type Works interface {
	// Diff is what Worker k did, finished or not.
	Diff(ctx context.Context, k int) (engine.Difference, error)
	// File is a file of the project as Worker k left it.
	File(ctx context.Context, k int, path string) ([]byte, error)
}

// repository is the works of the run in a directory.
type repository struct{ dir string }

func (r repository) Diff(ctx context.Context, k int) (engine.Difference, error) {
	return engine.Diff(ctx, r.dir, k)
}

func (r repository) File(ctx context.Context, k int, path string) ([]byte, error) {
	return engine.FileAfter(ctx, r.dir, k, path)
}

func (m *model) works() Works {
	if m.o.Works != nil {
		return m.o.Works
	}
	return repository{m.visit.source.Dir()}
}

// maxPatch bounds a patch that is shown, in bytes.
const maxPatch = 8 << 20

// diffMsg is a patch made ready to be shown.
type diffMsg struct {
	k    int
	diff views.Diff
	file string // to begin with
	err  error
}

// fetchDiff compares Worker k's work, which takes git a moment.
func (m *model) fetchDiff(k int, file string) tea.Cmd {
	ctx, works, look := m.ctx, m.works(), m.theme
	m.notice = "comparing the work of " + agentName(k) + "…"
	return task("comparing a Worker's work", func() tea.Msg {
		d, err := works.Diff(ctx, k)
		if err != nil {
			return diffMsg{k: k, err: err}
		}
		files := make([]views.ChangedFile, len(d.Files))
		for i, f := range d.Files {
			files[i] = views.ChangedFile{Path: f.Path, OldPath: f.OldPath, Kind: f.Kind, Added: f.Added, Deleted: f.Deleted}
		}
		note := ""
		switch {
		case len(files) == 0:
			note = "nothing was changed"
		case d.Unfinished:
			note = agentName(k) + " did not come to its end; this is its unfinished work"
		}
		if len(d.Patch) > maxPatch {
			d.Patch, note = d.Patch[:maxPatch], "the patch is longer than what is shown; growbench diff prints all of it"
		}
		return diffMsg{k: k, diff: views.NewDiff(look, files, d.Patch, note), file: file}
	})
}

func (m *model) showDiff(msg diffMsg) {
	m.notice = ""
	if msg.err != nil {
		m.notice = "cannot show the diff: " + text.Line(msg.err.Error())
		return
	}
	p := &patch{Diff: msg.diff, k: msg.k}
	if msg.file != "" {
		p.GoTo(msg.file)
	}
	m.push(p)
}

// patch is what a Worker changed, read as an overlay.
type patch struct {
	views.Diff
	k int
}

func (p *patch) title() string      { return "what " + agentName(p.k) + " changed" }
func (*patch) width() int           { return 1000 }
func (*patch) opener() Action       { return Diff }
func (p *patch) place() views.Place { return p.Place() }

func (p *patch) hints(m *model) []hint {
	return append([]hint{{"esc", "close"}, {"[ ]", "file"}}, m.readerHints(p)[1:]...)
}

func (p *patch) lines(_ *model, width, height int) []string {
	p.SetSize(width, height)
	return p.View()
}

func (p *patch) key(m *model, key string) tea.Cmd {
	b, ok := find(Bindings(), key, InTranscript)
	switch {
	case ok && b.Action == NextStop:
		p.Step(1)
	case ok && b.Action == PrevStop:
		p.Step(-1)
	default:
		return m.read(p, key)
	}
	return nil
}

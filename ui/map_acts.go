package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/theme/text"
	"growbench/views"
)

// actOnMap does what a key says on the map; false when it does there what it
// does everywhere.
func (m *model) actOnMap(b Binding) (cmd tea.Cmd, done bool) {
	switch b.Action {
	case ToMap:
		m.show(mapPane)
		return nil, true
	case ToPreview:
		m.show(previewPane)
		return nil, true
	}
	if !m.onMap() {
		return nil, false
	}
	switch b.Action {
	case Reconcile, ReconcileUp, Validate, Mend, Init, MarkDirty, UndoMap, CancelMap, EditMap:
		return m.workOnMap(b.Action), true
	case Prompt, Task, PickPane:
		if m.hasRun() {
			return nil, false
		}
		m.notice = "there is no run yet; L shows the list"
		return nil, true
	case Close:
		return m.closeMap(), true
	}
	return m.browseMap(b.Action)
}

// browseMap moves through the map and changes how it is shown.
func (m *model) browseMap(a Action) (cmd tea.Cmd, done bool) {
	c := &m.chart
	switch a {
	case Open:
		return m.openOnMap(), true
	case UnfoldDir:
		if !c.tree.In() {
			return m.openOnMap(), true
		}
	case FoldDir:
		c.tree.Out()
	case FoldMap:
		c.tree.FoldAll()
	case UnfoldMap:
		c.tree.UnfoldAll()
	case OnlyNeeds:
		c.tree.OnlyNeeds(!c.tree.Needing())
	case NextNeed:
		c.tree.NextNeed(1)
		m.dropFilter()
	case PrevNeed:
		c.tree.NextNeed(-1)
		m.dropFilter()
	case Sort:
		return m.reorder(), true
	case NextSheet:
		m.nextSheet(1)
	case PrevSheet:
		m.nextSheet(-1)
	case Raw:
		c.raw = !c.raw
	case Back:
		m.retrace(&c.history, &c.future)
	case Forth:
		m.retrace(&c.future, &c.history)
	case Refresh:
		return m.lookAtMap(), true
	default:
		return nil, false
	}
	return nil, true
}

// openOnMap is enter: a directory is unfolded, of anything else the source is
// shown; in the preview it follows.
func (m *model) openOnMap() tea.Cmd {
	c := &m.chart
	if m.focus == previewPane {
		return m.follows()
	}
	_, f, _ := c.tree.Selected()
	switch {
	case f != nil && f.Change == "gone":
		m.notice = "the file is gone"
	case f != nil:
		c.tab, c.page.line = tabSource, 0
		m.show(previewPane)
	default:
		c.tree.Toggle()
	}
	return nil
}

// closeMap is esc: it takes a filter away, goes back to the tree, then to the
// list of runs where there is no run.
func (m *model) closeMap() tea.Cmd {
	switch {
	case m.filters[mapPane] != nil:
		return m.clearFilter(mapPane)
	case m.focus == previewPane:
		m.show(mapPane)
	case m.chart.tree.Needing():
		m.chart.tree.OnlyNeeds(false)
	case !m.hasRun():
		return m.toList()
	}
	return nil
}

// workOnMap begins what a key does to the map, or ends what is being done.
func (m *model) workOnMap(a Action) tea.Cmd {
	c := &m.chart
	d, f, s := c.tree.Selected()
	dir := "."
	if d != nil {
		dir = d.Path
	}
	switch a {
	case CancelMap:
		c.work.stop()
		m.notice = "cancelling; what is written is whole"
	case Reconcile:
		return m.beginMap(reconcileAct([]string{dir}, "reconcile "+dir, "reconciling "+dir))
	case ReconcileUp:
		needing := c.data.Needing(dir)
		return m.beginMap(reconcileAct(needing, fmt.Sprintf("reconcile all below %s", dir), fmt.Sprintf("reconciling %s below %s", dirsCounted(len(needing)), dir)))
	case Validate:
		return m.beginValidation("")
	case Mend:
		return m.beginMap(mendAct())
	case Init:
		return m.beginMap(m.initAct(dir))
	case MarkDirty:
		m.line = &noting{path: spotPath(c.tree.Spot())}
	case UndoMap:
		return m.beginMap(undoAct(c.kept))
	case EditMap:
		return m.pickDocument(d, f, s)
	}
	return nil
}

func dirsCounted(n int) string {
	if n == 1 {
		return "1 directory"
	}
	return fmt.Sprintf("%d directories", n)
}

// spotPath is the path of a place in the project.
func spotPath(s views.Spot) string {
	if s.File == "" {
		return s.Dir
	}
	return joinPath(s.Dir, s.File)
}

func reconcileAct(dirs []string, verb, doing string) mapAct {
	return mapAct{
		verb: verb, doing: doing, keep: true,
		do: func(ctx context.Context, p *mapgen.Project) (mapOutcome, error) {
			good, left := whole(p, dirs)
			if len(good) == 0 && len(left) > 0 {
				return mapOutcome{}, fmt.Errorf("its map cannot be read (%s); v says what to do", strings.Join(left, ", "))
			}
			report, err := p.Patch(ctx, good, mapgen.Auto)
			out := mapOutcome{told: p.TellBehind(report.Behind)}
			if len(left) > 0 {
				out.told = strings.TrimPrefix(out.told+"\nLeft as they are, because their map cannot be read (v says what to do): "+text.Visible(strings.Join(left, ", ")), "\n")
			}
			return out, err
		},
	}
}

// whole parts directories whose documents can be read from those where
// something else is in their place, which would end the whole act.
func whole(p *mapgen.Project, dirs []string) (good, left []string) {
	for _, d := range dirs {
		if _, err := p.Page(d); err != nil {
			left = append(left, d)
		} else {
			good = append(good, d)
		}
	}
	return good, left
}

func mendAct() mapAct {
	return mapAct{
		verb: "mend the map", doing: "mending the map", keep: true,
		do: func(ctx context.Context, p *mapgen.Project) (mapOutcome, error) {
			v, err := p.Validate(ctx, true)
			out := mapOutcome{}
			for _, f := range v.Findings {
				if f.Fix != "done" && f.Kind == mapgen.KindUnreadable {
					out.told = "Something cannot be read; v says what."
				}
			}
			return out, err
		},
	}
}

func (m *model) initAct(dir string) mapAct {
	verb := "make the map of " + dir + " anew"
	exists := m.chart.survey.Exists
	if !exists {
		dir, verb = ".", "make the map of the project"
	}
	below := m.chart.data.Below(dir)
	return mapAct{
		verb: verb, doing: "reading " + dir, keep: true,
		touches: func(context.Context, *mapgen.Project) (string, error) {
			var b strings.Builder
			b.WriteString("Every file in these directories is read again and their documents are written where they differ; the documents of the directories above are refreshed. Your own files are not touched.\n")
			for _, d := range below {
				b.WriteString("  " + text.Visible(d) + "\n")
			}
			return b.String(), nil
		},
		do: func(ctx context.Context, p *mapgen.Project) (mapOutcome, error) {
			if !exists {
				_, err := p.Init(ctx, nil)
				return mapOutcome{}, err
			}
			report, err := p.Reinit(ctx, dir)
			return mapOutcome{told: p.TellBehind(report.Behind)}, err
		},
	}
}

func undoAct(what string) mapAct {
	return mapAct{
		verb: "undo: " + what, doing: "undoing " + what,
		do: func(ctx context.Context, p *mapgen.Project) (mapOutcome, error) {
			u, err := p.Undo(ctx)
			out := mapOutcome{}
			for _, l := range u.Left {
				out.told += "Left as it is: " + text.Visible(l.Path) + ": " + text.Line(l.Why) + "\n"
			}
			return out, err
		},
	}
}

func fixAct(f mapgen.Finding) mapAct {
	where := spotPath(views.Spot{Dir: f.Dir, File: f.File})
	return mapAct{
		verb: "mend " + where, doing: "mending " + where, keep: true, again: true,
		first: func(p *mapgen.Project) (string, error) { return p.Remedy(f) },
		do: func(ctx context.Context, p *mapgen.Project) (mapOutcome, error) {
			_, err := p.Fix(ctx, f)
			return mapOutcome{}, err
		},
	}
}

// noting is the note of a dirty mark being typed.
type noting struct {
	typed views.Input
	path  string
}

func (n *noting) label() string        { return "mark " + text.Visible(n.path) + " dirty: " }
func (n *noting) input() *views.Input  { return &n.typed }
func (*noting) note(*model) string     { return "enter mark  esc leave; empty says what happened" }
func (*noting) changed(*model) tea.Cmd { return nil }
func (n *noting) key(m *model, key string) (tea.Cmd, bool) {
	switch key {
	case "esc":
		return nil, true
	case "enter":
		path, note := n.path, n.typed.Text()
		return m.beginMap(mapAct{
			verb: "mark " + path + " dirty", doing: "marking " + path,
			do: func(_ context.Context, p *mapgen.Project) (mapOutcome, error) {
				_, err := p.MarkDirty([]string{path}, note)
				return mapOutcome{}, err
			},
		}), true
	}
	return nil, false
}

package ui

import "growbench/engine/event"

// Actions on the map.
const (
	ToMap       Action = "the map"
	ToPreview   Action = "the map's preview"
	FoldDir     Action = "fold directory"
	UnfoldDir   Action = "unfold directory"
	FoldMap     Action = "fold the map"
	UnfoldMap   Action = "unfold the map"
	OnlyNeeds   Action = "only what needs me"
	NextNeed    Action = "next that needs me"
	PrevNeed    Action = "previous that needs me"
	Sort        Action = "sort"
	NextSheet   Action = "next sheet"
	PrevSheet   Action = "previous sheet"
	Raw         Action = "raw"
	Back        Action = "back"
	Forth       Action = "forth"
	Refresh     Action = "look again"
	Reconcile   Action = "reconcile"
	ReconcileUp Action = "reconcile below"
	Validate    Action = "validate"
	Mend        Action = "validate and fix"
	Init        Action = "init"
	MarkDirty   Action = "mark dirty"
	UndoMap     Action = "undo"
	EditMap     Action = "edit the map"
	CancelMap   Action = "cancel"
)

// MapSituation is what decides whether a key of the map does anything.
type MapSituation struct {
	Here    bool   // the screen has a project whose map can be shown
	Known   bool   // it was looked at
	Exists  bool   // there is a map
	Picked  bool   // a directory or file is at hand
	Clean   bool   // the directory at hand is described as it is
	Needs   int    // directories that are not, in all
	Below   int    // of them, at and below the one at hand
	Busy    string // what is being done
	Kept    string // what undo would take back
	History int    // places to go back to
	Future  int    // and forth again
}

// mapBindings are the keys of the map's two panes.
func mapBindings() []Binding {
	var out []Binding
	for _, b := range []Binding{
		{Keys: []string{"r"}, Action: Reconcile, Description: "reconcile this directory with its files (shows first what it touches)", Disabled: cannotReconcile},
		{Keys: []string{"R"}, Action: ReconcileUp, Description: "reconcile all that needs it here and below", Disabled: cannotReconcileBelow},
		{Keys: []string{"v"}, Action: Validate, Description: "check the whole map and walk through what is found", Disabled: cannotValidate},
		{Keys: []string{"V"}, Action: Mend, Description: "check the whole map and mend it", Disabled: cannotValidate},
		{Keys: []string{"i"}, Action: Init, Description: "make the map of this directory and below anew", Disabled: cannotInit},
		{Keys: []string{"d"}, Action: MarkDirty, Description: "mark as dirty, with a note", Disabled: cannotActHere},
		{Keys: []string{"u"}, Action: UndoMap, Description: "undo: the documents as they were before the last act", Disabled: cannotUndo},
		{Keys: []string{"c"}, Action: CancelMap, Description: "cancel what is being done to the map", Disabled: nothingToCancel},
		{Keys: []string{"e"}, Action: EditMap, Description: "open a document of the map or the file in your editor", Disabled: cannotActHere},
		{Keys: []string{"o"}, Action: OnlyNeeds, Description: "only what is not clean, or everything", Disabled: notLookedAt},
		{Keys: []string{"n"}, Action: NextNeed, Description: "the next that is not clean", Disabled: nothingNeeds},
		{Keys: []string{"N"}, Action: PrevNeed, Description: "the previous that is not clean", Disabled: nothingNeeds},
		{Keys: []string{"s"}, Action: Sort, Description: "sort by name, freshness, size", Disabled: notLookedAt},
		{Keys: []string{"]"}, Action: NextSheet, Description: "next sheet: about, source, map, index, diff", Disabled: notLookedAt},
		{Keys: []string{"["}, Action: PrevSheet, Description: "previous sheet", Disabled: notLookedAt},
		{Keys: []string{"z"}, Action: Raw, Description: "documents rendered or as they stand", Disabled: notLookedAt},
		{Keys: []string{"b", "backspace"}, Action: Back, Description: "back to where a dependency was followed from", Disabled: noHistory},
		{Keys: []string{"w"}, Action: Forth, Description: "and there again", Disabled: noFuture},
		{Keys: []string{"ctrl+r"}, Action: Refresh, Description: "look at the files again", Disabled: noMapHere},
		{Keys: []string{"/"}, Action: Filter, Description: "show only paths and symbols that match", Disabled: notLookedAt},
	} {
		for _, in := range []Scope{InMap, InPreview} {
			b.In, b.Group = in, GroupMap
			out = append(out, b)
		}
	}
	return append(out,
		Binding{Keys: []string{"enter", "space"}, Action: Open, Group: GroupMap, In: InMap, Description: "unfold or fold a directory; of a file or symbol its source", Disabled: notLookedAt},
		Binding{Keys: []string{"enter", "space"}, Action: Open, Group: GroupMap, In: InPreview, Description: "follow: a dependency to its directory, a symbol to its line", Disabled: notLookedAt},
		Binding{Keys: []string{"l", "right"}, Action: UnfoldDir, Group: GroupMap, In: InMap, Description: "unfold, or go in", Disabled: notLookedAt},
		Binding{Keys: []string{"h", "left"}, Action: FoldDir, Group: GroupMap, In: InMap, Description: "fold, or go to the directory above", Disabled: notLookedAt},
		Binding{Keys: []string{"-"}, Action: FoldMap, Group: GroupMap, In: InMap, Description: "fold all", Disabled: notLookedAt},
		Binding{Keys: []string{"=", "+"}, Action: UnfoldMap, Group: GroupMap, In: InMap, Description: "unfold all", Disabled: notLookedAt},
	)
}

// mapHints are those of the map's panes.
var mapHints = map[Action]string{
	Reconcile: "reconcile", ReconcileUp: "all below", Validate: "validate", Mend: "mend", Init: "init", UndoMap: "undo", CancelMap: "cancel",
	OnlyNeeds: "only needs", NextNeed: "next", NextSheet: "sheet", Filter: "filter", MarkDirty: "dirty", EditMap: "edit", Open: "open",
	NextPane: "pane", List: "runs", Leave: "leave", Answer: "answer", Palette: "actions", Help: "help",
}

func noMapHere(s Situation) string {
	if !s.Map.Here {
		return "this screen knows one run alone; `growbench map` opens the project's map"
	}
	return ""
}

func notLookedAt(s Situation) string {
	if why := noMapHere(s); why != "" {
		return why
	}
	if !s.Map.Known {
		return "the map is being looked at; in a moment"
	}
	return ""
}

func notIdleMap(s Situation) string {
	if why := notLookedAt(s); why != "" {
		return why
	}
	if s.Map.Busy != "" {
		return "wait: " + s.Map.Busy + "; c cancels it"
	}
	return ""
}

func noMapYet(s Situation) string {
	if why := notIdleMap(s); why != "" {
		return why
	}
	if !s.Map.Exists {
		return "there is no map yet; i makes it"
	}
	return ""
}

func cannotActHere(s Situation) string {
	if why := noMapYet(s); why != "" {
		return why
	}
	if !s.Map.Picked {
		return "no directory is picked"
	}
	return ""
}

func cannotReconcile(s Situation) string { return cannotActHere(s) }

func cannotReconcileBelow(s Situation) string {
	if why := cannotActHere(s); why != "" {
		return why
	}
	if s.Map.Below == 0 {
		return "everything here and below is described as it is"
	}
	return ""
}

func cannotValidate(s Situation) string { return noMapYet(s) }
func cannotInit(s Situation) string     { return notIdleMap(s) }

func cannotUndo(s Situation) string {
	if why := notIdleMap(s); why != "" {
		return why
	}
	if s.Map.Kept == "" {
		return "there is nothing to take back"
	}
	return ""
}

func nothingToCancel(s Situation) string {
	if s.Map.Busy == "" {
		return "nothing is being done to the map"
	}
	return ""
}

func nothingNeeds(s Situation) string {
	if why := notLookedAt(s); why != "" {
		return why
	}
	if s.Map.Needs == 0 {
		return "every directory is described as it is"
	}
	return ""
}

func noHistory(s Situation) string {
	if s.Map.History == 0 {
		return "nothing was followed yet"
	}
	return ""
}

func noFuture(s Situation) string {
	if s.Map.Future == 0 {
		return "there is no way forth"
	}
	return ""
}

// mapSituation is how the map stands for its keys.
func (m *model) mapSituation() MapSituation {
	c := &m.chart
	s := MapSituation{Here: m.mapped(), Known: c.survey != nil && c.data != nil, Kept: c.kept, History: len(c.history), Future: len(c.future)}
	if c.work != nil {
		s.Busy = c.work.act.doing
	}
	if !s.Known {
		return s
	}
	s.Exists, s.Needs = c.survey.Exists, c.data.Need()
	if d, _, _ := c.tree.Selected(); d != nil {
		s.Picked, s.Clean = true, len(d.States) == 0
		s.Below = c.data.NeedingCount(d.Path)
	}
	return s
}

// afterWorker tells whether events hold the end of a Worker or of a run, after
// which the map may stand otherwise.
func afterWorker(events []event.Event) bool {
	for _, e := range events {
		switch e.Body.(type) {
		case event.WorkerEnded, event.RunEnded, event.MapKept:
			return true
		}
	}
	return false
}

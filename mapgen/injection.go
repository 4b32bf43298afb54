package mapgen

import (
	"context"
	"errors"
	"iter"

	"growbench/mapgen/artifact"
	"growbench/mapgen/inject"
	"growbench/mapgen/recall"
	"growbench/mapgen/scan"
)

// Turn is what an agent is about to do.
type Turn struct {
	Event   inject.Event
	Window  int      // tokens of its model's context; 0: unknown
	Query   string   // what it is asked
	Paths   []string // files it is about to change, relative to the project
	Seen    inject.Seen
	Reason  string // why it goes around the map
	Command string // how growbench is called, for hints
	Upkeep  string // what an agent without a shell does with the map; "": the commands
}

// Inject decides what of the map goes into an agent's context at a turn, by
// the project's settings.
func (p *Project) Inject(ctx context.Context, c Config, t Turn) (inject.Injection, error) {
	s := inject.Situation{Mode: inject.Mode(c.PromptInjectionMode), Event: t.Event, Window: t.Window, Percent: c.ContextBudgetPercent,
		Max: c.ContextBudgetMaxTokens, Seen: t.Seen, Reason: t.Reason, Command: t.Command, Upkeep: t.Upkeep}
	if s.Mode == inject.Off || !p.Exists() {
		return inject.Plan(s), nil
	}
	root, err := p.pairTexts(".")
	if err != nil {
		return inject.Injection{}, err
	}
	s.Root = &root
	var failed error
	s.Further = func(yield func(inject.Pair) bool) {
		for dir, err := range p.relevant(ctx, t) {
			if err != nil {
				failed = err
				return
			}
			// A pair that is gone or unreadable costs itself only.
			if pair, err := p.pairTexts(dir); err == nil && pair.Map.Text != "" && !yield(pair) {
				return
			}
		}
	}
	in := inject.Plan(s)
	return in, errors.Join(failed, ctx.Err())
}

// relevant are the directories a turn is about: those it changes and the ones
// above them, then those its question finds, then the most lively.
func (p *Project) relevant(ctx context.Context, t Turn) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		done := map[string]bool{".": true}
		next := func(dir string) bool {
			if dir == "" || done[dir] {
				return true
			}
			done[dir] = true
			return yield(dir, nil)
		}
		for _, file := range t.Paths {
			for dir := scan.Parent(file); dir != ""; dir = scan.Parent(dir) {
				if !next(dir) {
					return
				}
			}
		}
		source, err := p.Recall(ctx)
		if err != nil {
			yield("", err)
			return
		}
		index := recall.NewIndex(source)
		for _, question := range []string{t.Query, ""} {
			for _, hit := range index.Search(question, recall.DefaultWeights()).Dirs {
				if !next(hit.Path) {
					return
				}
			}
		}
	}
}

func (p *Project) pairTexts(dir string) (inject.Pair, error) {
	pair := inject.Pair{Dir: dir, Index: inject.Document{Path: artifact.IndexPath(dir)}, Map: inject.Document{Path: artifact.MapPath(dir)}}
	for _, d := range []*inject.Document{&pair.Index, &pair.Map} {
		text, err := p.readDocument(d.Path)
		if err != nil {
			return inject.Pair{}, err
		}
		d.Text = string(text)
	}
	return pair, nil
}

package mapgen

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"growbench/mapgen/budget"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
	"growbench/mapgen/voice"
)

// narrator has a model describe what a piece of work on the map comes to. A nil
// one asks nobody.
type narrator struct {
	p     *Project
	voice *voice.Voice
	// ctx ends calls that are under way: when one fails for good, those beside
	// it are still heard.
	ctx  context.Context
	gate turnstile // how many files are in memory to be asked about

	mu   sync.Mutex
	mute []scan.Skip
}

// narrator of a piece of work that writes.
func (p *Project) narrator(ctx context.Context) *narrator {
	if p.options.Voice == nil || p.dry() {
		return nil
	}
	return &narrator{p: p, voice: p.options.Voice, ctx: ctx, gate: make(turnstile, 2*p.options.Voice.Parallel())}
}

// settled says that a directory needs no words that it does not have.
func (n *narrator) settled(r *record) bool {
	if n != nil {
		return r.By == n.voice.Name()
	}
	return true
}

// workers is how many directories are described side by side: as many as it
// takes for no call to wait.
func (n *narrator) workers() int {
	if n == nil {
		return workers
	}
	return max(workers, 2*n.voice.Parallel())
}

// Model is what a model did for a piece of work.
type Model struct {
	Name  string `json:"name"`
	Calls int    `json:"calls"`
	Known int    `json:"known"` // descriptions that cost no call
	In    int64  `json:"tokens_in"`
	Out   int64  `json:"tokens_out"`
	// Mute are files and directories whose description could not be read.
	Mute []string `json:"undescribed"`
}

func (n *narrator) report() *Model {
	if n == nil {
		return nil
	}
	c := n.voice.Count()
	m := &Model{Name: n.voice.Name(), Calls: c.Calls, Known: c.Known, In: c.In, Out: c.Out, Mute: []string{}}
	for _, s := range n.mute {
		m.Mute = append(m.Mute, s.Path)
	}
	slices.Sort(m.Mute)
	return m
}

func (n *narrator) silent(path string, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.mute = append(n.mute, scan.Skip{Path: path, Why: err.Error()})
}

// describe asks about every file of a directory that has no words yet, or only
// those on an earlier version, and then about the directory.
func (n *narrator) describe(ctx context.Context, r *record, step func()) error {
	if n == nil {
		return nil
	}
	errs, near := make([]error, len(r.Files)), surroundings(r)
	var wg sync.WaitGroup
	for i := range r.Files {
		if err := n.gate.enter(ctx); err != nil {
			errs[i] = err
			break
		}
		wg.Go(func() {
			defer n.gate.leave()
			errs[i] = n.file(ctx, r, i, near)
			step()
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return n.dir(ctx, r)
}

// file asks about one file.
func (n *narrator) file(ctx context.Context, r *record, i int, near nearby) error {
	k, f := &r.Known[i], &r.Files[i]
	if k.quiet() || k.Said != nil && k.Said.By == n.voice.Name() && k.Said.Of == hashText(*f) {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	name := scan.Join(r.Dir, f.Name)
	raw, hash, err := load(n.p.path(name), n.p.options.FileBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		*k, f.Closed = inPlace("gone while it was read"), true
		return nil
	case err != nil:
		*k, f.Closed = inPlace("unreadable"), true
		return nil
	}
	f.Closed = f.Closed || hash != f.Hash // it is another one by now: the next look reads it again
	text := textOf(raw)
	if text == nil {
		return nil
	}
	if rule := scan.FindSecret(name, text); rule != "" {
		k.Private, k.Said = true, nil
		return nil
	}
	q := voice.FileQuestion{Path: name, Hash: hash, Text: string(text)}
	now := &said{By: n.voice.Name(), Of: hex.EncodeToString(hash[:]), Parts: partsOf(q.Text)}
	if n.sameWords(&q, k.Said, now) {
		k.Said = now
		return nil
	}
	words, err := n.voice.File(n.ctx, q)
	var stopped *voice.Stopped
	if errors.Is(err, voice.ErrUnread) && !errors.As(err, &stopped) {
		k.Said, k.Mute = nil, true
		n.silent(name, err)
		return nil
	}
	if err != nil {
		return err
	}
	now.Purpose, now.Deps, now.Concepts = n.honest(near, words.Purpose), words.Deps, words.Concepts
	k.Said, k.Mute = now, false
	return nil
}

// sameWords makes of a question about a big file one about what is new in it.
// It answers true when nothing is: the words stay.
func (n *narrator) sameWords(q *voice.FileQuestion, before, now *said) bool {
	if before == nil || before.By != now.By || len(before.Parts) == 0 || len(now.Parts) == 0 {
		return false
	}
	changed, kept := newParts(q.Text, before.Parts)
	if kept*2 < len(before.Parts) {
		return false // it is another file
	}
	if len(changed) == 0 {
		now.Purpose, now.Deps, now.Concepts = before.Purpose, before.Deps, before.Concepts
		return true
	}
	tokens := budget.Tokens(strings.Join(changed, ""))
	if 3*tokens <= min(budget.Tokens(q.Text), n.voice.SourceTokens()) {
		q.Before = &voice.FileText{Purpose: before.Purpose, Deps: before.Deps, Concepts: before.Concepts}
		q.Changed = changed
	}
	return false
}

// dir asks about a directory in which something came, went or got another name
// since it was described.
func (n *narrator) dir(ctx context.Context, r *record) error {
	of := makeup(r)
	if len(r.Files)+len(r.Parts) == 0 || r.Told != nil && r.Told.By == n.voice.Name() && r.Told.Of == of && !r.Told.Mute {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	view, _ := voiced(r)
	q := voice.DirQuestion{Path: r.Dir}
	for i, f := range view.Files {
		q.Files = append(q.Files, voice.Named{Name: f.Name, Text: or(purpose(&view.Known[i]), view.Known[i].Note)})
	}
	for _, c := range view.Parts {
		q.Parts = append(q.Parts, voice.Named{Name: c.Name, Text: or(c.Summary.Role, c.Why)})
	}
	words, err := n.voice.Dir(n.ctx, q)
	var stopped *voice.Stopped
	switch {
	case errors.Is(err, voice.ErrUnread) && !errors.As(err, &stopped):
		r.Told = &told{By: n.voice.Name(), Of: of, Mute: true}
		n.silent(r.Dir, err)
	case err != nil:
		return err
	default:
		near := surroundings(r)
		r.Told = &told{Role: n.honest(near, words.Role), Arch: n.honest(near, words.Arch), By: n.voice.Name(), Of: of}
	}
	return nil
}

// nearby are the names that words on a directory's files may mean.
type nearby struct {
	dir          string
	files, below []string
}

func surroundings(r *record) nearby {
	near := nearby{dir: r.Dir}
	for _, f := range r.Files {
		near.files = append(near.files, f.Name)
	}
	for _, c := range r.Parts {
		near.below = append(near.below, scan.Join(r.Dir, c.Name))
	}
	return near
}

// honest leaves out sentences that name a file which is not there.
func (n *narrator) honest(near nearby, text string) string {
	var out []string
	for _, sentence := range strings.SplitAfter(text, ". ") {
		invented := false
		for word := range strings.FieldsFuncSeq(sentence, func(c rune) bool { return strings.ContainsRune(" ,;:()`'\"*<>", c) }) {
			word = strings.TrimRight(word, ".!?")
			invented = invented || namesFile(word) && !n.there(near, word)
		}
		if !invented {
			out = append(out, sentence)
		}
	}
	if len(out) == 0 {
		return text // that there is something is known all the same
	}
	return strings.TrimSpace(strings.Join(out, ""))
}

// namesFile tells the name of a source file from a word.
func namesFile(word string) bool {
	ext := path.Ext(word)
	return len(ext) > 1 && len(word) > len(ext) && symbols.Language(word, nil) != "" && !strings.Contains(word, "://")
}

func (n *narrator) there(near nearby, name string) bool {
	if slices.Contains(near.files, path.Base(name)) {
		return true
	}
	for _, dir := range append([]string{".", near.dir}, near.below...) {
		if at := path.Join(dir, name); at != ".." && !strings.HasPrefix(at, "../") {
			if _, err := os.Lstat(n.p.path(at)); err == nil {
				return true
			}
		}
	}
	return false
}

// halted makes of a model that cannot be asked what to do about it.
func halted(err error) error {
	var stopped *voice.Stopped
	if !errors.As(err, &stopped) {
		return err
	}
	return fmt.Errorf("%w; what was described is kept: run the same again, and only the rest is asked for", err)
}

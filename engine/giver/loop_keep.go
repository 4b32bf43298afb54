package giver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/loop"
)

// Files of the loop in a conversation's directory.
const (
	fileLoop     = "loop.json"
	fileHandoffs = "handoffs.jsonl"
)

const (
	maxPasses  = 20      // kept beside the lock; the history has them all
	maxScope   = 4 << 10 // bytes
	maxLoop    = 8 << 20 // bytes of loop.json
	loopFormat = 1
)

// The lines of the loops' history.
type (
	// Passed is one pass and what it left.
	Passed struct{ loop.Checkpoint }
	// Stopped is the end of a loop.
	Stopped struct{ loop.StopProof }
)

// Type names each kind in the log.
func (Passed) Type() string  { return "handoff" }
func (Stopped) Type() string { return "loop.stopped" }

var _ = []struct{}{event.Register[Passed](), event.Register[Stopped]()}

// LoopEntry is one entry of the history: a pass, or the end of a loop.
type LoopEntry struct {
	At   time.Time
	Pass *loop.Checkpoint
	Stop *loop.StopProof
}

// Handoffs is the history of the conversation's loops, oldest first.
func (s *Session) Handoffs() []LoopEntry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.grow.history)
}

// keptLoop is loop.json.
type keptLoop struct {
	Format int `json:"format"`
	N      int `json:"n"` // of the process that wrote it
	loop.Lock
}

func (s *Session) loadLoop() error {
	log, entries, _, err := event.OpenLog(s.path(fileHandoffs), s.Now)
	if err != nil {
		return fmt.Errorf("open the history of the loop: %w", err)
	}
	s.grow.log = log
	for _, e := range entries {
		s.grow.history = remembered(s.grow.history, e)
	}
	kept, err := readLock(s.path(fileLoop))
	switch {
	case err != nil:
		s.grow.notice = err.Error() + "; a loop can be begun, not resumed"
	case kept != nil:
		s.grow.lock, s.grow.proof = &kept.Lock, kept.Stop
	}
	return nil
}

// readLock reads loop.json; nil where there is none.
func readLock(path string) (*keptLoop, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxLoop) {
		err = fmt.Errorf("it must be a file of at most %d bytes", maxLoop)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	var kept keptLoop
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	switch {
	case err != nil:
	case kept.Format > loopFormat:
		err = fmt.Errorf("it was written by a newer growbench (format %d)", kept.Format)
	case kept.Skill == "":
		err = errors.New("it names no skill")
	}
	if err != nil {
		return nil, fmt.Errorf("read the loop in %s: %w", path, err)
	}
	return &kept, nil
}

// saveLock replaces loop.json and has the views look again. The caller holds mu.
func (s *Session) saveLock() {
	if s.grow.lock == nil {
		return
	}
	s.grow.version++
	s.writeLock()
}

// writeLock is saveLock for what no view shows.
func (s *Session) writeLock() {
	kept := keptLoop{Format: loopFormat, N: s.grow.scheduler.Status().N, Lock: *s.grow.lock}
	data, err := json.MarshalIndent(kept, "", "  ")
	if err == nil {
		err = workspace.AtomicWrite(s.path(fileLoop), append(data, '\n'), 0o600)
	}
	if err != nil {
		s.grow.notice = fmt.Sprintf("keep the loop: %v; it can not be resumed after a restart", err)
		s.grow.version++
	}
}

func (s *Session) keepEntry(b event.Body) {
	entries, err := s.grow.log.Append(true, b)
	for _, e := range entries {
		s.grow.history = remembered(s.grow.history, e)
	}
	s.grow.version++
	if err != nil {
		s.grow.notice = fmt.Sprintf("keep the history of the loop: %v", err)
	}
}

// remembered is a history with what a line of the log adds.
func remembered(history []LoopEntry, e event.Event) []LoopEntry {
	entry := LoopEntry{At: e.At}
	switch b := e.Body.(type) {
	case Passed:
		entry.Pass = &b.Checkpoint
	case Stopped:
		entry.Stop = &b.StopProof
	default:
		return history
	}
	return append(history, entry)
}

// lockLoop begins a loop. What was approved for another one is over with it.
func (s *Session) lockLoop(skill, scope string, surface loop.Surface) {
	old := s.grow.lock
	if s.state.ScopeAsked != nil || old != nil && old.Stop == nil && len(old.Passes) > 0 && len(s.state.Scope) > 0 {
		s.appendLocked(true, Scoped{By: ByLoop})
	}
	s.grow.lock = &loop.Lock{Skill: skill, Scope: clip(scope, maxScope), Surface: surface.Path, Passes: []loop.Checkpoint{}}
	s.grow.surface, s.grow.proof = surface, nil
	clear(s.grow.given)
	s.saveLock()
}

// skills are those that can be looped now.
func (s *Session) skills() ([]loop.Skill, []error) {
	if s.Skills == nil {
		return loop.Skills(nil)
	}
	return s.Skills()
}

// tellProblems tells, once each, of skills that cannot be read.
func (s *Session) tellProblems(problems []error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range problems {
		if words := p.Error(); !s.grow.told[words] {
			s.grow.told[words] = true
			s.appendLocked(false, Told{Text: s.Hide(words)})
		}
	}
}

// findSurface is the open work that a skill's pass begins from: what the words
// name, what the loop is locked to, or what is found.
func (s *Session) findSurface(words string, route loop.Route) loop.Surface {
	var before loop.Surface
	var begins base
	named := s.namedFile(words)
	switch {
	case route.Kind == loop.Resume:
		var runs []string
		s.mu.Lock()
		if s.grow.lock != nil {
			named, before, runs = s.grow.lock.Surface, s.grow.surface, slices.Clone(s.grow.lock.Runs)
		}
		s.mu.Unlock()
		if named == "" {
			return before
		}
		begins = s.baseAfter(s.ctx, runs)
	case named == "" && route.Skill != defaultWorker:
		return loop.Surface{} // the others need none
	}
	surface, err := loop.FindSurface(s.Project.Root, ".", named)
	if len(begins.lineage) > 0 {
		// What earlier passes have ticked off is in their branch.
		if text, there, lost := s.readBase(s.ctx, begins, named); lost == nil && there {
			surface, err = loop.Surface{Path: named, Items: loop.OpenItems(text)}, nil
		}
	}
	switch {
	case err != nil:
		return loop.Surface{Reason: s.Hide(err.Error())}
	case route.Kind == loop.Resume && before.Path == named:
		surface.Reason = before.Reason
	case route.Kind == loop.Resume:
		surface.Reason = "kept since the loop began"
	}
	return surface
}

// namedFile is the document that words name as the open work: where it is to be
// worked over, or by its name alone. One that is not there is named all the same.
func (s *Session) namedFile(words string) string {
	before := ""
	for _, word := range strings.Fields(words) {
		word = strings.TrimRight(strings.TrimLeft(word, marks), marks+".,;:!?")
		ext := strings.ToLower(filepath.Ext(word))
		if (ext == ".md" || ext == ".txt") && (slices.Contains(workOver, strings.ToLower(before)) || loop.HoldsWork(word)) {
			return filepath.ToSlash(word)
		}
		before = word
	}
	return ""
}

// marks may stand around a name.
const marks = "`\"'“”‘’«»()[]<>"

var workOver = []string{"over", "through", "from"}

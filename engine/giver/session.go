package giver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/tool"
	"growbench/engine/workspace"
	"growbench/loop"
	"growbench/mapgen"
)

// Files of a conversation's directory.
const (
	fileMessages = "messages.jsonl"
	fileMemory   = "memory.md"
	fileDraft    = "draft-task0.md"
)

var (
	// ErrClosed is what a closed session answers.
	ErrClosed = errors.New("the conversation is closed")
	// ErrNotWaiting means that nothing waits under that name.
	ErrNotWaiting = errors.New("nothing waits for that")
	// ErrNewer is a conversation of a format this version cannot read.
	ErrNewer = errors.New("the conversation was written by a newer growbench")
)

// Options are what a conversation works with.
type Options struct {
	StateRoot string
	Project   workspace.Project
	// Spec is what every run from here has in common: base, agents,
	// configuration.
	Spec engine.Spec
	// Client is the model; nil: the operator writes everything.
	Client model.Client
	// Window is how many tokens the model's context has; 0: the model is asked.
	Window int64
	// Hide takes secrets out of what goes to the model or into the log.
	Hide    func(string) string
	Spawner engine.Spawner
	// Ready says why a run cannot be started now, before anything is made.
	Ready func(spec engine.Spec, plan doc.Plan) error
	// Symbols reads exported symbols, for the check of signatures; nil reads them
	// in this process, guarded.
	Symbols mapgen.Extractor
	// Skills are those that can be looped, with what keeps others from being
	// read; nil: those that come with the program.
	Skills func() ([]loop.Skill, []error)
	// Tools are added to the Giver's own.
	Tools []tool.Tool
	// Grace is how long what a Scout has left running has to end; 0 is 5 s.
	Grace time.Duration
	Now   func() time.Time
	// AfterAppend is called with each message that is in the log.
	AfterAppend func(event.Event)
	// Go starts a goroutine, so that a screen can guard it like its own.
	Go func(name string, f func())
}

// Session is a conversation that this process owns. Its methods may be called
// from several goroutines.
type Session struct {
	Options
	dir     string
	release func()
	log     *event.Log
	report  event.Report
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	inputs  inputs
	acting  sync.Mutex // whoever approves, denies or drafts for the operator

	mu       sync.Mutex
	state    *State
	memory   Memory
	run      *event.State // of the run at hand, nil without one
	alive    bool         // it has an owner
	queue    []turn
	turn     *activity
	mapText  string   // of the project's map, for the model
	answered string   // the run's question that was answered last
	waits    []string // questions that were told of
	shown    RunView
	feeds    map[*Feed]bool
	changed  chan struct{}
	closed   bool
	// reporting: a run has ended, and the turn that takes it in is not there yet.
	reporting bool
	grow      growing
}

// Dir is where a project's conversation is kept.
func Dir(stateRoot, project string) string { return filepath.Join(stateRoot, project, "session") }

// Open takes a project's conversation over, from wherever it stood: calls that
// nobody answered are answered, what was approved is started, a run that goes
// on is watched. engine.ErrOwned means that another process has it.
func Open(o Options) (*Session, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Hide == nil {
		o.Hide = func(text string) string { return text }
	}
	if o.Go == nil {
		o.Go = func(_ string, f func()) { go f() }
	}
	if o.Ready == nil {
		o.Ready = func(engine.Spec, doc.Plan) error { return nil }
	}
	dir := Dir(o.StateRoot, o.Project.Name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a place for the conversation: %w", err)
	}
	release, err := engine.Hold(dir)
	if err != nil {
		return nil, fmt.Errorf("take the conversation over: %w", err)
	}
	s := &Session{Options: o, dir: dir, release: release, feeds: map[*Feed]bool{}, changed: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if err := s.load(); err != nil {
		s.cancel()
		release()
		return nil, err
	}
	if err := s.openLoop(); err != nil {
		s.cancel()
		release()
		return nil, errors.Join(err, s.log.Close())
	}
	s.resume()
	return s, nil
}

func (s *Session) load() error {
	log, messages, report, err := event.OpenLog(filepath.Join(s.dir, fileMessages), s.Now)
	if err != nil {
		return fmt.Errorf("open the conversation: %w", err)
	}
	s.log, s.report, s.state = log, report, Fold(messages)
	if len(messages) > 0 {
		if o, ok := messages[0].Body.(Opened); ok && o.Format > Version {
			return errors.Join(fmt.Errorf("%w (format %d, this one reads %d)", ErrNewer, o.Format, Version), log.Close())
		}
	}
	if s.memory, err = LoadMemory(s.path(fileMemory)); err != nil {
		return errors.Join(err, log.Close())
	}
	return nil
}

// resume brings a conversation that broke off into order.
func (s *Session) resume() {
	if s.state.LastSeq == 0 {
		s.append(true, Opened{Format: Version})
	}
	for _, c := range s.state.Open {
		s.append(true, Returned{ID: c.ID, Name: c.Name, Args: c.Arguments, Text: interrupted, Error: "interrupted"})
	}
	s.readDraft()
	switch {
	case s.state.Draft.Approved != nil:
		s.launch(s.ctx)
	case s.state.Run.Started && !s.state.Run.Ended:
		s.attend(s.state.Run.ID)
		s.watch(s.state.Run.ID, false)
	}
}

func (s *Session) path(name string) string { return filepath.Join(s.dir, name) }

// Path is where the conversation's memory or draft lies, for an editor.
func (s *Session) Path(name string) string { return s.path(name) }

// MemoryFile and DraftFile are what an operator may edit.
const (
	MemoryFile = fileMemory
	DraftFile  = fileDraft
)

// Cut tells what of the log could not be read when it was opened.
func (s *Session) Cut() event.Report { return s.report }

// append writes messages, folds them and tells whoever listens. durable
// messages are on the disk when it returns.
func (s *Session) append(durable bool, bodies ...event.Body) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.appendLocked(durable, bodies...)
}

func (s *Session) appendLocked(durable bool, bodies ...event.Body) error {
	if s.closed {
		return ErrClosed
	}
	messages, err := s.log.Append(durable, bodies...)
	for i := range messages {
		s.state.Apply(messages[i])
		s.tell(Update{Message: &messages[i]})
		if s.AfterAppend != nil {
			s.AfterAppend(messages[i])
		}
	}
	s.change()
	if err != nil {
		return fmt.Errorf("keep the conversation: %w", err)
	}
	return nil
}

// tell hands an update to every feed. The caller holds mu.
func (s *Session) tell(updates ...Update) {
	for f := range s.feeds {
		f.add(updates...)
	}
}

// change tells of new questions and wakes whoever waits for a state. The
// caller holds mu.
func (s *Session) change() {
	s.settle()
	s.loopChanged()
	for _, w := range s.questions() {
		if known := w.Run + "/" + w.ID; !contains(s.waits, known) {
			s.waits = append(s.waits, known)
			s.tell(Update{Waiting: &w})
		}
	}
	for f := range s.feeds {
		f.look()
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

func contains(list []string, one string) bool {
	for _, have := range list {
		if have == one {
			return true
		}
	}
	return false
}

// Listen hands on all that comes from now on, after what is asked now.
func (s *Session) Listen() *Feed {
	f := newFeed()
	s.mu.Lock()
	defer s.mu.Unlock()
	f.leave = func() {
		s.mu.Lock()
		delete(s.feeds, f)
		s.mu.Unlock()
	}
	s.feeds[f] = true
	for _, w := range s.questions() {
		f.add(Update{Waiting: &w})
	}
	if v := s.loopView(); v.Status.State != loop.Idle || v.Notice != "" {
		f.add(Update{Loop: &v})
	}
	if s.closed {
		f.end()
	}
	return f
}

// Close stops what this process does for the conversation and lets it go. A
// run goes on.
func (s *Session) Close() error {
	s.closeLoop()
	s.Stop()
	s.acting.Lock()
	s.mu.Lock()
	s.cancel() // from here on nothing new is begun
	s.mu.Unlock()
	s.acting.Unlock()
	s.running.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.unpublishLoop()
	s.inputs.close()
	for f := range s.feeds {
		f.end()
	}
	close(s.changed)
	s.changed = make(chan struct{})
	err := errors.Join(s.log.Close(), s.grow.log.Close())
	s.release()
	return err
}

// spawn starts a goroutine that Close waits for.
func (s *Session) spawn(name string, f func()) {
	s.running.Add(1)
	s.Go(name, func() {
		defer s.running.Done()
		f()
	})
}

package giver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

func (s *Session) runDirs(run string) engine.Dirs {
	return engine.RunDirs(s.StateRoot, s.Project.Name, run)
}

// approveDraft takes the word for the draft of that id and starts its chain.
func (s *Session) approveDraft(id, plan, by string) error {
	s.acting.Lock()
	defer s.acting.Unlock()
	if err := s.readDraft(); err != nil {
		return err
	}
	text, err := s.loadDraft()
	if err != nil {
		return err
	}
	s.mu.Lock()
	d, bytes, lives := s.state.Draft, s.state.Bytes, viewOf(s.run, s.alive).Lives()
	s.mu.Unlock()
	switch {
	case !d.Waits() || d.ID() != id || hash(text) != d.SHA256:
		return fmt.Errorf("approve %q: %w: Task #0 is another one by now", id, ErrNotWaiting)
	case lives:
		return fmt.Errorf("approve %q: run %s is still at work; let it end, or stop it with `growbench stop %s`", id, s.run.Run, s.run.Run)
	}
	a := Approved{SHA256: d.SHA256, By: by, Plan: plan, Run: engine.NewRunID(s.Now()), Conversation: bytes}
	if d.Conversation > 0 && d.By == ByGiver {
		a.Conversation = d.Conversation
	}
	begins := s.loopBase(s.ctx)
	a.Lineage, a.Chosen = begins.lineage, begins.chosen
	spec, parsed, err := s.specFor(a, text)
	if err != nil {
		return err
	}
	if err := s.Ready(spec, parsed); err != nil {
		return err
	}
	s.mu.Lock()
	s.keepRun(a.Run)
	err = s.appendLocked(true, a)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.launch(s.ctx)
}

// specFor is the run that an approved draft becomes, and its plan where one is
// given by hand.
func (s *Session) specFor(a Approved, text string) (engine.Spec, doc.Plan, error) {
	spec := s.Spec
	spec.Run, spec.Plan, spec.Conversation, spec.Chosen = a.Run, a.Plan, a.Conversation, a.Chosen
	if len(a.Lineage) > 0 {
		spec.RestOn(a.Lineage)
	}
	if a.Plan == "" {
		if a.By == ByLoop {
			spec.Review = false
		}
		return spec, doc.Plan{}, nil
	}
	spec.Review = false
	task, _ := doc.ParseTask(text)
	plan, problems := engine.CheckPlan(task, a.Plan, func(name string) bool { _, ok := spec.Config.Agents[name]; return ok })
	if doc.HasErrors(problems) {
		return spec, plan, errors.New("the plan does not pass:" + listed(problems, doc.Error))
	}
	return spec, plan, nil
}

// launch makes the run that was approved and gives it an owner. It may have
// been begun already: by a process that died in the middle.
func (s *Session) launch(ctx context.Context) error {
	s.mu.Lock()
	a := *s.state.Draft.Approved
	s.mu.Unlock()
	err := s.make(ctx, a)
	if err != nil {
		return errors.Join(err, s.append(true, Ran{Run: a.Run, State: RunNotStarted, Why: s.Hide(err.Error())}))
	}
	words := "The operator approved Task #0."
	if a.By == ByLoop {
		words = "Task #0 is within what the operator has approved for the loop."
	}
	s.mu.Lock()
	s.attend(a.Run)
	err = s.appendLocked(true,
		Ran{Run: a.Run, State: RunStarted},
		Told{Text: s.Hide(fmt.Sprintf("%s Run %s has started; its end is reported here.%s", words, a.Run, base{a.Lineage, a.Chosen}.words()))})
	s.mu.Unlock()
	s.watch(a.Run, true)
	return err
}

func (s *Session) make(ctx context.Context, a Approved) error {
	dirs := s.runDirs(a.Run)
	if _, err := os.Stat(dirs.Run + "/events.jsonl"); err == nil {
		return nil // it has begun; who owns it, or should, is its own affair
	}
	if engine.Held(dirs.Run) {
		return nil
	}
	if _, err := engine.LoadSpec(dirs.Run); err != nil {
		text, err := s.loadDraft()
		if err != nil {
			return err
		}
		if hash(text) != a.SHA256 {
			return errors.New("the draft of Task #0 has changed since it was approved; approve it as it is now")
		}
		spec, _, err := s.specFor(a, text)
		if err != nil {
			return err
		}
		if err := os.RemoveAll(dirs.Run); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear what is left of run %s: %w", a.Run, err)
		}
		if _, err := engine.Create(engine.NewRun{StateRoot: s.StateRoot, Project: s.Project, Task0: text, Spec: spec, Now: s.Now()}); err != nil {
			return err
		}
	}
	return s.Spawner.Spawn(ctx, dirs.Run, nil)
}

// startWithin starts the draft's chain without a question, where a loop's scope
// holds all its targets. False: the operator is to be asked.
func (s *Session) startWithin() (bool, error) {
	s.mu.Lock()
	id, within := s.state.Draft.ID(), s.within()
	s.mu.Unlock()
	if !within {
		return false, nil
	}
	return true, s.approveDraft(id, "", ByLoop)
}

// within tells that a loop is at work and its scope holds all that the draft is
// about. The caller holds mu.
func (s *Session) within() bool {
	scope, targets := workspace.Scope{Targets: s.state.Scope}, s.state.Draft.Targets
	outside := func(p string) bool { return !scope.Allows(p) && !slices.Contains(scope.Targets, p) }
	return s.grow.pass.loops() && len(targets) > 0 && !slices.ContainsFunc(targets, outside)
}

// attend makes a run the one at hand. The caller holds mu.
func (s *Session) attend(run string) {
	s.run, s.alive = event.NewState(), true
	s.run.Run, s.run.Status = run, event.StatusRunning
}

// watch follows the run at hand until it has ended. live says that it was
// started just now.
func (s *Session) watch(run string, live bool) {
	w := engine.Watch(s.runDirs(run).Run)
	w.Go = s.Go
	s.spawn("watch run "+run, func() {
		defer w.Close()
		for {
			u, err := w.Next(s.ctx)
			if err != nil {
				return
			}
			if s.take(u) {
				s.ended(live)
				return
			}
			live = live || u.OwnerAlive
		}
	})
}

// take folds what has come of the run. True: it is over, and its owner gone.
func (s *Session) take(u engine.Update) (over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range u.Events {
		s.run.Apply(e)
	}
	s.alive = u.OwnerAlive
	s.run.Look(s.alive, s.Now())
	if v := viewOf(s.run, s.alive); !sameView(v, s.shown) {
		s.shown = v
		s.tell(Update{Run: &v})
	}
	s.change()
	return s.run.IsEnded() && !s.alive
}

func sameView(a, b RunView) bool {
	a.GP, a.PW, a.WG, b.GP, b.PW, b.WG = nil, nil, nil, nil, nil, nil
	return a == b
}

// ended reports a run in the conversation, by reference, and keeps what its
// failure teaches.
func (s *Session) ended(live bool) {
	s.mu.Lock()
	run := s.run.Clone()
	s.mu.Unlock()
	bodies := []event.Body{Ran{Run: run.Run, State: RunEnded, Status: run.Status, Verified: run.Verified}}
	if run.Status == event.StatusFailed {
		if err := s.keepFailure(run); err != nil {
			bodies = append(bodies, Told{Text: err.Error()})
		}
	}
	bodies = append(bodies, Told{Text: s.Hide(endReport(run, s.runDirs(run.Run).Run))})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grow.pass.ran(run)
	s.holds(run)
	s.reporting = true
	defer func() {
		s.reporting = false
		s.change()
	}()
	if s.appendLocked(true, bodies...) == nil && live && s.Client != nil {
		_ = s.enqueueLocked(turn{}) // refused only when the conversation is closed
	}
}

func (s *Session) keepFailure(run *event.State) error {
	f := Failure{Run: run.Run, What: clip(oneLine(run.Reason), 300)}
	if class, why := engine.FailureClass(run); class != "" {
		f.Class, f.What = class, f.What+" ("+clip(oneLine(why), 200)+")"
	}
	return s.withMemory(func(m *Memory) error {
		if _, known := m.Failure(run.Run); !known {
			m.Record(f)
		}
		return nil
	})
}

// withMemory reads the memory as it is on disk, changes it and keeps it.
func (s *Session) withMemory(change func(*Memory) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := LoadMemory(s.path(fileMemory))
	if err == nil {
		err = change(&m)
	}
	if err == nil && m.String() != s.memory.String() {
		err = m.Save(s.path(fileMemory))
	}
	if err == nil {
		s.memory = m
		s.change()
	}
	return err
}

package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"growbench/engine/event"
)

// How a list looks: at the runs that live whenever their owners tell of news,
// but not more often than listPause; at all others by their files' sizes.
const (
	listPause  = 250 * time.Millisecond
	listSeldom = time.Second
	// listBudget bounds how long the first look may take before what is known
	// is shown.
	listBudget = 100 * time.Millisecond
)

// List follows all runs of a project. It needs no owner of any: the logs are
// the truth, the owners' sockets only tell that they have grown.
type List struct {
	stateRoot, project string
	runs               map[string]*listed // by directory
	dirs               []string           // newest first
	seen               time.Time          // the runs folder's time when it was read
	begun, unread      bool
	looked             time.Time
	poke               chan struct{}
	// Go starts the goroutines that listen to owners, so that a screen can
	// guard them like its own.
	Go func(name string, f func())
}

// listed is one run of a List.
type listed struct {
	tail    *event.Tail
	state   *event.State // nil before the first event
	alive   bool
	hears   bool // an owner's notes come
	silent  chan struct{}
	broken  error
	summary Summary
	read    bool // summary says something
}

// Roll is a list of runs at one moment, newest first.
type Roll struct {
	Runs []Summary
	// Unread is how many more there are that have not been read yet.
	Unread int
}

// ListRuns follows the runs of a project under a state root.
func ListRuns(stateRoot, project string) *List {
	return &List{
		stateRoot: stateRoot, project: project, runs: map[string]*listed{}, poke: make(chan struct{}, 1),
		Go: func(_ string, f func()) { go f() },
	}
}

// Next blocks until a run has come, gone or changed. The first call returns
// as soon as something is known.
func (l *List) Next(ctx context.Context) (Roll, error) {
	all := true
	for {
		changed, err := l.look(ctx, all)
		if err != nil {
			return Roll{}, err
		}
		if changed || !l.begun {
			l.begun = true
			return l.roll(), nil
		}
		if all, err = l.pause(ctx); err != nil {
			return Roll{}, err
		}
	}
}

// pause waits until it is time to look again: at all runs, or at those alone
// whose owners tell of news.
func (l *List) pause(ctx context.Context) (all bool, err error) {
	if l.unread {
		return true, nil
	}
	timer := time.NewTimer(listSeldom - time.Since(l.looked))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-timer.C:
		return true, nil
	case <-l.poke:
	}
	rest := time.NewTimer(listPause)
	defer rest.Stop()
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-rest.C:
		return time.Since(l.looked) >= listSeldom, nil
	}
}

// Nudge has the list look again soon.
func (l *List) Nudge() {
	select {
	case l.poke <- struct{}{}:
	default:
	}
}

func (l *List) roll() Roll {
	var r Roll
	for _, dir := range l.dirs {
		if run := l.runs[dir]; run.read {
			r.Runs = append(r.Runs, run.summary)
		} else {
			r.Unread++
		}
	}
	return r
}

func (l *List) look(ctx context.Context, all bool) (changed bool, err error) {
	began := time.Now()
	if all {
		l.looked = began
		if changed, err = l.readFolder(); err != nil {
			return false, err
		}
	}
	l.unread = false
	for _, dir := range l.dirs {
		run := l.runs[dir]
		if !all && !run.alive {
			continue
		}
		if l.unread = changed && time.Since(began) > listBudget; l.unread {
			return true, nil
		}
		if run.refresh(dir) {
			changed = true
		}
		if run.alive {
			l.hear(ctx, dir, run)
		}
	}
	return changed, nil
}

// readFolder learns which runs there are, when their folder has changed.
func (l *List) readFolder() (changed bool, err error) {
	folder := filepath.Join(l.stateRoot, l.project, "runs")
	info, err := os.Stat(folder)
	if err != nil && !os.IsNotExist(err) {
		return false, err
	}
	if err == nil {
		// What comes within the clock's grain of the last look has the same time.
		if info.ModTime().Equal(l.seen) && time.Since(l.seen) > 2*time.Second {
			return false, nil
		}
		l.seen = info.ModTime()
	}
	dirs, err := Runs(l.stateRoot, l.project)
	if err != nil {
		return false, err
	}
	slices.Reverse(dirs)
	if slices.Equal(dirs, l.dirs) {
		return false, nil
	}
	l.dirs = dirs
	for _, dir := range dirs {
		if l.runs[dir] == nil {
			l.runs[dir] = &listed{tail: event.NewTail(filepath.Join(dir, fileEvents), 0)}
		}
	}
	for dir := range l.runs {
		if !slices.Contains(dirs, dir) {
			delete(l.runs, dir)
		}
	}
	return true, nil
}

// refresh folds what a run's log has gained, and tells whether anything about
// the run has changed. An ended run that nobody owns costs one look at its
// log's size.
func (run *listed) refresh(dir string) bool {
	grown := false
	if info, err := os.Stat(filepath.Join(dir, fileEvents)); err == nil && info.Size() != run.tail.Offset() {
		err := run.tail.Next(func(line []byte) bool {
			e, err := event.Decode(line)
			if err != nil {
				return true
			}
			if run.state == nil {
				run.state = event.NewState()
			}
			run.state.Apply(e)
			grown = true
			return true
		})
		run.tail.Close()
		grown = grown || err != nil && run.broken == nil
		run.broken = err
	}
	alive := run.alive
	if run.alive || grown || run.state == nil || !run.state.IsEnded() {
		alive = OwnerAlive(dir)
	}
	if run.read && !grown && alive == run.alive {
		return false
	}
	run.alive, run.read = alive, true
	var state *event.State
	if run.state != nil {
		state = run.state.Clone()
		state.Look(alive, time.Now())
	}
	run.summary = summaryOf(dir, state, alive)
	if run.broken != nil {
		run.summary.Goal = run.broken.Error()
	}
	return true
}

// hear listens to the owner of a run, once.
func (l *List) hear(ctx context.Context, dir string, run *listed) {
	if run.hears {
		select {
		case <-run.silent:
			run.hears = false
		default:
			return
		}
	}
	conn, err := dial(ctx, dir)
	if err != nil {
		return // it is looked at as often as the others
	}
	silent := make(chan struct{})
	run.hears, run.silent = true, silent
	l.Go("listen to a run's owner", func() {
		defer close(silent)
		hearNotes(ctx, conn, l.Nudge)
	})
}

package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"sync/atomic"
	"time"

	"growbench/engine/event"
)

// Watcher follows one run, live or ended, by its directory. It needs no owner:
// the log is the truth, the owner's socket only tells that it has grown.
type Watcher struct {
	dir   string
	tail  *event.Tail
	alive bool
	begun bool
	poke  chan struct{}
	heard atomic.Bool // the owner's notes come
	asked time.Time   // when the owner was last asked for them
	// Go starts the goroutine that listens to the owner, so that a screen can
	// guard it like its own.
	Go func(name string, f func())
}

// How often a watcher looks by itself: often when nobody pokes it, seldom
// when the owner's socket does or the run has ended.
const (
	lookOften  = 100 * time.Millisecond
	lookSeldom = time.Second
)

// MaxBatch bounds the events of one Update: as many means that there are more.
// Few enough that a screen is soon there, many enough that a long log does not
// come in drops.
const MaxBatch = 16 << 10

// Watch follows the run in runDir from its first event.
func Watch(runDir string) *Watcher { return watchFrom(runDir, 0) }

// watchFrom follows the run from a place in its log, in bytes.
func watchFrom(runDir string, offset int64) *Watcher {
	return &Watcher{
		dir:  runDir,
		tail: event.NewTail(filepath.Join(runDir, fileEvents), offset),
		poke: make(chan struct{}, 1),
		Go:   func(_ string, f func()) { go f() },
	}
}

// Dir is the run's directory.
func (w *Watcher) Dir() string { return w.dir }

// Do gives a command to the run's owner.
func (w *Watcher) Do(ctx context.Context, c Command) error { return Send(ctx, w.dir, c) }

// Close lets go of the log.
func (w *Watcher) Close() error { return w.tail.Close() }

// Next blocks until events have come, the owner's life has changed or the owner
// has told of something: without events, that a transcript has grown. The first
// call returns at once.
func (w *Watcher) Next(ctx context.Context) (Update, error) {
	told := false
	for {
		alive := OwnerAlive(w.dir)
		events, err := w.read()
		if err != nil {
			return Update{}, err
		}
		if alive {
			w.listen(ctx)
		}
		if len(events) > 0 || alive != w.alive || !w.begun || told && alive {
			w.alive, w.begun = alive, true
			return Update{Events: events, OwnerAlive: alive}, nil
		}
		wait := lookSeldom
		if alive && !w.heard.Load() {
			wait = lookOften
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return Update{}, context.Cause(ctx)
		case <-w.poke:
			timer.Stop()
			told = true
		case <-timer.C:
		}
	}
}

func (w *Watcher) read() ([]event.Event, error) {
	var events []event.Event
	err := w.tail.Next(func(line []byte) bool {
		if e, err := event.Decode(line); err == nil {
			events = append(events, e)
		}
		return len(events) < MaxBatch
	})
	return events, err
}

// listen turns the owner's notes into pokes for as long as it lives. An owner
// that is just beginning, or another one, is asked again a little later.
func (w *Watcher) listen(ctx context.Context) {
	if w.heard.Load() || time.Since(w.asked) < lookSeldom {
		return
	}
	w.asked = time.Now()
	if conn, err := dial(ctx, w.dir); err == nil {
		w.heard.Store(true)
		w.Go("listen to the run's owner", func() {
			hearNotes(ctx, conn, w.nudge)
			w.heard.Store(false)
			w.nudge()
		})
	}
}

// hearNotes calls nudge for each note of a run's owner, and once more when
// there will be none any more.
func hearNotes(ctx context.Context, conn net.Conn, nudge func()) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if json.NewEncoder(conn).Encode(Command{Do: "watch"}) != nil {
		return
	}
	lines := bufio.NewReader(conn)
	for {
		if _, err := lines.ReadSlice('\n'); err != nil && err != bufio.ErrBufferFull {
			break
		}
		nudge()
	}
	nudge()
}

// Look has Next look now: whoever starts an owner knows of it first.
func (w *Watcher) Look() { w.nudge() }

func (w *Watcher) nudge() {
	select {
	case w.poke <- struct{}{}:
	default:
	}
}

package cli

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"growbench/engine"
	"growbench/engine/event"
)

// recording is a run played again from its record, as a watcher sees a run.
type recording struct {
	dir   string
	line  *event.Timeline
	speed float64
	short bool // pauses are cut
	began time.Time
	told  int
}

func newRecording(dir string, speed float64, short bool) (*recording, error) {
	events, _, err := event.Read(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		return nil, err
	}
	line := event.NewTimeline()
	line.Add(events...)
	return &recording{dir: dir, line: line, speed: speed, short: short, began: time.Now()}, nil
}

// Next gives the next event when its time has come; after the last one it
// says that nobody runs the run, and then nothing more.
func (r *recording) Next(ctx context.Context) (engine.Update, error) {
	r.told++
	switch n := r.told; {
	case n == r.line.Len()+1:
		return engine.Update{}, nil
	case n > r.line.Len():
		<-ctx.Done()
		return engine.Update{}, ctx.Err()
	case r.speed != instant:
		due := time.Duration(float64(r.line.Offset(n, r.short)) / r.speed)
		if err := pauseUntil(ctx, r.began.Add(due), nil); err != nil {
			return engine.Update{}, err
		}
	}
	return engine.Update{Events: []event.Event{r.line.Event(r.told)}, OwnerAlive: true}, nil
}

// Do refuses: what has been cannot be changed.
func (*recording) Do(context.Context, engine.Command) error {
	return errors.New("this is a replay; nothing can be done to it")
}

// Dir is the run directory.
func (r *recording) Dir() string { return r.dir }

// Close has nothing to let go of.
func (*recording) Close() error { return nil }

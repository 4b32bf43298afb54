package giver

import (
	"context"
	"path/filepath"
	"time"

	"growbench/engine"
	"growbench/engine/event"
)

// Follower reads a conversation that another process has.
type Follower struct {
	dir   string
	tail  *event.Tail
	begun bool
	owned bool
}

// lookAgain is how often a follower looks whether something has come.
const lookAgain = 200 * time.Millisecond

// Follow reads the conversation in dir from its first message.
func Follow(dir string) *Follower {
	return &Follower{dir: dir, tail: event.NewTail(filepath.Join(dir, fileMessages), 0)}
}

// Next blocks until messages have come, or who owns the conversation has
// changed. The first call returns at once.
func (f *Follower) Next(ctx context.Context) (messages []event.Event, owned bool, err error) {
	for {
		owned = engine.Held(f.dir)
		err := f.tail.Next(func(line []byte) bool {
			if e, err := event.Decode(line); err == nil {
				messages = append(messages, e)
			}
			return len(messages) < engine.MaxBatch
		})
		if err != nil || len(messages) > 0 || owned != f.owned || !f.begun {
			f.begun, f.owned = true, owned
			return messages, owned, err
		}
		timer := time.NewTimer(lookAgain)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, owned, context.Cause(ctx)
		}
	}
}

// Close lets go of the file.
func (f *Follower) Close() error { return f.tail.Close() }

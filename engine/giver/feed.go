package giver

import (
	"context"
	"sync"

	"growbench/engine/event"
)

// Update is one thing that has come: a message, a piece of the answer that is
// being made, a change of the run or the loop, a question.
type Update struct {
	Message *event.Event
	// Delta follows what was said of the answer at hand. Void: what was said of
	// it does not count any more.
	Delta   string
	Void    bool
	Run     *RunView
	Waiting *Waiting
	Loop    *LoopView
}

// Feed hands updates on in their order. Pieces of an answer are merged while
// nobody takes them; nothing else is.
type Feed struct {
	mu     sync.Mutex
	queue  []Update
	poke   chan struct{}
	closed bool
	leave  func()
}

func newFeed() *Feed { return &Feed{poke: make(chan struct{}, 1)} }

func (f *Feed) add(updates ...Update) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, u := range updates {
		if last := len(f.queue) - 1; last >= 0 && u.Delta != "" && f.queue[last].Delta != "" {
			f.queue[last].Delta += u.Delta
			continue
		}
		f.queue = append(f.queue, u)
	}
	f.nudge()
}

// look has whoever takes updates look again: something is not as it was that no
// update tells of.
func (f *Feed) look() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		f.queue = append(f.queue, Update{})
	}
	f.nudge()
}

func (f *Feed) nudge() {
	select {
	case f.poke <- struct{}{}:
	default:
	}
}

func (f *Feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.nudge()
}

// Next blocks until something has come. It returns ErrClosed after the last.
func (f *Feed) Next(ctx context.Context) ([]Update, error) {
	for {
		f.mu.Lock()
		got, closed := f.queue, f.closed
		f.queue = nil
		f.mu.Unlock()
		if len(got) > 0 {
			return got, nil
		}
		if closed {
			return nil, ErrClosed
		}
		select {
		case <-f.poke:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Close stops listening.
func (f *Feed) Close() {
	if f.leave != nil {
		f.leave()
	}
	f.end()
}

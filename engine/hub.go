package engine

import (
	"sync"

	"growbench/engine/event"
)

// note is one line the owner's socket sends to those who watch. The log is
// the truth: a note only says that it has grown, and carries what the log
// does not hold (an agent's live items). Notes may be lost and are counted.
type note struct {
	Seq  uint64      `json:"seq,omitempty"`
	K    int         `json:"k,omitempty"`
	Item *event.Item `json:"item,omitempty"`
	Lost int         `json:"lost,omitempty"`
}

// maxNotes bounds what waits for one slow watcher.
const maxNotes = 256

// hub hands notes to watchers and never waits for one.
type hub struct {
	mu       sync.Mutex
	watchers map[*subscriber]struct{}
}

type subscriber struct {
	notes chan note
	lost  int
}

func newHub() *hub { return &hub{watchers: map[*subscriber]struct{}{}} }

func (h *hub) subscribe() *subscriber {
	s := &subscriber{notes: make(chan note, maxNotes)}
	h.mu.Lock()
	h.watchers[s] = struct{}{}
	h.mu.Unlock()
	return s
}

func (h *hub) unsubscribe(s *subscriber) {
	h.mu.Lock()
	delete(h.watchers, s)
	h.mu.Unlock()
}

func (h *hub) publish(n note) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.watchers {
		n.Lost = s.lost
		select {
		case s.notes <- n:
			s.lost = 0
		default:
			s.lost++
		}
	}
}

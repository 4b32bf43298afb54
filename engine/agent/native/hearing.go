package native

import (
	"sync"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/model"
)

// heartbeat is how often an exchange that waits for its server shows that it
// does: how long a server may take to load a model is the client's to bound,
// not that of the limit on silence.
const heartbeat = time.Second

// hearing turns the events of one exchange into signs of life.
type hearing struct {
	*talk
	mu      sync.Mutex
	waiting chan struct{} // closed when something came
	beats   chan struct{} // closed when that was seen
}

func (h *hearing) hear(e model.Event) {
	if e.Kind == model.EventLoading {
		h.wait()
		return
	}
	h.end() // first, so that nobody else speaks meanwhile
	switch e.Kind {
	case model.EventText:
		h.item(event.Item{Kind: event.ItemText, Text: h.Hide(e.Text)})
	case model.EventThinking:
		h.item(event.Item{Kind: event.ItemThinking, Text: h.Hide(e.Text)})
	case model.EventRetry:
		h.item(event.Item{Kind: event.ItemNote, Name: event.NoteAsked, Text: "the exchange begins anew, what came of it so far is void: " + h.Hide(e.Text)})
	case model.EventCall:
		h.emit(agent.Update{Item: event.Item{Turn: h.turn}})
	}
}

// wait shows life until something comes.
func (h *hearing) wait() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting != nil {
		return
	}
	came := make(chan struct{})
	h.waiting = came
	gone := make(chan struct{})
	h.beats = gone
	go func() {
		defer close(gone)
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-came:
				return
			case <-tick.C:
				h.emit(agent.Update{Item: event.Item{Turn: h.turn}})
			}
		}
	}()
}

// end stops showing that nothing has come, and waits for that.
func (h *hearing) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting == nil {
		return
	}
	close(h.waiting)
	<-h.beats
	h.waiting = nil
}

package ui

import (
	"context"
	"fmt"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/giver"
	"growbench/views"
)

// talkPage is how many messages a sheet of the conversation holds.
const talkPage = 64

func pagesOf(messages int) int { return max((messages+talkPage-1)/talkPage, 1) }

// talkReader turns what comes of a conversation into sheets. One goroutine at
// a time uses it: that of the Cmd that waits for news.
type talkReader struct {
	session *giver.Session
	feed    *giver.Feed
	live    string // of the answer that is being made
	built   int    // messages that are on sheets
	made    int64  // sheets so far: a later one counts
	// hurry has something in it when the operator waits for what comes next.
	hurry  chan struct{}
	urgent bool // until the answer at hand has ended

	// Of a conversation that another process has.
	follower *giver.Follower
	state    *giver.State
	free     bool // nobody has it any more
	ctx      context.Context
	leave    context.CancelFunc
}

// newTalkReader listens to a conversation.
func newTalkReader(s *giver.Session) *talkReader {
	return &talkReader{session: s, feed: s.Listen(), hurry: make(chan struct{}, 1)}
}

// newTalkFollower reads what another process says.
func newTalkFollower(ctx context.Context, f *giver.Follower) *talkReader {
	r := &talkReader{follower: f, state: &giver.State{}, hurry: make(chan struct{}, 1)}
	r.ctx, r.leave = context.WithCancel(ctx)
	return r
}

// next waits for what comes next.
func (r *talkReader) next(ctx context.Context) ([]giver.Update, error) {
	if r.follower == nil {
		return r.feed.Next(ctx)
	}
	messages, owned, err := r.follower.Next(r.ctx)
	if err != nil {
		_ = r.follower.Close() // it was only read
	}
	r.free = !owned
	for _, m := range messages {
		r.state.Apply(m)
	}
	return nil, err
}

func (r *talkReader) look() giver.Look {
	if r.follower == nil {
		return r.session.Look()
	}
	return giver.Look{State: *r.state, Model: true}
}

// soon has what comes next shown at once.
func (r *talkReader) soon() {
	select {
	case r.hurry <- struct{}{}:
	default:
	}
}

// take folds updates in and makes the sheets that have changed.
func (r *talkReader) take(updates []giver.Update) ([]*views.Sheet, giver.Look) {
	for _, u := range updates {
		if u.Void {
			r.live = ""
		}
		r.live += u.Delta
		if u.Message != nil {
			if _, whole := u.Message.Body.(giver.Answered); whole {
				r.live = ""
			}
		}
	}
	look := r.look()
	messages := look.State.Messages
	var sheets []*views.Sheet
	last := pagesOf(len(messages)) - 1
	for n := max(r.built-1, 0) / talkPage; n <= last; n++ {
		r.made++
		page := event.Page{Number: n, Size: r.made, Open: n == last, Items: itemsOf(messages[n*talkPage : min((n+1)*talkPage, len(messages))])}
		if n == last && r.live != "" {
			page.Items = append(page.Items, event.PlacedItem{Item: event.Item{Kind: event.ItemText, Text: r.live}, At: int64(len(messages)+1) << 8})
		}
		sheets = append(sheets, views.NewSheet(page))
	}
	r.built = len(messages)
	return sheets, look
}

// itemsOf are messages as a transcript shows them. A call stands with what it
// returned.
func itemsOf(messages []event.Event) []event.PlacedItem {
	calls := map[string]giver.Returned{}
	for _, m := range messages {
		if r, ok := m.Body.(giver.Returned); ok {
			calls[r.ID] = r
		}
	}
	var out []event.PlacedItem
	for _, m := range messages {
		at := int64(m.Seq) << 8
		put := func(it event.Item) {
			out = append(out, event.PlacedItem{Item: it, At: at})
			at++
		}
		note := func(format string, a ...any) {
			put(event.Item{Kind: event.ItemNote, Text: strings.TrimSpace(fmt.Sprintf(format, a...)) + "\n"})
		}
		switch b := m.Body.(type) {
		case giver.Said:
			who := "you"
			if b.By != giver.ByOperator {
				who = b.By
			}
			note("%s: %s", who, b.Text)
		case giver.Answered:
			if b.Text != "" {
				put(event.Item{Kind: event.ItemText, Text: b.Text + "\n"})
			}
			if b.Cut {
				note("(stopped)")
			}
			if b.Error != "" {
				note("! %s", b.Error)
			}
			for _, c := range b.Calls {
				args := c.Arguments
				if r, ok := calls[c.ID]; ok {
					args = r.Args
				}
				put(event.Item{Kind: event.ItemCall, Name: c.Name, Text: args})
			}
		case giver.Returned:
			it := event.Item{Kind: event.ItemReturn, Name: b.Name, Args: b.Args, Text: b.Text, Error: b.Error, Bytes: b.Bytes}
			if b.MS >= 1000 { // what is quick need not be timed
				it.MS = b.MS
			}
			put(it)
		case giver.Given:
			note("growbench: %s", b.Words())
		case giver.Mapped:
			note("growbench: %s", b.Words())
		case giver.Told:
			note("growbench: %s", b.Text)
		case giver.Denied:
			note("you refused Task #0. %s", b.Why)
		case giver.Approved:
			note("Task #0 is approved (%s).", b.By)
		case giver.Drafted:
			words := "it passes"
			if doc.HasErrors(b.Problems) {
				words = "it does not pass"
			}
			note("Task #0 by the %s: %s", b.By, words)
		case giver.Ran:
			note("run %s: %s %s", b.Run, b.State, strings.TrimSpace(b.Status+" "+b.Why))
		case giver.Compacted:
			note("what was said up to here has become memory: %d lines", b.Lines)
		}
	}
	return out
}

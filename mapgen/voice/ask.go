package voice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Options of a Voice.
type Options struct {
	Ask Ask
	// Model names who answers: what another one said is asked again.
	Model string
	// Cache is the file that keeps what was said.
	Cache string
	// Parallel is how many calls are made at once (6), Rest the time between a
	// call's end and the next one in its place.
	Parallel int
	Rest     time.Duration
	// Retries are the waits before a call is made again; after the last the
	// model is not asked any more.
	Retries []time.Duration
	// SourceTokens is how much of a file's text is sent at most (4000).
	SourceTokens int
	// Note is told what a person should know: that the cache was damaged, or
	// cannot be written.
	Note func(string)
}

// manyUnread is how many replies in a row nobody can read before the model is
// taken for the wrong one.
const manyUnread = 3

// fewTokens is the least of a text that is worth asking about.
const fewTokens = 250

// Voice is a model that describes. It may be used by many at once.
type Voice struct {
	o     Options
	cache *cache
	slots chan struct{}

	mu      sync.Mutex
	flights map[string]*flight
	stopped error
	unread  int // replies in a row that nobody could read
	count   Count
}

// Count is what a Voice has done.
type Count struct {
	Calls int
	Known int // descriptions that cost no call
	Usage
}

// flight is a question under way.
type flight struct {
	done chan struct{}
	e    entry
	err  error
}

// New makes a Voice; nobody is asked yet.
func New(o Options) *Voice {
	o.Parallel = cmp.Or(o.Parallel, 6)
	o.SourceTokens = cmp.Or(o.SourceTokens, 4000)
	if o.Note == nil {
		o.Note = func(string) {}
	}
	return &Voice{o: o, cache: newCache(o.Cache), slots: make(chan struct{}, o.Parallel), flights: map[string]*flight{}}
}

// Name is whose words these are: the model, and the prompt it was asked with.
func (v *Voice) Name() string { return v.o.Model + "/" + Prompt }

// Parallel is how many calls are made at once.
func (v *Voice) Parallel() int { return v.o.Parallel }

// SourceTokens is how much of a file's text is sent at most.
func (v *Voice) SourceTokens() int { return v.o.SourceTokens }

// Count is what was done so far.
func (v *Voice) Count() Count {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.count
}

// question is something to ask. prompt words it with so many tokens of text.
type question struct {
	about  string
	key    string
	fields []string
	prompt func(tokens int) string
}

// say answers a question, once for all who have the same one at the same time.
func (v *Voice) say(ctx context.Context, q question) (entry, error) {
	for {
		v.mu.Lock()
		f, underWay := v.flights[q.key]
		if !underWay {
			f = &flight{done: make(chan struct{})}
			v.flights[q.key] = f
		}
		v.mu.Unlock()
		if !underWay {
			f.e, f.err = v.find(ctx, q)
			v.mu.Lock()
			delete(v.flights, q.key)
			v.mu.Unlock()
			close(f.done)
			return f.e, f.err
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return entry{}, ctx.Err()
		}
		if f.err == nil {
			v.known()
			return f.e, nil
		}
		if !errors.Is(f.err, context.Canceled) {
			return entry{}, f.err
		}
	}
}

func (v *Voice) known() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.count.Known++
}

// find looks the answer up, or asks for it while every other process that
// wants the same waits.
func (v *Voice) find(ctx context.Context, q question) (entry, error) {
	if e, ok := v.cache.get(q.key, v.o.Model, q.fields[0]); ok {
		v.known()
		return e, nil
	}
	release, err := v.cache.claim(ctx, q.key)
	if err != nil {
		return entry{}, err
	}
	defer release()
	if e, ok := v.cache.get(q.key, v.o.Model, q.fields[0]); ok {
		v.known()
		return e, nil
	}
	select {
	case v.slots <- struct{}{}:
	case <-ctx.Done():
		return entry{}, ctx.Err()
	}
	e, err := v.ask(ctx, q)
	time.AfterFunc(v.o.Rest, func() { <-v.slots })
	if err != nil {
		return entry{}, err
	}
	e.Model, e.Prompt = v.o.Model, Prompt
	// The answer is there even when the cache cannot be written.
	if notes, err := v.cache.put(context.WithoutCancel(ctx), q.key, e); err != nil {
		v.o.Note(fmt.Sprintf("what the model says cannot be kept for the next time: %v", err))
	} else {
		for _, note := range notes {
			v.o.Note(note)
		}
	}
	return e, nil
}

// ask puts a question to the model, again where that may help.
func (v *Voice) ask(ctx context.Context, q question) (entry, error) {
	tokens, before, tries := v.o.SourceTokens, "", 0
	for {
		if err := v.halted(); err != nil {
			return entry{}, err
		}
		prompt := before + q.prompt(tokens)
		reply, err := v.o.Ask(ctx, prompt)
		v.made(reply.Usage)
		if err == nil {
			if e, ok := entryOf(reply, prompt, q.fields); ok {
				v.heard()
				return e, nil
			}
			before, err = again, fmt.Errorf("%w: %s", ErrUnread, cmp.Or(reply.Why, fmt.Sprintf("it begins %q", shorten(oneLine(reply.Text), 80))))
		}
		if ctx.Err() != nil {
			return entry{}, ctx.Err()
		}
		var f Failure
		if known := (*Failure)(nil); errors.As(err, &known) {
			f = *known
		}
		if f.Long && tokens > fewTokens {
			tokens /= 2
			continue
		}
		if f.Final || f.Long || tries == len(v.o.Retries) {
			return entry{}, v.giveUp(q.about, err)
		}
		wait := max(v.o.Retries[tries], f.After)
		if errors.Is(err, ErrUnread) {
			wait = 0
		}
		if tries++; !pause(ctx, wait) {
			return entry{}, ctx.Err()
		}
	}
}

func pause(ctx context.Context, wait time.Duration) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (v *Voice) made(u Usage) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.count.Calls++
	v.count.In += u.In
	v.count.Out += u.Out
}

func (v *Voice) heard() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unread = 0
}

// halted is why nobody is asked any more.
func (v *Voice) halted() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.stopped
}

// giveUp ends a question, and all others unless the one was at fault.
func (v *Voice) giveUp(about string, err error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if errors.Is(err, ErrUnread) {
		if v.unread++; v.unread < manyUnread {
			return err
		}
		err = fmt.Errorf("%d replies in a row could not be read; choose another model: %w", v.unread, err)
	}
	if v.stopped == nil {
		v.stopped = &Stopped{Doing: "ask the model about " + shown(about), Err: err}
	}
	return v.stopped
}

// entryOf is what a reply says, as it is kept.
func entryOf(reply Reply, prompt string, fields []string) (entry, bool) {
	found := read(reply, prompt, fields)
	if found == nil {
		return entry{}, false
	}
	e := entry{
		Purpose:  redacted(prose(found[purpose], longestPurpose)),
		Deps:     bounded(found[deps], mostDeps),
		Concepts: bounded(found[concepts], mostConcepts),
		Role:     redacted(prose(found[role], longestRole)),
		Arch:     redacted(prose(found[arch], longestArch)),
	}
	e.Deps, e.Concepts = slices.DeleteFunc(e.Deps, secret), slices.DeleteFunc(e.Concepts, secret)
	return e, e.Purpose != "" || e.Role != ""
}

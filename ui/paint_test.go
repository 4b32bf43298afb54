package ui

import (
	"encoding/json"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme"
)

// ink counts how often something is written.
type ink struct{ writes, bytes atomic.Int64 }

func (i *ink) Write(p []byte) (int, error) {
	i.writes.Add(1)
	i.bytes.Add(int64(len(p)))
	return len(p), nil
}

// silence is a keyboard nobody touches.
type silence struct{ closed chan struct{} }

func (s silence) Read([]byte) (int, error) {
	<-s.closed
	return 0, errClosed
}

var errClosed = fmt.Errorf("the keyboard was unplugged")

// inBubble runs a workbench in a bubble of its own time and tells how often
// it was painted while do ran.
func inBubble(t *testing.T, run string, do func(f *feed, painted *atomic.Int64)) {
	events := recorded(t, run)
	synctest.Test(t, func(t *testing.T) {
		f := newFeed(t.TempDir())
		f.news <- engine.Update{Events: events, OwnerAlive: true}
		var out ink
		keys := silence{make(chan struct{})}
		// The recorded run happens in the bubble's time.
		late := time.Since(noon)
		done := make(chan error, 1)
		go func() {
			_, err := Run(t.Context(), Options{
				Source: f, In: keys, Out: &out, Width: 160, Height: 48, Theme: theme.None,
				Clock: func() time.Time { return time.Now().Add(-late) }, Getenv: func(string) string { return "" },
			})
			done <- err
		}()
		<-time.After(700 * time.Millisecond)
		synctest.Wait()
		do(f, &out.writes)
		close(keys.closed)
		if err := <-done; err != nil {
			t.Error(err)
		}
		<-time.After(time.Minute) // ticks under way run out
	})
}

func TestSecondsAreCountedOnlyWhileSomethingRuns(t *testing.T) {
	for run, want := range map[string]int64{"working": 20, "waiting": 0, "ended": 0} {
		inBubble(t, run, func(_ *feed, painted *atomic.Int64) {
			before := painted.Load()
			<-time.After(20 * time.Second)
			synctest.Wait()
			if n := painted.Load() - before; n != want {
				t.Errorf("%s: painted %d times in 20 s, want %d", run, n, want)
			}
		})
	}
}

func TestAFloodOfEventsIsPaintedTwelveTimesASecond(t *testing.T) {
	inBubble(t, "working", func(f *feed, painted *atomic.Int64) {
		before, start := painted.Load(), time.Now()
		seq := uint64(1000)
		for range 1000 {
			<-time.After(2 * time.Millisecond)
			seq++
			f.news <- engine.Update{OwnerAlive: true, Events: []event.Event{{Seq: seq, At: noon, Body: event.WorkerTurn{K: 2, Turn: int(seq)}}}}
		}
		seconds := time.Since(start).Seconds()
		// One a second is the clock's.
		if rate := float64(painted.Load()-before) / seconds; rate < 5 || rate > 13.6 {
			t.Errorf("painted %.1f times a second", rate)
		}
	})
}

func TestEventsCountBySequenceNotByArrival(t *testing.T) {
	f := newFeed(t.TempDir())
	look, err := theme.New(theme.None, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), Options{Source: f, Clock: func() time.Time { return noon }}, look)
	events := recorded(t, "working")
	shuffled := append([]event.Event{}, events...)
	for i, j := 0, len(shuffled)-1; i < j; i, j = i+1, j-1 {
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	}
	m.receive(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: shuffled, OwnerAlive: true}})
	m.receive(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: events[:4], OwnerAlive: true}})
	if w := m.state.Worker(2); w == nil || w.State != event.Running || len(m.state.Results) != 1 {
		t.Errorf("folded to %+v", m.state.Workers)
	}
}

func TestTheLookFollowsTheBackgroundOnlyWhenItMay(t *testing.T) {
	white := tea.BackgroundColorMsg{Color: color.White}
	for name, want := range map[string]string{theme.Auto: theme.Light, theme.Dark: theme.Dark, theme.None: theme.None} {
		look, err := theme.New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(t.Context(), Options{Source: newFeed(t.TempDir()), Theme: name, Clock: time.Now}, look)
		m.update(white)
		if m.theme.Name != want {
			t.Errorf("%s became %s", name, m.theme.Name)
		}
	}
}

func TestATranscriptIsLookedAtWhenNewsCome(t *testing.T) {
	inBubble(t, "working", func(f *feed, painted *atomic.Int64) {
		words := event.Item{Kind: event.ItemText, Turn: 1, Text: "something new\n"}
		line, err := json.Marshal(words)
		if err != nil {
			t.Fatal(err)
		}
		path := event.TranscriptPath(f.dir, 2)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		before := painted.Load()
		if err := os.WriteFile(path, append(line, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		f.news <- engine.Update{OwnerAlive: true}
		<-time.After(200 * time.Millisecond) // before the clock's next second
		synctest.Wait()
		if painted.Load() == before {
			t.Error("what an agent said was not painted when the run told of it")
		}
	})
}

func TestNewsWithoutAnythingNewPaintNothing(t *testing.T) {
	inBubble(t, "working", func(f *feed, painted *atomic.Int64) {
		before := painted.Load()
		f.news <- engine.Update{OwnerAlive: true}
		<-time.After(200 * time.Millisecond)
		synctest.Wait()
		if n := painted.Load() - before; n != 0 {
			t.Errorf("painted %d times", n)
		}
	})
}

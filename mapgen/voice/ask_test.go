package voice

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// model answers as it is told, and counts.
type model struct {
	mu       sync.Mutex
	prompts  []string
	at       []time.Duration
	begun    time.Time
	now, top int // calls at once
	takes    time.Duration
	answer   func(n int, prompt string) (Reply, error)
}

func (m *model) ask(ctx context.Context, prompt string) (Reply, error) {
	m.mu.Lock()
	if m.begun.IsZero() {
		m.begun = time.Now()
	}
	n := len(m.prompts)
	m.prompts = append(m.prompts, prompt)
	m.at = append(m.at, time.Since(m.begun))
	m.now++
	m.top = max(m.top, m.now)
	m.mu.Unlock()
	pause(ctx, m.takes)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now--
	return m.answer(n, prompt)
}

func answers(int, string) (Reply, error) {
	return Reply{Text: "PURPOSE: Does it.\nDEPS: none\nCONCEPTS: work\nROLE: It.\nARCH: none", Usage: Usage{In: 10, Out: 2}}, nil
}

func (m *model) voice(t testing.TB, change ...func(*Options)) *Voice {
	o := Options{Ask: m.ask, Model: "m", Cache: filepath.Join(t.TempDir(), "cache", "llm-cache.json"),
		Retries: []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, Rest: 100 * time.Millisecond}
	for _, c := range change {
		c(&o)
	}
	return New(o)
}

func about(text string) FileQuestion {
	return FileQuestion{Path: "a.go", Text: text, Hash: sha256.Sum256([]byte(text))}
}

func TestRetriesWaitLongerThenAllStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{answer: func(int, string) (Reply, error) { return Reply{}, errors.New("no route to it") }}
		v := m.voice(t)
		_, err := v.File(t.Context(), about("x"))
		var stopped *Stopped
		if !errors.As(err, &stopped) || !strings.Contains(err.Error(), "no route to it") {
			t.Fatal(err)
		}
		if fmt.Sprint(m.at) != "[0s 1s 3s 7s]" {
			t.Error(m.at)
		}
		if _, err := v.File(t.Context(), about("y")); !errors.As(err, &stopped) || len(m.prompts) != 4 {
			t.Error(err, len(m.prompts))
		}
	})
}

func TestACallThatCannotSucceedIsMadeOnce(t *testing.T) {
	m := &model{answer: func(int, string) (Reply, error) { return Reply{}, &Failure{Err: errors.New("no key"), Final: true} }}
	if _, err := m.voice(t).File(t.Context(), about("x")); err == nil || len(m.prompts) != 1 {
		t.Error(err, len(m.prompts))
	}
}

func TestAServerSaysHowLongToWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{answer: func(n int, p string) (Reply, error) {
			if n == 0 {
				return Reply{}, &Failure{Err: errors.New("busy"), After: 30 * time.Second}
			}
			return answers(n, p)
		}}
		if _, err := m.voice(t).File(t.Context(), about("x")); err != nil || fmt.Sprint(m.at) != "[0s 30s]" {
			t.Error(err, m.at)
		}
	})
}

func TestCallsArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{answer: answers, takes: time.Second}
		v := m.voice(t, func(o *Options) { o.Parallel = 4 })
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				if _, err := v.File(t.Context(), about(fmt.Sprint(i))); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if m.top != 4 || m.at[11] != 2200*time.Millisecond {
			t.Error(m.top, m.at)
		}
	})
}

func TestOneContentCostsOneCall(t *testing.T) {
	m := &model{answer: answers, takes: 10 * time.Millisecond}
	v := m.voice(t)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if said, err := v.File(t.Context(), about("same")); err != nil || said.Purpose != "Does it." {
				t.Error(said, err)
			}
		})
	}
	wg.Wait()
	if c := v.Count(); len(m.prompts) != 1 || c.Calls != 1 || c.Known != 19 || c.In != 10 {
		t.Errorf("%+v", c)
	}
	// Another process, another day.
	again := New(v.o)
	if said, err := again.File(t.Context(), about("same")); err != nil || said.Concepts[0] != "work" || len(m.prompts) != 1 {
		t.Error(said, err)
	}
	other := v.o
	other.Model = "another"
	if _, err := New(other).File(t.Context(), about("same")); err != nil || len(m.prompts) != 2 {
		t.Error(err, "another model's words were taken")
	}
}

func TestAReplyNobodyCanReadIsAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{answer: func(n int, p string) (Reply, error) {
			if n < 2 {
				return Reply{Text: "It loads things."}, nil
			}
			return answers(n, p)
		}}
		v := m.voice(t)
		if _, err := v.File(t.Context(), about("x")); err != nil || len(m.prompts) != 3 || m.at[2] != 0 {
			t.Error(err, m.at)
		}
		if strings.HasPrefix(m.prompts[0], again) || !strings.HasPrefix(m.prompts[1], again) {
			t.Error(m.prompts)
		}
		// One file nobody can read is left out; a model that never can be read ends it.
		m.answer = func(int, string) (Reply, error) { return Reply{Text: "It loads things."}, nil }
		var stopped *Stopped
		for i := range manyUnread {
			_, err := v.File(t.Context(), about(fmt.Sprint("y", i)))
			if !errors.Is(err, ErrUnread) || errors.As(err, &stopped) != (i == manyUnread-1) {
				t.Error(i, err)
			}
		}
	})
}

func TestAPromptThatDoesNotFitIsCut(t *testing.T) {
	m := &model{}
	m.answer = func(n int, p string) (Reply, error) {
		if len(p) > 6000 {
			return Reply{}, &Failure{Err: errors.New("too long"), Long: true}
		}
		return answers(n, p)
	}
	if _, err := m.voice(t).File(t.Context(), about(strings.Repeat("words of a text\n", 2000))); err != nil {
		t.Fatal(err)
	}
	if last := m.prompts[len(m.prompts)-1]; !strings.Contains(last, Truncated) || len(m.prompts) < 3 {
		t.Error(len(m.prompts), len(last))
	}
}

func TestInterruptedIsNotStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &model{answer: func(int, string) (Reply, error) { cancel(); return Reply{}, errors.New("cut") }}
	if _, err := m.voice(t).File(ctx, about("x")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

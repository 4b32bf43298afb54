package model_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"growbench/engine/model"
)

// carrier is a transport inside a bubble of fake time. What it is asked before
// the exchange is answered at once.
type carrier func(req *http.Request) (*http.Response, error)

func (c carrier) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case strings.HasSuffix(req.URL.Path, "/api/show"):
		return reply(http.StatusOK, io.NopCloser(strings.NewReader(`{"capabilities":["completion","tools"]}`))), nil
	case strings.HasSuffix(req.URL.Path, "/models"):
		return reply(http.StatusOK, io.NopCloser(strings.NewReader(`{"data":[{"id":"m"}]}`))), nil
	}
	return c(req)
}

func reply(status int, body io.ReadCloser) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: body}
}

// slow is a body whose parts come after a time each; at its end it stays open.
type slow struct {
	parts  []string
	every  time.Duration
	ends   bool
	ctx    context.Context
	buffer bytes.Buffer
}

func (s *slow) Close() error { return nil }

func (s *slow) Read(p []byte) (int, error) {
	if s.buffer.Len() > 0 {
		return s.buffer.Read(p)
	}
	if len(s.parts) == 0 {
		if s.ends {
			return 0, io.EOF
		}
		<-s.ctx.Done()
		return 0, s.ctx.Err()
	}
	if err := pause(s.ctx, s.every); err != nil {
		return 0, err
	}
	s.buffer.WriteString(s.parts[0])
	s.parts = s.parts[1:]
	return s.buffer.Read(p)
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// inBubble makes an exchange in fake time and tells how long it took.
func inBubble(t *testing.T, kind model.Kind, set func(*model.Options), carry carrier) (a model.Answer, took time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := model.Options{Kind: kind, URL: "http://127.0.0.1:1/v1", Model: "m", Transport: carry}
		if set != nil {
			set(&o)
		}
		c, failed := model.New(o)
		if failed != nil {
			t.Fatal(failed)
		}
		began := time.Now()
		a, err = c.Chat(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Content: "x"}}}, func(model.Event) {})
		took = time.Since(began)
	})
	return a, took, err
}

func TestAColdModelMayTakeItsTime(t *testing.T) {
	for _, kind := range kinds {
		for _, late := range []string{"headers", "body"} {
			a, took, err := inBubble(t, kind, func(o *model.Options) { o.Silence = 10 * time.Second }, func(req *http.Request) (*http.Response, error) {
				body := &slow{parts: []string{piece[kind]("warm"), end[kind]}, every: time.Second, ends: true, ctx: req.Context()}
				if late == "body" {
					body.every, body.parts = time.Minute, []string{piece[kind]("warm") + end[kind]}
				} else if err := pause(req.Context(), time.Minute); err != nil {
					return nil, err
				}
				return reply(http.StatusOK, body), nil
			})
			if err != nil || a.Text != "warm" || took < time.Minute {
				t.Errorf("%s, late %s: %+v, %v after %s", kind, late, a, err, took)
			}
		}
	}
}

func troubled(t *testing.T, err error, want model.Trouble, words ...string) {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) || e.Trouble != want || e.Next == "" {
		t.Errorf("%v is not %q", err, want)
		return
	}
	contains(t, err.Error(), words...)
}

func TestAServerThatNeverBeginsIsGivenUp(t *testing.T) {
	for _, kind := range kinds {
		for _, at := range []string{"headers", "body"} {
			_, took, err := inBubble(t, kind, func(o *model.Options) { o.Load = 5 * time.Minute }, func(req *http.Request) (*http.Response, error) {
				if at == "headers" {
					<-req.Context().Done()
					return nil, req.Context().Err()
				}
				return reply(http.StatusOK, &slow{ctx: req.Context()}), nil
			})
			troubled(t, err, model.LoadTimeout, "5m0s")
			if took != 5*time.Minute {
				t.Errorf("%s at %s: after %s", kind, at, took)
			}
		}
	}
}

func TestAnAnswerThatStopsIsGivenUp(t *testing.T) {
	for _, kind := range kinds {
		_, took, err := inBubble(t, kind, func(o *model.Options) { o.Silence = time.Minute }, func(req *http.Request) (*http.Response, error) {
			return reply(http.StatusOK, &slow{parts: []string{piece[kind]("a"), piece[kind]("b")}, every: 50 * time.Second, ctx: req.Context()}), nil
		})
		troubled(t, err, model.Silent, "1m0s")
		if took != 50*time.Second+50*time.Second+time.Minute {
			t.Errorf("%s: after %s", kind, took)
		}
	}
}

func TestASlowAnswerIsNotSilent(t *testing.T) {
	for _, kind := range kinds {
		var parts []string
		for _, b := range []byte(piece[kind]("slowly") + end[kind]) {
			parts = append(parts, string([]byte{b}))
		}
		a, _, err := inBubble(t, kind, func(o *model.Options) { o.Silence = time.Minute }, func(req *http.Request) (*http.Response, error) {
			return reply(http.StatusOK, &slow{parts: parts, every: 59 * time.Second, ends: true, ctx: req.Context()}), nil
		})
		if err != nil || a.Text != "slowly" {
			t.Errorf("%s: %+v, %v", kind, a, err)
		}
	}
}

func TestRetriesWaitLongerEachTimeAndAsLongAsTheyAreTold(t *testing.T) {
	for _, kind := range kinds {
		asked := 0
		_, took, err := inBubble(t, kind, nil, func(*http.Request) (*http.Response, error) {
			asked++
			return nil, syscall.ECONNRESET
		})
		troubled(t, err, model.Broken)
		if took != 7*time.Second || asked != 4 {
			t.Errorf("%s: %d tries in %s", kind, asked, took)
		}
		asked = 0
		a, took, err := inBubble(t, kind, nil, func(req *http.Request) (*http.Response, error) {
			if asked++; asked == 1 {
				r := reply(http.StatusTooManyRequests, io.NopCloser(strings.NewReader("slow down")))
				r.Header.Set("Retry-After", "20")
				return r, nil
			}
			if asked == 2 {
				r := reply(http.StatusServiceUnavailable, io.NopCloser(strings.NewReader("")))
				r.Header.Set("Retry-After", time.Now().Add(30*time.Second).UTC().Format(http.TimeFormat))
				return r, nil
			}
			return reply(http.StatusOK, &slow{parts: []string{piece[kind]("ok") + end[kind]}, ends: true, ctx: req.Context()}), nil
		})
		if err != nil || a.Text != "ok" || took != 50*time.Second {
			t.Errorf("%s: %+v, %v after %s", kind, a, err, took)
		}
	}
}

func TestACancelledWaitEnds(t *testing.T) {
	for _, kind := range kinds {
		synctest.Test(t, func(t *testing.T) {
			c, err := model.New(model.Options{Kind: kind, URL: "http://127.0.0.1:1/v1", Model: "m", Retries: []time.Duration{time.Hour},
				Transport: carrier(func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET })})
			if err != nil {
				t.Fatal(err)
			}
			why := errors.New("the operator stopped it")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Minute, func() { cancel(why) })
			began := time.Now()
			_, err = c.Chat(ctx, model.Request{}, func(model.Event) {})
			if !errors.Is(err, why) || time.Since(began) != time.Minute {
				t.Errorf("%v after %s", err, time.Since(began))
			}
		})
	}
}

func TestATransportThatForgetsItsContextIsLeft(t *testing.T) {
	for _, kind := range kinds {
		_, _, err := inBubble(t, kind, func(o *model.Options) { o.Silence = time.Second }, func(*http.Request) (*http.Response, error) {
			r, w := io.Pipe()
			go func() { _, _ = io.WriteString(w, piece[kind]("half")) }()
			return reply(http.StatusOK, r), nil
		})
		troubled(t, err, model.Silent)
	}
}

package loop

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// shown is a mirror that remembers.
type shown struct {
	mu    sync.Mutex
	texts []string
	ended int
}

func (m *shown) Show(s Status) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.texts) == 0 || m.texts[len(m.texts)-1] != s.Identity() {
		m.texts = append(m.texts, s.Identity())
	}
}

func (m *shown) Close() { m.mu.Lock(); defer m.mu.Unlock(); m.ended++ }

func TestMirrorShowsTheIdentityAndHides(t *testing.T) {
	play(t, func(s *stage) {
		m := &shown{}
		if !s.Mirror("screen", m) || s.Mirror("screen", &shown{}) {
			t.Error("a mirror is registered once")
		}
		synctest.Wait()
		turn := s.turn()
		s.arm(turn, 3)
		synctest.Wait()
		s.settle(turn)
		s.pass(3 * second)
		s.Input("enough")
		synctest.Wait()
		next := s.turn()
		s.arm(next, 3)
		synctest.Wait()
		s.Close()
		<-s.Gone()
		if want := []string{"", "Grow Loop: ∞1", "", "Grow Loop: ∞2", ""}; !slices.Equal(m.texts, want) {
			t.Errorf("shown %q, want %q", m.texts, want)
		}
		if m.ended != 1 || s.Mirror("late", &shown{}) {
			t.Errorf("closed %d times", m.ended)
		}
	})
}

type panics struct{}

func (panics) Show(Status) { panic("no screen") }
func (panics) Close()      { panic("no end") }

// hangs never comes back before the bubble ends.
type hangs chan struct{}

func (h hangs) Show(Status) { <-h }
func (h hangs) Close()      { <-h }

// wires answers as one kind of server does.
type wires func(*http.Request) (*http.Response, error)

func (w wires) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func says(code int, body string) wires {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Body: io.NopCloser(strings.NewReader(body)), Header: http.Header{}}, nil
	}
}

// TestNoMirrorMovesTheLoop compares the moments of sending with each kind of
// bad mirror to those without one.
func TestNoMirrorMovesTheLoop(t *testing.T) {
	hung := make(hangs)
	telegram := func(w wires) Mirror {
		return NewTelegram(&http.Client{Transport: w}, "http://mirror.invalid", "secret-token", "1", nil)
	}
	for name, m := range map[string]func() Mirror{
		"panics": func() Mirror { return panics{} },
		"hangs":  func() Mirror { return hung },
		"absent": func() Mirror {
			return telegram(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") })
		},
		"slow": func() Mirror {
			return telegram(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})
		},
		"rate limiting": func() Mirror {
			return telegram(says(429, `{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":40}}`))
		},
		"wrong":     func() Mirror { return telegram(says(502, "<html>bad gateway</html>")) },
		"wrong yet": func() Mirror { return telegram(says(200, `{"ok":true,"result":[]}`)) },
		"panicking": func() Mirror { return telegram(func(*http.Request) (*http.Response, error) { panic("wires") }) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stage{t: t, session: &session{}, begun: time.Now()}
				s.Scheduler = New(s.session, nil)
				if name == "hangs" {
					hung = make(hangs) // of this bubble
					defer func() { close(hung); <-s.Gone() }()
				} else {
					defer func() { <-s.Gone() }()
				}
				defer s.Close()
				if !s.Mirror("bad", m()) {
					t.Fatal("not registered")
				}
				s.armed(5)
				s.pass(5 * second)
				s.Input(Trigger)
				s.armed(7)
				s.pass(7 * second)
				s.sent(5*second, 12*second)
			})
		})
	}
}

// botAPI is a small Bot API on this machine.
type botAPI struct {
	mu    sync.Mutex
	calls []string
	next  int64
	lost  map[int64]bool
}

func (b *botAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	method, ok := strings.CutPrefix(r.URL.Path, "/botsecret-token/")
	var got struct {
		Chat    string `json:"chat_id"`
		Text    string `json:"text"`
		Message int64  `json:"message_id"`
	}
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil || !ok || got.Chat != "42" {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"ok":false,"description":"Unauthorized"}`)
		return
	}
	b.calls = append(b.calls, method+" "+got.Text)
	if b.lost[got.Message] {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"ok":false,"description":"Bad Request: message to edit not found"}`)
		return
	}
	if method == "sendMessage" {
		b.next++
	}
	json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": map[string]any{"message_id": b.next}})
}

func TestTelegramKeepsOneMessage(t *testing.T) {
	api := &botAPI{lost: map[int64]bool{}}
	server := httptest.NewServer(api)
	defer server.Close()
	m := NewTelegram(server.Client(), server.URL+"/", "secret-token", "42", func(err error) { t.Error(err) })
	m.Show(Status{State: Idle})
	m.Show(Status{State: Deferred, N: 1})
	m.Show(Status{State: Countdown, N: 1, Seconds: 3})
	m.Show(Status{State: Deferred, N: 2})
	api.lost[1] = true
	m.Show(Status{State: Deferred, N: 3})
	m.Close()
	want := []string{
		"sendMessage Grow Loop: ∞1", "editMessageText Grow Loop: ∞2",
		"editMessageText Grow Loop: ∞3", "sendMessage Grow Loop: ∞3", "deleteMessage ",
	}
	if !slices.Equal(api.calls, want) {
		t.Errorf("called %q, want %q", api.calls, want)
	}
}

func TestTelegramWaitsAsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, calls := time.Now(), 0
		m := NewTelegram(&http.Client{Transport: wires(func(r *http.Request) (*http.Response, error) {
			if calls++; calls == 1 {
				return says(429, `{"ok":false,"parameters":{"retry_after":7}}`)(r)
			}
			return says(200, `{"ok":true,"result":{"message_id":9}}`)(r)
		})}, "http://mirror.invalid", "secret-token", "42", func(err error) { t.Error(err) })
		m.Show(Status{State: Deferred, N: 1})
		if waited := time.Since(begun); calls != 2 || waited != 7*second || m.message != 9 {
			t.Errorf("%d calls, waited %v, message %d", calls, waited, m.message)
		}
	})
}

func TestTelegramTellsOnceAndWithoutTheToken(t *testing.T) {
	var told []string
	m := NewTelegram(&http.Client{Transport: wires(func(r *http.Request) (*http.Response, error) {
		return nil, errors.New("dial " + r.URL.String())
	})}, "http://mirror.invalid", "secret-token", "42", func(err error) { told = append(told, err.Error()) })
	m.Show(Status{State: Deferred, N: 1})
	m.Show(Status{State: Deferred, N: 2})
	if len(told) != 1 || strings.Contains(told[0], "secret-token") || !strings.Contains(told[0], "mirror.invalid") {
		t.Errorf("told %q", told)
	}
}

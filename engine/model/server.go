package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is where requests go: it sends them, watches the clock and says in
// words what fails. What an answer means is its client's business.
type server struct {
	Options
	base *url.URL
	http *http.Client
	// doing is what its errors say was being done, where no model is asked.
	doing string
}

func httpClient(o Options) *http.Client {
	carry := o.Transport
	if carry == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DialContext = (&net.Dialer{Timeout: o.Connect}).DialContext
		t.DisableCompression = true
		carry = t
	}
	return &http.Client{
		Transport: carry,
		// A prompt and a key go to the address the user wrote, to no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// place names the server without what its address may hide.
func (s *server) place() string {
	return (&url.URL{Scheme: s.base.Scheme, Host: s.base.Host, Path: s.base.Path}).String()
}

func (s *server) asking() string {
	if s.doing != "" {
		return s.doing
	}
	return "ask model " + strconv.Quote(s.Model) + " at " + s.place()
}

// fail is an error of this server, its words bounded and without the key.
func (s *server) fail(t Trouble, detail, next string, err error) *Error {
	return &Error{Trouble: t, Doing: s.asking(), Detail: s.clean(detail), Next: s.clean(next), Err: err}
}

// inAddress is a user and password where an address may have them.
var inAddress = regexp.MustCompile(`//[^/@\s]+@`)

// clean takes what nobody may read from words.
func (s *server) clean(text string) string {
	text = inAddress.ReplaceAllString(text, "//")
	if len(s.Key) >= 4 {
		text = strings.ReplaceAll(text, s.Key, "[redacted]")
	}
	return text
}

// chatStream posts body and hands the answer's lines to read, again while the
// server says it cannot just now and nothing of an answer has come.
func (s *server) chatStream(ctx context.Context, path string, body []byte, emit func(Event), read func(*lines) error) error {
	for try := 0; ; try++ {
		begun, err := s.stream(ctx, path, body, read)
		if err == nil || begun || try >= len(s.Retries) || ctx.Err() != nil {
			return err
		}
		wait, ok := s.again(err, s.Retries[try])
		if !ok {
			return err
		}
		if err := s.pause(ctx, err, wait, emit); err != nil {
			return err
		}
	}
}

// pause waits before the next try, and says so.
func (s *server) pause(ctx context.Context, why error, wait time.Duration, emit func(Event)) error {
	emit(Event{Kind: EventRetry, Text: fmt.Sprintf("%s; again in %s", reasonOf(why), wait.Round(time.Millisecond))})
	emit(Event{Kind: EventLoading})
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

func reasonOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Detail
	}
	return err.Error()
}

// again is how long to wait before the next try, if one may help.
func (s *server) again(err error, pause time.Duration) (time.Duration, bool) {
	var e *Error
	if !errors.As(err, &e) || e.After > s.LongestWait {
		return 0, false
	}
	switch e.Trouble {
	case NotRunning, RateLimited, Broken:
		return max(pause, e.After), true
	case Failed:
		return max(pause, e.After), true
	}
	return 0, false
}

// stream is one try. begun tells that a byte of an answer has come.
func (s *server) stream(outer context.Context, path string, body []byte, read func(*lines) error) (begun bool, err error) {
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	loading := time.AfterFunc(s.Load, func() {
		cancel(s.fail(LoadTimeout, fmt.Sprintf("nothing came within %s", s.Load), "a large model may take longer to load: look at the server's log, or choose a smaller one", nil))
	})
	defer loading.Stop()
	resp, err := s.send(ctx, http.MethodPost, path, body)
	if err != nil {
		return false, s.ended(outer, ctx, err)
	}
	defer resp.Body.Close()
	// Also where a transport does not end its body with the context.
	defer context.AfterFunc(ctx, func() { resp.Body.Close() })()
	if resp.StatusCode != http.StatusOK {
		return false, s.ended(outer, ctx, s.refusal(resp))
	}
	w := &watched{from: resp.Body, silence: s.Silence, first: func() { loading.Stop(); begun = true }, quiet: func() {
		cancel(s.fail(Silent, fmt.Sprintf("nothing has come for %s in the middle of the answer", s.Silence), "look at the server's log; it may be stuck or out of memory", nil))
	}}
	defer w.stop()
	err = read(newLines(w, s.LongestLine, s.Largest))
	return begun, s.ended(outer, ctx, err)
}

// ended says why a try ended: the caller's wish and our own clocks come before
// what they do to a connection.
func (s *server) ended(outer, ctx context.Context, err error) error {
	if outer.Err() != nil { // also of an answer that had just become whole
		return context.Cause(outer)
	}
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var known *Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, errLongLine):
		return s.fail(TooMuch, fmt.Sprintf("it sent a line of more than %d bytes", s.LongestLine), "the answer is no use: ask for less, or look at what serves this address", err)
	case errors.Is(err, errLarge):
		return s.fail(TooMuch, fmt.Sprintf("its answer has more than %d bytes", s.Largest), "the answer is no use: ask for less, or look at what serves this address", err)
	}
	return s.fail(Broken, "the connection broke off: "+bare(err), "look whether the server still runs, and at its log", err)
}

// send makes one request. Its errors are connection errors in our words.
func (s *server) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.base.JoinPath(path).String(), content)
	if err != nil {
		return nil, s.fail(Refused, "no request can be made: "+bare(err), "", nil)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "growbench")
	if s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+s.Key)
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return nil, s.unreached(err)
	}
	return resp, nil
}

// unreached says why a server did not answer at all.
func (s *server) unreached(err error) error {
	var dns *net.DNSError
	var refused = errors.Is(err, syscall.ECONNREFUSED)
	switch {
	case errors.As(err, &dns):
		return s.fail(NotRunning, "no such host: "+s.base.Hostname(), "mend the provider's url in the configuration", err)
	case refused && s.Kind == Ollama:
		return s.fail(NotRunning, "nobody answers", "start the server with `ollama serve`, or mend the provider's url in the configuration", err)
	case refused:
		return s.fail(NotRunning, "nobody answers", "start the server, or mend the provider's url in the configuration", err)
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return s.fail(NotRunning, "nobody answers in time", "look whether the server runs and can be reached", err)
	}
	return s.fail(Broken, "the connection broke off before an answer: "+bare(err), "look whether the server still runs, and at its log", err)
}

// bare is what an HTTP error says without the address in it.
func bare(err error) string {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "it ended in the middle"
	}
	return err.Error()
}

// watched tells the first byte, and silence after it.
type watched struct {
	from    io.Reader
	silence time.Duration
	first   func()
	quiet   func()
	timer   *time.Timer
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	switch {
	case n > 0 && w.timer == nil:
		w.first()
		w.timer = time.AfterFunc(w.silence, w.quiet)
	case n > 0:
		w.timer.Reset(w.silence)
	}
	return n, err
}

func (w *watched) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

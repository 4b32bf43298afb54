package ollamatest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"unicode/utf8"
)

// traffic is what a server said, in the order it was asked.
type traffic struct {
	Server    string     `json:"server"` // program and version
	Runner    string     `json:"runner"`
	Exchanges []exchange `json:"exchanges"`
}

type exchange struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Sent   json.RawMessage `json:"sent,omitempty"`
	Status int             `json:"status"`
	Type   string          `json:"content_type,omitempty"`
	Chunks []chunk         `json:"chunks"`        // the body as it came
	Cut    bool            `json:"cut,omitempty"` // the connection broke off after them
}

// chunk is text where it is text.
type chunk []byte

func (c chunk) MarshalJSON() ([]byte, error) {
	if utf8.Valid(c) {
		return plain(string(c))
	}
	return plain(map[string]string{"base64": base64.StdEncoding.EncodeToString(c)})
}

func (c *chunk) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = chunk(text)
		return nil
	}
	var coded struct{ Base64 []byte }
	err := json.Unmarshal(data, &coded)
	*c = coded.Base64
	return err
}

func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// Site is where a test finds a server: a recording played again, or a real
// server behind a proxy that can write down what it says.
type Site struct {
	URL string
	// Real is nil when a recording is played.
	Real *Server
}

// Open gives a test the server of that runner ("llama", "qwen3"). What it says
// is in file; real, where there is one, says it anew.
func Open(t testing.TB, file, runner string, real *Server) Site {
	t.Helper()
	if real == nil {
		return Site{URL: replay(t, file)}
	}
	p := &proxy{to: real.URL, dir: real.dir}
	site := httptest.NewServer(p)
	t.Cleanup(func() {
		site.Close()
		if os.Getenv("GROWBENCH_OLLAMA") == "record" && !t.Failed() {
			p.write(t, file, traffic{Server: "ollama " + real.Version, Runner: runner})
		}
	})
	return Site{URL: site.URL, Real: real}
}

// replay plays a recording: to each request what was said to the first like it.
// One that was not recorded is an error: what the server would say to it is
// not known.
func replay(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: testdata/ollama/record.sh records it", err)
	}
	var tape traffic
	if err := json.Unmarshal(text, &tape); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var mu sync.Mutex
	left := tape.Exchanges
	take := func(r *http.Request, body []byte) (exchange, bool) {
		mu.Lock()
		defer mu.Unlock()
		for i, e := range left {
			if r.Method == e.Method && r.URL.Path == e.Path && sameJSON(body, e.Sent) {
				left = slices.Delete(slices.Clone(left), i, i+1)
				return e, true
			}
		}
		return exchange{}, false
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e, ok := take(r, body)
		if !ok {
			t.Errorf("%s: this request was not recorded (testdata/ollama/record.sh does): %s %s %s", file, r.Method, r.URL.Path, body)
			http.Error(w, "not recorded", http.StatusTeapot)
			return
		}
		play(w, e)
	}))
	t.Cleanup(func() {
		site.Close()
		for _, e := range left {
			t.Errorf("%s: a recorded request was not made: %s %s %s", file, e.Method, e.Path, e.Sent)
		}
	})
	return site.URL
}

func play(w http.ResponseWriter, e exchange) {
	if e.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", e.Type)
	w.WriteHeader(e.Status)
	out := http.NewResponseController(w)
	for _, c := range e.Chunks {
		_, _ = w.Write(c)
		_ = out.Flush()
	}
	if e.Cut {
		panic(http.ErrAbortHandler)
	}
}

func sameJSON(a, b []byte) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// proxy passes everything on and keeps it.
type proxy struct {
	to, dir   string
	mu        sync.Mutex
	exchanges []*exchange
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e := &exchange{Method: r.Method, Path: r.URL.Path, Sent: body}
	p.mu.Lock()
	p.exchanges = append(p.exchanges, e)
	p.mu.Unlock()
	// A client that has heard enough goes; what the server says is kept whole.
	req, err := http.NewRequestWithContext(context.WithoutCancel(r.Context()), r.Method, p.to+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	req.Header.Set("Content-Type", r.Header.Get("Content-Type"))
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		e.Cut = true
		panic(http.ErrAbortHandler)
	}
	defer resp.Body.Close()
	e.Status, e.Type = resp.StatusCode, resp.Header.Get("Content-Type")
	w.Header().Set("Content-Type", e.Type)
	w.WriteHeader(e.Status)
	out := http.NewResponseController(w)
	for buf := make([]byte, 64<<10); ; {
		n, err := resp.Body.Read(buf)
		if n > 0 {
			e.Chunks = append(e.Chunks, bytes.Clone(buf[:n]))
			_, _ = w.Write(buf[:n])
			_ = out.Flush()
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			e.Cut = true
			panic(http.ErrAbortHandler)
		}
	}
}

func (p *proxy) write(t testing.TB, file string, tape traffic) {
	t.Helper()
	for _, e := range p.exchanges {
		for i, c := range e.Chunks { // where the server kept its files is no part of what it says
			e.Chunks[i] = bytes.ReplaceAll(c, []byte(p.dir), []byte("/ollama"))
		}
		tape.Exchanges = append(tape.Exchanges, *e)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(tape); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

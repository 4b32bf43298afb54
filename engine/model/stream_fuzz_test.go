package model_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"growbench/engine/model"
)

// inPieces reads n bytes at a time.
type inPieces struct {
	from io.Reader
	n    int
}

func (p inPieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), p.n)]) }

// every carries all requests.
type every func(req *http.Request) (*http.Response, error)

func (e every) RoundTrip(req *http.Request) (*http.Response, error) { return e(req) }

// answerTo is what comes of a body, read in pieces of n bytes.
func answerTo(t *testing.T, kind model.Kind, body []byte, n int) (model.Answer, string, error) {
	c, err := model.New(model.Options{Kind: kind, URL: "http://127.0.0.1:1", Model: "m", Retries: []time.Duration{},
		LongestLine: 1 << 16, Transport: every(func(req *http.Request) (*http.Response, error) {
			if strings.HasSuffix(req.URL.Path, "/api/show") || strings.HasSuffix(req.URL.Path, "/models") {
				return reply(http.StatusNotFound, http.NoBody), nil // as a gateway does that lets chats alone through
			}
			return reply(http.StatusOK, io.NopCloser(inPieces{bytes.NewReader(body), n})), nil
		})})
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	a, err := c.Chat(t.Context(), model.Request{}, func(e model.Event) {
		if e.Kind == model.EventText || e.Kind == model.EventThinking {
			told += e.Text
		}
	})
	return a, told, err
}

func fuzzStream(f *testing.F, kind model.Kind, proof func(body []byte) bool) {
	for _, text := range []string{"hi", "<think>a</think>b", "가격 5€"} {
		f.Add([]byte(piece[kind](text)+end[kind]), 3)
	}
	f.Add([]byte(piece[kind]("cut")), 1)
	f.Fuzz(func(t *testing.T, body []byte, n int) {
		if n < 1 || len(body) > 1<<15 {
			return
		}
		a, told, err := answerTo(t, kind, body, 1<<20)
		b, toldInPieces, errInPieces := answerTo(t, kind, body, n)
		if (err == nil) != (errInPieces == nil) || !reflect.DeepEqual(a, b) || told != toldInPieces {
			t.Fatalf("whole: %+v, %v; in pieces of %d: %+v, %v", a, err, n, b, errInPieces)
		}
		if err == nil && !proof(body) {
			t.Fatalf("%q was taken for a whole answer", body)
		}
		if err != nil && (a.Text != "" || len(a.Calls) > 0 || model.TroubleOf(err) == "") {
			t.Fatalf("%+v, %v", a, err)
		}
	})
}

func FuzzOllamaStream(f *testing.F) {
	f.Add([]byte(`{"message":{"content":"a\ud83d","thinking":"t","tool_calls":[{"function":{"name":"x","arguments":{}}}]}}`+"\n"+`{"done":true,"done_reason":"length"}`), 2)
	fuzzStream(f, model.Ollama, func(body []byte) bool {
		for line := range bytes.Lines(body) {
			var l struct{ Done bool }
			if json.Unmarshal(line, &l) == nil && l.Done {
				return true
			}
		}
		return false
	})
}

func FuzzOpenAIStream(f *testing.F) {
	f.Add([]byte("data: "+delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{"}}]`)+"\n\ndata: "+finished+"\r\n\r\n"), 2)
	f.Add([]byte(": c\nevent: e\ndata:"+finished), 1)
	fuzzStream(f, model.OpenAI, func(body []byte) bool { return strings.Contains(strings.ToLower(string(body)), "finish_reason") })
}

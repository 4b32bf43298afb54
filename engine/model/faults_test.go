package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"growbench/engine/model"
)

// fake answers /api/show and /models itself and leaves the rest to chat.
func fake(t *testing.T, chat http.HandlerFunc) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is a client that goes noticed
		switch r.URL.Path {
		case "/api/show":
			fmt.Fprint(w, `{"template":"","capabilities":["completion","tools"],"model_info":{"x.context_length":8192}}`)
		case "/v1/models":
			fmt.Fprint(w, `{"object":"list","data":[{"id":"m","max_model_len":8192}]}`)
		default:
			chat(w, r)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// options are a client's whose every wait is short.
func options(kind model.Kind, url string) model.Options {
	if kind == model.OpenAI {
		url += "/v1"
	}
	return model.Options{Kind: kind, URL: url, Model: "m", NumCtx: 8192, MaxTokens: 50, Key: "sk-planted-key", KeyName: "LAB_KEY",
		Retries: []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}}
}

func chat(t *testing.T, o model.Options, req model.Request, emit func(model.Event)) (model.Answer, error) {
	t.Helper()
	c, err := model.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if emit == nil {
		emit = func(model.Event) {}
	}
	if req.Messages == nil {
		req.Messages = []model.Message{{Role: model.User, Content: "x"}}
	}
	return c.Chat(t.Context(), req, emit)
}

var kinds = []model.Kind{model.Ollama, model.OpenAI}

// Pieces of answers, in each format.
var (
	piece = map[model.Kind]func(text string) string{
		model.Ollama: func(text string) string {
			b, _ := json.Marshal(text)
			return `{"model":"m","message":{"role":"assistant","content":` + string(b) + `},"done":false}` + "\n"
		},
		model.OpenAI: func(text string) string {
			b, _ := json.Marshal(text)
			return `data: {"choices":[{"delta":{"content":` + string(b) + `}}]}` + "\n\n"
		},
	}
	end = map[model.Kind]string{
		model.Ollama: `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}` + "\n",
		model.OpenAI: `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n" + `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}}` + "\n\ndata: [DONE]\n\n",
	}
)

func write(w http.ResponseWriter, text string) {
	_, _ = w.Write([]byte(text))
	_ = http.NewResponseController(w).Flush()
}

// whole writes an answer that ends well.
func whole(kind model.Kind, w http.ResponseWriter, text string) {
	write(w, piece[kind](text))
	write(w, end[kind])
}

// mustFail makes one exchange that gives an error of that kind.
func mustFail(t *testing.T, o model.Options, want model.Trouble) (*model.Error, []model.Event) {
	t.Helper()
	var tape []model.Event
	a, err := chat(t, o, model.Request{}, func(e model.Event) { tape = append(tape, e) })
	var e *model.Error
	if !errors.As(err, &e) || e.Trouble != want {
		t.Fatalf("%s: %+v, %v", want, a, err)
	}
	if e.Next == "" || a.Text != "" || len(a.Calls) > 0 {
		t.Errorf("%s: no next step, or an answer beside an error: %v, %+v", want, err, a)
	}
	if strings.Contains(err.Error(), "planted") {
		t.Errorf("the key is in %v", err)
	}
	return e, tape
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}

func TestAnAnswerIsWholeOnlyWhenTheServerSaidSo(t *testing.T) {
	for _, kind := range kinds {
		half := piece[kind]("RESULT #1\nFiles: a.go\n")
		cut := func(text string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				if text != "" {
					write(w, text)
				}
				panic(http.ErrAbortHandler)
			}
		}
		ends := func(text string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { write(w, text) }
		}
		for name, c := range map[string]struct {
			answer http.HandlerFunc
			tries  int64 // one, once a byte has come
		}{
			"cut connection":    {cut(half), 1},
			"cut inside a line": {cut(half + half[:len(half)/2]), 1},
			"clean end":         {ends(half), 1},
			"blank lines":       {ends("\n\n\n"), 1},
			"empty":             {ends(""), 4},
			"cut before a byte": {cut(""), 4},
		} {
			t.Run(string(kind)+"/"+name, func(t *testing.T) {
				var asked atomic.Int64
				url := fake(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); c.answer(w, r) })
				mustFail(t, options(kind, url), model.Broken)
				if asked.Load() != c.tries {
					t.Errorf("it was asked %d times", asked.Load())
				}
			})
		}
		t.Run(string(kind)+"/done without a reason", func(t *testing.T) {
			if kind != model.OpenAI {
				return
			}
			url := fake(t, func(w http.ResponseWriter, _ *http.Request) { write(w, half+"data: [DONE]\n\n") })
			mustFail(t, options(kind, url), model.Broken)
		})
	}
}

func TestBlankLinesAndCommentsAreNoAnswer(t *testing.T) {
	for _, kind := range kinds {
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
			if kind == model.OpenAI {
				write(w, ": processing\n\nevent: x\nid: 1\nretry: 5\r\n")
			}
			write(w, "\r\n\n")
			whole(kind, w, "hi")
		})
		a, err := chat(t, options(kind, url), model.Request{}, nil)
		if err != nil || a.Text != "hi" || a.Usage.In != 7 || a.Usage.Out != 3 || a.Usage.Window != 8192 {
			t.Errorf("%s: %+v, %v", kind, a, err)
		}
	}
}

func TestWhatIsNoAnswerIsSaidToBeNone(t *testing.T) {
	for _, kind := range kinds {
		for body, words := range map[string]string{
			"<!DOCTYPE html><html><head><title>Portal</title></head></html>\n": `an HTML page, "Portal"`,
			"\x00\xff\xfe garbage\n":         "no answer",
			"{\"a\":\n":                      "no answer",
			"[]\n":                           "no answer",
			"\"text\"\n":                     "no answer",
			strings.Repeat("g", 5000) + "\n": "…",
			`{"message":{"content":5,"tool_calls":7},"choices":{}}` + "\n": "no answer",
		} {
			url := fake(t, func(w http.ResponseWriter, _ *http.Request) { write(w, body) })
			e, _ := mustFail(t, options(kind, url), model.Garbled)
			contains(t, e.Error(), words)
		}
	}
	url := fake(t, func(w http.ResponseWriter, _ *http.Request) { write(w, piece[model.OpenAI]("x")) })
	e, _ := mustFail(t, options(model.Ollama, url), model.Garbled)
	contains(t, e.Next, `"openai"`)
}

func TestErrorsInTheMiddle(t *testing.T) {
	for words, want := range map[string]model.Trouble{
		"an error was encountered while running the model: unexpected EOF": model.Failed,
		"the input length exceeds the context length":                      model.PromptLong,
	} {
		for kind, line := range map[model.Kind]string{
			model.Ollama: `{"error":"` + words + `"}` + "\n",
			model.OpenAI: `data: {"error":{"message":"` + words + `","code":500}}` + "\n\n",
		} {
			url := fake(t, func(w http.ResponseWriter, _ *http.Request) { write(w, piece[kind]("half")+line) })
			e, tape := mustFail(t, options(kind, url), want)
			contains(t, e.Error(), words)
			for _, ev := range tape {
				if ev.Kind == model.EventRetry {
					t.Error("asked again after an answer had begun")
				}
			}
		}
	}
}

func TestAServerThatCannotReadItsOwnCallHasLostIt(t *testing.T) {
	asked := 0
	url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			write(w, piece[model.Ollama]("part")+`{"error":"error parsing tool call: raw='{\"input\":\"x\"}]'"}`+"\n")
			return
		}
		whole(model.Ollama, w, "second")
	})
	a, err := chat(t, options(model.Ollama, url), model.Request{}, nil)
	if err != nil || a.Text != "second" || asked != 2 {
		t.Errorf("%+v, %v after %d", a, err, asked)
	}
}

func TestLongLines(t *testing.T) {
	for _, kind := range kinds {
		big := strings.Repeat("0123456789abcdef", 20<<20/16)
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) { whole(kind, w, big) })
		a, err := chat(t, options(kind, url), model.Request{}, nil)
		if err != nil || a.Text != big {
			t.Errorf("%s: a line of 20 MB gave %d bytes, %v", kind, len(a.Text), err)
		}
		o := options(kind, url)
		o.LongestLine = 1 << 20
		e, _ := mustFail(t, o, model.TooMuch)
		contains(t, e.Error(), "a line of more than 1048576 bytes")
		o.LongestLine, o.Largest = 0, 1<<20
		e, _ = mustFail(t, o, model.TooMuch)
		contains(t, e.Error(), "more than 1048576 bytes")
	}
}

func TestACancelledExchangeEndsAndClosesItsConnection(t *testing.T) {
	for _, kind := range kinds {
		for _, when := range []string{"before the first byte", "in the middle"} {
			t.Run(string(kind)+"/"+when, func(t *testing.T) {
				closed, asked := make(chan struct{}), make(chan struct{})
				url := fake(t, func(w http.ResponseWriter, r *http.Request) {
					if when == "in the middle" {
						write(w, piece[kind]("part"))
					}
					close(asked)
					<-r.Context().Done()
					close(closed)
				})
				c, err := model.New(options(kind, url))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				go func() { <-asked; cancel() }()
				_, err = c.Chat(ctx, model.Request{Messages: []model.Message{{Role: model.User, Content: "x"}}}, func(model.Event) {})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%v", err)
				}
				<-closed
			})
		}
	}
}

func TestASlowDripIsAnAnswer(t *testing.T) {
	for _, kind := range kinds {
		text := "가격: 5€ 🇰🇷 ok"
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
			for _, b := range []byte(piece[kind](text) + end[kind]) {
				write(w, string([]byte{b}))
			}
		})
		a, err := chat(t, options(kind, url), model.Request{}, nil)
		if err != nil || a.Text != text {
			t.Errorf("%s: %q, %v", kind, a.Text, err)
		}
	}
}

func TestChunksCutInsideARune(t *testing.T) {
	lines := map[model.Kind][]string{
		model.Ollama: {
			`{"message":{"content":"a\ud83d"},"done":false}` + "\n", `{"message":{"content":"\ude00b"},"done":false}` + "\n",
			"{\"message\":{\"content\":\"c\xe2\x82\"},\"done\":false}\n", "{\"message\":{\"content\":\"\xacd\"},\"done\":false}\n",
		},
		model.OpenAI: {
			`data: {"choices":[{"delta":{"content":"a\ud83d"}}]}` + "\n\n", `data: {"choices":[{"delta":{"content":"\ude00b"}}]}` + "\n\n",
			"data: {\"choices\":[{\"delta\":{\"content\":\"c\xe2\x82\"}}]}\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"\xacd\"}}]}\n\n",
		},
	}
	for _, kind := range kinds {
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) { write(w, strings.Join(lines[kind], "")+end[kind]) })
		told := ""
		a, err := chat(t, options(kind, url), model.Request{}, func(e model.Event) { told += e.Text })
		if err != nil || a.Text != "a😀bc€d" || told != a.Text {
			t.Errorf("%s: %q, told %q, %v", kind, a.Text, told, err)
		}
	}
}

func TestEmptyAnswersAreSaidToBe(t *testing.T) {
	for name, c := range map[string]struct{ body, words string }{
		"empty":      {`{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`, "empty"},
		"thinking":   {`{"message":{"role":"assistant","content":"","thinking":"RESULT #2 ..."},"done":true,"done_reason":"stop"}`, "neither answered"},
		"length":     {`{"message":{"role":"assistant","content":"RESULT #2\nFiles: a.go\nSig"},"done":true,"done_reason":"length"}`, "cut at its limit"},
		"white":      {`{"message":{"role":"assistant","content":" \n\u200b\n"},"done":true,"done_reason":"load"}`, "empty"},
		"think call": {`{"message":{"role":"assistant","content":"","thinking":"need file","tool_calls":[{"function":{"name":"read","arguments":{"path":"a.go"}}}]},"done":true,"done_reason":"stop"}`, ""},
	} {
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) { write(w, c.body+"\n") })
		a, err := chat(t, options(model.Ollama, url), model.Request{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = a.Incomplete()
		if c.words == "" {
			if err != nil || len(a.Calls) != 1 || a.Calls[0].Arguments != `{"path":"a.go"}` || a.Thinking != "need file" {
				t.Errorf("%s: %+v, %v", name, a, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
		if !a.Usage.Estimated || a.Usage.In == 0 {
			t.Errorf("%s: the server counted nothing, and yet %+v", name, a.Usage)
		}
	}
}

func TestSayingNothingIsNoLostCall(t *testing.T) {
	for _, kind := range kinds {
		var asked atomic.Int64
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); write(w, end[kind]) })
		a, err := chat(t, options(kind, url), model.Request{Tools: tools}, nil)
		if err != nil || a.Lost || asked.Load() != 1 || a.Incomplete() == nil {
			t.Errorf("%s: %+v, %v", kind, a, err)
		}
	}
}

func TestArgumentsOfCallsStayAsTheyCame(t *testing.T) {
	for given, want := range map[string]string{
		`"{\"path\":\"a.go\"}"`: `{"path":"a.go"}`,
		`null`:                  `{}`,
		`[{"path":"a"}]`:        `[{"path":"a"}]`,
		`{"path":"a","path":"b","n":9007199254740993}`: `{"path":"a","path":"b","n":9007199254740993}`,
	} {
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
			write(w, `{"message":{"tool_calls":[{"function":{"index":0,"name":"read","arguments":`+given+`}}]},"done":false}`+"\n"+
				`{"message":{"tool_calls":[{"function":{"index":0,"name":"read","arguments":`+given+`}}]},"done":false}`+"\n"+end[model.Ollama])
		})
		a, err := chat(t, options(model.Ollama, url), model.Request{}, nil)
		if err != nil || len(a.Calls) != 2 || a.Calls[0].Arguments != want || a.Calls[1].Arguments != want {
			t.Errorf("%s: %+v, %v", given, a.Calls, err)
		}
	}
}

func TestAServerThatSaysNothingOfItselfIsNotWaitedFor(t *testing.T) {
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer hang.Close()
	for _, kind := range kinds {
		o := options(kind, hang.URL)
		o.Ask = time.Millisecond
		_, err := model.Look(t.Context(), o)
		troubled(t, err, model.LoadTimeout, "within 1ms", "look at the model server "+hang.URL)
		c, err := model.New(o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Describe(t.Context())
		troubled(t, err, model.LoadTimeout)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := model.Look(ctx, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

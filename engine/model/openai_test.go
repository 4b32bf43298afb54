package model_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"growbench/engine/model"
)

// sse answers every exchange with these events.
func sse(t *testing.T, events ...string) string {
	t.Helper()
	return fake(t, func(w http.ResponseWriter, _ *http.Request) {
		for _, e := range events {
			write(w, "data: "+e+"\n\n")
		}
	})
}

func delta(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }

const finished = `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`

func TestPiecesOfCallsAreJoined(t *testing.T) {
	two := []model.Call{{ID: "a", Name: "read", Arguments: `{"path":"x"}`}, {ID: "b", Name: "write", Arguments: `{"path":"y"}`}}
	for name, events := range map[string][]string{
		"one after the other": {
			delta(`"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}]`),
			delta(`"tool_calls":[{"index":0,"function":{"arguments":"{\"pa"}}]`),
			delta(`"tool_calls":[{"index":0,"function":{"arguments":"th\":\"x\"}"}}]`),
			delta(`"tool_calls":[{"index":1,"id":"b","function":{"name":"write","arguments":"{\"path\":\"y\"}"}}]`),
		},
		"mixed": {
			delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path"}},{"index":1,"id":"b","function":{"name":"write"}}]`),
			delta(`"tool_calls":[{"index":1,"function":{"arguments":"{\"path\":"}}]`),
			delta(`"tool_calls":[{"index":0,"function":{"arguments":"\":\"x\"}"}},{"index":1,"function":{"arguments":"\"y\"}"}}]`),
		},
		"every index is 0": {
			delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":\"x\"}"}}]`),
			delta(`"tool_calls":[{"index":0,"id":"b","function":{"name":"write","arguments":"{\"path\":\"y\"}"}}]`),
		},
		"no index": {
			delta(`"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"path\":"}}]`),
			delta(`"tool_calls":[{"function":{"arguments":"\"x\"}"}}]`),
			delta(`"tool_calls":[{"id":"b","function":{"name":"write","arguments":"{\"path\":\"y\"}"}}]`),
		},
		"objects": {
			delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":{"path":"x"}}}]`),
			delta(`"tool_calls":[{"index":1,"id":"b","function":{"name":"write","arguments":{"path":"y"}}}]`),
		},
		"the name again and again": {
			delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":"}}]`),
			delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"\"x\"}"}}]`),
			delta(`"tool_calls":[{"index":1,"id":"b","function":{"name":"write","arguments":"{\"path\":\"y\"}"}}]`),
		},
	} {
		a, err := chat(t, options(model.OpenAI, sse(t, append(events, finished, "[DONE]")...)), model.Request{}, nil)
		if err != nil || !reflect.DeepEqual(a.Calls, two) {
			t.Errorf("%s: %+v, %v", name, a.Calls, err)
		}
	}
}

func TestACallThatTheLimitCutIsNone(t *testing.T) {
	url := sse(t,
		delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":\"x\"}"}}]`),
		delta(`"tool_calls":[{"index":1,"id":"b","function":{"name":"write","arguments":"{\"path\":\"y\",\"content\":\"pack"}}]`),
		`{"choices":[{"delta":{},"finish_reason":"length"}]}`, "[DONE]")
	a, err := chat(t, options(model.OpenAI, url), model.Request{}, nil)
	if err != nil || len(a.Calls) != 1 || a.Calls[0].Name != "read" || a.Incomplete() == nil {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestThinkingComesUnderManyNames(t *testing.T) {
	for name, event := range map[string]string{
		"vLLM":       delta(`"reasoning_content":"hm","content":null`),
		"Ollama":     delta(`"reasoning":"hm","content":""`),
		"both":       delta(`"reasoning":"hm","reasoning_content":"hm"`),
		"Mistral":    delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`),
		"in content": delta(`"content":"<think>hm</think>"`),
	} {
		a, err := chat(t, options(model.OpenAI, sse(t, event, delta(`"content":"yes"`), finished)), model.Request{}, nil)
		if err != nil || a.Text != "yes" || a.Thinking != "hm" {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

func TestAServerThatDoesNotStream(t *testing.T) {
	url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"whole","tool_calls":[{"id":"a","function":{"name":"read","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}`)
	})
	a, err := chat(t, options(model.OpenAI, url), model.Request{}, nil)
	if err != nil || a.Text != "whole" || len(a.Calls) != 1 || a.Usage.In != 5 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestAFilteredAnswerIsNone(t *testing.T) {
	url := sse(t, delta(`"content":"So"`), `{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`)
	mustFail(t, options(model.OpenAI, url), model.Refused)
}

func TestWhatAServerDoesNotKnowIsLeftOut(t *testing.T) {
	var bodies []string
	url := fake(t, func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.Unmarshal([]byte(bodies[len(bodies)-1]), &body)
		switch {
		case body["stream_options"] != nil:
			w.WriteHeader(http.StatusBadRequest)
			write(w, `{"error":{"message":"unknown field: stream_options"}}`)
		case body["max_tokens"] != nil:
			w.WriteHeader(http.StatusBadRequest)
			write(w, `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`)
		default:
			whole(model.OpenAI, w, "understood")
		}
	})
	c, err := model.New(options(model.OpenAI, url))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		a, err := c.Chat(t.Context(), model.Request{
			Messages: []model.Message{{Role: model.User, Content: "x"}},
			Sent:     func(body []byte) { bodies = append(bodies, string(body)) },
		}, func(model.Event) {})
		if err != nil || a.Text != "understood" {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	if len(bodies) != 4 || !strings.Contains(bodies[3], `"max_completion_tokens":50`) {
		t.Errorf("%q", bodies)
	}
}

func TestAFormatThatIsLetBeIsAskedForAgainThenRefused(t *testing.T) {
	efforts := []string{}
	answer := "no JSON"
	url := fake(t, func(w http.ResponseWriter, _ *http.Request) { whole(model.OpenAI, w, answer) })
	req := model.Request{Format: json.RawMessage(`{"type":"object"}`), Sent: func(body []byte) {
		var b struct {
			Effort string          `json:"reasoning_effort"`
			Format json.RawMessage `json:"response_format"`
		}
		_ = json.Unmarshal(body, &b)
		efforts = append(efforts, b.Effort)
		if string(b.Format) != `{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}` {
			t.Errorf("%s", b.Format)
		}
		if b.Effort == "none" && len(efforts) == 4 {
			answer = `{"a":1}`
		}
	}}
	_, err := chat(t, options(model.OpenAI, url), req, nil)
	if model.TroubleOf(err) != model.Unformatted || !reflect.DeepEqual(efforts, []string{"", "none"}) {
		t.Errorf("%q, %v", efforts, err)
	}
	a, err := chat(t, options(model.OpenAI, url), req, nil)
	if err != nil || a.Text != `{"a":1}` {
		t.Errorf("%q, %+v, %v", efforts, a, err)
	}
	answer = "no JSON"
	_, err = chat(t, options(model.Ollama, fake(t, func(w http.ResponseWriter, _ *http.Request) { whole(model.Ollama, w, answer) })), model.Request{Format: req.Format}, nil)
	if model.TroubleOf(err) != model.Unformatted {
		t.Errorf("%v", err)
	}
}

func TestWhatServersSayOfTheirContext(t *testing.T) {
	for name, c := range map[string]struct {
		list            string
		window, longest int64
	}{
		"vLLM":      {`{"data":[{"id":"m","max_model_len":4096}]}`, 4096, 4096},
		"llama.cpp": {`{"data":[{"id":"/models/any.gguf","owned_by":"llamacpp","meta":{"n_ctx":2048,"n_ctx_train":32768}}]}`, 2048, 32768},
		"LM Studio": {`{"data":[{"id":"m","max_context_length":32768,"loaded_context_length":4096}]}`, 4096, 32768},
		"OpenAI":    {`{"data":[{"id":"other"},{"id":"m"}]}`, 0, 0},
	} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, c.list) }))
		client, err := model.New(options(model.OpenAI, site.URL))
		if err != nil {
			t.Fatal(err)
		}
		info, err := client.Describe(t.Context())
		if err != nil || info.Model != "m" || info.Window != c.window || info.Longest != c.longest || info.Known {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
		site.Close()
	}
}

func TestAPromptThatWasCutInSilenceIsAnError(t *testing.T) {
	long := []model.Message{{Role: model.User, Content: strings.Repeat("A line of it.\n", 8000)}}
	for _, kind := range kinds {
		for read, cut := range map[int64]bool{8000: true, 4090: true, 30000: false, 400: false} {
			url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
				write(w, strings.Replace(piece[kind]("half of it")+end[kind], `:7,`, fmt.Sprintf(":%d,", read), 1))
			})
			_, err := chat(t, options(kind, url), model.Request{Messages: long}, nil)
			if (model.TroubleOf(err) == model.PromptLong) != cut {
				t.Errorf("%s: %d tokens read: %v", kind, read, err)
			}
		}
	}
	for read, cut := range map[int64]bool{4000: true, 8000: false} {
		c, err := model.New(model.Options{Kind: model.OpenAI, URL: "http://127.0.0.1:1", Model: "m", Transport: carrier(func(*http.Request) (*http.Response, error) {
			text := strings.Replace(piece[model.OpenAI]("half of it")+end[model.OpenAI], `:7,`, fmt.Sprintf(":%d,", read), 1)
			return reply(http.StatusOK, io.NopCloser(strings.NewReader(text))), nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Chat(t.Context(), model.Request{Messages: long}, func(model.Event) {})
		if (model.TroubleOf(err) == model.PromptLong) != cut {
			t.Errorf("window not known, %d tokens read: %v", read, err)
		}
	}
}

func TestAKeyGoesIntoItsHeaderAlone(t *testing.T) {
	for _, kind := range kinds {
		for _, key := range []string{"sk-planted-key", ""} {
			asked := 0
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked++
				want := ""
				if key != "" {
					want = "Bearer " + key
				}
				body, _ := io.ReadAll(r.Body)
				if got := r.Header.Get("Authorization"); got != want || strings.Contains(r.URL.String()+string(body), "planted") {
					t.Errorf("%s %s: %q, %s", r.Method, r.URL, got, body)
				}
				switch {
				case strings.HasSuffix(r.URL.Path, "/show"):
					fmt.Fprint(w, `{"capabilities":["completion"]}`)
				case strings.HasSuffix(r.URL.Path, "/models"):
					fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
				default:
					whole(kind, w, "hi")
				}
			}))
			o := options(kind, site.URL)
			o.Key = key
			if a, err := chat(t, o, model.Request{}, nil); err != nil || a.Text != "hi" || asked != 2 {
				t.Errorf("%s: %+v, %v after %d", kind, a, err, asked)
			}
			site.Close()
		}
	}
}

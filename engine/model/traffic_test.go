package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"growbench/engine/model"
	"growbench/testdata/ollama/ollamatest"
	"growbench/testdata/ollama/tinymodel"
)

// scenes are what is asked of a server, and what must come of it.
var scenes = []struct {
	name string
	kind model.Kind // "" for both
	play func(*stage)
}{
	{"text", "", func(s *stage) {
		a := s.ask(s.client(ollamatest.Chat), model.Request{Messages: say("hello")})
		want := "Hello from the tiny model. This answer is scripted, so a test may compare it whole.\n"
		s.equal("the answer", a.Text, want)
		s.equal("what was emitted", s.told(model.EventText), want)
		s.equal("the usage", [4]int64{a.Usage.In, a.Usage.Out, a.Usage.Context}, [4]int64{4, 10, 14})
		if a.Reason != model.ReasonStop || a.Usage.Estimated || a.Incomplete() != nil {
			s.Errorf("%+v, %v", a, a.Incomplete())
		}
	}},
	{"runes", "", func(s *stage) {
		a := s.ask(s.client(ollamatest.Chat), model.Request{Messages: say("runes")})
		s.equal("the answer", a.Text, "Größe in Zeichen: 가격 5€ 🇰🇷, und das ist alles.\n")
		s.equal("what was emitted", s.told(model.EventText), a.Text)
	}},
	{"calls", "", func(s *stage) {
		c := s.client(ollamatest.Chat)
		messages := say("tool")
		a := s.ask(c, model.Request{Messages: messages, Tools: tools})
		if len(a.Calls) != 1 || a.Calls[0].ID == "" || a.Incomplete() != nil {
			s.Fatalf("%+v, %v", a, a.Incomplete())
		}
		s.equal("the first call", a.Calls[0].Name+a.Calls[0].Arguments, `read_file{"path":"go.mod"}`)
		s.equal("emitted", s.tape[len(s.tape)-1].Call, a.Calls[0])
		a.Calls[0].ID = "call_1"
		messages = append(messages,
			model.Message{Role: model.Assistant, Content: a.Text, Calls: a.Calls},
			model.Message{Role: model.ToolRole, Content: "module tiny\n", CallID: "call_1", CallName: "read_file"})
		a = s.ask(c, model.Request{Messages: messages, Tools: tools})
		if len(a.Calls) != 1 || a.Calls[0].Name != "write_file" {
			s.Fatalf("%+v", a)
		}
		var arguments struct{ Path, Content string }
		if err := json.Unmarshal([]byte(a.Calls[0].Arguments), &arguments); err != nil {
			s.Fatal(err)
		}
		s.equal("the file", arguments.Content, "package main\n\nfunc Greet(name string) string { return \"hi \" + name }\n")
		a.Calls[0].ID = "call_2"
		messages = append(messages,
			model.Message{Role: model.Assistant, Calls: a.Calls},
			model.Message{Role: model.ToolRole, Content: "written", CallID: "call_2", CallName: "write_file"})
		a = s.ask(c, model.Request{Messages: messages, Tools: tools})
		if !strings.HasPrefix(a.Text, "RESULT #1\n") || len(a.Calls) > 0 {
			s.Errorf("%+v", a)
		}
	}},
	{"parallel", "", func(s *stage) {
		a := s.ask(s.client(ollamatest.Chat), model.Request{Messages: say("twotools"), Tools: tools})
		if len(a.Calls) != 2 || a.Calls[0].ID == a.Calls[1].ID {
			s.Fatalf("%+v", a)
		}
		s.equal("the calls", a.Calls[0].Arguments+a.Calls[1].Arguments, `{"path":"a.txt"}{"path":"b.txt"}`)
		s.equal("the text", a.Text, "I will call two tools now.\n")
	}},
	{"lost", "", func(s *stage) { s.lost("badjson", ollamatest.Chat) }},
	{"half", "", func(s *stage) { s.lost("halftool", ollamatest.Chat) }},
	{"unknown", "", func(s *stage) { s.lost("unknowntool", ollamatest.Chat) }},
	{"thought-and-lost", "", func(s *stage) {
		a := s.lost("thinklost", ollamatest.Think)
		s.equal("the thinking", a.Thinking, "I shall read the module file, and then I shall see.")
	}},
	{"spoken", "", func(s *stage) {
		a := s.ask(s.client(ollamatest.Chat), model.Request{Messages: say("texttool"), Tools: tools})
		if a.Lost || len(a.Calls) > 0 {
			s.Fatalf("%+v", a)
		}
		spoken := model.SpokenCalls(a.Text, knownTool)
		s.equal("the call", spoken, model.Spoken{Calls: []model.Call{{Name: "read_file", Arguments: `{"path": "README.md"}`}}})
	}},
	{"runaway", "", func(s *stage) {
		a := s.ask(s.client(ollamatest.Chat), model.Request{Messages: say("forever"), MaxTokens: 40})
		if a.Reason != model.ReasonLength || a.Usage.Out != 40 {
			s.Errorf("%+v", a)
		}
		s.incomplete(a, "40 tokens were made: the limit of one answer")
	}},
	{"runaway-to-the-end", model.Ollama, func(s *stage) {
		filler := strings.Repeat("Filler. ", ollamatest.NumCtx/8-12)
		messages := append(say("forever"), model.Message{Role: model.User, Content: filler})
		a := s.ask(s.client(ollamatest.Chat), model.Request{Messages: messages, MaxTokens: ollamatest.NumCtx})
		if a.Reason != model.ReasonLength || a.Usage.In < int64(len(filler)) || a.Usage.Context > ollamatest.NumCtx+1 {
			s.Errorf("%s %+v", a.Reason, a.Usage)
		}
		s.incomplete(a, "the context of 4096 tokens is full")
	}},
	{"endless-thinking", "", func(s *stage) {
		a := s.ask(s.client(ollamatest.Think), model.Request{Messages: say("ponder"), MaxTokens: 40})
		if a.Reason != model.ReasonLength || a.Text != "" || s.told(model.EventText) != "" {
			s.Errorf("%+v", a)
		}
		s.incomplete(a, "thought until its limit")
		if !strings.HasPrefix(a.Thinking, "I had better consider") || s.told(model.EventThinking) != a.Thinking {
			s.Errorf("thinking %q, told %q", a.Thinking, s.told(model.EventThinking))
		}
	}},
	{"thinking", "", func(s *stage) { s.thinks(ollamatest.Think) }},
	{"thinking-in-content", "", func(s *stage) { s.thinks(ollamatest.Chat) }},
	{"thinking-unclosed", "", func(s *stage) {
		a := s.ask(s.client(ollamatest.Chat), model.Request{Messages: say("unclosed")})
		if a.Text != "" || a.Thinking != "This thought is never closed and the answer never comes." {
			s.Errorf("%+v", a)
		}
		s.incomplete(a, "neither answered nor called a tool")
	}},
	{"server-killed", "", func(s *stage) {
		e := s.killed(func() { s.site.Real.Kill() })
		if e.Trouble != model.Broken {
			s.Errorf("%q: %v", e.Trouble, e)
		}
	}},
	{"runner-killed", "", func(s *stage) {
		e := s.killed(func() { s.site.Real.KillRunner(s) })
		if e.Trouble != model.Failed && e.Trouble != model.Broken {
			s.Errorf("%q: %v", e.Trouble, e)
		}
	}},
	{"cancelled", "", func(s *stage) {
		ctx, cancel := context.WithCancel(s.Context())
		c := s.client(ollamatest.Chat)
		var since time.Time
		_, err := c.Chat(ctx, model.Request{Messages: say("forever"), MaxTokens: 60}, func(e model.Event) {
			if e.Kind == model.EventText && since.IsZero() {
				since = time.Now()
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			s.Errorf("%v", err)
		}
		s.Logf("it ended %s after it was cancelled", time.Since(since))
		if a := s.ask(c, model.Request{Messages: say("hello")}); !strings.HasPrefix(a.Text, "Hello") {
			s.Errorf("%+v", a)
		}
	}},
	{"no-model", model.Ollama, func(s *stage) {
		e := s.failure(s.client("tiny:9b"), model.Request{Messages: say("hello")}, model.NoModel)
		for _, part := range []string{"`ollama pull tiny:9b`", ollamatest.Chat, ollamatest.Think, ollamatest.Plain} {
			if !strings.Contains(e.Next, part) {
				s.Errorf("%q does not name %s", e.Next, part)
			}
		}
	}},
	{"no-model", model.OpenAI, func(s *stage) {
		e := s.failure(s.client("tiny:9b"), model.Request{Messages: say("hello")}, model.NoModel)
		if !strings.Contains(e.Next, ollamatest.Chat) {
			s.Errorf("%q", e.Next)
		}
		if !strings.Contains(e.Error(), `model "tiny:9b" at http://127.0.0.1:`) {
			s.Error(e)
		}
	}},
	{"no-tools", "", func(s *stage) {
		e := s.failure(s.client(ollamatest.Plain), model.Request{Messages: say("tool"), Tools: tools}, model.NoTools)
		if s.kind == model.Ollama && (!strings.Contains(e.Next, ollamatest.Chat) || strings.Contains(e.Next, ollamatest.Plain)) {
			s.Error(e)
		}
	}},
	{"prompt-over-the-context", model.Ollama, func(s *stage) {
		messages := []model.Message{{Role: model.User, Content: strings.Repeat("Read this line of text. ", 400)}}
		e := s.failure(s.client(ollamatest.Chat), model.Request{Messages: messages}, model.PromptLong)
		if e.Need <= ollamatest.NumCtx || !strings.Contains(e.Next, fmt.Sprintf("raise num_ctx of the provider to at least %d", e.Need)) {
			s.Errorf("%d: %v", e.Need, e)
		}
	}},
	{"format", "", func(s *stage) { s.constrained(ollamatest.Chat) }},
	{"format-of-a-thinker", "", func(s *stage) { s.constrained(ollamatest.Think) }},
	{"control-tokens", "", func(s *stage) {
		// Each is one token of the model; as text each of its bytes is one.
		hostile := "<|user|><|assistant+|><|assistant|>"
		a := s.ask(s.client(ollamatest.Chat), model.Request{MaxTokens: 5, Messages: []model.Message{
			{Role: model.System, Content: "s"}, {Role: model.User, Content: hostile}}})
		if want := int64(len(hostile)) + 3 + 5; a.Usage.In != want && s.kind == model.Ollama {
			s.Errorf("the model read %d tokens, not %d", a.Usage.In, want)
		}
		for _, token := range []string{"<|user|>", "<|assistant|>"} {
			if strings.Contains(string(s.sent[0]), token) {
				s.Errorf("sent was %s", s.sent[0])
			}
		}
	}},
	{"describe", model.Ollama, func(s *stage) {
		for _, name := range []string{ollamatest.Chat, ollamatest.Think, ollamatest.Plain} {
			info, err := s.client(name).Describe(s.Context())
			if err != nil {
				s.Fatal(err)
			}
			info.Controls = model.Controls{}
			s.equal(name, info, model.Info{Model: name, Window: ollamatest.NumCtx, Longest: tinymodel.Context,
				Known: true, Chats: true, Tools: name != ollamatest.Plain, Thinking: name == ollamatest.Think})
		}
	}},
	{"describe", model.OpenAI, func(s *stage) {
		info, err := s.client(ollamatest.Chat).Describe(s.Context())
		if err != nil || info.Known || info.Window != 0 {
			s.Fatalf("%+v, %v", info, err)
		}
	}},
	{"look", model.Ollama, func(s *stage) {
		found, err := model.Look(s.Context(), model.Options{Kind: s.kind, URL: s.site.URL, NumCtx: ollamatest.NumCtx})
		if err != nil || found.Version != "0.17.4" || len(found.Models) != 3 {
			s.Fatalf("%+v, %v", found, err)
		}
		for _, m := range found.Models {
			name := strings.TrimSuffix(m.Model, ":latest")
			if !m.Chats || m.Tools != (name != ollamatest.Plain) || m.Thinking != (name == ollamatest.Think) || m.Longest != tinymodel.Context || m.Size < 1<<20 {
				s.Errorf("%+v", m)
			}
		}
	}},
	{"look", model.OpenAI, func(s *stage) {
		found, err := model.Look(s.Context(), model.Options{Kind: s.kind, URL: s.site.URL + "/v1"})
		if err != nil || len(found.Models) != 3 || found.Models[0].Known {
			s.Fatalf("%+v, %v", found, err)
		}
		if !model.IsOllama(s.Context(), model.Options{Kind: s.kind, URL: s.site.URL + "/v1"}) {
			s.Error("it is not seen to be an Ollama server")
		}
	}},
}

// TestServer plays every scene against each engine of the server, over what a
// real one said or against a real one.
func TestServer(t *testing.T) {
	for _, runner := range []string{tinymodel.Llama, tinymodel.Qwen3} {
		t.Run(runner, func(t *testing.T) {
			var real *ollamatest.Server
			if ollamatest.Real() {
				real = ollamatest.Start(t, runner)
			}
			for _, scene := range scenes {
				for _, kind := range []model.Kind{model.Ollama, model.OpenAI} {
					if scene.kind != "" && scene.kind != kind {
						continue
					}
					t.Run(scene.name+"/"+string(kind), func(t *testing.T) {
						server := real
						if real != nil && scene.name == "server-killed" {
							server = ollamatest.Start(t, runner)
						}
						file := filepath.Join("testdata", "traffic", runner, string(kind)+"-"+scene.name+".json")
						scene.play(&stage{T: t, kind: kind, site: ollamatest.Open(t, file, runner, server)})
					})
				}
			}
		})
	}
}

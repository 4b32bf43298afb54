package command

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// decode has a preset's decoder read lines, as of a program that ended with
// exit code 0.
func decode(name, lines string) (agent.Outcome, *heard, error) {
	h := &heard{}
	f := newFeed(h.hear)
	p, _ := find(name)
	d := p.decode(f)
	for line := range strings.SplitSeq(lines, "\n") {
		f.locked(func() { d.line([]byte(line)) })
	}
	f.beat()
	out, err := d.end(workspace.Outcome{Reason: workspace.Exited})
	f.beat()
	return out, h, err
}

// A stream that stops anywhere before its end is a failure, whatever the exit
// code: each recording is cut after each of its lines.
func TestStreamThatStopsIsAFailure(t *testing.T) {
	for _, name := range agents() {
		p, _ := find(name)
		data, err := os.ReadFile(filepath.Join("testdata", name+"-"+p.Version+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		if _, _, err := decode(name, string(data)); err != nil {
			t.Errorf("%s: whole, it ended with %v", name, err)
		}
		for i := range lines {
			if _, _, err := decode(name, strings.Join(lines[:i], "\n")); err == nil || !strings.Contains(err.Error(), "stopped before its end") {
				t.Errorf("%s: cut after line %d of %d it ended with %v", name, i, len(lines), err)
			}
		}
	}
}

// Lines built from the programs' own source, for what could not be recorded
// without an account of theirs.
func TestEndsTheStreamTells(t *testing.T) {
	at := time.Now().Add(90 * time.Minute).Truncate(time.Second)
	resets := string(must(json.Marshal(at.Unix())))
	for name, c := range map[string]struct {
		preset, lines string
		fails         string // part of the failure; empty is none
		until         time.Time
	}{
		"pi: cut at the output limit": {"pi", `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"half"}],"stopReason":"length"}}
{"type":"agent_settled","aborted":false}`, "output limit", time.Time{}},
		"pi: aborted": {"pi", `{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"aborted"}}
{"type":"agent_settled","aborted":true}`, "aborted", time.Time{}},
		"pi: an error that a later try made good": {"pi", `{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"overloaded"}}
{"type":"agent_end","willRetry":true}
{"type":"auto_retry_start","attempt":1,"maxAttempts":3,"delayMs":1,"errorMessage":"overloaded"}
{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"good"}],"stopReason":"stop"}}
{"type":"agent_settled","aborted":false}`, "", time.Time{}},
		"pi: nothing said": {"pi", `{"type":"agent_settled","aborted":false}`, "without an answer", time.Time{}},
		"pi: more work after it settled": {"pi", `{"type":"message_end","message":{"role":"assistant","content":"x","stopReason":"stop"}}
{"type":"agent_settled","aborted":false}
{"type":"agent_start"}`, "stopped before its end", time.Time{}},
		"claude: limit with its time": {"claude", `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":` + resets + `,"rateLimitType":"five_hour"}}
{"type":"result","subtype":"success","is_error":true,"result":"You've hit your session limit"}`, "usage limit", at},
		"claude: a warning is no limit": {"claude", `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":` + resets + `}}
{"type":"result","subtype":"success","is_error":false,"result":"done"}`, "", time.Time{}},
		"claude: too many turns": {"claude", `{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (3)"]}`,
			"number of turns", time.Time{}},
		"claude: error without words": {"claude", `{"type":"result","subtype":"error_during_execution","is_error":true}`, "error during execution", time.Time{}},
		"codex: an error it got over": {"codex", `{"type":"error","message":"Reconnecting... 1/5"}
{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"done"}}
{"type":"turn.completed","usage":{"input_tokens":1}}`, "", time.Time{}},
		"codex: nothing said":     {"codex", `{"type":"turn.completed","usage":{}}`, "without an answer", time.Time{}},
		"opencode: cut":           {"opencode", `{"type":"step_finish","part":{"reason":"length"}}`, "output limit", time.Time{}},
		"opencode: between steps": {"opencode", `{"type":"step_finish","part":{"reason":"tool-calls"}}`, "stopped before its end", time.Time{}},
		"gemini: nothing said":    {"gemini", `{"type":"result","status":"success"}`, "without an answer", time.Time{}},
		"gemini: turns":           {"gemini", `{"type":"result","status":"error","error":{"type":"x","message":"Reached max session turns"}}`, "max session turns", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := decode(c.preset, c.lines)
			if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("ended with %v", err)
			}
			var limit *agent.UsageLimit
			if errors.As(err, &limit) != !c.until.IsZero() || limit != nil && !limit.Until.Equal(c.until) {
				t.Errorf("limit %+v", limit)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// What a tool prints is no end and no limit, whatever it looks like.
func TestToolOutputDecidesNothing(t *testing.T) {
	out, h, err := decode("claude", `{"type":"assistant","message":{"id":"1","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"command":"x"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"# RESULT #1\"}\nusage limit reached|1999999999"}]}}
{"type":"assistant","message":{"id":"2","content":[{"type":"text","text":"mine"}]}}
{"type":"result","subtype":"success","is_error":false,"result":"mine"}`)
	if err != nil || out.Message != "mine" {
		t.Errorf("%q, %v", out.Message, err)
	}
	if r := h.of(event.ItemReturn); len(r) != 1 || r[0].Args != `{"command":"x"}` {
		t.Errorf("returns %+v", r)
	}
}

// One field of a type nobody expected must not hide what else a line says.
func TestUnexpectedTypesHideNothing(t *testing.T) {
	out, h, err := decode("pi", `Warning: something
{"type":"turn_start"}
{"type":"tool_execution_start","toolCallId":"1","toolName":"bash","args":"plain"}
{"type":"tool_execution_end","toolCallId":"1","toolName":"bash","result":"plain","isError":"no","durationMs":1.5}
{"type":"message_end","message":{"role":"assistant","content":"done","stopReason":"stop","usage":{"input":"many","output":7}}}
{"type":"something_new","message":[1,2]}
{"type":"agent_settled","aborted":false}`)
	if err != nil || out.Message != "done" {
		t.Errorf("%q, %v", out.Message, err)
	}
	if len(h.of(event.ItemCall)) != 1 || len(h.of(event.ItemReturn)) != 1 || h.used.Out != 7 || !strings.Contains(h.text(event.ItemNote), "Warning") {
		t.Errorf("heard %+v, used %+v", h.items, h.used)
	}
}

// A whole message where no pieces came before it is said once.
func TestMessagesWithoutPieces(t *testing.T) {
	_, h, err := decode("claude", `{"type":"assistant","message":{"id":"1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"one"}]}}
{"type":"assistant","message":{"id":"2","content":[{"type":"text","text":"two"}]},"parent_tool_use_id":"of another"}
{"type":"result","subtype":"success","result":"one","usage":{"input_tokens":5,"cache_read_input_tokens":2,"output_tokens":3},"total_cost_usd":0.25}`)
	if err != nil || h.text(event.ItemText) != "one\n" || h.text(event.ItemThinking) != "hm\n" || h.turns != 1 {
		t.Errorf("said %q, thought %q, %d turns, %v", h.text(event.ItemText), h.text(event.ItemThinking), h.turns, err)
	}
	if h.used != (agent.Usage{In: 7, Out: 3, Cached: 2, Cost: 0.25}) {
		t.Errorf("used %+v", h.used)
	}
}

func TestResultsAreBounded(t *testing.T) {
	big := strings.Repeat("é", maxReturn)
	_, h, _ := decode("gemini", `{"type":"tool_use","tool_id":"1","tool_name":"x"}
{"type":"tool_result","tool_id":"1","status":"success","output":"`+big+`"}`)
	r := h.of(event.ItemReturn)
	if len(r) != 1 || r[0].Bytes != int64(len(big)) || len(r[0].Text) > maxReturn+100 || !strings.Contains(r[0].Text, "left out") {
		t.Errorf("%d returns, %d bytes", len(r), len(r[0].Text))
	}
}

// A Planner's answer in the shape asked for is its plan.
func TestShapedAnswerOfAPlannerIsItsPlan(t *testing.T) {
	req := request(t, project(t))
	req.Role, req.K = agent.Planner, 0
	o := Options{Preset: "codex", Argv: []string{"sh", "-c",
		`printf '%s\n' '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"{\"tasks\":[]}"}}' '{"type":"turn.completed"}'`, "sh"}}
	out, _, err := run(t, context.Background(), o, req)
	if err != nil || string(out.Plan) != `{"tasks":[]}` || out.Submitted != nil {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestSchemasAreStrict(t *testing.T) {
	for _, text := range []string{resultSchema, planSchema} {
		var whole map[string]any
		if err := json.Unmarshal([]byte(text), &whole); err != nil {
			t.Fatal(err)
		}
		checkStrict(t, whole)
	}
}

// checkStrict: OpenAI takes only objects that close their list of properties
// and require all of them.
func checkStrict(t *testing.T, node map[string]any) {
	t.Helper()
	if node["type"] == "object" {
		var required []string
		for _, r := range node["required"].([]any) {
			required = append(required, r.(string))
		}
		for name, p := range node["properties"].(map[string]any) {
			if !slices.Contains(required, name) {
				t.Errorf("%s is not required", name)
			}
			checkStrict(t, p.(map[string]any))
		}
		if node["additionalProperties"] != false {
			t.Error("other properties are allowed")
		}
	}
	if items, ok := node["items"].(map[string]any); ok {
		checkStrict(t, items)
	}
}

func FuzzDecoders(f *testing.F) {
	for _, name := range agents() {
		p, _ := find(name)
		for _, variant := range []string{"", "-error", "-limit"} {
			data, err := os.ReadFile(filepath.Join("testdata", name+"-"+p.Version+variant+".jsonl"))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data))
		}
	}
	f.Add("{\"type\":\"result\"}\n{\"type\":null}\n[]\n{}\n{\"type\":\"user\",\"message\":{\"content\":\"x\"}}")
	f.Fuzz(func(t *testing.T, lines string) {
		for _, p := range presets {
			_, h, err := decode(p.Name, lines)
			if err == nil && p.Name != "text" && !strings.Contains(lines, "{") {
				t.Errorf("%s ended well with a stream of nothing", p.Name)
			}
			open := 0
			for _, it := range h.items {
				switch it.Kind {
				case event.ItemCall:
					open++
				case event.ItemReturn:
					if open--; open < 0 {
						t.Errorf("%s: a return of nothing that was called", p.Name)
					}
				}
			}
		}
	})
}

package native

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/model"
)

func TestAWorkersWholeWay(t *testing.T) {
	edit := call("edit_file", anEdit)
	edit.answer.Text = "I change it."
	edit.answer.Thinking = "MARKED-THOUGHT"
	edit.answer.Usage = model.Usage{In: 100, Out: 20, Context: 120, Window: 1000}
	edit.events = []model.Event{
		{Kind: model.EventThinking, Text: "MARKED-THOUGHT"}, {Kind: model.EventText, Text: "I change "}, {Kind: model.EventText, Text: "it."},
		{Kind: model.EventCall, Call: edit.answer.Calls[0]},
	}
	r := work(t, call("read_file", aReading), edit, call("submit_result", aResult))
	r.done(t)
	if got := r.content(t); got != "ONE\n" {
		t.Errorf("a.txt is %q", got)
	}
	first := r.client.requests[0]
	if len(first.Messages) != 1 || first.Messages[0].Role != model.User || first.Messages[0].Content != "the prompt" {
		t.Errorf("it was first told %+v", first.Messages)
	}
	third := r.client.requests[2].Messages
	roles := ""
	for _, m := range third {
		roles += m.Role + " "
		if strings.Contains(m.Content, "MARKED-THOUGHT") {
			t.Errorf("its reasoning came back as %s", m.Role)
		}
	}
	if roles != "user assistant tool assistant tool " {
		t.Errorf("the third request has %s", roles)
	}
	if third[2].CallID == "" || third[2].CallID != third[1].Calls[0].ID || third[2].CallName != "read_file" || third[2].CallID == third[4].CallID {
		t.Errorf("calls and their results: %+v, %+v", third[1], third[2])
	}
	kinds := ""
	for _, it := range r.items {
		kinds += it.Kind + ":" + it.Name + " "
	}
	if kinds != "call:read_file return:read_file thinking: text: text: call:edit_file return:edit_file call:submit_result return:submit_result " {
		t.Errorf("its transcript has %s", kinds)
	}
	if ret := r.items[1]; ret.Args != aReading || ret.Bytes != int64(len(ret.Text)) || ret.Turn != 1 || !strings.HasSuffix(ret.Text, "one\n") {
		t.Errorf("the reading is told as %+v", ret)
	}
	if len(r.usage) != 3 || r.usage[1] != (agent.Usage{In: 100, Out: 20, Context: 120, Window: 1000}) {
		t.Errorf("usage %+v", r.usage)
	}
}

func TestSeveralCallsInOneAnswer(t *testing.T) {
	r := work(t, call("read_file", aReading, "edit_file", anEdit, "submit_result", aResult))
	r.done(t)
	if r.content(t) != "ONE\n" {
		t.Error("the edit before handing in was not done")
	}
	// Handing in before the rest would claim what is not done yet.
	r = work(t, call("submit_result", aResult, "edit_file", anEdit), call("submit_result", aResult))
	r.done(t)
	answers := r.client.requests[1].Messages[2:]
	if r.content(t) != "ONE\n" || !strings.Contains(answers[0].Content, "hand in last") || !strings.Contains(answers[1].Content, "changed a.txt") {
		t.Errorf("%+v", answers)
	}
	var many []string
	for range 40 {
		many = append(many, "list_files", `{}`)
	}
	r = work(t, call(append(many, "submit_result", aResult)...))
	r.failed(t, "the same call with the same result")
	many = nil
	for i := range 40 {
		many = append(many, "search", `{"pattern":"`+strings.Repeat("x", i+1)+`"}`)
	}
	r = work(t, call(many...), call("submit_result", aResult))
	r.done(t)
	if m := r.client.requests[1].Messages; len(m) != 42 || !strings.Contains(m[41].Content, "more than 16 calls") {
		t.Errorf("%d messages, the last %q", len(m), m[len(m)-1].Content)
	}
}

func TestCallsThatAreWrittenWrongly(t *testing.T) {
	r := work(t,
		call("functions.Read-File<|x|>", `"{\"path\":\"a.txt\"}"`),
		call("raed_file", aReading),
		call("edit_file", `{"path":"a.txt","old":"one"`),
		call("edit_file", anEdit),
		call("submit_result", aResult))
	r.done(t)
	if notes := r.notes(event.NoteMended); len(notes) != 1 || !strings.Contains(notes[0], "functions.Read-File") {
		t.Errorf("mended: %q", notes)
	}
	m := r.client.requests[4].Messages
	if m[1].Calls[0].Name != "read_file" || m[1].Calls[0].Arguments != aReading {
		t.Errorf("the call goes on as %+v", m[1].Calls[0])
	}
	for i, words := range map[int]string{2: "one\n", 4: "did you mean read_file?", 6: "edit_file(path: string, old: string, new: string)"} {
		if !strings.Contains(m[i].Content, words) {
			t.Errorf("message %d is %q", i, m[i].Content)
		}
	}
}

// An answer without text or call is asked for again twice, visibly, and then
// ends the work.
func TestAnswersWithoutAnything(t *testing.T) {
	empty, blank := text(""), text(" \n\t\u200b")
	thought := reply{answer: model.Answer{Thinking: "hm", Usage: model.Usage{Out: 9}}}
	lost := reply{answer: model.Answer{Lost: true, Usage: model.Usage{Out: 30}}}
	cut := reply{answer: model.Answer{Text: "I wri", Reason: model.ReasonLength, Usage: model.Usage{In: 10, Out: 8192, Context: 8202, Window: 32768}}}
	for name, c := range map[string]struct {
		answer reply
		words  []string // of the end
		told   string
	}{
		"empty": {empty, []string{"3 times in a row", "empty"}, "empty"}, "blank": {blank, []string{"empty"}, "empty"},
		"thinking only": {thought, []string{"thought"}, "empty"},
		"lost calls":    {lost, []string{"lost"}, "could not be read"},
		"cut":           {cut, []string{"cut at its limit", "8192"}, "smaller steps"},
	} {
		t.Run(name, func(t *testing.T) {
			r := work(t, c.answer, c.answer, c.answer)
			r.failed(t, c.words...)
			if len(r.client.requests) != 3 {
				t.Errorf("asked %d times", len(r.client.requests))
			}
			notes := r.notes(event.NoteAsked)
			if len(notes) != 2 || !strings.Contains(notes[0], c.told) {
				t.Errorf("told %q", notes)
			}
			r = work(t, c.answer, c.answer, call("edit_file", anEdit), c.answer, c.answer, call("submit_result", aResult))
			r.done(t)
		})
	}
	full := cut
	full.answer.Usage = model.Usage{In: 900, Out: 99, Context: 999, Window: 1000}
	r := work(t, call("read_file", aReading), full)
	r.failed(t, "its context is full", "num_ctx")
}

func TestAnswersInWords(t *testing.T) {
	result := "# RESULT #1 (by Worker 1)\n\n## Files\n- modified: a.txt\n\n## Breaking\n- none\n\n## Summary\nDone.\n"
	r := work(t, text(result))
	if r.err != nil || r.outcome.Message != result || len(r.client.requests) != 1 {
		t.Errorf("%+v, %v", r.outcome, r.err)
	}
	r = work(t, text("blocked: needs b.txt"))
	if r.err != nil || r.outcome.Message != "blocked: needs b.txt" {
		t.Errorf("%+v, %v", r.outcome, r.err)
	}
	// Asked for the call once, and again only after a call was made.
	r = work(t, text("I will edit a.txt."), call("edit_file", anEdit), text("All is done."), call("submit_result", aResult))
	r.done(t)
	if notes := r.notes(event.NoteAsked); len(notes) != 2 || !strings.Contains(notes[0], "submit_result") {
		t.Errorf("asked %q", notes)
	}
	r = work(t, text("I will edit it."), text("As I said."))
	if r.err != nil || r.outcome.Message != "As I said." || !r.outcome.Asked || len(r.client.requests) != 2 {
		t.Errorf("%+v, %v", r.outcome, r.err)
	}
	r = work(t, text(strings.Replace(result, "## Breaking\n- none\n", "", 1)), call("submit_result", aResult))
	r.done(t)
	if m := r.client.last().Content; !strings.Contains(m, "Breaking missing") {
		t.Errorf("told %q", m)
	}
}

// Calls that a model writes into its text are done and told of, but for those
// that are only shown; one that breaks off never is.
func TestCallsInTheText(t *testing.T) {
	for _, written := range []string{
		"I look.\n<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}\n</tool_call>",
		"{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}",
		"```json\n{\"name\": \"read_file\", \"arguments\": \"{\\\"path\\\": \\\"a.txt\\\"}\"}\n```\n",
		"<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>",
	} {
		r := work(t, text(written), call("submit_result", aResult))
		r.done(t)
		m := r.client.requests[1].Messages
		if len(m) != 3 || m[1].Calls[0].Name != "read_file" || !strings.HasSuffix(m[2].Content, "one\n") {
			t.Errorf("%q goes on as %+v", written, m[1:])
		}
		if notes := r.notes(event.NoteMended); len(notes) == 0 || !strings.Contains(notes[0], "recovered call") {
			t.Errorf("%q is told as %q", written, notes)
		}
	}
	torn := text("<tool_call>\n{\"name\": \"submit_result\", \"arguments\": {\"status\": \"done\", \"summ")
	r := work(t, torn, torn, torn)
	r.failed(t, "3 times in a row", "tool call into its text")
	r = work(t, torn, call("submit_result", aResult))
	r.done(t)
	if m := r.client.last().Content; !strings.Contains(m, "could not be read") {
		t.Errorf("told %q", m)
	}
	shown := text("One calls it so:\n```json\n{\"name\": \"deploy\", \"arguments\": {\"to\": \"x\"}}\n```\n")
	r = work(t, shown, call("submit_result", aResult))
	r.done(t)
	if notes := r.notes(event.NoteMended); len(notes) != 0 {
		t.Errorf("an example was read as a call: %q", notes)
	}
}

func TestTheSameFailingCallThreeTimes(t *testing.T) {
	bad := call("edit_file", `{"path":"a.txt","old":"nothing like it","new":"x"}`)
	r := work(t, bad, bad, bad, call("submit_result", aResult))
	r.failed(t, "the same call with the same result 3 times", "edit_file")
	if m := r.client.last().Content; !strings.Contains(m, "third time ends your work") {
		t.Errorf("after the second it was told %q", m)
	}
	if !errors.Is(r.err, agent.ErrRepeating) {
		t.Errorf("%v", r.err)
	}
	r = work(t, bad, bad, call("edit_file", anEdit), bad, bad, call("submit_result", aResult))
	r.done(t)
}

// A model whose context comes to an end is told so, then has nothing left but
// to hand in; what it was told before stays as it was.
func TestNearTheEndOfTheContext(t *testing.T) {
	used := func(r reply, context int64) reply {
		r.answer.Usage = model.Usage{In: context - 5, Out: 5, Context: context, Window: 1000}
		return r
	}
	r := work(t, used(call("read_file", aReading), 500), used(call("search", `{"pattern":"one"}`), 810), used(call("list_files", `{}`), 905), call("edit_file", anEdit), call("submit_result", aResult))
	r.done(t)
	notes := r.notes(event.NoteAsked)
	if len(notes) != 1 || !strings.Contains(notes[0], "context is nearly full") || !strings.Contains(notes[0], "submit_result") {
		t.Fatalf("told %q", notes)
	}
	if got := r.client.requests[2].Messages; got[len(got)-1].Role != model.User {
		t.Errorf("told as %s", got[len(got)-1].Role)
	}
	last := r.client.requests[4]
	if len(last.Tools) != 1 || last.Tools[0].Name != "submit_result" {
		t.Errorf("it still has %d tools", len(last.Tools))
	}
	if r.content(t) != "one\n" || !strings.Contains(r.client.last().Content, "no tool") {
		t.Errorf("the last was %q", r.client.last().Content)
	}
	for i, m := range r.client.requests[3].Messages {
		if last.Messages[i].Content != m.Content {
			t.Errorf("message %d was changed to %q", i, last.Messages[i].Content)
		}
	}
	long := &model.Error{Trouble: model.PromptLong, Doing: "ask", Detail: "it does not fit", Next: "raise num_ctx"}
	r = work(t, call("read_file", aReading), reply{err: long})
	r.failed(t, "its context is full after 1 turns", "raise num_ctx")
	r = work(t, reply{err: long})
	r.failed(t, "it does not fit", "raise num_ctx")
}

func TestResultsFitWhatIsLeft(t *testing.T) {
	r := &run{client: &scripted{t: t}}
	tk := &talk{Agent: New(Options{Client: r.client}), usage: model.Usage{In: 700, Context: 700, Window: 1000}, sent: 700}
	if got := tk.room(); got != smallestResult {
		t.Errorf("room for %d bytes", got)
	}
	tk.usage = model.Usage{In: 1000, Context: 1000, Window: 32768}
	tk.sent = 3500
	if got := tk.room(); got != largestResult {
		t.Errorf("room for %d bytes", got)
	}
	tk.usage = model.Usage{In: 24768, Context: 24768, Window: 32768}
	if got := tk.room(); got != 4000 {
		t.Errorf("with a byte a token: room for %d bytes", got)
	}
}

func TestErrorsOfAServer(t *testing.T) {
	limit := &model.Error{Trouble: model.RateLimited, Doing: "ask", Detail: "429", After: time.Hour}
	r := work(t, reply{err: limit})
	var usage *agent.UsageLimit
	if !errors.As(r.err, &usage) || time.Until(usage.Until) < 50*time.Minute {
		t.Errorf("%v", r.err)
	}
	gone := &model.Error{Trouble: model.NotRunning, Doing: "ask model x", Detail: "nobody answers", Next: "start the server with `ollama serve`"}
	r = work(t, reply{err: gone})
	r.failed(t, "ollama serve")
	r = work(t, reply{events: []model.Event{{Kind: model.EventText, Text: "# RESULT #1\nhalf"}}, err: &model.Error{Trouble: model.Broken, Doing: "ask", Detail: "it broke off"}})
	r.failed(t, "broke off")
	r = work(t, reply{events: []model.Event{{Kind: model.EventText, Text: "half"}, {Kind: model.EventRetry, Text: "it broke off"}}, answer: call("submit_result", aResult).answer})
	r.done(t)
	if notes := r.notes(event.NoteAsked); len(notes) != 1 || !strings.Contains(notes[0], "void") {
		t.Errorf("told %q", notes)
	}
}

func TestAStopEndsAnAnswerAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped by the operator")
	r := workWith(t, ctx, &scripted{t: t, answers: []reply{{during: func(ctx context.Context) { cancel(stopped); <-ctx.Done() }}}}, agent.Request{})
	if !errors.Is(r.err, stopped) {
		t.Errorf("%v", r.err)
	}
	ctx, cancel = context.WithCancelCause(context.Background())
	permit := func(ctx context.Context, _ string) (bool, error) {
		cancel(stopped)
		<-ctx.Done()
		return false, context.Cause(ctx)
	}
	r = workWith(t, ctx, &scripted{t: t, answers: []reply{call("run_command", `{"command":"rm x"}`)}}, agent.Request{Permit: permit})
	if !errors.Is(r.err, stopped) {
		t.Errorf("%v", r.err)
	}
}

func TestWhatLeavesFirstIsTold(t *testing.T) {
	var bodies []string
	r := workWith(t, context.Background(), &scripted{t: t, answers: []reply{call("read_file", aReading), call("submit_result", aResult)}},
		agent.Request{Sent: func(body []byte) { bodies = append(bodies, string(body)) }})
	r.done(t)
	if !slices.Equal(bodies, []string{"the body"}) {
		t.Errorf("%q", bodies)
	}
}

func TestNoConversationIsEndless(t *testing.T) {
	// Text, call, text, call …: asked for a call each time, but not for ever.
	var answers []reply
	for i := range 30 {
		answers = append(answers, text("Hm."), call("search", `{"pattern":"`+strings.Repeat("y", i+1)+`"}`))
	}
	r := work(t, answers...)
	if len(r.notes(event.NoteAsked)) != maxAsk || r.err != nil || r.outcome.Message != "Hm." {
		t.Errorf("asked %d times, then %+v, %v", len(r.notes(event.NoteAsked)), r.outcome, r.err)
	}
	var calls []reply
	for i := range 50 {
		calls = append(calls, call("search", `{"pattern":"`+strings.Repeat("z", i+1)+`"}`))
	}
	r = work(t, calls...)
	r.failed(t, "over its number of turns")
}

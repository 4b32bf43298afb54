// Package native is the kind of agent that is a language model and a loop of
// our own: the model is given its prompt and its tools, each of its calls is
// carried out, and what came of it goes back, until it has handed in. What a
// model does wrong with a call is told to it in words, a bounded number of
// times; nothing here waits for ever, and nothing is cut from a conversation
// without a word.
package native

import (
	"context"
	"errors"
	"fmt"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/tool"
)

// Options make an agent.
type Options struct {
	Client model.Client
	// Tools are those of a request. live is given what a command prints.
	Tools func(req agent.Request, live func(text string)) (*tool.Set, error)
	// Hide takes secrets out of a text; nil takes nothing.
	Hide func(string) string
}

// Agent is a model with tools.
type Agent struct{ Options }

// New makes the agent. Nobody is asked for anything yet.
func New(o Options) *Agent {
	if o.Hide == nil {
		o.Hide = func(text string) string { return text }
	}
	return &Agent{o}
}

// Prompt is a prompt as it will be sent: what would steer the model's template
// is made text.
func (a *Agent) Prompt(ctx context.Context, text string) string {
	info, err := a.Client.Describe(ctx)
	if err != nil {
		info = model.Info{} // the exchange itself will say what is wrong
	}
	return info.Controls.Neutral(text)
}

// Run works until something was handed in, or says why that will not be.
func (a *Agent) Run(ctx context.Context, req agent.Request, emit func(agent.Update)) (agent.Outcome, error) {
	t := &talk{Agent: a, req: req, emit: emit, messages: []model.Message{{Role: model.User, Content: req.Prompt}}}
	set, err := a.Tools(req, t.live)
	if err != nil {
		return agent.Outcome{}, err
	}
	defer set.Close()
	t.set = set
	out, err := t.run(ctx)
	if cause := context.Cause(ctx); cause != nil {
		return out, cause
	}
	return out, a.worded(err)
}

// worded is an error without secrets; a model server's limit is known as such.
func (a *Agent) worded(err error) error {
	var said *model.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &said) && said.Trouble == model.RateLimited:
		limit := &agent.UsageLimit{Text: a.Hide(said.Error())}
		if said.After > 0 {
			limit.Until = time.Now().Add(said.After)
		}
		return limit
	}
	if text := err.Error(); a.Hide(text) != text {
		return errors.New(a.Hide(text))
	}
	return err
}

// talk is one conversation with a model.
type talk struct {
	*Agent
	req      agent.Request
	emit     func(agent.Update)
	set      *tool.Set
	messages []model.Message
	turn     int
	calls    int
	usage    model.Usage // of the last exchange
	sent     int         // bytes of the messages it was about
	asked    asking
	told     bool // that its context is nearly full
	failed   failing
	limited  bool
}

func (t *talk) run(ctx context.Context) (agent.Outcome, error) {
	for {
		t.turn++
		t.item(event.Item{})
		if ctx.Err() != nil {
			return agent.Outcome{}, context.Cause(ctx)
		}
		answer, err := t.exchange(ctx)
		if err != nil {
			return agent.Outcome{}, err
		}
		out, over, err := t.take(ctx, answer)
		if over || err != nil {
			return out, err
		}
		t.mindContext()
	}
}

// take does what an answer asks for. over says that the work has ended.
func (t *talk) take(ctx context.Context, answer model.Answer) (out agent.Outcome, over bool, err error) {
	torn := t.hearSpoken(&answer)
	if len(answer.Calls) > 0 {
		t.asked.answered()
		t.carryOut(ctx, answer)
		if err := context.Cause(ctx); err != nil {
			return out, true, err
		}
		handed := t.set.Handed()
		return outcome(handed), handed.Done, nil
	}
	t.say(model.Message{Role: model.Assistant, Content: answer.Text})
	why := answer.Incomplete()
	if why == nil && torn {
		why = errTorn
	}
	if why != nil {
		return out, false, t.askFor(why, answer)
	}
	words, taken := t.set.Said(answer.Text)
	switch {
	case taken:
		out = outcome(t.set.Handed())
		out.Message, out.Asked = answer.Text, true
		return out, true, nil
	case !t.asked.forCall():
		return agent.Outcome{Message: answer.Text, Asked: true}, true, nil
	}
	t.ask(words)
	return out, false, nil
}

var errTorn = errors.New("it wrote a tool call into its text, and not to the end")

// hearSpoken takes the calls that a model wrote into its text for what they
// are. torn says that one was begun and is not whole.
func (t *talk) hearSpoken(answer *model.Answer) (torn bool) {
	if len(answer.Calls) > 0 {
		return false
	}
	spoken := model.SpokenCalls(answer.Text, t.set.Find)
	if len(spoken.Calls) == 0 || spoken.Torn {
		return spoken.Torn
	}
	if answer.Reason == model.ReasonLength {
		return true // what was cut is not known to be what was meant
	}
	for _, call := range spoken.Calls {
		t.item(event.Item{Kind: event.ItemNote, Name: event.NoteMended, Text: "recovered call: " + call.Name + " was written into the text"})
	}
	answer.Calls, answer.Text = spoken.Calls, spoken.Text
	return false
}

func outcome(h tool.Handed) agent.Outcome {
	return agent.Outcome{Submitted: h.Result, Plan: h.Plan, Message: h.Report, Asked: true}
}

// say adds a message to the conversation.
func (t *talk) say(m model.Message) { t.messages = append(t.messages, m) }

// ask puts something to the model in words, and says so in the transcript.
func (t *talk) ask(words string) {
	t.say(model.Message{Role: model.User, Content: words})
	t.item(event.Item{Kind: event.ItemNote, Name: event.NoteAsked, Text: words})
}

func (t *talk) item(it event.Item) {
	it.Turn = t.turn
	t.emit(agent.Update{Item: it})
}

func (t *talk) live(text string) { t.item(event.Item{Kind: event.ItemOutput, Text: text}) }

// exchange asks the model once.
func (t *talk) exchange(ctx context.Context) (model.Answer, error) {
	h := &hearing{talk: t}
	request := model.Request{Messages: t.messages, Tools: t.set.Definitions()}
	if t.turn == 1 && t.req.Sent != nil {
		request.Sent = t.req.Sent
	}
	t.sent = size(t.messages)
	answer, err := t.Client.Chat(ctx, request, h.hear)
	h.end()
	if err != nil {
		return answer, t.full(err)
	}
	t.usage = answer.Usage
	u := answer.Usage
	t.emit(agent.Update{Item: event.Item{Turn: t.turn}, Usage: &agent.Usage{
		In: u.In, Out: u.Out, Cached: u.Cached, Estimated: u.Estimated, Context: u.Context, Window: u.Window,
	}})
	return answer, nil
}

// full says what a prompt that no longer fits means for this work.
func (t *talk) full(err error) error {
	if model.TroubleOf(err) != model.PromptLong || t.turn == 1 {
		return err
	}
	return fmt.Errorf("its context is full after %d turns, before it has handed in: %w", t.turn-1, err)
}

func size(messages []model.Message) int {
	n := 0
	for _, m := range messages {
		n += len(m.Content)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
	}
	return n
}

package native

import (
	"context"
	"fmt"
	"time"

	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/tool"
)

// maxCalls bounds the calls of one answer.
const maxCalls = 16

// carryOut does the calls of an answer in their order. Each gets an answer of
// its own, so that the model never waits for one.
func (t *talk) carryOut(ctx context.Context, answer model.Answer) {
	calls := t.readable(answer.Calls)
	t.say(model.Message{Role: model.Assistant, Content: answer.Text, Calls: calls})
	for i, call := range calls {
		var ret tool.Return
		switch {
		case ctx.Err() != nil:
			return
		case i >= maxCalls:
			ret = notDone(call, fmt.Sprintf("more than %d calls at once; make the others again", maxCalls))
		case i < len(calls)-1 && tool.HandsIn(call.Name):
			ret = notDone(call, "hand in last and alone: there are further calls behind this one")
		case t.set.Handed().Done:
			ret = notDone(call, "the work was handed in")
		default:
			ret = t.do(ctx, call)
		}
		t.say(model.Message{Role: model.ToolRole, Content: ret.Text + t.failed.note(ret), CallID: call.ID, CallName: call.Name})
	}
}

// readable gives each call an id and, where a tool is meant, that tool's name
// and arguments that can be written down.
func (t *talk) readable(calls []model.Call) []model.Call {
	out := make([]model.Call, len(calls))
	for i, call := range calls {
		t.calls++
		if call.ID == "" {
			call.ID = fmt.Sprintf("call_%d", t.calls)
		}
		_, read, err := t.set.Read(call)
		if err == nil {
			call.Name, call.Arguments = read.Name, read.Args
			if read.Mended != "" {
				t.item(event.Item{Kind: event.ItemNote, Name: event.NoteMended, Text: read.Name + ": " + read.Mended})
			}
		}
		out[i] = call
	}
	return out
}

func (t *talk) do(ctx context.Context, call model.Call) tool.Return {
	began := time.Now()
	_, read, _ := t.set.Read(call)
	args := t.Hide(read.Args)
	t.item(event.Item{Kind: event.ItemCall, Name: read.Name, Text: args})
	ret := t.set.Do(ctx, call, t.room())
	t.item(event.Item{
		Kind: event.ItemReturn, Name: ret.Name, Args: args, Text: ret.Text,
		Bytes: ret.Bytes, MS: time.Since(began).Milliseconds(), Error: ret.Error,
	})
	return ret
}

func notDone(call model.Call, why string) tool.Return {
	return tool.Return{Name: call.Name, Args: call.Arguments, Text: "error: not done: " + why, Error: "not done: " + why}
}

// failing counts equal calls that fail in a row.
type failing struct {
	last string
	n    int
}

// note warns a model that is about to make the same failing call a third time:
// that would end its work.
func (f *failing) note(ret tool.Return) string {
	if ret.Error == "" {
		*f = failing{}
		return ""
	}
	call := ret.Name + "\x00" + ret.Args
	if call != f.last {
		*f = failing{last: call}
	}
	if f.n++; f.n == 2 {
		return "\n(This very call has failed twice. A third time ends your work: do something else.)"
	}
	return ""
}

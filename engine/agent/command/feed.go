package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

const (
	maxReturn  = 50 << 10  // bytes of a tool's result in the transcript
	maxPending = 8 << 10   // bytes of text that wait for the next frame
	maxMessage = 256 << 10 // bytes kept of a last message
	maxNote    = 2 << 10   // bytes of a remark
	maxStray   = 20        // lines that belong to no stream and are shown
)

// feed turns what a decoder finds into updates. Text comes in pieces smaller
// than a screen can show, so it is gathered and passed on once a frame.
type feed struct {
	mu      sync.Mutex
	emit    func(agent.Update)
	turn    int
	kind    string
	pending strings.Builder
	calls   map[string]toolCall
	used    agent.Usage
	// returned is set when a tool has returned since the turn began: what the
	// model does next is another turn.
	returned bool
	stray    int
	last     string // the last stray line
}

type toolCall struct {
	name, args string
	began      time.Time
}

func newFeed(emit func(agent.Update)) *feed { return &feed{emit: emit, calls: map[string]toolCall{}} }

func (f *feed) locked(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// beat passes on what has gathered. Even when it is nothing the program has
// printed something: a sign of life.
func (f *feed) beat() {
	f.locked(func() {
		f.flush()
		f.emit(agent.Update{})
	})
}

func (f *feed) flush() {
	if f.pending.Len() == 0 {
		return
	}
	text := f.pending.String()
	f.pending.Reset()
	f.item(event.Item{Kind: f.kind, Text: text})
}

func (f *feed) item(it event.Item) {
	it.Turn = f.turn
	f.emit(agent.Update{Item: it})
}

// begin opens a turn.
func (f *feed) begin() {
	f.flush()
	f.turn++
	f.returned = false
	f.item(event.Item{})
}

// goOn opens a turn where the stream does not say so: at the first thing a
// model does, and after each return.
func (f *feed) goOn() {
	if f.turn == 0 || f.returned && len(f.calls) == 0 {
		f.begin()
	}
}

func (f *feed) text(text string)     { f.gather(event.ItemText, text) }
func (f *feed) thinking(text string) { f.gather(event.ItemThinking, text) }

func (f *feed) gather(kind, text string) {
	if text == "" {
		return
	}
	if f.kind != kind {
		f.flush()
		f.kind = kind
	}
	f.pending.WriteString(text)
	if f.pending.Len() >= maxPending {
		f.flush()
	}
}

// whole is text that came in one piece and stands on a line of its own.
func (f *feed) whole(kind, text string) {
	if text != "" {
		f.gather(kind, strings.TrimSuffix(text, "\n")+"\n")
	}
}

func (f *feed) note(format string, args ...any) {
	f.flush()
	f.item(event.Item{Kind: event.ItemNote, Text: cut(fmt.Sprintf(format, args...), maxNote)})
}

// call is a tool call that begins.
func (f *feed) call(id, name, args string) {
	f.flush()
	f.calls[id] = toolCall{name, args, time.Now()}
	f.item(event.Item{Kind: event.ItemCall, Name: name, Text: args})
}

// answer is how a call ended. Took is nil where the stream does not say.
type answer struct {
	id, text, failure string
	took              *int64 // milliseconds
}

func (f *feed) answer(a answer) {
	c, known := f.calls[a.id]
	if !known {
		return // a result of nothing that was called
	}
	f.flush()
	delete(f.calls, a.id)
	f.returned = true
	took := time.Since(c.began).Milliseconds()
	if a.took != nil {
		took = *a.took
	}
	f.item(event.Item{
		Kind: event.ItemReturn, Name: c.name, Args: c.args, Text: cut(a.text, maxReturn),
		Bytes: int64(len(a.text)), MS: took, Error: cut(a.failure, maxNote),
	})
}

func (f *feed) usage(u agent.Usage) {
	if u == (agent.Usage{}) {
		return
	}
	f.flush()
	f.used.In += u.In
	f.used.Out += u.Out
	f.used.Cached += u.Cached
	f.used.Cost += u.Cost
	f.emit(agent.Update{Item: event.Item{Turn: f.turn}, Usage: &u})
}

// total is what a program says at its end that it has used: what of it was not
// told before is told now.
func (f *feed) total(u agent.Usage) {
	f.usage(agent.Usage{
		In: max(0, u.In-f.used.In), Out: max(0, u.Out-f.used.Out),
		Cached: max(0, u.Cached-f.used.Cached), Cost: max(0, u.Cost-f.used.Cost), Window: u.Window,
	})
}

// read decodes one line of a JSON stream. A line that is none is shown, within
// bounds: it is a warning of the program or of what it was started by. A field
// of another type than expected takes nothing from the others.
func (f *feed) read(line []byte, into any) bool {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte("{")) {
		err := json.Unmarshal(line, into)
		var mismatch *json.UnmarshalTypeError
		if err == nil || errors.As(err, &mismatch) {
			return true
		}
	}
	text := string(line)
	if text == "" {
		return false
	}
	f.last = text
	if f.stray++; f.stray <= maxStray {
		f.note("%s", text)
	}
	return false
}

// stopped is the failure of a stream that ended before its end marker.
func (f *feed) stopped(marker string, out workspace.Outcome) error {
	words := f.last
	if words == "" {
		words = lastWords(out)
	}
	text := fmt.Sprintf("it stopped before its end (no %s; %s)", marker, out)
	if words != "" {
		text += ": " + cut(words, maxNote)
	}
	return failure(text)
}

// lastWords are the last lines a program printed that are no JSON.
func lastWords(out workspace.Outcome) string {
	var words []string
	for line := range strings.Lines(out.Text(8 << 10)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "{") && !strings.HasSuffix(line, "}") {
			words = append(words, line)
		}
	}
	return strings.Join(words[max(0, len(words)-5):], " / ")
}

// failed is what a program or its model server said went wrong: a limit that
// ends some time, or a failure.
func failed(text string) error {
	if text = strings.TrimSpace(cut(text, 4*maxNote)); text == "" {
		text = "it failed without saying why"
	}
	if limit := usageLimit(text, time.Now()); limit != nil {
		return limit
	}
	return failure(cut(text, maxNote))
}

// failure is what ended an agent, in words.
type failure string

func (f failure) Error() string { return string(f) }

var signIn = regexp.MustCompile(`(?i)\b(api.?key|unauthorized|authenticat|log ?in|not logged|credential|401|auth method)`)

// cut keeps the two ends of a text that is longer than size bytes.
func cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	half := size / 2
	return fmt.Sprintf("%s\n… %d bytes left out …\n%s", strings.ToValidUTF8(text[:half], ""), len(text)-2*half,
		strings.ToValidUTF8(text[len(text)-half:], ""))
}

package views

import (
	"fmt"
	"strings"

	"growbench/engine/event"
	"growbench/theme/text"
)

// maxCallLine is how many bytes of a tool's arguments its one line holds.
const maxCallLine = 400

// writes are the tools that change files. What they answer is a word of
// confirmation: its size would read as how much was written.
var writes = map[string]bool{"edit_file": true, "write_file": true}

// Transcript shows what one agent did, line by line, as it happens. Tool calls
// are folded to one line; it follows the end only while it stands there.
type Transcript struct {
	look   Look
	pager  pager
	file   string // where the whole of it stands, for who reads on
	kind   string // of the items the open stream is made of
	turn   int
	flow   text.Stream
	open   int // number of the unfinished line, or -1
	call   int // number of the last call's line while it runs, else -1
	called event.Item
	note   string
}

// NewTranscript returns an empty transcript.
func NewTranscript(t Look) Transcript {
	return Transcript{look: t, pager: newPager(), open: -1, call: -1}
}

// SetLook changes the colours of what comes from now on.
func (t *Transcript) SetLook(l Look) { t.look = l }

// SetSize sets the pane's size in cells.
func (t *Transcript) SetSize(width, height int) {
	if width != t.pager.width || height != t.pager.height {
		t.pager.setSize(width, height)
	}
}

// Reset empties the pane for another agent. File is where its transcript
// stands; note is shown while there is nothing.
func (t *Transcript) Reset(file, note string) {
	width, height, unfolded := t.pager.width, t.pager.height, t.pager.unfolded
	*t = NewTranscript(t.look)
	t.file, t.note = file, note
	t.pager.width, t.pager.height, t.pager.unfolded = width, height, unfolded
}

// Append adds items in the order they were written.
func (t *Transcript) Append(items []event.Item) {
	for _, it := range items {
		t.append(it)
	}
	if t.pager.follow {
		t.pager.settle()
	}
}

func (t *Transcript) append(it event.Item) {
	if it.Turn > t.turn {
		t.closeFlow()
		t.turn = it.Turn
		t.push(fmt.Sprintf("%s turn %d", strings.Repeat(t.look.Symbols.Frame.Top, 2), it.Turn), toneDim, false)
	}
	switch it.Kind {
	case event.ItemText, event.ItemThinking, event.ItemOutput:
		t.stream(it)
	case event.ItemCall:
		t.closeFlow()
		t.call, t.called = t.pager.end(), it
		t.pager.push(line{text: callLine(t.look, it, ""), tone: toneTool, clip: true})
	case event.ItemReturn:
		t.closeFlow()
		t.finishCall(it)
	default:
		t.closeFlow()
		t.lines(it.Text, toneDim, false)
	}
}

// callLine is a call's one line. The outcome stands before the arguments,
// which may be cut.
func callLine(l Look, it event.Item, outcome string) string {
	args := it.Text
	if len(args) > maxCallLine {
		args = args[:maxCallLine] + "…"
	}
	if outcome != "" {
		outcome = "(" + outcome + ") "
	}
	return l.Symbols.Running + " " + text.Visible(it.Name) + " " + outcome + text.Visible(args)
}

// finishCall puts the outcome on the call's own line, the result beneath it.
func (t *Transcript) finishCall(it event.Item) {
	l := line{tone: toneTool, clip: true}
	outcome := fmt.Sprintf("%d ms", it.MS)
	if !writes[it.Name] {
		outcome = Bytes(it.Bytes) + ", " + outcome
	}
	if it.Error != "" {
		l.tone, outcome = toneBad, "failed: "+text.Line(it.Error)
	}
	if t.call >= 0 {
		l.text = callLine(t.look, t.called, outcome)
		t.pager.replace(t.call, l)
	} else {
		l.text = callLine(t.look, event.Item{Name: it.Name}, outcome)
		t.pager.push(l)
	}
	t.call, t.called = -1, event.Item{}
	t.lines(it.Text, toneDim, true)
}

// stream takes a piece of text that goes on where the last piece ended.
func (t *Transcript) stream(it event.Item) {
	if it.Kind != t.kind {
		t.closeFlow()
		t.kind = it.Kind
	}
	tone, detail := toneText, it.Kind == event.ItemOutput
	switch it.Kind {
	case event.ItemThinking:
		tone = toneThinking
	case event.ItemOutput:
		tone = toneDim
	}
	done := t.flow.Write([]byte(it.Text))
	for done != "" {
		whole, rest, _ := strings.Cut(done, "\n")
		t.settleLine(whole, tone, detail)
		t.open = -1
		done = rest
	}
	if current := t.flow.Current(); current != "" {
		t.settleLine(current, tone, detail)
	}
}

// settleLine writes the unfinished line, or begins one.
func (t *Transcript) settleLine(s string, tone tone, detail bool) {
	if t.open >= 0 {
		t.pager.replace(t.open, line{text: s, tone: tone, detail: detail})
		return
	}
	t.open = t.pager.end()
	t.push(s, tone, detail)
}

func (t *Transcript) closeFlow() {
	t.flow.Flush()
	t.kind, t.open = "", -1
}

func (t *Transcript) lines(s string, tone tone, detail bool) {
	if s == "" {
		return
	}
	for l := range strings.SplitSeq(strings.TrimRight(text.Clean(s), "\n"), "\n") {
		t.push(l, tone, detail)
	}
}

func (t *Transcript) push(s string, tone tone, detail bool) {
	t.pager.push(line{text: s, tone: tone, detail: detail})
}

// Scroll moves the window by rows, Page by whole windows.
func (t *Transcript) Scroll(rows int) { t.pager.scroll(rows) }

// Page moves the window by a number of windows.
func (t *Transcript) Page(pages int) { t.pager.scroll(pages * max(t.pager.height-1, 1)) }

// Home goes to the first line that is kept.
func (t *Transcript) Home() { t.pager.home() }

// End goes to the end and follows it.
func (t *Transcript) End() { t.pager.toEnd() }

// Fold shows (true) or hides what tools were given and gave back.
func (t *Transcript) Fold(unfolded bool) { t.pager.fold(unfolded) }

// Unfolded tells whether results of tools are shown.
func (t *Transcript) Unfolded() bool { return t.pager.unfolded }

// Following tells whether the pane stands at its end.
func (t *Transcript) Following() bool { return t.pager.follow }

// Mark says in a few words what is below the window or above it.
func (t *Transcript) Mark() string {
	switch {
	case !t.pager.follow && t.pager.fresh > 0:
		return fmt.Sprintf("%d new ↓", t.pager.fresh)
	case !t.pager.follow:
		return "more ↓"
	}
	return ""
}

// View draws the pane.
func (t *Transcript) View() []string {
	if t.pager.end() == 0 {
		out := NewRow(t.pager.width).Add(t.look.Muted, t.note).String()
		return exactly([]string{out}, t.pager.width, t.pager.height)
	}
	lines := t.pager.view(t.look)
	if t.pager.first > 0 && t.pager.top == t.pager.first && len(lines) > 0 {
		lines[0] = NewRow(t.pager.width).Add(t.look.Warn,
			fmt.Sprintf("%s before this not kept here; all of it is in %s", plural(t.pager.first, "line"), t.file)).String()
	}
	return lines
}

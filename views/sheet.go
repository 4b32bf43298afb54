package views

import (
	"fmt"
	"slices"
	"strings"

	"growbench/engine/event"
	"growbench/theme/text"
)

// maxCallLine is how many bytes of a tool's arguments its one line holds.
const maxCallLine = 400

// writes are the tools that change files. What they answer is a word of
// confirmation: its size would read as how much was written.
var writes = map[string]bool{"edit_file": true, "write_file": true}

// Sheet is one page of a transcript made into lines that are safe to draw.
// Making one takes about a millisecond: not in Update, not in View.
type Sheet struct {
	number int
	size   int64 // of the file when its page was read
	open   bool
	lines  []line
	bytes  int
}

// Number is the number of its page, from 0.
func (s *Sheet) Number() int { return s.number }

// NewSheet makes the lines of a page.
func NewSheet(p event.Page) *Sheet {
	c := compositor{sheet: &Sheet{number: p.Number, size: p.Size, open: p.Open}, turn: p.Turn, skip: p.Torn}
	for _, it := range p.Called {
		c.calls = append(c.calls, running{item: it, head: -1})
	}
	last := ""
	for _, it := range p.Items {
		c.add(it)
		last = it.Kind
	}
	if p.Rest != "" {
		c.stream(event.Item{Kind: last, Text: p.Rest})
	}
	c.closeFlow()
	for _, it := range p.Returned {
		c.finish(it.Item)
	}
	for _, l := range c.sheet.lines {
		c.sheet.bytes += len(l.text) + lineBytes
	}
	return c.sheet
}

// lineBytes is what a line takes beside its text.
const lineBytes = 40

// compositor makes lines from items in the order they were written.
type compositor struct {
	sheet *Sheet
	turn  int
	skip  string // kind of stream whose unfinished line stands on an earlier sheet
	kind  string // of the items the stream at hand is made of
	flow  text.Stream
	calls []running
	diff  patchReader // of the output or result at hand
}

// running is a call that has not returned. Head is the number of its line, or
// -1 when that stands on an earlier sheet.
type running struct {
	item event.PlacedItem
	head int
}

func (r running) id() int64 { return r.item.At + 1 }

func (c *compositor) push(l line) { c.sheet.lines = append(c.sheet.lines, l) }

func (c *compositor) add(it event.PlacedItem) {
	if it.Turn > 0 && it.Turn != c.turn {
		c.closeFlow()
		c.skip, c.turn = "", it.Turn
		c.push(line{text: fmt.Sprintf("turn %d", it.Turn), tone: toneTurn})
	}
	switch it.Kind {
	case event.ItemText, event.ItemThinking, event.ItemOutput:
		c.stream(it.Item)
		return
	case event.ItemCall:
		c.closeFlow()
		r := running{item: it, head: len(c.sheet.lines)}
		c.calls = append(c.calls, r)
		c.push(line{text: callLine(it.Item, ""), tone: toneTool, call: r.id(), head: true})
		c.edits(it.Text, r.id())
	case event.ItemReturn:
		c.closeFlow()
		c.returned(it)
	default:
		c.closeFlow()
		c.lines(it.Text, toneDim, 0)
	}
	c.skip = ""
}

// callLine is a call's one line. The outcome stands before the arguments,
// which may be cut.
func callLine(it event.Item, outcome string) string {
	args := it.Text
	if len(args) > maxCallLine {
		args = args[:maxCallLine] + "…"
	}
	if outcome != "" {
		outcome = "(" + outcome + ") "
	}
	return text.Visible(it.Name) + " " + outcome + text.Visible(args)
}

// returned puts the result beneath its call.
func (c *compositor) returned(it event.PlacedItem) {
	latest := len(c.calls) - 1
	i := slices.IndexFunc(c.calls, func(r running) bool { return it.Answers(r.item.Item) })
	if i < 0 { // of a call nobody knows
		c.calls = append(c.calls, running{event.PlacedItem{Item: event.Item{Name: it.Name}, At: it.At}, len(c.sheet.lines)})
		i = len(c.calls) - 1
		latest = i
		c.push(line{tone: toneTool, call: c.calls[i].id(), head: true})
	}
	call := c.calls[i]
	c.finish(it.Item)
	if i != latest { // several ran at the same time
		c.push(line{text: text.Visible(it.Name) + " gave back:", tone: toneDim, call: call.id()})
	}
	c.lines(it.Text, toneDim, call.id())
}

// finish puts the outcome on the call's own line.
func (c *compositor) finish(it event.Item) {
	i := slices.IndexFunc(c.calls, func(r running) bool { return it.Answers(r.item.Item) })
	if i < 0 {
		return
	}
	call := c.calls[i]
	c.calls = slices.Delete(c.calls, i, i+1)
	if call.head < 0 {
		return
	}
	head := &c.sheet.lines[call.head]
	outcome := fmt.Sprintf("%d ms", it.MS)
	if !writes[it.Name] {
		outcome = Bytes(it.Bytes) + ", " + outcome
	}
	if it.Error != "" {
		head.tone, outcome = toneBad, "failed: "+text.Line(it.Error)
	}
	head.text = callLine(call.item.Item, outcome)
}

// stream takes a piece of text that goes on where the last piece ended.
func (c *compositor) stream(it event.Item) {
	if it.Kind == c.skip {
		_, rest, found := strings.Cut(it.Text, "\n")
		if !found {
			return
		}
		it.Text = rest
	}
	c.skip = ""
	if it.Kind != c.kind {
		c.closeFlow()
		c.kind = it.Kind
	}
	done := c.flow.Write([]byte(it.Text))
	for done != "" {
		whole, rest, _ := strings.Cut(done, "\n")
		c.flowed(whole)
		done = rest
	}
}

// flowed is a line of the stream at hand.
func (c *compositor) flowed(s string) {
	switch c.kind {
	case event.ItemThinking:
		c.push(line{text: s, tone: toneThinking})
	case event.ItemOutput:
		c.push(line{text: s, tone: c.diff.tone(s, toneDim), call: c.latest()})
	default:
		c.push(line{text: s})
	}
}

// latest is the call that runs now; output without one belongs to none that
// could be unfolded alone.
func (c *compositor) latest() int64 {
	if len(c.calls) == 0 {
		return unknownCall
	}
	return c.calls[len(c.calls)-1].id()
}

func (c *compositor) closeFlow() {
	if left := c.flow.Flush(); left != "" {
		c.flowed(left)
	}
	c.kind, c.diff = "", patchReader{}
}

func (c *compositor) lines(s string, tone tone, call int64) {
	if s == "" {
		return
	}
	var diff patchReader
	for l := range strings.SplitSeq(strings.TrimRight(text.Clean(s), "\n"), "\n") {
		c.push(line{text: l, tone: diff.tone(l, tone), call: call})
	}
}

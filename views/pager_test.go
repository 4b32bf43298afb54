package views

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"growbench/engine/event"
	"growbench/theme"
)

func plainTheme(t testing.TB) Look {
	t.Helper()
	th, err := theme.New(theme.None, nil)
	if err != nil {
		t.Fatal(err)
	}
	return NewLook(th)
}

// newTranscript returns one of that size holding lines "line 0" … "line n-1".
func newTranscript(t testing.TB, width, height, n int) *scroll {
	t.Helper()
	tr := &scroll{Transcript: NewTranscript(plainTheme(t)), t: t}
	tr.SetSize(width, height)
	say(tr, 0, n)
	return tr
}

// scroll is a transcript with the file its sheets are made from.
type scroll struct {
	Transcript
	t    testing.TB
	file bytes.Buffer
}

// Append writes items to the file and hands in what that changes.
func (s *scroll) Append(items []event.Item) {
	s.t.Helper()
	known := event.PageCount(int64(s.file.Len()))
	enc := json.NewEncoder(&s.file)
	for _, it := range items {
		if err := enc.Encode(it); err != nil {
			s.t.Fatal(err)
		}
	}
	numbers := s.Unfinished()
	count := event.PageCount(int64(s.file.Len()))
	for n := known; n < count; n++ {
		numbers = append(numbers, n)
	}
	s.Grow(count, s.sheets(numbers)...)
}

func (s *scroll) read(numbers []int) { s.Put(s.sheets(numbers)...) }

func (s *scroll) sheets(numbers []int) (sheets []*Sheet) {
	s.t.Helper()
	for _, n := range numbers {
		p, err := event.ReadPage(bytes.NewReader(s.file.Bytes()), int64(s.file.Len()), n)
		if err != nil {
			s.t.Fatal(err)
		}
		sheets = append(sheets, NewSheet(p))
	}
	return sheets
}

// settled draws until nothing is missing.
func (s *scroll) settled() []string {
	s.t.Helper()
	for range 1000 {
		lines := s.View()
		wants := s.Wants()
		if len(wants) == 0 {
			return lines
		}
		s.read(wants)
	}
	s.t.Fatal("it never has what it needs")
	return nil
}

func say(tr *scroll, from, n int) {
	items := make([]event.Item, n)
	for i := range items {
		items[i] = event.Item{Kind: event.ItemText, Text: fmt.Sprintf("line %d\n", from+i)}
	}
	tr.Append(items)
}

func shown(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return out
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(shown(got), "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("shows\n%s\nwant\n%s", g, w)
	}
}

func TestATranscriptFollowsOnlyAtItsEnd(t *testing.T) {
	tr := newTranscript(t, 20, 3, 10)
	expect(t, tr.View(), "line 7", "line 8", "line 9")
	tr.Scroll(-2)
	say(tr, 10, 4)
	expect(t, tr.View(), "line 5", "line 6", "line 7")
	if tr.Mark() != "4 new ↓" {
		t.Errorf("says %q", tr.Mark())
	}
	tr.Scroll(100)
	expect(t, tr.View(), "line 11", "line 12", "line 13")
	say(tr, 14, 1)
	expect(t, tr.View(), "line 12", "line 13", "line 14")
	if tr.Mark() != "" || !tr.Following() {
		t.Errorf("at the end it says %q", tr.Mark())
	}
	tr.Home()
	expect(t, tr.View(), "line 0", "line 1", "line 2")
	tr.End()
	expect(t, tr.View(), "line 12", "line 13", "line 14")
}

func TestATextShorterThanTheWindowAlwaysFollows(t *testing.T) {
	tr := newTranscript(t, 20, 5, 2)
	tr.Scroll(-1)
	tr.Home()
	say(tr, 2, 4)
	expect(t, tr.View(), "line 1", "line 2", "line 3", "line 4", "line 5")
}

func TestLongLinesScrollRowByRow(t *testing.T) {
	tr := newTranscript(t, 10, 2, 0)
	tr.Append([]event.Item{{Kind: event.ItemText, Text: "first\naaaa bbbb cccc dddd eeee\nlast"}})
	expect(t, tr.View(), "eeee", "last")
	tr.Scroll(-1)
	expect(t, tr.View(), "cccc dddd", "eeee")
	tr.Scroll(-1)
	expect(t, tr.View(), "aaaa bbbb", "cccc dddd")
	tr.Scroll(-9)
	expect(t, tr.View(), "first", "aaaa bbbb")
	tr.Scroll(1)
	expect(t, tr.View(), "aaaa bbbb", "cccc dddd")
}

func TestPiecesOfALineBecomeOneLine(t *testing.T) {
	tr := newTranscript(t, 30, 4, 0)
	for _, piece := range []string{"he", "llo\x1b[3", "1m wor", "ld\nprogress 1%", "\rprogress 2%"} {
		tr.Append([]event.Item{{Kind: event.ItemText, Text: piece}})
	}
	tr.Append([]event.Item{{Kind: event.ItemThinking, Text: "hm"}})
	expect(t, tr.View(), "hello world", "progress 2%", "hm", "")
}

func TestToolCallsAreOneLineUntilUnfolded(t *testing.T) {
	tr := newTranscript(t, 36, 6, 0)
	tr.Append([]event.Item{
		{Kind: event.ItemCall, Name: "run", Text: "go test\n./..."},
		{Kind: event.ItemOutput, Name: "run", Text: "ok a\nok b\n"},
		{Kind: event.ItemReturn, Name: "run", Text: "exit 0", Bytes: 1200, MS: 7},
		{Kind: event.ItemCall, Name: "read", Text: "x"},
		{Kind: event.ItemReturn, Name: "read", Error: "no such\nfile"},
	})
	expect(t, tr.View(), `▸ run (1.2 kB, 7 ms) go test\n./...`, "▸ read (failed: no such file) x", "", "", "", "")
	tr.FoldAll(false)
	expect(t, tr.View(), `▸ run (1.2 kB, 7 ms) go test\n./...`, "  ok a", "  ok b", "  exit 0", "▸ read (failed: no such file) x", "")
}

func TestWhatAWritingToolAnsweredHasNoSize(t *testing.T) {
	for name, want := range map[string]string{
		"edit_file": "3 ms", "write_file": "3 ms", "read_file": "34 B, 3 ms", "search": "34 B, 3 ms", "list_files": "34 B, 3 ms",
		"run_command": "34 B, 3 ms", "check": "34 B, 3 ms", "of_their_own": "34 B, 3 ms",
	} {
		tr := newTranscript(t, 40, 1, 0)
		tr.Append([]event.Item{
			{Kind: event.ItemCall, Name: name, Text: "a.go"},
			{Kind: event.ItemReturn, Name: name, Text: "done", Bytes: 34, MS: 3},
		})
		expect(t, tr.View(), "▸ "+name+" ("+want+") a.go")
	}
}

func TestADocumentTellsItsPlace(t *testing.T) {
	d := NewDocument(plainTheme(t), "one\ntwo\nthree four five six\nlast\n")
	d.SetSize(10, 3)
	for i, want := range []Place{
		{3, 4, false, true}, {3, 4, true, true}, {4, 4, true, false}, {4, 4, true, false},
	} {
		if got := d.Place(); got != want {
			t.Errorf("after %d rows: %+v, want %+v", i, got, want)
		}
		d.Scroll(1)
	}
	d.SetSize(40, 10)
	if got := d.Place(); got != (Place{4, 4, false, false}) {
		t.Errorf("all of it: %+v", got)
	}
}

func TestFoldingKeepsThePlace(t *testing.T) {
	tr := newTranscript(t, 40, 3, 5)
	tr.Append([]event.Item{{Kind: event.ItemCall, Name: "run"}, {Kind: event.ItemReturn, Name: "run", Text: strings.Repeat("out\n", 50)}})
	say(tr, 5, 20)
	tr.FoldAll(false)
	tr.Home()
	tr.Scroll(30)
	tr.FoldAll(true)
	if got := shown(tr.View())[0]; !strings.HasPrefix(got, "▸ run") {
		t.Errorf("the window begins with %q", got)
	}
}

func TestPagesFarFromTheWindowAreDroppedAndReadAgain(t *testing.T) {
	tr := newTranscript(t, 20, 3, 0)
	var items []event.Item
	for i := range 300 {
		items = append(items, event.Item{Kind: event.ItemText, Text: fmt.Sprintf("line %d\n", i)},
			event.Item{Kind: event.ItemText, Text: strings.Repeat("x", 60_000) + "\n"})
	}
	tr.Append(items)
	tr.Home()
	expect(t, tr.settled()[:1], "line 0")
	tr.End()
	tr.settled()
	if tr.pager.bytes > maxBytes {
		t.Errorf("keeps %d bytes", tr.pager.bytes)
	}
	if n := len(tr.pager.sheets); n == tr.Count() {
		t.Errorf("all of %d sheets are kept", n)
	}
}

func TestAWindowOfNoSizeIsHarmless(t *testing.T) {
	tr := newTranscript(t, 20, 3, 10)
	for _, s := range [][2]int{{0, 0}, {1, 1}, {0, 5}, {5, 0}, {-3, -3}} {
		tr.SetSize(s[0], s[1])
		tr.Scroll(-2)
		tr.Scroll(1)
		if got := len(tr.View()); got != max(s[1], 0) {
			t.Errorf("%v gives %d lines", s, got)
		}
	}
}

func TestADocumentShowsEveryByte(t *testing.T) {
	d := NewDocument(plainTheme(t), "a\x1b[31mb\r\n\tc\x00\nlast")
	d.SetSize(30, 3)
	expect(t, d.View(), `a\x1b[31mb`, `\tc\x00`, "last")
	d.Scroll(1)
	expect(t, d.View(), `a\x1b[31mb`, `\tc\x00`, "last")
	d.SetSize(30, 2)
	d.End()
	expect(t, d.View(), `\tc\x00`, "last")
	d.Home()
	expect(t, d.View(), `a\x1b[31mb`, `\tc\x00`)
}

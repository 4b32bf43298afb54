package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/views"
)

// transcribe writes items to the transcript of the agent that is shown and
// hands in all of its pages.
func transcribe(t testing.TB, m *model, items []event.Item) {
	t.Helper()
	path := event.TranscriptPath(m.o.Source.Dir(), m.follow.agent)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := event.OpenTranscript(m.o.Source.Dir(), m.follow.agent, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Write(items...); err != nil {
		t.Fatal(err)
	}
	size, err := m.follow.pages.Size()
	if err != nil {
		t.Fatal(err)
	}
	var sheets []*views.Sheet
	for n := range event.PageCount(size) {
		more, err := readSheets(m.follow.pages, []int{n})
		if err != nil {
			t.Fatal(err)
		}
		sheets = append(sheets, more...)
	}
	m.board.transcript.Grow(event.PageCount(size), sheets...)
}

// atLong opens a workbench on a transcript of n lines.
func atLong(t *testing.T, n int) (*glass, *feed) {
	t.Helper()
	f := newFeed(longTranscript(t, n))
	f.news <- engine.Update{Events: recorded(t, "working"), OwnerAlive: true}
	g := open(t, 100, 30, Options{Source: f, Theme: "none"})
	g.until(fmt.Sprintf("line %d ", n-1))
	g.press("2")
	return g, f
}

func TestHomeIsTheVeryFirstLineAndTheEndTheLast(t *testing.T) {
	g, _ := atLong(t, 30_000)
	g.press("g")
	g.until("── turn 1", "│line 0", "0% ↓")
	for range 40 {
		g.press("\x1b[6~")
	}
	deeper := regexp.MustCompile(`line [5-9]\d\d `)
	g.when("a page further down", deeper.MatchString)
	g.press("G")
	g.until("line 29999 ")
	g.press("k")
	g.until("% ↓")
	g.press("q")
	g.end()
}

func TestWhatComesWhileReadingIsCounted(t *testing.T) {
	g, f := atLong(t, 5000)
	g.press("gjj")
	g.until("line 2 ")
	file, err := event.OpenTranscript(f.dir, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Write(event.Item{Kind: event.ItemText, Turn: 1, Text: "fresh 1\nfresh 2\nfresh 3\n"}); err != nil {
		t.Fatal(err)
	}
	g.until("3 new ↓", "line 2 ")
	g.press("G")
	g.when("the new lines", func(s string) bool { return strings.Contains(s, "fresh 3") && !strings.Contains(s, "new ↓") })
	if err := file.Write(event.Item{Kind: event.ItemText, Turn: 1, Text: "fresh 4\n"}); err != nil {
		t.Fatal(err)
	}
	g.until("fresh 4")
	g.press("q")
	g.end()
}

func TestSearchCoversTheWholeFile(t *testing.T) {
	g, _ := atLong(t, 30_000)
	g.press("/LINE 1234")
	g.until("/LINE 1234", "enter search")
	g.press("\r")
	g.until("0/0")
	g.press("/\x15line 1234\r")
	g.until("/11", "line 1234")
	first := g.until("1/11")
	if !strings.Contains(first, "line 1234 ") && !strings.Contains(first, "line 12340 ") {
		t.Errorf("the first match is not shown:\n%s", first)
	}
	g.press("n")
	g.until("2/11")
	g.press("NN")
	g.until("11/11") // it goes on from the other end
	g.press("\x1b[27u")
	g.when("the search is over", func(s string) bool { return !strings.Contains(s, "/11") })
	g.press("n")
	g.until("n does nothing now: nothing is looked for")
	g.press("q")
	g.end()
}

func TestCallsAndFailuresAreGoneToWhereverTheyStand(t *testing.T) {
	g, _ := atLong(t, 30_000)
	g.press("g]")
	g.until("call 4999")
	g.press("]")
	g.until("call 9999")
	g.press("[")
	g.until("call 4999")
	g.press("[")
	g.until("there is no further one in this direction")
	g.press("}")
	g.until("there is no further one in this direction")
	g.press("\r")
	g.until("  done")
	g.press("G[")
	g.until("call 29999")
	g.press("q")
	g.end()
}

package views

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"growbench/engine/event"
)

// whole makes the lines of a transcript as one sheet.
func whole(items []event.PlacedItem) []line {
	return NewSheet(event.Page{Items: items}).lines
}

// randomItems is what an agent may do, in pieces of any size.
func randomItems(r *rand.Rand, n int) []event.Item {
	var items []event.Item
	turn := 1
	add := func(it event.Item) { it.Turn = turn; items = append(items, it) }
	words := func() string {
		return strings.Repeat(string(rune('a'+r.IntN(26)))+"ord\n"[:r.IntN(5)], r.IntN(200))
	}
	for i := range n {
		switch r.IntN(6) {
		case 0:
			turn++
		case 1:
			for range r.IntN(20) {
				add(event.Item{Kind: event.ItemThinking, Text: words()})
			}
		case 2, 3:
			args := fmt.Sprint(i)
			add(event.Item{Kind: event.ItemCall, Name: "run", Text: args})
			for range r.IntN(30) {
				add(event.Item{Kind: event.ItemOutput, Text: words()})
			}
			if r.IntN(5) > 0 {
				add(event.Item{Kind: event.ItemReturn, Name: "run", Args: args, Text: words(), MS: int64(i)})
			}
		default:
			for range r.IntN(20) {
				add(event.Item{Kind: event.ItemText, Text: words()})
			}
		}
	}
	return items
}

func TestSheetsTogetherAreTheWholeTranscript(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var file bytes.Buffer
		var items []event.PlacedItem
		for _, it := range randomItems(r, 60) {
			items = append(items, event.PlacedItem{Item: it, At: int64(file.Len())})
			if err := json.NewEncoder(&file).Encode(it); err != nil {
				t.Fatal(err)
			}
		}
		var lines []line
		count := event.PageCount(int64(file.Len()))
		for n := range count {
			p, err := event.ReadPage(bytes.NewReader(file.Bytes()), int64(file.Len()), n)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, NewSheet(p).lines...)
		}
		want := whole(items)
		if count < 3 {
			t.Fatalf("%d pages prove nothing", count)
		}
		for i := range want {
			if i >= len(lines) || lines[i] != want[i] {
				t.Fatalf("seed %d: of %d pages, line %d of %d is %+v, want %+v", seed, count, i, len(lines), lines[min(i, len(lines)-1)], want[i])
			}
		}
		if len(lines) != len(want) {
			t.Fatalf("seed %d: %d lines, want %d", seed, len(lines), len(want))
		}
	}
}

func TestResultsOfParallelCallsStandUnderTheirName(t *testing.T) {
	tr := newTranscript(t, 40, 8, 0)
	tr.Append([]event.Item{
		{Kind: event.ItemCall, Name: "read", Text: "a"}, {Kind: event.ItemCall, Name: "read", Text: "b"},
		{Kind: event.ItemReturn, Name: "read", Args: "a", Text: "AAA", MS: 1, Bytes: 3},
		{Kind: event.ItemReturn, Name: "read", Args: "b", Error: "gone", MS: 2},
	})
	expect(t, tr.View(), "▸ read (3 B, 1 ms) a", "▸ read (failed: gone) b", "", "", "", "", "", "")
	tr.FoldAll(false)
	expect(t, tr.View(), "▸ read (3 B, 1 ms) a", "▸ read (failed: gone) b", "  read gave back:", "  AAA", "", "", "", "")
}

func TestDiffsAreFoundAndNothingElseIsTakenForOne(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // one letter a line: + - @ f(ile) . (text of a hunk) or o(ther)
	}{
		{"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ func\n a\n-b\n+c\n d\n- after", "fff@.-+.o"},
		{"- a list\n+ with signs\n--- a rule", "ooo"},
		{"@@ -1 +1 @@\n-a\n+b\n-c", "@-+o"},
		{"@@ nonsense @@\n+a", "oo"},
		{"*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch\n+c", "ff@-+fo"},
		{"@@ -1,2 +1,2 @@\n-a\n\\ No newline at end of file\n+b\n c\nd", "@-o+.o"},
		{"@@ -9999999999999999999,-1 +1,2 @@\n+a", "oo"},
	} {
		var p patchReader
		var got strings.Builder
		for l := range strings.SplitSeq(c.text, "\n") {
			letter := map[tone]byte{toneAdded: '+', toneRemoved: '-', toneHunk: '@', toneFile: 'f', toneText: '.'}[p.tone(l, toneDim)]
			if letter == 0 {
				letter = 'o'
			}
			got.WriteByte(letter)
		}
		if got.String() != c.want {
			t.Errorf("%q is read as %s, want %s", c.text, got.String(), c.want)
		}
	}
}

func TestAnEditsArgumentsAreShownAsADiff(t *testing.T) {
	for _, args := range []string{
		`{"path":"a.go","old":"one\ntwo\nthree","new":"one\n2\nthree"}`,
		`{"file_path":"a.go","old_string":"one\ntwo\nthree","new_string":"one\n2\nthree"}`,
		`{"path":"a.go","edits":[{"oldText":"one\ntwo\nthree","newText":"one\n2\nthree"}]}`,
	} {
		tr := newTranscript(t, 100, 6, 0)
		tr.Append([]event.Item{{Kind: event.ItemCall, Name: "edit", Text: args}})
		tr.FoldAll(false)
		got := shown(tr.View())
		if want := []string{"   one", "  -two", "  +2", "   three"}; strings.Join(got[1:5], "\n") != strings.Join(want, "\n") {
			t.Errorf("%s shows %q", args, got)
		}
	}
	tr := newTranscript(t, 100, 3, 0)
	tr.Append([]event.Item{{Kind: event.ItemCall, Name: "ask", Text: `{"old":7,"new":"x"}`}, {Kind: event.ItemCall, Name: "ask", Text: `{"old":`}})
	tr.FoldAll(false)
	expect(t, tr.View(), `▸ ask {"old":7,"new":"x"}`, `▸ ask {"old":`, "")
}

package views

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"growbench/engine/event"
	"growbench/theme"
	"growbench/theme/text"
)

// scraps are what hostile texts are made of: whatever has made a line wider
// than it was counted, or has reached a terminal as a command.
var scraps = []string{
	"a", "word ", "日本語", "한국어", "\u1112\u1161\u11ab", "e\u0301", "a\u0308\u0323\u0301", "👩‍👩‍👧", "❤️", "🇩🇪", "👍\U0001f3fd", "🏴\U000e0067\U000e007f",
	"\u200d", "\u200b", "\ufe0f", "\u00ad", "\u202e", "\u2066", "\u2028", "क्षि", "\u0e33", "﷽", "ﬃ", "\uff21", "\u0300\u0301\u0302",
	"\t", "\n", "\r", "\b\b", "\r\n", "\x00", "\x07", "\x1b", "\x1b[31m", "\x1b[2K", "\x1b[999C", "\x1b]2;title", "\x1b]52;c;eA==\x07", "\x1bPq", "\x9b31m", "\u009b", "\u009d",
	"\xff", "\xc3", "10%\r20%\r", "@@ -1,3 +1,3 @@\n", "+added\n", "-removed\n", "diff --git a/x b/x\n", "# head\n", "- item\n", "`code`", "[x](http://e)", "&#x1b;", "|",
	"averyveryverylongwordthatfitsnowhere", `{"old":"`, `\u001b[31m`,
}

func scrap(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteString(scraps[r.IntN(len(scraps))])
	}
	return b.String()
}

// torn writes a text as pieces that are cut anywhere.
func torn(r *rand.Rand, kind, s string) []event.Item {
	var items []event.Item
	for len(s) > 0 {
		n := min(1+r.IntN(12), len(s))
		items = append(items, event.Item{Kind: kind, Turn: 1, Text: s[:n]})
		s = s[n:]
	}
	return items
}

// sheetOf makes the sheet of a transcript that consists of items.
func sheetOf(t *testing.T, items []event.Item) *Sheet {
	t.Helper()
	var file bytes.Buffer
	for _, it := range items {
		if err := json.NewEncoder(&file).Encode(it); err != nil {
			t.Fatal(err)
		}
	}
	p, err := event.ReadPage(bytes.NewReader(file.Bytes()), int64(file.Len()), 0)
	if err != nil {
		t.Fatal(err)
	}
	return NewSheet(p)
}

func TestTenThousandHostileTextsStayInsideTheirPanes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	th, err := theme.New(theme.Dark, nil)
	if err != nil {
		t.Fatal(err)
	}
	look := NewLook(th)
	widths := []int{1, 2, 7, 20, 38, 60, 100, 157}
	for range 10_000 {
		s, width, height := scrap(r), widths[r.IntN(len(widths))], 1+r.IntN(12)
		var pane interface {
			SetSize(int, int)
			View() []string
		}
		switch r.IntN(5) {
		case 0:
			tr := NewTranscript(look)
			items := append(torn(r, event.ItemText, s), event.Item{Kind: event.ItemCall, Turn: 1, Name: s, Text: s})
			items = append(items, torn(r, event.ItemOutput, s)...)
			items = append(items, event.Item{Kind: event.ItemReturn, Turn: 2, Name: s, Args: s, Text: s, Error: s}, event.Item{Kind: event.ItemNote, Text: s})
			tr.Grow(1, sheetOf(t, items))
			tr.FoldAll(r.IntN(2) == 0)
			tr.Search(NewQuery(scraps[r.IntN(len(scraps))]))
			tr.SetSize(width, height)
			tr.NextMatch(1)
			pane = &tr
		case 1:
			d := NewDiff(look, []ChangedFile{{Path: s, OldPath: s, Kind: s, Added: 3, Deleted: -1}}, "diff --git "+s, s)
			pane = &d
		case 2:
			res := NewResults(look)
			res.SetResults([]Result{{K: 1, Source: s, Summary: s}, {K: 2, Source: s, Summary: s}})
			res.SetSize(width, height)
			if r.IntN(2) == 0 {
				res.ToggleAll()
			} else if lines, err := th.RenderMarkdown(s, width, text.WcWidth); err == nil && width >= 20 {
				res.SetRendered(s, lines)
			}
			pane = &res
		case 3:
			l := NewLedger(look)
			l.SetEntries([]event.LedgerEntry{{Symbol: s, Kind: s, Class: s, File: s, Source: s, Affected: []event.Affected{{K: 2}}, Unowned: []string{s, s}}})
			pane = &l
		default:
			d := NewDocument(look, s)
			pane = &d
		}
		pane.SetSize(width, height)
		lines := pane.View()
		if len(lines) != height {
			t.Fatalf("%T of %d×%d has %d lines (text %q)", pane, width, height, len(lines), s)
		}
		for _, l := range lines {
			bare := ansi.Strip(l)
			for _, m := range []text.Measure{text.WcWidth, text.Grapheme} {
				if got := m.Width(l); got != width {
					t.Fatalf("%T: a line of %d cells in a pane of %d: %q (text %q)", pane, got, width, l, s)
				}
			}
			if strings.ContainsFunc(bare, unicode.IsControl) || strings.ContainsAny(l, "\u202e\u2066\u2028\u009b\u009d") {
				t.Fatalf("%T: a control reaches the screen: %q (text %q)", pane, l, s)
			}
		}
	}
}

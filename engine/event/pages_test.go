package event

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// written is the transcript of items, and where each begins.
func written(t testing.TB, items ...Item) ([]byte, []int64) {
	t.Helper()
	var file []byte
	var at []int64
	for _, it := range items {
		record, err := json.Marshal(it)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, int64(len(file)))
		file = append(append(file, record...), '\n')
	}
	return file, at
}

func pagesOf(t testing.TB, file []byte) []Page {
	t.Helper()
	var pages []Page
	for n := range PageCount(int64(len(file))) {
		p, err := ReadPage(bytes.NewReader(file), int64(len(file)), n)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	return pages
}

func TestPagesHoldEveryItemOnce(t *testing.T) {
	var items []Item
	for i := range 3000 {
		items = append(items, Item{Kind: ItemText, Turn: 1 + i/100, Text: strings.Repeat("x", i%257) + "\n"})
	}
	items = append(items, Item{Kind: ItemNote, Text: strings.Repeat("long ", 40_000)}, Item{Kind: ItemText, Text: "last\n"})
	file, at := written(t, items...)
	i := 0
	pages := pagesOf(t, file)
	for _, p := range pages {
		for _, it := range p.Items {
			if it.At != at[i] || it.Text != items[i].Text || it.At/PageBytes != int64(p.Number) {
				t.Fatalf("item %d is at %d of page %d, was written at %d", i, it.At, p.Number, at[i])
			}
			i++
		}
		if last := p.Number == len(pages)-1; p.Open != last {
			t.Errorf("page %d of %d: open %v", p.Number, len(pages), p.Open)
		}
	}
	if i != len(items) {
		t.Errorf("%d of %d items were read", i, len(items))
	}
}

func TestAPageKnowsWhatItGoesOnWith(t *testing.T) {
	filler := Item{Kind: ItemOutput, Turn: 3, Text: strings.Repeat("output\n", 9500)}
	file, _ := written(t,
		Item{Kind: ItemCall, Turn: 3, Name: "run", Text: "a"},
		Item{Kind: ItemCall, Turn: 3, Name: "run", Text: "b"},
		filler,
		Item{Kind: ItemOutput, Turn: 3, Text: "torn"},
		Item{Kind: ItemOutput, Turn: 3, Text: " line\nwhole\n"},
		Item{Kind: ItemReturn, Turn: 3, Name: "run", Args: "a", Text: "A"},
		filler,
		Item{Kind: ItemReturn, Turn: 3, Name: "run", Args: "b", Text: "B"},
	)
	pages := pagesOf(t, file)
	first, second := pages[0], pages[1]
	if len(first.Returned) != 2 || first.Returned[0].Text != "A" || first.Returned[1].Text != "B" {
		t.Errorf("returned after the first page: %+v", first.Returned)
	}
	if first.Open {
		t.Error("the first page is complete")
	}
	if second.Turn != 3 || len(second.Called) != 2 || second.Called[1].Text != "b" {
		t.Errorf("the second page begins in turn %d with %+v", second.Turn, second.Called)
	}
	cut, _, _ := bytes.Cut(file, []byte(` line\nwhole`))
	short := cut[:bytes.LastIndexByte(cut, '\n')+1]
	if p := pagesOf(t, short)[0]; !p.Open {
		t.Error("a page with calls that have not returned may still change")
	}
}

func TestALineThatTwoPagesShareBelongsToTheFirst(t *testing.T) {
	file, at := written(t, Item{Kind: ItemText, Turn: 1, Text: strings.Repeat("line\n", 10_000) + "begin "},
		Item{Kind: ItemText, Turn: 1, Text: "middle "}, Item{Kind: ItemText, Turn: 1, Text: "end\nnext\n"})
	if at[1] <= PageBytes/2 {
		t.Fatal("the file is too small for this test")
	}
	// Put the page's edge between the pieces.
	pad := PageBytes - int(at[1])
	if pad < 0 {
		pad += PageBytes
	}
	head, _ := written(t, Item{Kind: ItemNote, Text: strings.Repeat("n", pad-len(`{"at":"0001-01-01T00:00:00Z","kind":"note","text":""}`)-1)})
	pages := pagesOf(t, append(head, file...))
	last := pages[len(pages)-1]
	var rest string
	for _, p := range pages {
		rest += p.Rest
	}
	if last.Torn != ItemText || rest != "middle end" {
		t.Errorf("the last page goes on with %q, before it stands %q", last.Torn, rest)
	}
}

func TestATranscriptThatIsNotThereHasNoPages(t *testing.T) {
	p := TranscriptPages(t.TempDir(), 1)
	if n, err := p.Size(); n != 0 || err != nil {
		t.Errorf("size %d, %v", n, err)
	}
	if _, err := p.Read(0); !os.IsNotExist(err) && err == nil {
		t.Error("a page was read")
	}
}

func FuzzReadPage(f *testing.F) {
	file, _ := written(f, Item{Kind: ItemCall, Turn: 1, Name: "run", Text: "x"}, Item{Kind: ItemOutput, Text: "half"},
		Item{Kind: ItemReturn, Name: "run", Args: "x", Text: "done"})
	f.Add(file, 0)
	f.Add([]byte("{\n\n{}\n\x00\n\"call\"\n{\"kind\":\"return\"}\n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		// Around the edge of the first page.
		data = append(append(bytes.Repeat([]byte{' '}, PageBytes-len(data)/2%PageBytes), '\n'), data...)
		size := int64(len(data))
		p, err := ReadPage(bytes.NewReader(data), size, max(n, 0)%(PageCount(size)+2))
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range p.Items {
			if it.At/PageBytes != int64(p.Number) {
				t.Errorf("item at %d on page %d", it.At, p.Number)
			}
		}
	})
}

func FuzzDecodeItem(f *testing.F) {
	for _, it := range []Item{
		{Kind: ItemText, Turn: 3, Text: "a \"quoted\" \\ line\n\ttab / \u2028 日本語\x00"}, {Kind: ItemReturn, Name: "run", Args: "{}", Bytes: -1, MS: 1 << 40, Error: "x"},
	} {
		record, _ := written(f, it)
		f.Add(bytes.TrimSpace(record))
	}
	f.Add([]byte(`{"kind":"text","text":"\ud83d\ude00 \q"}`))
	f.Add([]byte(`{"kind":"text","TEXT":"x","text":null}`))
	f.Fuzz(func(t *testing.T, record []byte) {
		var want Item
		err := json.Unmarshal(record, &want)
		got, ok := decodeItem(record)
		if ok != (err == nil) || ok && got != want {
			t.Errorf("%s is read as %+v, %v; want %+v, %v", record, got, ok, want, err)
		}
	})
}

package workspace

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func captured(keep int, chunks ...string) Outcome {
	out := newOutput(Limits{Keep: keep}.withDefaults(), nil, nil, nil)
	for _, chunk := range chunks {
		_, _ = out.Write([]byte(chunk))
	}
	var outcome Outcome
	_ = out.result(&outcome)
	return outcome
}

func TestOutputKeepsHeadAndTailAndCountsTheRest(t *testing.T) {
	for _, c := range []struct {
		chunks     []string
		head, tail string
		dropped    int64
	}{
		{[]string{"abc"}, "abc", "", 0},
		{[]string{"abcd", "efgh"}, "abcd", "efgh", 0},
		{[]string{"abcdefghi"}, "abcd", "fghi", 1},
		{[]string{"ab", "cdef", "ghijklmnopqr", "s"}, "abcd", "pqrs", 11},
	} {
		got := captured(4, c.chunks...)
		if string(got.Head) != c.head || string(got.Tail) != c.tail || got.Dropped != c.dropped {
			t.Errorf("%q: head %q, tail %q, dropped %d", c.chunks, got.Head, got.Tail, got.Dropped)
		}
	}
}

func TestTextIsBoundedValidAndMarkedInTheMiddle(t *testing.T) {
	if got := captured(100, "caf\xc3", "\xa9\n").Text(0); got != "café\n" {
		t.Errorf("short output became %q", got)
	}
	if got := captured(100, "D\xe9p\xf4t").Text(0); got != "D\uFFFDp\uFFFDt" {
		t.Errorf("invalid bytes became %q", got)
	}
	for name, outcome := range map[string]Outcome{
		"lines":            captured(96<<10, "BEGIN\n", strings.Repeat("the quick brown fox\n", 50_000), "END\n"),
		"in memory whole":  captured(96<<10, "BEGIN\n", strings.Repeat("é", 40_000), "END\n"),
		"invalid bytes":    captured(96<<10, "BEGIN\n", strings.Repeat("\xff\xe2\x82x", 60_000), "END\n"),
		"cut inside runes": captured(4099, "BEGIN\n", strings.Repeat("€", 60_000), "END\n"),
	} {
		for _, limit := range []int{0, 50_000, 1_000, 200, 97, 40, 7} {
			text := outcome.Text(limit)
			bound := limit
			if limit == 0 {
				bound = MaxText
			}
			if len(text) > bound || !utf8.ValidString(text) {
				t.Errorf("%s, limit %d: %d bytes, valid %v", name, limit, len(text), utf8.ValidString(text))
			}
			if limit != 0 && limit < 97 {
				continue // less than the note takes
			}
			if !strings.HasPrefix(text, "BEGIN") || !strings.HasSuffix(text, "END\n") || strings.Count(text, "bytes left out") != 1 {
				t.Errorf("%s, limit %d: %.60q … %q", name, limit, text, text[max(0, len(text)-20):])
			}
		}
	}
}

func TestTextTellsWhereTheWholeOutputIs(t *testing.T) {
	outcome := captured(10, strings.Repeat("x", 100))
	outcome.SpillPath = "output/w1.txt"
	if text := outcome.Text(0); text != "xxxxxxxxxx\n[… 80 bytes left out; all of it is in output/w1.txt …]\nxxxxxxxxxx" {
		t.Errorf("%q", text)
	}
}

func TestLineSplitter(t *testing.T) {
	var got []string
	s := &lineSplitter{limit: 5, deliver: func(line []byte, err error) {
		text := string(line)
		if errors.Is(err, ErrLineTooLong) {
			text += "!"
		}
		got = append(got, text)
	}}
	for _, chunk := range []string{"ab", "c\r\n\nde", "fghij", "klm\nno\n12345", "\n12345", "6\n", "end"} {
		s.write([]byte(chunk))
	}
	s.end()
	if want := "abc||defgh!|no|12345|12345!|end"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}

func TestSpillIsCappedAndSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	s, err := openSpill(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range []string{"12345", "67890123", "more"} {
		s.write([]byte(chunk))
	}
	note := s.close()
	if got := content(t, path); !strings.HasPrefix(got, "1234567890\n[") || strings.Contains(got, "more") || !strings.Contains(note, "beyond 10 bytes") {
		t.Errorf("file %q, note %q", got, note)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

func FuzzTextIsBoundedAndValid(f *testing.F) {
	f.Add([]byte("a\xff€"), 9, 3)
	f.Add(bytes.Repeat([]byte("€"), 50), 70, 11)
	f.Fuzz(func(t *testing.T, data []byte, limit, keep int) {
		limit, keep = 1+max(limit, -limit)%MaxText, 1+max(keep, -keep)%1000
		outcome := captured(keep, string(data))
		if text := outcome.Text(limit); len(text) > limit || !utf8.ValidString(text) {
			t.Fatalf("limit %d: %q", limit, text)
		}
		if outcome.Dropped != int64(len(data)-len(outcome.Head)-len(outcome.Tail)) || outcome.Dropped < 0 {
			t.Fatalf("dropped %d of %d", outcome.Dropped, len(data))
		}
	})
}

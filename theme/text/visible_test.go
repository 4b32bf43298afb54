package text

import (
	"strings"
	"testing"
	"unicode"
)

func TestVisibleSpellsWhatAPersonCouldNotSee(t *testing.T) {
	tests := []struct{ in, want string }{
		{"go test ./...", "go test ./..."},
		{`grep -E "a\sb" 'c'`, `grep -E "a\sb" 'c'`},
		{"rm -rf /\b\b\b\b\b\b\b\bls", `rm -rf /\b\b\b\b\b\b\b\bls`},
		{"rm -rf x\rls", `rm -rf x\rls`},
		{"ls\nrm -rf x\ty", `ls\nrm -rf x\ty`},
		{"a\x1b[31mb\x07\x00\x7f", `a\x1b[31mb\x07\x00\x7f`},
		{"A\u009b2JB", `A\x9b2JB`},
		{"a\x9bb\xff\xe2\x82", `a\x9bb\xff\xe2\x82`},
		{"cat a\u202egnp.sh", `cat a\u202egnp.sh`},
		{"a\u200bb\u200dc\ufeffd\u3164e", `a\u200bb\u200dc\ufeffd\u3164e`},
		{"a\U000e0041b\uffffc", `a\U000e0041b\uffffc`},
		{"a\u2028b\u0085c", `a\u2028b\x85c`},
		{"\u0301a e\u0301", `\u0301a e` + "\u0301"},
		{"nbsp\u00a0 é 가 😀 \u0840", "nbsp\u00a0 é 가 😀 \u0840"},
	}
	for _, test := range tests {
		if got := Visible(test.in); got != test.want {
			t.Errorf("Visible(%q)\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

func TestLineIsOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"one":                    "one",
		"one\ntwo\r\nthree\n\n":  "one two three",
		"a\u2028b\tc":            "a b       c",
		"50%\r100%\x1b[K\n":      "100%",
		"a\x1b]2;x\x07\u0085b\n": "ab",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTitleCannotEndItsSequence(t *testing.T) {
	for in, want := range map[string]string{
		"a\x07\x1b]52;c;eA==\x07b":           "ab",
		"a\u009cb\x9cc\u202ed":               "ab\ufffdcd",
		"  my\n\nproject \t x ":              "my project x",
		"nbsp\u00a0x\u3000y":                 "nbsp x y",
		"":                                   "",
		"❤\ufe0f 👨\u200d👩":                   "❤ 👨👩",
		strings.Repeat("x", 61):              strings.Repeat("x", 59) + "…",
		strings.Repeat("漢", 40):              strings.Repeat("漢", 29) + "…",
		strings.Repeat("\x1b]0;", 50) + "z":  "",
		"e" + strings.Repeat("\u0301", 2000): "e" + strings.Repeat("\u0301", maxMarks),
	} {
		if got := Title(in, 0); got != want {
			t.Errorf("Title(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Title("abcdef", 4); got != "abc…" {
		t.Errorf("Title of 4 cells: %q", got)
	}
	if got := Notice("4;1;50", 0); got != "4,1,50" {
		t.Errorf("Notice kept a field separator: %q", got)
	}
}

func FuzzOneLine(f *testing.F) {
	for _, seed := range []string{
		"a\x07\x1b]52;c;eA==\x07b", "rm\b\rls\n", "a\u202e\u009b\x9b\ufeff", "漢\u200d\ufe0f\U000e0041", "ൎ\u0600",
	} {
		f.Add(seed, 20)
	}
	f.Fuzz(func(t *testing.T, s string, cells int) {
		for name, out := range map[string]string{"Visible": Visible(s), "Line": Line(s), "Title": Title(s, cells), "Notice": Notice(s, cells)} {
			if r, found := unsafe(out); found || strings.Contains(out, "\n") {
				t.Errorf("%s(%q) = %q holds %U or a newline", name, s, out, r)
			}
		}
		if Visible(Visible(s)) != Visible(s) {
			t.Errorf("Visible(%q) is not stable", s)
		}
		if cells <= 0 {
			cells = MaxTitle
		}
		title := Title(s, cells)
		for _, m := range measures {
			if w := m.Width(title); w > cells {
				t.Errorf("Title(%q, %d) = %q takes %d cells", s, cells, title, w)
			}
		}
		if i := strings.IndexFunc(title, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("Title(%q) = %q holds something not printable", s, title)
		}
	})
}

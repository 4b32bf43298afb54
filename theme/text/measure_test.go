package text

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

var measures = []Measure{WcWidth, Grapheme}

const (
	family = "👨\u200d👩\u200d👧\u200d👦"
	heart  = "❤\ufe0f"
	keycap = "1\ufe0f\u20e3"
	nfd    = "\u1112\u1161\u11ab"
	farmer = "👨🏾\u200d🌾"
)

// awkward are texts that the rules in use count differently, or that merge
// with what stands beside them.
var awkward = []string{
	family, heart, keycap, nfd, farmer, "🇰🇷", "🇰", "🇰🇷🇩", "e\u0301", "漢字かな", "…→■",
	"स्ते", "का", "ा", "กำ", "\u0301x", "ൎ", "ᄀ\u1160", "\u115f\u1161", "\u20e3", "\ufe0f", "🏾", "©\ufe0f", "☺\ufe0f",
	"\u1100\uac00\u11a8", "\u200d", "👨\u200d", "\u0600", "ꥠꥡ", "a\u094d\u200dक", "\u0e33",
}

func TestWidthIsWhatTheRendererCounts(t *testing.T) {
	for s, want := range map[string][2]int{
		"":                {0, 0},
		"abc":             {3, 3},
		family:            {8, 2},
		heart:             {1, 2},
		keycap:            {1, 2},
		nfd:               {4, 2},
		farmer:            {6, 2},
		"🇰🇷":              {2, 2},
		"漢字かな":            {8, 8},
		"e\u0301":         {1, 1},
		"\x1b[1ma\x1b[0m": {1, 1},
	} {
		for i, m := range measures {
			if got := m.Width(s); got != want[i] {
				t.Errorf("Width of %q by rule %d is %d, want %d", s, m, got, want[i])
			}
		}
	}
}

func TestSteadyKeepsTheLetters(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 가":    "plain é 가",
		family:         "👨👩👧👦",
		heart:          "❤",
		keycap:         "1\u20e3",
		nfd:            "한",
		"\u1112\u1161": "하",
		"🇰🇷":           "🇰🇷",
		"🇰🇷🇩":          "🇰🇷D",
		farmer:         "👨🌾",
		"e\u0301":      "e\u0301",
		"का":           "क\u200bा",
	} {
		if got := Steady(in); got != want {
			t.Errorf("Steady(%q) = %q, want %q", in, got, want)
		}
	}
	for _, in := range []string{family, heart, keycap, farmer, "🇰🇷", "का"} {
		if got := Grapheme.Steady(in); got != in {
			t.Errorf("a terminal that confirmed graphemes gets %q for %q", got, in)
		}
	}
}

func TestTruncate(t *testing.T) {
	tests := []struct {
		in    string
		cells int
		tail  string
		want  string
	}{
		{"hello", 5, "…", "hello"},
		{"hello", 4, "…", "hel…"},
		{"hello", 1, "…", "…"},
		{"hello", 1, "...", "h"},
		{"hello", 0, "…", ""},
		{"hello", -3, "…", ""},
		{"漢字漢", 5, "", "漢字"},
		{"漢字漢", 5, "…", "漢字…"},
		{"漢字漢", 4, "…", "漢…"},
		{"漢", 1, "", ""},
		{"a漢b", 2, "", "a"},
		{"e\u0301e\u0301e\u0301", 2, "…", "e\u0301…"},
		{"\x1b[31mhello\x1b[0m!", 4, "…", "\x1b[31mhel…\x1b[0m"},
		{"a\nb\tc\x07\x1b]0;t\x07d", 9, "", "a b cd"},
	}
	for _, test := range tests {
		if got := Truncate(test.in, test.cells, test.tail); got != test.want {
			t.Errorf("Truncate(%q, %d, %q) = %q, want %q", test.in, test.cells, test.tail, got, test.want)
		}
	}
}

func TestPadFillsToTheCell(t *testing.T) {
	for _, m := range measures {
		for _, s := range append(awkward, "", "hello", "\x1b[31mhello\x1b[0m", strings.Repeat("漢", 30)) {
			for _, cells := range []int{1, 2, 3, 18, 19} {
				got := m.Pad(s, cells)
				box := "│" + got + "│"
				if w := m.method().StringWidth(box) - 2; w != cells {
					t.Errorf("rule %d: Pad(%q, %d) = %q takes %d cells", m, s, cells, got, w)
				}
				if w := ansi.StringWidth(box) - 2; w != cells {
					t.Errorf("rule %d: Pad(%q, %d) = %q takes %d cells in a layout by graphemes", m, s, cells, got, w)
				}
			}
		}
	}
	if got := Pad("abc", 0) + Pad("abc", -1); got != "" {
		t.Errorf("Pad to nothing: %q", got)
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		in    string
		cells int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one  two", 3, []string{"one", "two"}},
		{"one two\n\nthree", 20, []string{"one two", "", "three"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"ab cdefgh", 4, []string{"ab", "cdef", "gh"}},
		{"    indented text", 12, []string{"    indented", "text"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"漢字ab cd", 5, []string{"漢字", "ab cd"}},
		{"ab漢字", 3, []string{"ab", "漢", "字"}},
		{"漢x", 1, []string{"…", "x"}},
		{"trailing   ", 8, []string{"trailing"}},
		{"x", 0, nil},
		{"x", -1, nil},
		{"\x1b[31mred\x1b[0m and plain", 7, []string{"red and", "plain"}},
	}
	for _, test := range tests {
		for _, m := range measures {
			if got := m.Wrap(test.in, test.cells); !slices.Equal(got, test.want) {
				t.Errorf("rule %d: Wrap(%q, %d) = %q, want %q", m, test.in, test.cells, got, test.want)
			}
		}
	}
}

// Every rune alone, in a box, is counted alike by both rules: the tables of
// the libraries may be of different Unicode versions.
func TestEveryRuneIsSteady(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r == 0x20000 {
			r = 0xe0000 // between are ideographs and what is not assigned
		}
		if r == 0xe1000 {
			r = unicode.MaxRune - 0xff
		}
		if !utf8.ValidRune(r) {
			continue
		}
		s := Clean(string(r))
		if s == "\n" {
			continue
		}
		checkSteady(t, "│"+Pad(s, 2)+"│", 4)
		if w := runeWidth(r); w > 2 {
			t.Errorf("%U takes %d cells", r, w)
		}
		if t.Failed() {
			t.Fatalf("at %U", r)
		}
	}
}

func checkSteady(t *testing.T, s string, want int) {
	t.Helper()
	if wc, gr := ansi.StringWidthWc(s), ansi.StringWidth(s); wc != want || gr != want {
		t.Errorf("%q takes %d cells by runes and %d by graphemes, want %d", s, wc, gr, want)
	}
}

func FuzzLayout(f *testing.F) {
	for i, s := range awkward {
		f.Add(s+" word 漢 "+awkward[(i+7)%len(awkward)]+"\x1b[31m\x00\t"+s, uint8(i))
	}
	f.Add("a\x1b]0;t\x9b2J\xff\xe2\x82\r\b\n\u0600\xff", uint8(1))
	f.Fuzz(func(t *testing.T, s string, width uint8) {
		cells := int(width)%40 + 1
		checkLayout(t, s, cells)
		checkLayout(t, Clean(s), cells)
	})
}

// Texts put together at random from what has ever caused trouble and from all
// of Unicode.
func TestLayoutHoldsForRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pool := slices.Concat(awkward, strings.Split("a b 1 # \t \n \x1b[1m \x1b[m \x07 \u009b \xff 漢 가 ᄒ ᅡ ᆫ \u094d क 👨 \u200d \ufe0f \u200b \u0301 🇦 🏽 \u20e3 \u0e33", " "))
	for range 2500 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			if random.IntN(3) > 0 {
				b.WriteString(pool[random.IntN(len(pool))])
			} else {
				limit := []int{0x250, 0x3000, 0x11000, 0x20000}[random.IntN(4)]
				b.WriteRune(rune(random.IntN(limit)))
			}
		}
		checkLayout(t, b.String(), 1+random.IntN(12))
		if t.Failed() {
			return
		}
	}
}

// checkLayout checks for both rules that no result is wider than asked for,
// however the renderer, a layout library or a terminal counts it.
func checkLayout(t *testing.T, s string, cells int) {
	t.Helper()
	line := strings.ReplaceAll(s, "\n", " ")
	for _, m := range measures {
		check := func(name, out string, exact bool) {
			t.Helper()
			for _, count := range []func(string) int{m.method().StringWidth, ansi.StringWidth} {
				w := count("│"+out+"│") - 2
				if w > cells || exact && w != cells {
					t.Errorf("rule %d: %s(%q, %d) = %q takes %d cells", m, name, s, cells, out, w)
				}
			}
			for _, r := range out {
				if r != esc && classOf(r) == control {
					t.Errorf("rule %d: %s(%q, %d) = %q holds %U", m, name, s, cells, out, r)
				}
			}
		}
		check("Pad", m.Pad(line, cells), true)
		check("Truncate", m.Truncate(line, cells, "…"), false)
		for _, out := range m.Wrap(s, cells) {
			check("Wrap", out, false)
			check("Wrap and Pad", m.Pad(out, cells), true)
		}
		steady := m.Steady(line)
		if again := m.Steady(steady); again != steady {
			t.Errorf("rule %d: Steady(%q) is not stable: %q, then %q", m, s, steady, again)
		}
		if m == WcWidth {
			box := "│" + steady + "│"
			checkSteady(t, box, ansi.StringWidthWc(box))
		}
	}
}

func BenchmarkWrap(b *testing.B) {
	ascii := strings.Repeat("words of ordinary length ", 40)
	korean := strings.Repeat("가나다라 마바사 ", 60)
	for name, s := range map[string]string{"ascii": ascii, "korean": korean} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Wrap(s, 80)
			}
		})
	}
}

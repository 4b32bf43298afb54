package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCleanLeavesOnlyWhatATerminalWouldLeaveOnTheLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "hello\nworld\n", "hello\nworld\n"},
		{"no newline at the end", "hello", "hello"},
		{"empty", "", ""},
		{"letters of the world", "nbsp\u00a0 é 가 😀 \u0840\n", "nbsp\u00a0 é 가 😀 \u0840\n"},
		{"combining and joined", "e\u0301 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3", "e\u0301 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3"},

		{"colour", "a\x1b[1;38:2::1:2:3mb\x1b[0mc", "abc"},
		{"cursor movement", "a\x1b[2Jb\x1b[10;10Hc\x1b[?1049hd\x1b[>4;1me", "abcde"},
		{"intermediate bytes", "a\x1b[1 qb\x1b(0c\x1b#8d\x1b cd", "abcdd"},
		{"single escapes", "a\x1bcb\x1b7c\x1b=d\x1bMe", "abcde"},
		{"title ended by BEL", "A\x1b]2;name\x07B", "AB"},
		{"link ended by ST", "C\x1b]8;;http://x\x1b\\D\x1b]8;;\x1b\\\n", "CD\n"},
		{"string ended by U+009C", "C\x1b]0;t\u009cD", "CD"},
		{"string ended by a raw 0x9c", "C\x1b]0;t\x9cD", "CD"},
		{"title in several scripts", "A\x1b]0;가é😀\x07B", "AB"},
		{"clipboard", "A\x1b]52;c;eA==\x07B", "AB"},
		{"DCS APC PM SOS", "a\x1bPq#0\x1b\\b\x1b_Gi=1\x1b\\c\x1b^x\x1b\\d\x1bXy\x1b\\e", "abcde"},
		{"BEL ends no DCS", "a\x1bPq\x07still\x1b\\b", "ab"},
		{"escape restarts", "a\x1b\x1b[1mb\x1b[\x1b[1mc", "abc"},
		{"escape restarts in a string", "a\x1b]0;t\x1b[1mb", "ab"},
		{"cancelled", "a\x1b[1\x18b\x1b]0;t\x1ac", "abc"},
		{"unterminated CSI at the end", "a\x1b[12;", "a"},
		{"lone escape at the end", "a\x1b", "a"},
		{"unterminated CSI before a newline", "a\x1b[12\nb", "a\nb"},
		{"unterminated OSC", "a\x1b]52;c;AAAA", "a"},
		{"unterminated OSC gives later lines back", "a\x1b]0;t\nb\nc", "a\nb\nc"},
		{"newline inside a terminated string", "a\x1b]0;t\nu\x07b", "ab"},
		{"unterminated string before an escape", "a\x1bPq\nb\x1b[1mc\x1b[0m\n", "a\nbc\n"},
		{"no ASCII in a sequence", "a\x1b[1é", "aé"},
		{"control inside a sequence", "ab\x1b[1\r31mX", "Xb"},

		{"C1 as UTF-8", "A\u009b2JB\nC\u009d52;c;x\u009cD\nE\u0090q\u009cF", "A2JB\nC52;c;xD\nEqF"},
		{"C1 as raw bytes", "raw \x9b2J \x9d52;c;eA==\x9c end", "raw \ufffd2J \ufffd52;c;eA==\ufffd end"},
		{"NEL", "nel\u0085x", "nelx"},
		{"C0", "a\x00b\x07c\x0bd\x0ce\x0ef\x7fg", "abcdefg"},
		{"bidi", "a\u202eb\u2066c\u200fd\u061ce\u2069f", "abcdef"},
		{"invisible", "a\ufeffb\u200bc\u2060d\u00ade\u180ef\u034fg\u3164h", "abcdefgh"},
		{"tags", "flag\U000e0067\U000e007f.", "flag."},
		{"annotation", "a\ufff9b\ufffac\ufffbd", "abcd"},
		{"smuggled selectors", "😀\ufe01\ufe02\ufe03\U000e0101x", "😀\ufe01x"},
		{"joiners between Latin letters", "ad\u200dm\u200cin", "admin"},
		{"joiner in Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"joiner without a base", "\u200d\n\ufe0fa", "\na"},
		{"mark without a base", "\u0301a\n\u0301b", "a\nb"},
		{"too many marks", "e" + strings.Repeat("\u0301", 500), "e" + strings.Repeat("\u0301", maxMarks)},
		{"line separators", "a\u2028b\u2029c", "a\nb\nc"},
		{"noncharacters", "a\uffffb\ufdd0c", "a\ufffdb\ufffdc"},
		{"not UTF-8", "a\xffb\xe2\x82c\xf0\x9f", "a\ufffdb\ufffd\ufffdc\ufffd\ufffd"},

		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"progress", "fetch 1/3\rfetch 2/3\rfetch 3/3\nready\n", "fetch 3/3\nready\n"},
		{"overwritten in part", "12345\r67\n", "67345\n"},
		{"backspace", "rm -rf /" + strings.Repeat("\b", 8) + "ls      \n", "ls      \n"},
		{"backspace at the start", "\b\ba\b\b\bb", "b"},
		{"backspace does not cross lines", "a\n\bb", "a\nb"},
		{"spinner", "|\b/\b-\b\\\bdone", "done"},
		{"overstrike of a wide rune", "漢字\b\b가", "漢가"},
		{"half a wide rune overwritten", "漢字\bx", "漢 x"},
		{"first half of a wide rune overwritten", "漢字\rx", "x 字"},
		{"wide over narrow", "abcd\r漢", "漢cd"},
		{"wide over a half", "a漢b\r漢", "漢 b"},
		{"marks go with their base", "e\u0301x\ra", "ax"},
		{"mark after an overwrite", "ab\re\u0301", "e\u0301b"},
		{"erased to the right", "fetch 10/10\r\x1b[Kdone\n", "done\n"},
		{"erased and rewritten", "fetch 10/10\x1b[2K\rdone\n", "done\n"},
		{"erased after the return", "fetch 10/10\r\x1b[2Kdone\n", "done\n"},
		{"erase behind text hides nothing", "a\x1b[2Kb\x1b[1Kc\x1b[Kd\n", "abcd\n"},
		{"return before the newline", "keep\r\nnext", "keep\nnext"},
		{"many returns", "a\r\r\r\nb\r\r\n", "a\nb\n"},

		{"tabs", "a\tb\n12345678\tc\n\td", "a       b\n12345678        c\n        d"},
		{"tab after wide runes", "漢字\tb", "漢字    b"},
		{"tab after a return", "abc\r\tx", "abc     x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Clean(test.in)
			if got != test.want {
				t.Errorf("Clean(%q)\n got %q\nwant %q", test.in, got, test.want)
			}
			for split := range len(test.in) + 1 {
				if got := stream(test.in[:split], test.in[split:]); got != test.want {
					t.Fatalf("cut at %d: got %q, want %q", split, got, test.want)
				}
			}
		})
	}
}

func TestStreamIsIndependentOfAnyTwoCuts(t *testing.T) {
	in := "step \x1b[1mtwo\x1b[0m A\x1b]2;na\xc3\xa9me\x07B\n\x1b[0;36mcache 가\x1b[0m\nC\x1b]8;;http://x\x1b\\D\x1b]8;;\x1b\\\n5\r6€\b😀\n"
	want := "step two AB\ncache 가\nCD\n6😀\n"
	for i := range len(in) + 1 {
		for j := i; j <= len(in); j++ {
			if got := stream(in[:i], in[i:j], in[j:]); got != want {
				t.Fatalf("cut at %d and %d: got %q, want %q", i, j, got, want)
			}
		}
	}
}

func TestStreamShowsTheUnfinishedLine(t *testing.T) {
	var s Stream
	if got := s.Write([]byte("one\ntwo 1/2\rtwo")); got != "one\n" {
		t.Errorf("Write returned %q", got)
	}
	if got := s.Current(); got != "two 1/2" {
		t.Errorf("Current returned %q", got)
	}
	if got := s.Write([]byte(" 2/2\r")); got != "" {
		t.Errorf("Write returned %q before the line ended", got)
	}
	if got := s.Current(); got != "two 2/2" {
		t.Errorf("Current returned %q", got)
	}
	if got := s.Flush(); got != "two 2/2" {
		t.Errorf("Flush returned %q", got)
	}
	if got := s.Current() + s.Flush(); got != "" {
		t.Errorf("%q left after Flush", got)
	}
}

func TestStreamForgetsAnOpenSequenceOnFlush(t *testing.T) {
	var s Stream
	s.Write([]byte("a\x1b]0;title"))
	if got := s.Flush(); got != "a" {
		t.Errorf("Flush returned %q", got)
	}
	if got := s.Write([]byte("b\n")); got != "b\n" {
		t.Errorf("the next stream began inside the sequence: %q", got)
	}
}

func TestStreamKeepsBoundedMemory(t *testing.T) {
	chunk := []byte(strings.Repeat("x", 1000))
	for name, open := range map[string]string{
		"endless line":      "",
		"overwritten line":  "a\r",
		"endless title":     "\x1b]0;",
		"title and newline": "\x1b]0;\n",
		"endless CSI":       "\x1b[",
		"endless graphics":  "\x1b_G",
	} {
		t.Run(name, func(t *testing.T) {
			var s Stream
			s.Write([]byte(open))
			for range 2000 {
				s.Write(chunk)
				kept := cap(s.line.plain) + len(s.line.cells) + cap(s.esc.held)
				if kept > 4*MaxLine {
					t.Fatalf("%d bytes and cells kept", kept)
				}
			}
			if got := s.Write([]byte("\x1b\\\nlast words\n")); !strings.HasSuffix(got, "\nlast words\n") {
				t.Errorf("did not recover: …%q", got[max(0, len(got)-40):])
			}
		})
	}
}

func TestAnUnterminatedSequenceIsGivenUpAfterAWhile(t *testing.T) {
	var s Stream
	out := s.Write([]byte("a\x1b]0;t\n"))
	for i := 0; i < 2*maxHeld; i += 10 {
		out += s.Write([]byte("123456789\n"))
	}
	if !strings.HasPrefix(out, "a\n123456789\n") {
		t.Errorf("nothing shown: %q", out[:min(len(out), 40)])
	}
}

func TestOverlongLinesAreBroken(t *testing.T) {
	for name, in := range map[string]string{
		"ASCII":       strings.Repeat("x", 3*MaxLine+5),
		"wide":        strings.Repeat("漢", 2*MaxLine+5),
		"tabs":        strings.Repeat("\t", MaxLine),
		"overwritten": "a\r" + strings.Repeat("é", 2*MaxLine),
	} {
		t.Run(name, func(t *testing.T) {
			got := Clean(in)
			for line := range strings.SplitSeq(got, "\n") {
				if w := Width(line); w > MaxLine {
					t.Fatalf("a line of %d cells", w)
				}
			}
			if again := Clean(got); again != got {
				t.Error("cleaning twice differs from cleaning once")
			}
		})
	}
	exact := strings.Repeat("x", MaxLine) + "\nnext\n"
	if got := Clean(exact + "\x1b[m"); got != exact {
		t.Errorf("a line of just the limit gained a line end: %d bytes, want %d", len(got), len(exact))
	}
}

func stream(chunks ...string) string {
	var s Stream
	var b strings.Builder
	for _, chunk := range chunks {
		b.WriteString(s.Write([]byte(chunk)))
	}
	b.WriteString(s.Flush())
	return b.String()
}

// unsafe returns the first rune of s that must never reach a terminal.
func unsafe(s string) (rune, bool) {
	if !utf8.ValidString(s) {
		return utf8.RuneError, true
	}
	for _, r := range s {
		ok := r == '\n' || r == zeroWidthJoiner || r == zeroWidthNonJoiner ||
			!unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
		if !ok {
			return r, true
		}
	}
	return 0, false
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"step \x1b[1mtwo\x1b[0m A\x1b]2;name\x07B\nC\x1b]8;;http://x\x1b\\D",
		"A\u009b2JB \x9d52;c;eA==\x9c nel\u0085x\u2028y",
		"fetch 1/3\rfetch 2/3\x1b[2K\r漢字\b\bok\t.\n",
		"👨\u200d👩\u200d👧 e\u0301\u0302 \U000e0041\ufffe\xf0\x9f\x98",
		"\x1bP\n\n\x1b\x1b]0;\nx\x18y\x1b_\n",
	} {
		f.Add([]byte(seed), uint16(3), uint16(7))
	}
	f.Fuzz(func(t *testing.T, in []byte, i, j uint16) {
		want := Clean(string(in))
		if r, found := unsafe(want); found {
			t.Fatalf("Clean(%q) holds %U: %q", in, r, want)
		}
		if again := Clean(want); again != want {
			t.Fatalf("Clean is not idempotent: %q, then %q", want, again)
		}
		a, b := int(i)%(len(in)+1), int(j)%(len(in)+1)
		a, b = min(a, b), max(a, b)
		if got := stream(string(in[:a]), string(in[a:b]), string(in[b:])); got != want {
			t.Fatalf("cut at %d and %d: %q, want %q", a, b, got, want)
		}
		var bytewise []string
		for k := range in {
			bytewise = append(bytewise, string(in[k:k+1]))
		}
		if got := stream(bytewise...); got != want {
			t.Fatalf("byte by byte: %q, want %q", got, want)
		}
	})
}

func BenchmarkClean(b *testing.B) {
	plain := strings.Repeat("go: downloading github.com/example/module v1.2.3\n", 2000)
	for name, in := range map[string]string{
		"ascii":    plain,
		"crlf":     strings.ReplaceAll(plain, "\n", "\r\n"),
		"coloured": strings.ReplaceAll(plain, "go:", "\x1b[36mgo:\x1b[0m"),
		"korean":   strings.Repeat("가나다라마바사 아자차카타파하\n", 2000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				Clean(in)
			}
		})
	}
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(plain)))
		chunk := []byte(plain)
		for b.Loop() {
			var s Stream
			s.Write(chunk)
		}
	})
}

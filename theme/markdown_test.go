package theme

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"growbench/theme/text"
)

const result = `# RESULT #1

## Files
- ` + "`src/parse.go`" + ` (modified) **big**
- 漢字 ❤️ 👨‍👩‍👧 *soft* ~~gone~~ [x] [docs](http://example.com/a)

| name | kind |
|------|------|
| 한   | func |

` + "```go\nfunc main() { println(\"a very long line that cannot be broken anywhere_at_all_because_it_is_code\") }\n```" + `

> quoted
1. one
2. two

---
`

var style = regexp.MustCompile("\x1b\\[[0-9;:]*m")

func TestMarkdownFitsInEveryThemeAndWidth(t *testing.T) {
	for _, name := range Names() {
		for _, theme := range []Theme{themed(t, name, ""), themed(t, name, "#ffffff").ASCII()} {
			for _, m := range []text.Measure{text.WcWidth, text.Grapheme} {
				for _, cells := range []int{1, 2, 7, 20, 40, 100} {
					lines, err := theme.RenderMarkdown(result, cells, m)
					if err != nil {
						t.Fatal(err)
					}
					for _, line := range lines {
						if w := m.Width(line); w > cells {
							t.Errorf("%s: a line of %d cells in %d: %q", name, w, cells, line)
						}
						if strings.TrimRight(style.ReplaceAllString(line, ""), " ") != style.ReplaceAllString(line, "") {
							t.Errorf("%s: padding left: %q", name, line)
						}
					}
				}
			}
		}
	}
	theme := themed(t, Dark, "")
	lines, err := theme.RenderMarkdown(result, 60, text.WcWidth)
	if err != nil {
		t.Fatal(err)
	}
	plain := style.ReplaceAllString(strings.Join(lines, "\n"), "")
	for _, want := range []string{"# RESULT #1", "## Files", "• src/parse.go (modified) big", "漢字 ❤ 👨👩👧 soft", "http://example.com/a", "한", "func main()", "│ quoted", "2. two"} {
		if !strings.Contains(plain, want) {
			t.Errorf("%q is missing in\n%s", want, plain)
		}
	}
	if none, err := theme.RenderMarkdown(result, 0, text.WcWidth); none != nil || err != nil {
		t.Errorf("no room gives %q, %v", none, err)
	}
}

func TestMarkdownWithoutColour(t *testing.T) {
	lines, err := themed(t, None, "").RenderMarkdown(result, 80, text.WcWidth)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(lines, "\n")
	for _, seq := range style.FindAllString(all, -1) {
		if strings.Contains(seq, "3") && seq != "\x1b[3m" {
			t.Errorf("a colour: %q", seq)
		}
	}
	if !strings.Contains(style.ReplaceAllString(all, ""), "`src/parse.go`") {
		t.Errorf("code cannot be told from text: %q", all)
	}
}

func TestMarkdownBringsNoControlBack(t *testing.T) {
	for _, in := range []string{
		"a&#27;]52;c;eA==&#7;b", "a&#x1b;[8mb", "a&#27[8mb", "a&#x1B]0;t", "a&amp;#27;[8mb", "a&\\#27;[8mb",
		"`c&#27;[8md`", "```\nx&#27;[8my\n```", "[l&#27;[8m](http://x&#27;y)", "![i&#27;[8m](u&#7;)", "<b>&#27;[8m</b>",
		"&rlm;&lrm;&shy;&NoBreak;&zwj;&ZeroWidthSpace;x", "| a&#27;[8m | b |\n|---|---|\n| 1&#x9b;2J | &#x202e; |",
		"[a]: http://x&#27; \"t&#7;\"\n\n[a]", "<http://a.b/&#27;>", "a\x1b]8;;http://evil\x07b", "# &#155;2J", "&#2&#7;7;[8m", "&#x20&#x1b;[8m",
	} {
		lines, err := themed(t, Dark, "").RenderMarkdown(in, 60, text.WcWidth)
		if err != nil {
			t.Fatal(err)
		}
		out := strings.Join(lines, "\n")
		for _, seq := range style.FindAllString(out, -1) {
			if strings.HasPrefix(seq, "\x1b[8m") {
				t.Errorf("%q conceals text: %q", in, out)
			}
		}
		for _, r := range style.ReplaceAllString(out, "") {
			bidi := r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f
			if r != '\n' && unicode.IsControl(r) || bidi {
				t.Errorf("%q brings %U back: %q", in, r, out)
			}
		}
	}
}

func FuzzRenderMarkdown(f *testing.F) {
	f.Add(result, 20)
	f.Add("a&#27;[8mb &#x202e; &zwj; 👨\u200d👩 ```\n\x1b]0;", 3)
	theme, err := New(Dark, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in string, cells int) {
		cells = max(cells%80, -cells%80)
		if len(in) > 2000 {
			return
		}
		lines, err := theme.RenderMarkdown(in, cells, text.WcWidth)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if w := text.Width("│"+line+"│") - 2; w > cells {
				t.Errorf("RenderMarkdown(%q, %d): %q takes %d cells", in, cells, line, w)
			}
			for _, r := range style.ReplaceAllString(line, "") {
				if unicode.IsControl(r) {
					t.Errorf("RenderMarkdown(%q, %d): %q holds %U", in, cells, line, r)
				}
			}
		}
	})
}

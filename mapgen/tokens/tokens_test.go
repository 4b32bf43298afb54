package tokens

import (
	"fmt"
	"strings"
	"testing"
)

// words are what a reader of the code would call its words.
func words(language, text string) string {
	var out []string
	for _, t := range Of(language, text) {
		if t.Kind == Word {
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestWordsStandOutsideStringsAndComments(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"Go", "a /* b\n b */ c // d\n`e\n` f \"g\\\" h\" i '\\'' j 'k'", "a c f i j"},
		{"TypeScript", "a `b ${c(`d ${e}`, {f: 1})} g` h(/i/g) + j / k / l 'm' \"n\"", "a c e f h g j k l"},
		{"TypeScript", "x = a / b; y = c / d; return /e'f/.test(g)", "x a b y c d return test g"},
		{"TSX", "<p>it's a</p>\n b", "p it s a p b"},
		{"Python", "a # b\n'''c\nd''' e f'{g} h {{i}}' rb'j' u\"k\" l", "a e g l"},
		{"Rust", "fn a<'b>(c: &'b str) /* d /* e */ f */ { 'g' } r#\"h \"i\" \"# j \"k\nl\" m", "fn a b c b str j m"},
		{"Java", "a \"b\" 'c' \"\"\"\nd \"e\" f\n\"\"\" g", "a g"},
		{"C++", "a R\"x(b )\" c)x\" d 'e' // f\ng", "a d g"},
		{"C#", "a @\"b\"\"c\" d $\"e {f} g\" h", "a d f h"},
		{"Ruby", "a # b\n=begin\nc\n=end\nd \"e #{f.g} h\" i? j <<~X\n  k\nX\nl", "a d f g i? j l"},
		{"PHP", "<p>a</p><?php b($c); // d ?>e<?= f ?> g <?php h <<<X\n i\nX;\nj", "b c f h j"},
		{"Bash", "a # b\nc=$# d \"e ${f} g\" 'h\ni' j <<EOF\nk\nEOF\nl", "a c d f j l"},
		{"C", "a 'b \" c\n d \"e\\\nf", "a b c d e f"},
		{"", "a # b", "a b"},
	} {
		if got := words(c.language, c.text); got != c.want {
			t.Errorf("%s: %q has the words %q, want %q", c.language, c.text, got, c.want)
		}
	}
}

func TestTokensKnowTheirPlace(t *testing.T) {
	const text = "a\n  /*\n*/ b `x\ny` c\n\td"
	var got []string
	for _, token := range Of("Go", text) {
		if text[token.At:token.At+len(token.Text)] != token.Text {
			t.Errorf("%q is not at %d", token.Text, token.At)
		}
		got = append(got, fmt.Sprintf("%.1s%d%v", token.Text, token.Line, token.First))
	}
	if want := "a1true b3true `3false c4false d5true"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if n := Indent(text, len(text)-1); n != 8 {
		t.Errorf("the last line is indented by %d", n)
	}
}

func FuzzTokens(f *testing.F) {
	for _, text := range []string{"a `b ${c}", "f'{", "<<X\n", "'", "r#\"", "/* /*", "<?php <<<'X'\nX", "=begin\n=end", "é'ü", "$\"{@\"", "}}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for language := range languages {
			end, line := 0, 1
			for _, token := range Of(language, text) {
				if token.At < end || token.Text == "" || text[token.At:token.At+len(token.Text)] != token.Text {
					t.Fatalf("%s: token %q at %d after %d", language, token.Text, token.At, end)
				}
				if want := 1 + strings.Count(text[:token.At], "\n"); token.Line != want || want < line {
					t.Fatalf("%s: token %q says line %d, it is on %d", language, token.Text, token.Line, want)
				}
				end, line = token.At+len(token.Text), token.Line
			}
		}
	})
}

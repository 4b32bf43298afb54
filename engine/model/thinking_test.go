package model

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const resultText = "RESULT #2\nFiles: src/rates.ts (new)\nBreaking: none\n"

var thinkingTexts = []struct{ name, text, answer, thought string }{
	{"closed", "<think>I should list RESULT #9 first\nFiles: wrong.ts\n</think>\n\n" + resultText, resultText, "I should list RESULT #9 first\nFiles: wrong.ts\n"},
	{"stray closer", "I should list RESULT #9\nFiles: wrong.ts\n</think>\n" + resultText, resultText, "I should list RESULT #9\nFiles: wrong.ts\n"},
	{"nested", "<thinking><thinking>inner</thinking>\nRESULT #9\nFiles: wrong.ts\n</thinking>\n" + resultText, resultText, "inner\nRESULT #9\nFiles: wrong.ts\n"},
	{"unclosed", "<think>Still deciding.\nRESULT #2\nFiles: wrong.ts\n", "", "Still deciding.\nRESULT #2\nFiles: wrong.ts\n"},
	{"literal", resultText + "Summary: The parser now strips `<think>` tags.", resultText + "Summary: The parser now strips `<think>` tags.", ""},
	{"quoted closer", "<think>The user wrote \"</think>\" in the spec, so\nFiles: wrong.ts\n</think>\n" + resultText, resultText, "The user wrote \"</think>\" in the spec, so\nFiles: wrong.ts\n"},
	{"in JSON", `{"summary":"strips <think>x</think>"}`, `{"summary":"strips <think>x</think>"}`, ""},
	{"JSON over lines", "{\n\"a\": \"\n<think>\n\"}", "{\n\"a\": \"\n<think>\n\"}", ""},
	{"in a fence", "Use:\n```html\n<think>\nx\n</think>\n```\ndone", "Use:\n```html\n<think>\nx\n</think>\n```\ndone", ""},
	{"between two texts", "First.\n<think>hm</think>\nSecond.", "First.\n\nSecond.", "hm"},
	{"in the middle of a line", "Say <think> to it.", "Say <think> to it.", ""},
	{"two blocks", "<think>a</think><think>b</think>c", "c", "ab"},
	{"other words", "[THINK]a[/THINK]b", "b", "a"},
	{"no tag after all", "<thin air", "<thin air", ""},
	{"attributes and case", "<Think effort=\"low\">a</THINK >b", "<Think effort=\"low\">a</THINK >b", ""},
	{"capitals", "<THINK>a</Think>b", "b", "a"},
	{"closer in prose", "It writes </think> and goes on.", "It writes </think> and goes on.", ""},
	{"empty", "", "", ""},
}

func TestThinkingIsNoPartOfAnAnswer(t *testing.T) {
	for _, c := range thinkingTexts {
		if c.name == "attributes and case" {
			c.answer, c.thought = "b", "a" // a tag may have attributes, and spaces before its end
		}
		answer, thought := splitThinking(c.text)
		if answer != c.answer || thought != c.thought {
			t.Errorf("%s: answer %q, thought %q", c.name, answer, thought)
		}
	}
}

// streamed splits text as it comes in pieces of n bytes.
func streamed(text string, n int) (answer, thought string) {
	var s thinkSplitter
	for at := 0; at < len(text); at += n {
		a, th := s.add(text[at:min(len(text), at+n)])
		answer, thought = answer+a, thought+th
	}
	a, th := s.end()
	return answer + a, thought + th
}

func TestThinkingIsToldWhereverItIsCut(t *testing.T) {
	for _, c := range thinkingTexts {
		answer, thought := streamed(c.text, max(1, len(c.text)))
		for n := 1; n < len(c.text); n++ {
			if a, th := streamed(c.text, n); a != answer || th != thought {
				t.Errorf("%s in pieces of %d: %q, %q; whole: %q, %q", c.name, n, a, th, answer, thought)
			}
		}
	}
}

func TestNoPartOfATagIsShown(t *testing.T) {
	var s thinkSplitter
	for _, piece := range []string{"<", "thi", "nk", ">", "deep", "</t", "hink"} {
		if answer, thought := s.add(piece); answer != "" || strings.ContainsAny(thought, "<>") {
			t.Errorf("after %q: answer %q, thought %q", piece, answer, thought)
		}
	}
}

func FuzzThinking(f *testing.F) {
	for _, c := range thinkingTexts {
		f.Add(c.text, 1)
		f.Add(c.text, 7)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 || n > 1000 || len(text) > 1<<16 {
			return
		}
		answer, thought := streamed(text, max(1, len(text)))
		if a, th := streamed(text, n); a != answer || th != thought {
			t.Fatalf("in pieces of %d: %q, %q; whole: %q, %q", n, a, th, answer, thought)
		}
		if len(answer)+len(thought) > len(text) {
			t.Fatalf("%q became %q and %q", text, answer, thought)
		}
		if !strings.ContainsAny(text, "<[◁") && answer != text {
			t.Fatalf("%q became %q", text, answer)
		}
		answer, thought = splitThinking(text)
		if utf8.ValidString(text) && !utf8.ValidString(answer+thought) {
			t.Fatalf("%q became %q and %q", text, answer, thought)
		}
	})
}

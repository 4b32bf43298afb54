package describe

import (
	"regexp"
	"slices"
	"testing"
)

// What the fast searches stand for.
var (
	calledWithExpression = regexp.MustCompile("\\b(?:describe|it|test)(?:\\.\\w+)*\\(\\s*['\"`]([^'\"`\\n]{3,100})")
	someTests            = `describe("a thing", () => { it.only('works well', f); test.each("x")("not this"); exit("nor this") })
	test(` + "\n`" + `over lines` + "`" + `); it('ab'); a.test.b.c("counted too"); _test("no"); étest("also counted")
	test("a string that is longer than one hundred characters, so that only its beginning counts: it(and so on) test(here")`
)

func groups(p *regexp.Regexp, text []byte, limit int) []string {
	var out []string
	for _, m := range p.FindAllSubmatch(text, limit) {
		out = append(out, string(m[1]))
	}
	return out
}

func FuzzSearches(f *testing.F) {
	f.Add([]byte(someTests))
	f.Add([]byte("package a\n\nfunc TestThing(t *testing.T) {}\nfunc ExampleT_x() {\n}\n\tfunc TestNot() {}\nfunc main() {}"))
	f.Add([]byte("  def test_a\n\n\n async def testB(\ndef main"))
	f.Add([]byte("\n\n  \npublic static void main(String[] a)\nif __name__ == '__main__':\n  static async Task Main(\nfn main("))
	f.Fuzz(func(t *testing.T, text []byte) {
		if text = []byte(string([]rune(string(text)))); len(text) > 4096 { // valid UTF-8, as files are when they are described
			return
		}
		if got, want := calledWith(text, 3), groups(calledWithExpression, text, 3); !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
		for language, word := range testWords {
			if got, want := inLines(text, word, testPatterns[language], 3), groups(testPatterns[language], text, 3); !slices.Equal(got, want) {
				t.Errorf("%s %q: %q, not %q", language, text, got, want)
			}
		}
		if got, want := isEntry(FileInput{Content: text}, "a.py"), mainCall.Match(text); got != want {
			t.Errorf("%q: entry %v, not %v", text, got, want)
		}
	})
}

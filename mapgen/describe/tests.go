package describe

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var testPatterns = map[string]*regexp.Regexp{
	"Python": regexp.MustCompile(`(?m)^\s*(?:async )?def test_?(\w+)`),
	"Rust":   regexp.MustCompile(`#\[(?:\w+::)*\w*test\b[^\]]*\]\s*(?:pub )?(?:async )?fn (\w+)`),
	"Java":   regexp.MustCompile(`@(?:Parameterized)?Test[^{;]{0,200}?\bvoid (\w+)\s*\(`),
	"Kotlin": regexp.MustCompile(`@(?:Parameterized)?Test\b[^{;]{0,200}?\bfun ` + "`?" + `([^(` + "`" + `]{2,100})`),
	"Swift":  regexp.MustCompile(`(?m)^\s*func test_?(\w+)`),
	"Ruby":   regexp.MustCompile(`(?m)^\s*(?:describe|it|test|context)\s+['"]?([^'"\n]{3,100}?)['"]?\s+do\b|def test_(\w+)`),
	"PHP":    regexp.MustCompile(`function test_?(\w+)`),
	"C#":     regexp.MustCompile(`\[(?:Test|Fact|Theory|TestMethod)[^\]]*\]\s*(?:\[[^\]]*\]\s*)*public (?:async )?\w+ (\w+)`),
	"C++":    regexp.MustCompile(`(?m)^[^#\n]*\b(?:TEST|SCENARIO|BENCHMARK|[A-Z]+_TEST(?:_CASE)?)(?:_F|_P|_BEGIN|_CASE|_IMPL|_METHOD)?\(\s*(?:\w+,\s*)?"?(\w[\w ,/:-]*)|^(?:static )?void test_(\w+)\s*\(`),
	"Go":     regexp.MustCompile(`(?m)^func (?:Test|Fuzz|Benchmark|Example)_?(\w*)\(`),
	"Bash":   regexp.MustCompile(`(?m)^(?:function )?test_(\w+)`),
}

// testWords stand in every match of those patterns that never leave a line.
var testWords = map[string]string{"Go": "func ", "Python": "def test", "PHP": "function test", "Bash": "test_"}

// testNames are the names of the tests in a file, at most 60.
func testNames(content []byte, language string) []string {
	const limit = 60
	if language == "TypeScript" {
		return calledWith(content, limit)
	}
	p := testPatterns[language]
	if p == nil {
		return nil
	}
	if word := testWords[language]; word != "" {
		return inLines(content, word, p, limit)
	}
	var names []string
	for _, m := range p.FindAllSubmatch(content, limit) {
		n := string(m[1])
		if n == "" && len(m) > 2 {
			n = string(m[2])
		}
		names = append(names, n)
	}
	return names
}

// spread are some of many names, from all over a list: the first ones are often
// on one matter.
func spread(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, "; ")
	}
	var out []string
	for i := range n {
		out = append(out, names[i*len(names)/n])
	}
	return strings.Join(out, "; ") + "; +" + itoa(len(names)-n)
}

const testSupport = "Test support: "

// testFile says what a file of tests checks, by the names of its tests.
func testFile(in FileInput, name string, t *FileText) {
	stem := strings.TrimSuffix(name, path.Ext(name))
	subject := phrase(strings.NewReplacer("_test", "", "test_", "", ".test", "", ".spec", "", "Tests", "", "Test", "", "-test", "", "_spec", "").Replace(stem))
	language := in.Language
	if language == "TSX" || language == "JavaScript" {
		language = "TypeScript"
	}
	if language == "C" {
		language = "C++"
	}
	var names []string
	for _, n := range testNames(in.Content, language) {
		if !strings.Contains(n, " ") {
			n = phrase(n)
		}
		if n = plain(n); len(n) > 2 && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if in.Language == "Python" && len(names) < 3 && !testName.MatchString(name) {
		names = nil // a helper's functions
	}
	t.Topics = topics(in)
	if len(names) == 0 {
		if doc := clip(ownStatement(in), maxPurpose); doc != "" {
			t.Purpose, t.Quality = lead(doc), FromItself
			return
		}
		if p, grade := commentedSymbol(in, name); grade == FromSubject {
			t.Purpose, t.Quality = testSupport+p, FromSubject
			return
		}
		if c := looseComment(in); c != "" {
			t.Purpose, t.Quality = testSupport+lower(c), FromInside
			return
		}
		t.Purpose, t.Quality = testSupport+subject, FromNames
		if text := typeDeed(in, name); text != "" {
			t.Purpose, t.Quality = testSupport+text, FromDeeds
		} else if isProgram(in, name) {
			if text := programDeed(in); text != "" {
				t.Purpose, t.Quality = testSupport+upper(or(subject, stem))+": "+text, FromDeeds
			}
		}
		return
	}
	t.Purpose, t.Quality = "Tests of "+subject+": "+spread(names, 3), FromInside
	if subject == "" {
		t.Purpose = "Tests: " + some(names, 3, "; ")
	}
}

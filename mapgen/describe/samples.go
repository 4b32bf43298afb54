package describe

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// sampleDir are directories in a tree of tests that hold what tests work on.
var sampleDir = regexp.MustCompile(`(?i)^(?:[\w.]*[-_.])?(?:samples?|sources?|inputs?|outputs?|expected|actual|highlighted|before|after|in|out|cases?|examples?|apps?|projects?|workspace|assets?|resources|vendor|dependency|primary|packages|pass|fail|(?:compile|run|build)[-_](?:pass|fail))$`)

var settingsDir = wordSet("config configs conf settings configuration .config")

// sides are the directories of a case in which it begins and ends.
var sides = map[string]string{"in": "as it is before", "input": "as it is before", "before": "as it is before",
	"out": "as it should be after", "output": "as it should be after", "expected": "as it should be after", "after": "as it should be after"}

// supportRole tells code that lies among tests and holds none of them.
func (d *dir) supportRole(support []string) string {
	if d.isSample() {
		return d.sampleRole()
	}
	if samples := d.beside(soleTest); len(samples) > 1 {
		return listClip("Tests for "+d.above()+", on samples: "+strings.Join(samples, ", "), maxRole)
	}
	text := d.supporting() + " of " + d.above()
	if n := d.kinds[Test]; n > 2*fewFiles {
		if more := d.someSubjects(d.order, "", 10); len(more) > 3 {
			return listClip(text+": "+strings.Join(more, ", "), maxRole)
		}
	}
	if parts, told := d.helpers(); len(parts) > 0 {
		if rest := d.symbolWords(told); rest != "" {
			parts = append(parts, rest)
		}
		return text + ": " + fit(parts, maxRole-len(text)-2)
	}
	if s := d.symbolWords(nil); s != "" {
		return text + ": " + s
	}
	if d.kinds[Build] > 0 && len(support) == 1 && 2*(d.kinds[Build]+1) >= len(d.in.Files) {
		return "Project that the tests of " + d.above() + " build"
	}
	if n := len(d.in.Children); len(support) == 1 && (n > 1 || n == 1 && sayingNothing(support[0])) {
		return d.testsInParts()
	}
	if sayingNothing(support[0]) && len(support) == 1 {
		return d.sampleRole()
	}
	return text + ": " + some(support, 4, ", ")
}

// helping are parts of names of what helps tests and is none.
var helping = regexp.MustCompile(`(?i)helper|support|util|common|fixture|mock|stub|fake|harness|env|base|conftest|setup|server|assert|lib|shared|tool`)

// supporting is what code among tests is called: it may be tests whose form is
// not known.
func (d *dir) supporting() string {
	if helping.MatchString(d.in.Name) || slices.ContainsFunc(d.in.Files, func(f File) bool { return f.Text.Kind == Test && helping.MatchString(f.Name) }) {
		return "Helper code for the tests"
	}
	return "Test code"
}

// soleTest is the name of a test that runs what lies beside it.
var soleTest = regexp.MustCompile(`^\w+\.(?:test|spec)\.\w+$`)

// beside are the subjects of the files that lie beside one of tests; none where
// there is none.
func (d *dir) beside(test *regexp.Regexp) []string {
	var rest []int
	found := false
	for _, i := range d.order {
		switch f := d.in.Files[i]; {
		case test.MatchString(f.Name):
			found = true
		case f.Text.Kind == Test:
			rest = append(rest, i)
		}
	}
	if !found {
		return nil
	}
	return d.someSubjects(rest, "", 8)
}

// helpers are the deeds of helper files.
func (d *dir) helpers() (parts []string, told []int) {
	for _, i := range d.order {
		f := d.in.Files[i]
		if f.Text.Kind == Test && (f.Text.Quality == FromDeeds || f.Text.Quality == FromSubject) && len(told) < 2 {
			parts = append(parts, listClip(strings.TrimPrefix(f.Text.Purpose, testSupport), maxRole/2))
			told = append(told, i)
		}
	}
	return parts, told
}

// isSample says that a directory among tests lies where these keep what they
// work on.
func (d *dir) isSample() bool {
	parts := strings.Split(d.in.Path, "/")
	among := false
	for _, p := range parts {
		low := strings.ToLower(p)
		if among && sampleDir.MatchString(p) {
			return true
		}
		among = among || testDir.MatchString("/"+p+"/") || testDir.MatchString("/"+low+"/")
	}
	return d.onlyEmpty()
}

// sampleRole tells what tests work on: in which language, of which case.
func (d *dir) sampleRole() string {
	if n := len(d.in.Children); n > 1 && len(d.in.Files) < 3 && !d.isSample() {
		return d.testsInParts()
	}
	language := strings.Join(d.langs[:min(len(d.langs), 2)], " and ")
	what := "Sample " + or(language, "files")
	if language != "" {
		what += " code"
	}
	settings := settingsDir[strings.ToLower(d.in.Name)]
	if settings {
		what = "Sample settings"
	}
	side := ""
	var names []string
	for _, p := range strings.Split(d.in.Path, "/") {
		low := strings.ToLower(p)
		switch {
		case sides[low] != "" && side == "":
			side = " (" + sides[low] + ")"
		case low == "src" || settings && settingsDir[low] || dataDir.MatchString(low+"/") || testDir.MatchString("/"+low+"/") || testDir.MatchString("/"+p+"/") || strings.EqualFold(p, language):
		default:
			names = append(names, phrase(p))
		}
	}
	if d.onlyEmpty() {
		what = "Empty " + strings.ToLower(what[:1]) + what[1:]
	}
	if len(names) == 0 {
		what += " for the tests of the project"
	} else {
		what += " for the tests of " + strings.Join(names[max(0, len(names)-4):], ", ")
	}
	what += side
	if parts, _ := d.helpers(); len(parts) > 0 && !settings {
		return what + ": " + fit(parts, maxRole-len(what)-2)
	}
	if s := d.symbolWords(nil); s != "" {
		return what + ": " + s
	}
	var stems []string
	for _, i := range d.order {
		f := d.in.Files[i]
		if stem := phrase(strings.TrimSuffix(f.Name, path.Ext(f.Name))); !sayingNothing(stem) && !slices.Contains(stems, stem) && f.Text.Kind == Test {
			stems = append(stems, stem)
		}
	}
	if len(stems) > 0 {
		what += ": " + some(stems, 4, ", ")
	}
	return what
}

func phrases(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = phrase(n)
	}
	return out
}

// testsInParts tells a directory of tests by the directories in it.
func (d *dir) testsInParts() string {
	if len(d.in.Children) == 1 {
		return clip("Tests for "+d.above()+": "+phrase(d.in.Children[0].Name), maxRole)
	}
	return listClip("Tests for "+d.above()+", in "+itoa(len(d.in.Children))+" parts: "+some(phrases(d.childNames()), 8, ", "), maxRole)
}

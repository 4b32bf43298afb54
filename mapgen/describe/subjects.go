package describe

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// minor are parts of file names that name no subject.
var minor = wordSet(`util utils helper helpers error errors exception exceptions type types option options version common misc constants
	const consts config testing mock mocks fake internal base shared index main mod lib init doc setup interfaces interface models model
	test tests spec impl globals export exports stubs shim compat polyfill polyfills deprecated generate generated all page layout route
	default classes enums functions`)

// subjects are what files are about by their names, those with most company
// first; said is what need not be told again.
func (d *dir) subjects(files []int, said string) []string { return d.someSubjects(files, said, 6) }

// numbered are names by which files are counted, not told apart.
var numbered = regexp.MustCompile(`^(?:tutorial|example|sample|test|demo|step|part|page|case|lesson|chapter|ex|section)s?\d+$`)

func (d *dir) someSubjects(files []int, said string, most int) []string {
	own := map[string]bool{}
	for _, w := range words(d.in.Path) {
		own[strings.ToLower(w)] = true
	}
	said = " " + strings.ToLower(said) + " "
	count := map[string]int{}
	var firsts, names []string
	shared := d.sharedWord(files)
	for _, i := range files {
		f := d.in.Files[i]
		name := f.Name
		if told := f.Text.Purpose; f.Text.Kind == Code && f.Text.Quality == FromItself && len(told) <= 36 && nominal(told) && !(native(f.Language) && remarking(told)) {
			names = append(names, lower(told))
			continue
		}
		all := words(strings.TrimLeft(strings.TrimSuffix(name, path.Ext(name)), "0123456789-_."))
		for len(all) > 1 && (own[strings.ToLower(all[0])] || minor[strings.ToLower(all[0])]) {
			all = all[1:]
		}
		for len(all) > 1 && minor[strings.ToLower(all[len(all)-1])] {
			all = all[:len(all)-1]
		}
		if len(all) > 0 && strings.ToLower(all[0]) == shared {
			all = all[1:]
		}
		if len(all) == 0 || own[strings.ToLower(all[0])] && len(all) == 1 || minor[strings.ToLower(all[0])] || len(all[0]) < 2 || name == "package-info.java" || len(all) == 1 && numbered.MatchString(all[0]) {
			continue
		}
		if count[all[0]]++; count[all[0]] == 1 {
			firsts = append(firsts, all[0])
		}
		names = append(names, strings.Join(all, " "))
	}
	var out []string
	add := func(s string) {
		if len(out) < most && !slices.Contains(out, s) && !strings.Contains(said, " "+strings.ToLower(s)) {
			out = append(out, s)
		}
	}
	for _, f := range firsts {
		if count[f] > 2 && len(f) > 2 {
			add(f)
		}
	}
	for _, n := range names {
		if first, _, _ := strings.Cut(n, " "); count[first] <= 2 || len(first) <= 2 {
			add(n)
		}
	}
	return out
}

// sharedWord is the word with which most files of many begin, or "".
func (d *dir) sharedWord(files []int) string {
	count := map[string]int{}
	for _, i := range files {
		if all := words(strings.TrimSuffix(d.in.Files[i].Name, path.Ext(d.in.Files[i].Name))); len(all) > 1 {
			count[strings.ToLower(all[0])]++
		}
	}
	if most := byCount(count); len(files) > fewFiles && len(most) > 0 && count[most[0]]*2 > len(files) {
		return most[0]
	}
	return ""
}

// asides are words of headings that are on a part of a file.
var asides = wordSet("is are was these those this too used private public internal details version macros constants only missing helpers stuff various some copied")

func remarking(text string) bool {
	return strings.ContainsAny(text, "()*#") || slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(w string) bool { return asides[w] })
}

// nominal says that a short text names a thing rather than an action.
func nominal(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return !strings.ContainsAny(text, `:,;"`) && !containsAny(text, []string{" means ", " is ", " are "}) && !verbs[first] && !orders[first] && !thirdVerb.MatchString(first)
}

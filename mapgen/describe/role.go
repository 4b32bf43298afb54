package describe

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// role takes the directory's own words when it has some, and otherwise sums up
// its files or its parts.
func (d *dir) role() string {
	best := -1
	for i, f := range d.in.Files {
		if f.Text.Rank > 0 && f.Text.About != "" && (best < 0 || f.Text.Rank > d.in.Files[best].Text.Rank ||
			f.Text.Rank == d.in.Files[best].Text.Rank && len(f.Text.About) > len(d.in.Files[best].Text.About) && f.Text.Rank < 110) {
			best = i
		}
	}
	if d.in.Package != "" && !d.isData() && d.kinds[Code] > 0 && (best < 0 || d.in.Files[best].Text.Rank < OfReader) {
		return clip(d.packageRole(), maxRole)
	}
	if best >= 0 && !d.isData() {
		f := d.in.Files[best].Text
		if f.Rank >= OfReader || d.kinds[Code] <= 2 {
			if (f.Rank < OfPackage || f.Rank < packageComment && len(f.About) < sparse) && d.in.Path != "." {
				return d.covering(d.named(f))
			}
			return d.named(f)
		}
	}
	text := ""
	switch {
	case d.isData():
		text = d.dataRole()
	case !(d.kinds[Docs] == 1 && d.packaged() != "") && d.kinds[Docs] > 3*(d.written()+d.kinds[Test]) && d.in.Path != "." && d.purposes(Docs, 4) != "":
		text = d.title() + ", documentation: " + d.purposes(Docs, 4)
	case d.kinds[Code] > 0 && d.buildRole() != "":
		text = d.buildRole()
	case d.kinds[Code] > 0 && (d.onlyLoads() || d.onlyBeside()):
		text = d.groupRole()
	case d.isMixed():
		text = d.mixedRole()
	case d.kinds[Code] > 0:
		text = d.codeRole()
	case d.kinds[Test] > 0:
		text = d.testRole()
	case best >= 0:
		text = d.named(d.in.Files[best].Text)
	case len(d.in.Files) == 0 && len(d.in.Children) > 0:
		text = d.groupRole()
	case d.kinds[Docs] > 0 && d.kinds[Docs] >= len(d.in.Files)/2 && d.purposes(Docs, 3) != "":
		text = "Documentation: " + d.purposes(Docs, 3)
	case len(d.in.Files) > 0:
		text = d.fileRole()
	default:
		text = "Empty: nothing in it is part of the project"
	}
	return clip(text, maxRole)
}

func (d *dir) isData() bool {
	return dataDir.MatchString(d.in.Path+"/") || d.kinds[Data] > 0 && d.kinds[Data]+d.kinds[Asset] == len(d.in.Files) && d.kinds[Code] == 0 && len(d.in.Children) == 0
}

// sparse is up to which length words on the whole are followed by its parts.
const sparse = 48

// packageComment is the least rank of Go's, which are written to stand alone.
const packageComment = 100

// of are the files of a kind, the most telling first.
func (d *dir) of(kind string) []int {
	var out []int
	for _, i := range d.order {
		if d.in.Files[i].Text.Kind == kind {
			out = append(out, i)
		}
	}
	return out
}

// onlyLoads says that the files of code do nothing but bring together what lies
// below.
func (d *dir) onlyLoads() bool {
	if len(d.in.Children) == 0 || len(d.in.Files) > 2 || len(d.entries) > 0 || d.exports > 0 {
		return false
	}
	for _, f := range d.in.Files {
		if f.Text.Quality >= FromInside || len(f.Deps) > 0 {
			return false
		}
	}
	return true
}

// buildRole tells code that lies among many files of a build; "" elsewhere.
func (d *dir) buildRole() string {
	subjects := d.subjects(d.of(Build), "")
	if d.kinds[Build] <= 3*d.kinds[Code] || d.in.Path == "." || len(subjects) < 3 {
		return ""
	}
	return d.place() + ": build files for " + listed(subjects)
}

// isMixed says that one file of code lies among others that are none.
func (d *dir) isMixed() bool {
	others := d.kinds[Asset] + d.kinds[Config] + d.kinds[Data] + d.kinds[Docs]
	return d.kinds[Code] == 1 && others >= 3 && others == len(d.in.Files)-1 && d.in.Path != "."
}

// mixedRole tells a directory in which one file of code lies among others, kind
// by kind.
func (d *dir) mixedRole() string {
	var parts []string
	for _, k := range []struct{ kind, word string }{{Docs, "documents"}, {Config, "settings"}, {Data, "data"}, {Asset, "assets"}, {Code, "code"}} {
		files := d.of(k.kind)
		if len(files) == 0 {
			continue
		}
		what := itoa(len(files)) + " files of " + k.word
		if len(files) == 1 {
			what = k.word
		}
		if subjects := d.someSubjects(files, "", 4); len(subjects) > 0 {
			what = k.word + " (" + strings.Join(subjects, ", ") + ")"
		}
		parts = append(parts, what)
	}
	return d.place() + ": " + listed(parts)
}

// onlyBeside says that a few files of code without a word lie beside the
// directories that hold the rest.
func (d *dir) onlyBeside() bool {
	if d.kinds[Code] > 2 || len(d.in.Children) < 2*d.kinds[Code] || d.exports > 1 || d.in.Path == "." {
		return false
	}
	return !slices.ContainsFunc(d.in.Files, func(f File) bool { return f.Text.Kind == Code && f.Text.Quality >= FromDeeds })
}

// written is how many files of code no tool has written.
func (d *dir) written() int {
	n := 0
	for _, f := range d.in.Files {
		if f.Text.Kind == Code && !strings.HasPrefix(f.Note, "generated") {
			n++
		}
	}
	return n
}

// purposes are what the first files of a kind are for.
func (d *dir) purposes(kind string, n int) string {
	var out []string
	left := 0
	for _, i := range d.order {
		f := d.in.Files[i]
		if f.Text.Kind != kind || f.Text.Purpose == "" {
			continue
		}
		if len(out) == n {
			left++
			continue
		}
		p := f.Text.Purpose
		if kind == Docs {
			p, _, _ = strings.Cut(strings.TrimPrefix(p, "Introduction: "), ": ")
		}
		out = append(out, clip(p, maxRole/n))
	}
	return strings.Join(out, "; ")
}

// fit joins as many statements as there is room for; the last one is cut only
// when it is the first or a good part of it fits.
func fit(statements []string, room int) string {
	out := ""
	for _, s := range statements {
		if out != "" {
			s = "; " + s
		}
		left := room - len(out)
		if len(s) > left {
			if out == "" || left > 60 {
				out += clip(s, left)
			}
			break
		}
		out += s
	}
	return out
}

func (d *dir) onlyEmpty() bool {
	for _, f := range d.in.Files {
		if f.Note != "empty" {
			return false
		}
	}
	return true
}

func (d *dir) childNames() []string {
	var names []string
	for _, c := range d.in.Children {
		names = append(names, c.Name)
	}
	return names
}

// nameless are names of tests that say nothing.
var nameless = wordSet("case works it test tests basic main mod lib index fixture fixtures simple smoke example pass fail block init default page empty foo bar baz helper")

func sayingNothing(name string) bool {
	for _, w := range strings.Fields(strings.ToLower(name)) {
		if !nameless[w] {
			return false
		}
	}
	return true
}

// telling drops from "subject: test; test" what tells nothing.
func telling(text string) string {
	subject, tests, ok := strings.Cut(text, ": ")
	if !ok {
		subject, tests = "", text
	}
	var kept []string
	for _, t := range strings.Split(tests, "; ") {
		if !sayingNothing(t) && !strings.Contains(t, "${") && !strings.EqualFold(t, subject) {
			kept = append(kept, t)
		}
	}
	if len(kept) == 1 && strings.HasPrefix(kept[0], "+") {
		kept = nil
	}
	switch {
	case sayingNothing(subject):
		return strings.Join(kept, "; ")
	case len(kept) == 0:
		return subject
	}
	return subject + ": " + strings.Join(kept, "; ")
}

func (d *dir) testRole() string {
	var subjects, named, support []string
	for _, i := range d.order {
		f := d.in.Files[i]
		if f.Text.Kind != Test || f.Text.Purpose == "" {
			continue
		}
		if p, ok := strings.CutPrefix(f.Text.Purpose, testSupport); ok {
			support = append(support, p)
			continue
		}
		p := strings.TrimPrefix(strings.TrimPrefix(f.Text.Purpose, "Tests of "), "Tests: ")
		if p == f.Text.Purpose && d.kinds[Test] > fewFiles {
			continue // a remark in one of many
		}
		if p = telling(p); p == "" {
			named = append(named, f.Name)
			continue
		}
		subjects = append(subjects, clip(p, 70))
	}
	more := d.subjects(d.order, strings.Join(subjects[:min(len(subjects), 3)], " "))
	switch {
	case len(subjects) > 4 && len(more) > 2:
		return clip("Tests for "+d.above()+": "+strings.Join(subjects[:2], "; "), maxRole-70) + clip("; also "+strings.Join(more, ", "), 70)
	case len(subjects) > 0:
		return "Tests for " + d.above() + ": " + strings.Join(subjects[:min(len(subjects), 3)], "; ")
	case len(named) > 0 && (len(more) == 0 || len(d.in.Files) < 4 && d.kinds[Test] == 1):
		own := d.above()
		if at := strings.LastIndex(own, ", "); at > 0 {
			return "Test case “" + own[at+2:] + "” for " + own[:at]
		}
		return "Tests for " + own
	case len(support) > 0 && 2*(d.kinds[Data]+d.kinds[Asset]) > len(d.in.Files):
		return d.dataRole()
	case len(support) > 0 && len(named) == 0 && (!testName.MatchString(d.in.Files[d.order[0]].Name) || len(d.beside(soleTest)) > 1):
		return d.supportRole(support)
	case len(more) > 0 && (len(named) > 0 || slices.ContainsFunc(d.in.Files, func(f File) bool { return testName.MatchString(f.Name) })):
		return "Tests for " + d.above() + ": " + listed(more)
	}
	return d.sampleRole()
}

var mockDir = regexp.MustCompile(`(?:^|/)(?:mocks?|__mocks__)/`)

func (d *dir) dataRole() string {
	exts := map[string]int{}
	topics := map[string]int{}
	for _, f := range d.in.Files {
		ext := strings.TrimPrefix(path.Ext(f.Name), ".")
		if ext == "" || ext == strings.TrimPrefix(f.Name, ".") {
			ext = "plain"
		}
		exts[ext]++
		for _, w := range words(strings.TrimSuffix(f.Name, path.Ext(f.Name))) {
			if w = strings.ToLower(w); len(w) > 2 && !stopword[w] && strings.Trim(w, "0123456789") != "" {
				topics[w]++
			}
		}
	}
	for _, c := range d.in.Children {
		for _, w := range words(c.Name) {
			if w = strings.ToLower(w); len(w) > 2 && !stopword[w] {
				topics[w]++
			}
		}
	}
	what := "Data"
	if dataDir.MatchString(d.in.Path+"/") || testDir.MatchString(d.in.Path+"/") {
		what = "Test data"
		if mockDir.MatchString(d.in.Path+"/") && len(d.langs) > 0 {
			what = "Stand-ins (mocks)"
		}
	} else if d.kinds[Asset] > len(d.in.Files)/2 {
		what = "Assets"
	}
	if own := d.tail(); own != "" {
		what += " " + own
	}
	text := what + " for " + d.owner()
	if kinds := byCount(exts); len(kinds) > 0 {
		text += ": " + itoa(len(d.in.Files)) + " " + some(kinds, 2, "/") + " files"
	}
	about := byCount(topics)
	for _, f := range d.in.Files {
		if f.Text.Quality >= FromInside && f.Text.Purpose != "" && len(d.in.Files) < 4 {
			return text + "; " + lower(clip(f.Text.Purpose, 100))
		}
	}
	if len(about) > 0 {
		text += " on " + strings.Join(about[:min(len(about), 5)], ", ")
	}
	return text
}

// only is what groupRole says of a directory that holds nothing but another.
var only = regexp.MustCompile(`^.*?, only (.+?) in it: (.*)$`)

func (d *dir) groupRole() string {
	var parts []string
	for _, c := range d.in.Children {
		role, _, _ := strings.Cut(c.Role, ". ")
		if role == "" {
			role = phrase(c.Name)
		}
		if len(parts) < 3 {
			if !mentions(role, c.Name) {
				role = c.Name + " (" + lower(clip(role, 48)) + ")"
			}
			parts = append(parts, clip(role, 64))
		}
	}
	title := d.title()
	if len(d.in.Children) == 1 {
		inside, role := d.in.Children[0].Name, d.in.Children[0].Role
		role, _, _ = strings.Cut(role, ". Dep: ")
		if way := only.FindStringSubmatch(role); way != nil {
			inside, role = inside+"/"+way[1], way[2]
		}
		if subjects := d.subjects(d.order, ""); len(d.in.Files) > 1 && len(subjects) > 0 {
			return title + ": " + listed(subjects) + "; below " + inside + ": " + or(role, parts[0])
		}
		return title + ", only " + inside + " in it: " + or(role, parts[0])
	}
	return title + ", " + itoa(len(d.in.Children)) + " parts: " + strings.Join(parts, "; ")
}

func (d *dir) fileRole() string {
	title := d.place()
	if p := d.packaged(); p != "" {
		return title + ": " + p
	}
	var parts []string
	for _, i := range d.order {
		f := d.in.Files[i]
		if p := or(f.Text.Purpose, f.Note); p != "" && len(parts) < 3 {
			parts = append(parts, lower(clip(p, 70)))
		}
	}
	return title + ": " + strings.Join(parts, "; ")
}

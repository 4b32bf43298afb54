package describe

import (
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// DescribeDir says what a directory is for.
func DescribeDir(in DirInput) DirText {
	d := &dir{in: in, words: phrase(in.Name)}
	d.count()
	d.rank()
	t := DirText{Likely: d.order, Deps: d.internal}
	t.Role = d.role()
	t.Arch = d.arch()
	t.Tags = d.tags()
	t.Workflows = d.workflows()
	return t
}

type dir struct {
	in       DirInput
	words    string
	order    []int // files, the most telling first
	kinds    map[string]int
	langs    []string // the most frequent first
	exports  int
	entries  []string
	internal []string // pkg/… directories this one uses, the most used first
	external []string
}

func (d *dir) count() {
	d.kinds = map[string]int{}
	langs, inside, outside := map[string]int{}, map[string]int{}, map[string]int{}
	self := "pkg/" + d.in.Path
	for _, f := range d.in.Files {
		d.kinds[f.Text.Kind]++
		d.exports += len(f.Exports)
		if f.Language != "" {
			langs[f.Language]++
		}
		if f.Text.Entry {
			d.entries = append(d.entries, f.Name)
		}
		for _, dep := range f.Deps {
			dep = strings.TrimPrefix(dep, "~")
			switch {
			case strings.HasPrefix(dep, "ext/"):
				outside[dep[4:]]++
			case dep == self:
			default:
				inside[dep]++
			}
		}
	}
	d.langs, d.internal, d.external = byCount(langs), byCount(inside), byCount(outside)
}

// byCount lists keys, the highest count first.
func byCount(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if m[keys[i]] != m[keys[j]] {
			return m[keys[i]] > m[keys[j]]
		}
		return keys[i] < keys[j]
	})
	return keys
}

// rank orders files by how much a reader learns from them.
func (d *dir) rank() {
	scores := make([]int, len(d.in.Files))
	for i, f := range d.in.Files {
		s := f.Text.Rank/10 + min(len(f.Exports), 30)*2 + min(len(f.Deps), 20)
		switch f.Text.Kind {
		case Code:
			s += 40
		case Docs:
			s += 10
		case Build, Config:
			s += 15
		case Data, Asset:
			s -= 10
		}
		if f.Text.Entry {
			s += 20
		}
		if f.Note != "" {
			s -= 30
		}
		stem := strings.TrimSuffix(f.Name, path.Ext(f.Name))
		if stem == d.in.Name || stem == "index" || stem == "lib" || stem == "main" || stem == "mod" || stem == "__init__" {
			s += 15
		}
		scores[i] = s
		d.order = append(d.order, i)
	}
	sort.SliceStable(d.order, func(a, b int) bool { return scores[d.order[a]] > scores[d.order[b]] })
}

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
	if best >= 0 && !d.isData() {
		f := d.in.Files[best].Text
		if f.Rank >= 70 || d.kinds[Code] <= 2 {
			return d.named(f)
		}
	}
	text := ""
	switch {
	case d.isData():
		text = d.dataRole()
	case d.kinds[Docs] > 3*(d.kinds[Code]+d.kinds[Test]) && d.in.Path != "." && d.purposes(Docs, 4) != "":
		text = d.title() + ", documentation: " + d.purposes(Docs, 4)
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

// named puts the directory's name before words that do not mention it.
func (d *dir) named(f FileText) string {
	about := f.About
	if d.in.Path == "." {
		return about
	}
	// A README is often that of the whole project; a package comment is not.
	if f.Rank <= 85 && !mentions(about, d.in.Name) && !mentions(about, d.words) {
		about = d.title() + ": " + about
	}
	return clip(about+d.standing(), maxRole)
}

// standing tells copies and inner versions of a thing from the thing itself.
func (d *dir) standing() string {
	parts := strings.Split(d.in.Path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		switch {
		case i == len(parts)-1 && !version.MatchString(p):
			continue
		case p == "vendor" || p == "third_party":
			return " (vendored in " + or(strings.Join(parts[:i], " "), "the project") + ")"
		case p == "internal" || p == "private":
			return " (internal to " + or(phrase(strings.Join(parts[max(0, i-2):i], " ")), "the project") + inner(parts[i+1:len(parts)-1]) + ")"
		case version.MatchString(p):
			return " (" + p + ")"
		case p == "examples" || p == "example":
			return " (an example)"
		}
	}
	return ""
}

func inner(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return ", " + phrase(strings.Join(parts, " "))
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// vague names say nothing without the one above.
var vague = map[string]bool{"main": true, "src": true, "lib": true, "app": true, "types": true, "utils": true, "util": true, "internal": true,
	"common": true, "core": true, "pkg": true, "cmd": true, "source": true, "include": true, "shared": true, "base": true, "api": true,
	"convert": true, "gallery": true, "impl": true, "model": true, "models": true, "helpers": true, "scripts": true, "tools": true, "bin": true,
	"mock": true, "out": true, "in": true, "client": true, "server": true, "web": true, "java": true, "kotlin": true, "python": true, "go": true}

// title is the directory's name in words, with those above when it is vague.
func (d *dir) title() string {
	if d.in.Path == "." {
		return d.in.Name
	}
	parts := strings.Split(d.in.Path, "/")
	at := len(parts) - 1
	for at > 0 && (vague[strings.ToLower(parts[at])] || version.MatchString(parts[at])) {
		at--
	}
	words := []string{parts[at]}
	for _, p := range parts[at+1:] {
		if p != "src" && p != "main" && p != "java" && p != "kotlin" {
			words = append(words, p)
		}
	}
	return upper(phrase(strings.Join(words, " ")))
}

func (d *dir) isData() bool {
	return dataDir.MatchString(d.in.Path+"/") || d.kinds[Data] > 0 && d.kinds[Data]+d.kinds[Asset] == len(d.in.Files) && d.kinds[Code] == 0 && len(d.in.Children) == 0
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
			p, _, _ = strings.Cut(p, ": ")
		}
		out = append(out, clip(p, maxRole/n))
	}
	return strings.Join(out, "; ")
}

func (d *dir) codeRole() string {
	// What files say of themselves or of their subject first; a comment found
	// somewhere inside comes after what the code offers.
	best := append([]int(nil), d.order...)
	sort.SliceStable(best, func(a, b int) bool {
		return min(d.in.Files[best[a]].Text.Quality, FromSubject) > min(d.in.Files[best[b]].Text.Quality, FromSubject)
	})
	var said, heard, named []string
	for _, i := range best {
		f := d.in.Files[i]
		if f.Text.Kind != Code || f.Note != "" {
			continue
		}
		words := lower(strings.TrimRight(f.Text.Purpose, "."))
		switch {
		case f.Text.Quality >= FromSubject && len(said) < 3:
			said = append(said, words)
		case f.Text.Quality == FromInside && len(heard) < 2:
			heard = append(heard, words)
		case len(named) < 6:
			named = append(named, phrase(strings.TrimSuffix(f.Name, path.Ext(f.Name))))
		}
	}
	title := d.title()
	if len(said) == 0 {
		if len(d.entries) > 0 && len(heard) == 0 {
			title += " program"
		}
		if s := d.symbolWords(); s != "" && d.exports > 1 {
			said = append(said, s)
		}
		said = append(said, heard...)
	}
	for len(said) == 1 && len(heard) > 0 && !slices.Contains(said, heard[0]) {
		said = append(said, heard[0])
	}
	if len(said) == 0 {
		return title + ": " + d.bare(named)
	}
	return title + ": " + fit(said, maxRole-len(title)-2)
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

// bare describes code without a word of its own: by what it offers, what it
// uses, or what its files are called.
func (d *dir) bare(named []string) string {
	var parts []string
	if s := d.symbolWords(); s != "" {
		parts = append(parts, s)
	}
	if len(parts) == 0 && len(named) > 0 {
		parts = append(parts, strings.Join(named, ", ")+" in "+strings.Join(d.langs[:min(len(d.langs), 2)], " and "))
	}
	if len(parts) == 0 && d.onlyEmpty() {
		parts = append(parts, "an empty "+or(strings.Join(d.langs, " and "), "source")+" package around "+or(some(d.childNames(), 3, ", "), "nothing"))
	}
	if len(parts) == 0 {
		for _, f := range d.in.Files {
			if f.Note != "" && f.Text.Kind == Code && len(parts) < 2 {
				parts = append(parts, f.Note)
			}
		}
	}
	var uses []string
	for _, dep := range d.internal[:min(len(d.internal), 3)] {
		uses = append(uses, phrase(path.Base(dep)))
	}
	for _, dep := range d.external {
		if len(uses) < 3 && !standard(dep, d.langs) {
			uses = append(uses, dep)
		}
	}
	if len(uses) > 0 {
		parts = append(parts, "uses "+strings.Join(uses, ", "))
	}
	return strings.Join(parts, "; ")
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

// empty are function names that could stand anywhere.
var empty = map[string]bool{"new": true, "main": true, "init": true, "get": true, "set": true, "run": true, "setup": true, "default": true,
	"__init__": true, "string": true, "close": true, "open": true, "index": true}

// symbolWords names the most telling exports in words.
func (d *dir) symbolWords() string {
	var types, funcs []string
	for _, i := range d.order {
		if f := d.in.Files[i]; f.Text.Kind == Code || d.kinds[Code] == 0 && f.Text.Kind == Test {
			for _, e := range f.Exports {
				switch {
				case e.Name == "*" || e.Name == "default":
				case isType(e.Kind) && len(types) < 5:
					types = append(types, e.Name)
				case e.Kind == "function" && len(funcs) < 4 && !empty[strings.ToLower(e.Name)]:
					if p := phrase(e.Name); !slices.Contains(funcs, p) {
						funcs = append(funcs, p)
					}
				}
			}
		}
	}
	var parts []string
	if len(types) > 0 {
		parts = append(parts, "defines "+strings.Join(types, ", "))
	}
	if len(funcs) > 0 {
		parts = append(parts, "can "+strings.Join(funcs, ", "))
	}
	return strings.Join(parts, "; ")
}

func (d *dir) testRole() string {
	var subjects, support []string
	for _, i := range d.order {
		f := d.in.Files[i]
		if f.Text.Kind != Test || f.Text.Purpose == "" {
			continue
		}
		if p, ok := strings.CutPrefix(f.Text.Purpose, "Test support: "); ok {
			support = append(support, p)
			continue
		}
		p := strings.TrimPrefix(strings.TrimPrefix(f.Text.Purpose, "Tests of "), "Tests: ")
		if len(subjects) < 3 {
			subjects = append(subjects, clip(p, 70))
		}
	}
	if len(subjects) == 0 {
		text := "Code that the tests of " + d.above() + " use"
		if len(support) == 0 {
			return "Placeholders that the tests of " + d.above() + " need"
		}
		if s := d.symbolWords(); s != "" {
			return text + ": " + s
		}
		return text + ": " + some(support, 4, ", ")
	}
	return "Tests for " + d.above() + ": " + strings.Join(subjects, "; ")
}

// above names in words what a directory of tests or data belongs to.
func (d *dir) above() string {
	var out []string
	for _, p := range strings.Split(d.in.Path, "/") {
		if !dataDir.MatchString(p+"/") && !testDir.MatchString("/"+p+"/") && p != "src" {
			out = append(out, phrase(p))
		}
	}
	if len(out) == 0 {
		return "the project"
	}
	return strings.Join(out[max(0, len(out)-4):], ", ")
}

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

// owner names what lies above the first directory of data.
func (d *dir) owner() string {
	parts := strings.Split(d.in.Path, "/")
	for i, p := range parts {
		if dataDir.MatchString(p + "/") {
			up := dir{in: DirInput{Path: strings.Join(parts[:i], "/")}}
			return up.above()
		}
	}
	return d.above()
}

// tail is the part of a path below the word that makes it test data.
func (d *dir) tail() string {
	parts := strings.Split(d.in.Path, "/")
	for i, p := range parts {
		if dataDir.MatchString(p+"/") && i+1 < len(parts) {
			return "“" + phrase(strings.Join(parts[i+1:], " ")) + "”"
		}
	}
	return ""
}

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
		return title + " holds one part: " + parts[0]
	}
	return title + ", " + itoa(len(d.in.Children)) + " parts: " + strings.Join(parts, "; ")
}

func (d *dir) fileRole() string {
	title := d.title()
	var parts []string
	for _, i := range d.order {
		f := d.in.Files[i]
		if p := or(f.Text.Purpose, f.Note); p != "" && len(parts) < 3 {
			parts = append(parts, lower(clip(p, 70)))
		}
	}
	return title + ": " + strings.Join(parts, "; ")
}

// arch is at most four statements on structure and flow.
func (d *dir) arch() string {
	var out []string
	var have []string
	for _, k := range []struct{ kind, one string }{{Code, "source"}, {Test, "test"}, {Docs, "documentation"}, {Config, "configuration"}, {Build, "build"}, {Data, "data"}, {Asset, "asset"}} {
		if n := d.kinds[k.kind]; n > 0 {
			have = append(have, itoa(n)+" "+k.one)
		}
	}
	if len(have) > 0 {
		line := "Files: " + strings.Join(have, ", ")
		if len(d.langs) > 0 {
			line += "; " + some(d.langs, 3, ", ")
		}
		if d.exports > 0 {
			line += "; " + itoa(d.exports) + " exported symbols"
		}
		out = append(out, line+".")
	}
	if len(d.entries) > 0 {
		out = append(out, "Starts in "+some(d.entries, 4, ", ")+".")
	}
	if len(d.internal) > 0 {
		from := d.in.Path
		if len(d.entries) > 0 {
			from = d.entries[0]
		}
		out = append(out, "Flow: "+from+" -> "+some(d.internal, 5, ", ")+".")
	}
	if len(d.external) > 0 {
		out = append(out, "Outside: "+some(d.external, 6, ", ")+".")
	}
	if h := d.hierarchy(); h != "" {
		out = append(out, "Hierarchy: "+h+".")
	}
	if len(d.in.Children) > 0 {
		var names []string
		for _, c := range d.in.Children {
			names = append(names, c.Name)
		}
		out = append(out, "Parts: "+some(names, 12, ", ")+".")
	}
	return strings.Join(out, "\n")
}

var extending = []string{" extends ", " implements "}

func (d *dir) hierarchy() string {
	var out []string
	for _, f := range d.in.Files {
		for _, e := range f.Exports {
			for _, word := range extending {
				if _, rest, ok := strings.Cut(e.Signature, word); ok && len(out) < 5 {
					out = append(out, e.Name+" -> "+clip(rest, 60))
					break
				}
			}
		}
	}
	return strings.Join(out, "; ")
}

func (d *dir) tags() []string {
	tags := []string{OfflineTag}
	add := func(tag string) {
		tag = strings.ToLower(strings.TrimSpace(tag))
		if len(tag) > 1 && len(tags) < 14 && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	for _, w := range words(d.in.Name) {
		if !stopword[strings.ToLower(w)] {
			add(w)
		}
	}
	for _, l := range d.langs[:min(len(d.langs), 2)] {
		add(l)
	}
	if len(d.entries) > 0 {
		add("entry")
	}
	for _, k := range []string{Test, Docs} {
		if d.kinds[k]*2 > len(d.in.Files) {
			add(k)
		}
	}
	topics := map[string]int{}
	for _, f := range d.in.Files {
		for _, w := range f.Text.Topics {
			topics[w]++
		}
	}
	common := byCount(topics)
	for _, w := range common[:min(len(common), 6)] {
		add(w)
	}
	n := 0
	for _, e := range d.external {
		if n < 3 && !standard(e, d.langs) {
			add(e)
			n++
		}
	}
	return tags
}

// workflows lead from a task to files.
func (d *dir) workflows() []Workflow {
	var out []Workflow
	tests := map[string]string{}
	for _, f := range d.in.Files {
		if f.Text.Kind == Test {
			tests[testedStem(f.Name)] = f.Name
		}
	}
	add := func(task string, files ...string) { out = append(out, Workflow{task, files}) }
	n := 0
	for _, i := range d.order {
		f := d.in.Files[i]
		if f.Text.Kind != Code || n == 4 {
			continue
		}
		n++
		stem := strings.TrimSuffix(f.Name, path.Ext(f.Name))
		task := "change " + phrase(stem)
		if stem == "index" || stem == "main" || stem == "mod" || stem == "lib" || stem == "__init__" || stem == "doc" {
			task = "change " + d.words
		}
		if f.Text.Entry {
			task = "change what " + d.words + " does at start"
		}
		files := []string{f.Name}
		if t := tests[stem]; t != "" {
			files = append(files, t)
		}
		add(task, files...)
	}
	for _, i := range d.order {
		f := d.in.Files[i]
		switch {
		case len(out) > 6:
		case f.Text.Kind == Build && strings.HasPrefix(f.Text.Purpose, "Build targets"):
			add("build or check", f.Name)
		case f.Text.Kind == Build && f.Text.Rank > 0, f.Name == "go.mod", f.Name == "package.json":
			add("change dependencies", f.Name)
		case strings.HasPrefix(strings.ToLower(f.Name), "readme"):
			add("read an introduction", f.Name)
		}
	}
	return out
}

func testedStem(name string) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	for _, s := range []string{"_test", ".test", ".spec", "_spec", "-test", "Tests", "Test"} {
		stem = strings.TrimSuffix(stem, s)
	}
	return strings.TrimPrefix(stem, "test_")
}

// standard says that a module comes with its language and tells nothing.
func standard(module string, langs []string) bool {
	first, _, _ := strings.Cut(module, "/")
	if len(langs) > 0 && langs[0] == "Go" {
		return !strings.Contains(first, ".")
	}
	first, _, _ = strings.Cut(first, ".")
	first, _, _ = strings.Cut(first, "::")
	return commonModules[strings.TrimPrefix(first, "node:")] || strings.HasPrefix(module, "node:")
}

var commonModules = map[string]bool{"os": true, "sys": true, "re": true, "fs": true, "path": true, "typing": true, "json": true, "time": true,
	"util": true, "std": true, "core": true, "alloc": true, "java": true, "stdio": true, "stdlib": true, "string": true, "stdint": true,
	"stdbool": true, "stddef": true, "errno": true, "assert": true, "logging": true, "collections": true, "functools": true, "itertools": true,
	"pathlib": true, "dataclasses": true, "datetime": true, "__future__": true, "abc": true, "enum": true, "io": true, "math": true,
	"random": true, "unittest": true, "System": true, "vector": true, "memory": true, "iostream": true, "map": true, "algorithm": true,
	"super": true, "crate": true, "self": true, "unistd": true, "sys/types": true, "contextlib": true, "copy": true, "warnings": true,
	"events": true, "crypto": true, "url": true, "child_process": true, "http": true, "https": true, "net": true, "stream": true}

package describe

import (
	"path"
	"slices"
	"sort"
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

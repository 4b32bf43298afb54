package describe

import (
	"path"
	"slices"
	"strings"
)

// fewFiles is up to how many files of code the comment of one speaks for all.
const fewFiles = 5

// codeRole tells what code is for that has no words on the whole: what its
// files say of themselves, what it offers, which subjects it covers.
func (d *dir) codeRole() string {
	wide := d.kinds[Code] > 2*fewFiles || d.kinds[Code] > 3 && len(d.langs) > 0 && d.langs[0] == "Bash" // each a program of its own
	said, heard, rest := d.statements(wide)
	title := d.place()
	if len(said) == 0 && len(d.entries) > 0 && !strings.HasPrefix(title, "Example ") {
		title += " (" + d.programs() + ")"
	}
	if len(said) == 0 && len(d.langs) > 0 && d.langs[0] == "JavaScript" && servedDir.MatchString(d.in.Path) {
		title += " (for the browser)"
	}
	room := maxRole - len(title) - 2
	if alike := d.alike(); alike != "" {
		return title + ": " + alike
	}
	var parts []string
	var told []int
	most := 3
	if wide {
		most = 2
	}
	parts = append(parts, said[:min(len(said), most)]...)
	if lone := d.loneSpeaker(said); lone >= 0 && d.collection(append(rest, lone)) {
		said, parts, rest = nil, nil, append(rest, lone)
	} else if lone >= 0 {
		parts = d.amongOthers(lone, said[0])
	}
	if p := d.packaged(); d.in.Path == "." && len(parts) == 0 && p != "" {
		parts = append(parts, p)
	} else if web := d.web(); web != "" {
		parts = append([]string{web}, parts...)
	} else if passes := d.handsOn(); len(parts) == 0 && passes != "" && !strings.HasPrefix(title, "Example ") {
		parts = append(parts, or(d.packaged(), passes))
	} else if len(parts) == 0 && !d.collection(rest) {
		if !wide {
			parts, told = d.deeds()
		}
		if s := d.symbolWords(told); s != "" && !(wide && len(d.langs) > 0 && native(d.langs[0]) && len(d.subjects(rest, "")) > 3) {
			parts = append(parts, s)
		}
		if d.kinds[Code] <= fewFiles && (len(parts) == 0 || d.packaged() == "") {
			parts = append(parts, heard...)
		}
	}
	if len(parts) == 1 && len(said) == 1 && len(heard) > 0 && d.kinds[Code] <= fewFiles {
		parts = append(parts, heard[0])
	}
	if len(parts) == 0 {
		parts = append(parts, d.generated(), d.packaged())
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	}
	subjects := d.subjects(rest, strings.Join(parts, " "))
	switch {
	case len(parts) == 0 && len(subjects) > 0:
		subjects = d.someSubjects(rest, "", 12)
		for len(subjects) > 3 && len(strings.Join(subjects, ", ")) > room-40 {
			subjects = subjects[:len(subjects)-1]
		}
		parts = append(parts, d.sort()+" "+listed(subjects)+" in "+strings.Join(d.langs[:min(len(d.langs), 2)], " and "))
		parts = append(parts, d.uses()...)
	case len(parts) == 0:
		return title + ": " + d.bare()
	case len(subjects) > 1 && d.kinds[Code] > fewFiles:
		covers := "; covers " + strings.Join(subjects, ", ")
		return title + ": " + fit(parts, max(room-len(covers), room/2)) + clip(covers, max(room/2, 40))
	case d.kinds[Code] > 1 && len(d.untold(without(rest, told), parts)) > 0 && !strings.HasPrefix(parts[0], "import path"):
		also := "; also " + strings.Join(d.untold(without(rest, told), parts), ", ")
		text := title + ": " + fit(parts, max(room-len(also), 2*room/3))
		return text + listClip(also, max(maxRole-len(text), 0))
	case len(said) == 0 && len(strings.Join(parts, "; ")) < 90 && !strings.HasPrefix(parts[0], "import path"):
		parts = append(parts, d.uses()...)
	}
	return title + ": " + fit(parts, room)
}

// squeezed is a text in small letters without what stands between its words.
func squeezed(text string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(text))
}

// collections are names of directories whose files stand side by side.
var collections = wordSet("example examples sample samples demo demos bench benches benchmark benchmarks script scripts adapters plugins tasks ci hack bin")

// collection says that a directory is known best by the subjects of its files.
func (d *dir) collection(files []int) bool {
	return (collections[strings.ToLower(d.in.Name)] || len(d.langs) > 0 && d.langs[0] == "Bash") && len(d.subjects(files, "")) > 1
}

// sort is the sort of code whose files are told by their subjects.
func (d *dir) sort() string {
	switch name := strings.ToLower(d.in.Name); {
	case strings.HasPrefix(name, "example"), strings.HasPrefix(name, "sample"), strings.HasPrefix(name, "demo"):
		return "examples:"
	case strings.HasPrefix(name, "bench"), strings.HasPrefix(name, "perf"):
		return "benchmarks:"
	case len(d.langs) > 0 && d.langs[0] == "Bash":
		return "scripts:"
	}
	return "code for"
}

// web is the page or endpoint of a site whose directories are its addresses.
func (d *dir) web() string {
	found := ""
	for _, f := range d.in.Files {
		switch stem := strings.TrimSuffix(f.Name, path.Ext(f.Name)); {
		case f.Language == "":
		case stem == "page":
			found = "the web page"
		case stem == "route" && found == "":
			found = "the HTTP endpoint"
		case stem == "layout" && found == "":
			found = "the frame of the web pages at"
		}
	}
	parts := strings.Split(d.in.Path, "/")
	at := slices.Index(parts, "app")
	if found == "" || at < 0 {
		return ""
	}
	address := ""
	for _, p := range parts[at+1:] {
		if !strings.HasPrefix(p, "(") {
			address += "/" + p
		}
	}
	return found + " " + or(address, "/")
}

// listed joins words for a sentence.
func listed(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// alike describes many files that each export the same.
func (d *dir) alike() string {
	count := map[string]int{}
	n := 0
	var names []string
	for _, f := range d.in.Files {
		if f.Text.Kind != Code || f.Note != "" {
			continue
		}
		n++
		stem := strings.TrimSuffix(f.Name, path.Ext(f.Name))
		if len(f.Exports) == 1 {
			count[f.Exports[0].Name]++
			if !minor[strings.ToLower(stem)] {
				names = append(names, stem)
			}
		}
	}
	common := byCount(count)
	if n < 8 || len(common) == 0 || count[common[0]]*10 < n*7 || len(names) == 0 {
		return ""
	}
	what := itoa(n) + " modules of one kind, one for each of " + some(names, 5, ", ")
	for _, f := range d.in.Files {
		if stem := strings.TrimSuffix(f.Name, path.Ext(f.Name)); f.Text.Kind == Code && slices.Contains(names, stem) && f.Text.Quality >= FromInside {
			return what + "; " + stem + ": " + lower(f.Text.Purpose)
		}
	}
	if common[0] != "default" && common[0] != "*" {
		what += "; each offers " + common[0]
	}
	return strings.Join(append([]string{what}, d.uses()...), "; ")
}

// handsOn describes files that only pass on what others export.
func (d *dir) handsOn() string {
	from := slices.DeleteFunc(slices.Clone(d.internal), func(dep string) bool { return dep == "pkg/." })
	index := false
	for _, f := range d.in.Files {
		if f.Text.Kind != Code || f.Note != "" {
			continue
		}
		if stem := strings.TrimSuffix(f.Name, path.Ext(f.Name)); stem == "index" && len(f.Exports) < 4 && len(from) > 0 {
			index = index || slices.ContainsFunc(f.Exports, func(e Symbol) bool { return e.Kind == "reexport" || e.Name == "*" })
			continue
		}
		for _, e := range f.Exports {
			if e.Kind != "reexport" && e.Name != "*" {
				return ""
			}
			index = true
		}
	}
	if !index || d.exports == 0 {
		return ""
	}
	var names []string
	for _, dep := range from[:min(len(from), 3)] {
		parts := strings.Split(strings.TrimPrefix(dep, "pkg/"), "/")
		if rest, ok := strings.CutPrefix(dep, "pkg/"+d.in.Path+"/"); ok {
			parts = strings.Split(rest, "/")
		}
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "src" })
		names = append(names, phrase(strings.Join(parts[max(0, len(parts)-2):], " ")))
	}
	if len(names) == 0 {
		if len(d.in.Files) < 2 {
			return "import path for what others define"
		}
		return "import path for the modules beside it"
	}
	return "import path for what " + listed(names) + map[bool]string{true: " defines", false: " define"}[len(names) == 1]
}

// generated describes code that a tool wrote.
func (d *dir) generated() string {
	n, about := 0, ""
	for _, f := range d.in.Files {
		if words, ok := strings.CutPrefix(f.Note, "generated: "); ok && f.Text.Kind == Code {
			n++
			if about == "" && !containsAny(words, []string{": functions ", ": values ", ": types "}) && describes(words, aboveOne) {
				about = ": " + lower(clip(words, 110))
			}
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "generated code" + about
	}
	return "generated code (" + itoa(n) + " files)" + about
}

// packaged is the name a manifest gives, when the code is but its settings.
func (d *dir) packaged() string {
	for _, f := range d.in.Files {
		if name, ok := strings.CutPrefix(f.Text.Purpose, "Manifest of the "); ok && f.Text.Kind == Build {
			text := "the " + strings.TrimSpace(name)
			for _, c := range d.in.Children {
				if _, about, ok := strings.Cut(c.Role, ": "); ok && !strings.Contains(about, "offers nothing") && (c.Name == "src" || c.Name == "lib" || c.Name == "app") {
					return text + ": " + clip(about, 120)
				}
			}
			if kids := d.childNames(); len(kids) > 0 {
				text += ", in parts " + some(kids, 4, ", ")
			}
			return text
		}
	}
	return ""
}

// uses names what code without a word of its own builds on.
func (d *dir) uses() []string {
	var uses []string
	for _, dep := range d.internal[:min(len(d.internal), 3)] {
		parts := strings.Split(dep, "/")
		if name := phrase(parts[len(parts)-1]); name != "" && !slices.Contains(uses, name) {
			uses = append(uses, name)
		}
	}
	for _, dep := range d.external {
		if len(uses) < 3 && dep != "" && !standard(dep, d.langs) {
			uses = append(uses, dep)
		}
	}
	if len(uses) == 0 {
		return nil
	}
	return []string{"uses " + strings.Join(uses, ", ")}
}

// bare describes code of which not even names tell anything.
func (d *dir) bare() string {
	var parts []string
	if d.onlyEmpty() {
		parts = append(parts, "an empty "+or(strings.Join(d.langs, " and "), "source")+" package around "+or(some(d.childNames(), 3, ", "), "nothing"))
	}
	for _, f := range d.in.Files {
		if f.Note != "" && f.Note != "empty" && f.Text.Kind == Code && len(parts) < 2 {
			parts = append(parts, f.Note)
		}
	}
	uses := d.uses()
	if len(parts) == 0 {
		in := or(strings.Join(d.langs[:min(len(d.langs), 2)], " and "), "source")
		switch {
		case len(d.entries) > 0 && len(uses) > 0:
			return "in " + in + ", built on " + strings.TrimPrefix(uses[0], "uses ")
		case len(d.entries) > 0:
			return "its start in " + in
		case exampleDir.MatchString(d.in.Path):
			return strings.Join(append([]string{"an example in " + in}, uses...), "; ")
		}
		if len(uses) > 0 {
			return in + " code that only loads " + strings.TrimPrefix(uses[0], "uses ")
		}
		parts = append(parts, in+" code that offers nothing to others")
	}
	return strings.Join(append(parts, uses...), "; ")
}

package mapgen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"growbench/mapgen/describe"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// said is what a model said of a file. It is never changed, only replaced.
type said struct {
	Purpose  string   `json:"p"`
	Deps     []string `json:"d,omitempty"`
	Concepts []string `json:"c,omitempty"`
	By       string   `json:"by,omitempty"` // whose words; "": read from a document
	Of       string   `json:"of,omitempty"` // the hash of the content they are about; "" as above
	// Parts tell, of a big file, which of its parts the words are about.
	Parts []string `json:"parts,omitempty"`
}

// told is what a model said of a directory.
type told struct {
	Role string   `json:"r,omitempty"`
	Arch string   `json:"a,omitempty"`
	Tags []string `json:"t,omitempty"` // of words that were read from a document
	By   string   `json:"by,omitempty"`
	Of   string   `json:"of,omitempty"` // what was in the directory then: see makeup
	Mute bool     `json:"mute,omitempty"`
}

// Notes of files in a directory that a model described.
const (
	noteEarlier = "described before its last change"
	noteOffline = "described without the model"
	noteMute    = "the model's words could not be read"
)

// quiet says that a file's content is shown to no model.
func (k *known) quiet() bool { return k.InPlace || k.Private }

// spoken says that a model described the directory, or something in it.
func (r *record) spoken() bool {
	return r.Told != nil || slices.ContainsFunc(r.Known, func(k known) bool { return k.Said != nil || k.Mute })
}

// makeup is a hash of what is in a directory: names of files, of what they
// export and of the directories below. While it stays, the words on the
// directory stay.
func makeup(r *record) string {
	h := sha256.New()
	put := func(s string) { io.WriteString(h, s+"\x00") }
	put(r.Dir)
	for i, f := range r.Files {
		put(f.Name)
		for _, e := range r.Known[i].Exports {
			put("\t" + e.Name)
		}
	}
	for _, c := range r.Parts {
		put("/" + c.Name)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// speaker is who described all that is in a directory as it is now; "" when
// nobody, or not all of it.
func speaker(r *record) string {
	if r.Told == nil || r.Told.Mute || r.Told.By == "" || r.Told.Of != makeup(r) {
		return ""
	}
	for i := range r.Known {
		k := &r.Known[i]
		if !k.quiet() && (k.Said == nil || k.Said.By != r.Told.By || k.Said.Of != hashText(r.Files[i])) {
			return ""
		}
	}
	return r.Told.By
}

// behind counts the files of a directory described by a model whose words are
// on an earlier version, or are not the model's.
func behind(r *record) int {
	if !r.spoken() {
		return 0
	}
	n := 0
	for i := range r.Known {
		k := &r.Known[i]
		if !k.quiet() && !k.Mute && (k.Said == nil || k.Said.Of != "" && k.Said.Of != hashText(r.Files[i])) {
			n++
		}
	}
	return n
}

// TellBehind says what is left for a model to describe, or will be asked of
// it; "" for nothing.
func (p *Project) TellBehind(files int) string {
	what := fmt.Sprintf("%d files are new or have changed since a model described their directories", files)
	switch {
	case files == 0:
		return ""
	case files == 1:
		what = "1 file is new or has changed since a model described its directory"
	}
	if p.options.Voice != nil && p.dry() {
		return what + ": " + p.options.Voice.Name() + " will be asked, and its words stand where a mark stands now."
	}
	return what + ", and marked so; `growbench map init --llm NAME` asks a model."
}

func hashText(f fileRecord) string { return hex.EncodeToString(f.Hash[:]) }

// remind gives a record what a model has said before: of the same content, or
// else of the file of that name. Without a record the documents remember.
func (p *Project) remind(r, old *record, documents bool) {
	if p.options.Offline {
		for i := range r.Known {
			r.Known[i].Said, r.Known[i].Mute = nil, false
		}
		return
	}
	name, hash := map[string]*said{}, map[[32]byte]*said{}
	switch {
	case old == nil && documents:
		r.Told = p.fromDocuments(r, name)
	case old != nil && old.load() == nil:
		r.Told = old.Told
		for i, k := range old.Known {
			if k.Said != nil {
				name[old.Files[i].Name], hash[old.Files[i].Hash] = k.Said, k.Said
			}
		}
	}
	for i := range r.Known {
		k, f := &r.Known[i], r.Files[i]
		if k.quiet() {
			k.Said, k.Mute = nil, false
			continue
		}
		if k.Said == nil {
			k.Said = hash[f.Hash]
		}
		if k.Said == nil {
			k.Said = name[f.Name]
		}
	}
}

// fromDocuments reads back what a model said from documents whose record is
// lost. Words that are not marked as ours are another's.
func (p *Project) fromDocuments(r *record, files map[string]*said) *told {
	e, err := p.readPair(r.Dir)
	if err != nil || e.m == nil || e.x == nil || len(e.mapProb)+len(e.idxProb) > 0 || e.x.Role == "" || slices.Contains(e.m.Tags, describe.OfflineTag) {
		return nil
	}
	for _, f := range e.m.Files {
		if f.Purpose == "" || strings.Contains(f.Note, noteOffline) {
			continue
		}
		s := &said{Purpose: f.Purpose}
		for _, d := range f.Deps {
			if d, ok := strings.CutPrefix(d, "~"); ok {
				s.Deps = append(s.Deps, d)
			}
		}
		files[f.Name] = s
	}
	arch, _, _ := strings.Cut("\n"+e.m.ArchText(), "\n"+filesLine)
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(arch), "\n"), func(l string) bool {
		return strings.HasPrefix(l, packageLine) || strings.HasPrefix(l, packagesLine) || strings.HasPrefix(l, summaryLine)
	})
	return &told{Role: e.x.Role, Arch: strings.Join(lines, "\n"), Tags: e.m.Tags}
}

// filesLine begins what is counted in a directory, behind a model's words.
const filesLine = "Files: "

// summaryLine begins what a map in summary mode says of itself.
const summaryLine = "Summary of "

// voiced is a record with a model's words in the place of those found offline,
// and what of the rest is marked.
func voiced(r *record) (view *record, mixed bool) {
	if !r.spoken() {
		return r, false
	}
	out := *r
	out.Known = slices.Clone(r.Known)
	for i := range out.Known {
		k := &out.Known[i]
		switch {
		case k.InPlace:
		case k.Said != nil:
			k.Text.Purpose, k.Text.Quality, k.Text.Topics = k.Said.Purpose, describe.FromItself, topics(k.Said.Concepts)
			k.Deps = append(slices.Clone(k.Deps), k.Inferred...)
			if k.Said.Of != "" && k.Said.Of != hashText(r.Files[i]) {
				k.Note = join(k.Note, noteEarlier)
			}
		case k.Private:
			k.Text.Purpose = ""
		case k.Mute:
			k.Text.Purpose = ""
			k.Note = join(k.Note, noteMute)
		default:
			k.Note = join(k.Note, noteOffline)
			mixed = true
		}
	}
	return &out, mixed || r.Told == nil
}

// topics are concepts as tags.
func topics(concepts []string) []string {
	var out []string
	for _, c := range concepts {
		c = strings.ToLower(strings.Map(func(r rune) rune {
			if r == ',' || r == '|' {
				return ' '
			}
			return r
		}, c))
		if len(c) <= 30 {
			out = append(out, c)
		}
	}
	return out
}

// speak puts a model's words on a directory in the place of those found
// offline. What is counted stays behind them.
func (t *told) speak(d *describe.DirText, mixed bool) {
	if t != nil {
		d.Role = t.Role
		d.Arch = strings.TrimSpace(t.Arch + "\n" + d.Arch)
		if t.Tags != nil {
			d.Tags = t.Tags
		}
	}
	if !mixed {
		d.Tags = slices.DeleteFunc(slices.Clone(d.Tags), func(tag string) bool { return tag == describe.OfflineTag })
	}
}

// mostInferred is how many dependencies a model may add to those of a file.
const mostInferred = 6

// infer is what a model says that a file depends on, as far as it is not in
// the source already and is there at all.
func (r *resolver) infer(path string, k *known) []string {
	if k.Said == nil {
		return nil
	}
	var out []string
	for _, claim := range k.Said.Deps {
		name := strings.TrimPrefix(strings.TrimPrefix(claim, "pkg/"), "ext/")
		if !moduleName(name) || k.imported(name) {
			continue
		}
		dep := "~ext/" + name
		if at := r.inside(scan.Parent(path), name); at == path {
			continue
		} else if at != "" {
			dep = "~pkg/" + at
		} else if strings.HasPrefix(claim, "pkg/") || strings.HasPrefix(name, ".") || r.claimsInside(name) {
			continue // it speaks of the project, and of what is not in it
		}
		if !slices.Contains(k.Deps, dep[1:]) && !slices.Contains(out, dep) && len(out) < mostInferred {
			out = append(out, dep)
		}
	}
	return out
}

// moduleName tells the name of a module from words.
func moduleName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@._/+:-", r))
	}) < 0 && strings.Trim(s, "._/+:-") != "" && !strings.HasPrefix(s, "-")
}

// imported says that the source itself names the module.
func (k *known) imported(name string) bool {
	last := func(s string) string {
		s = strings.TrimSuffix(strings.NewReplacer("::", "/", ".", "/").Replace(strings.TrimPrefix(s, "node:")), "/")
		return strings.ToLower(s[strings.LastIndexByte(s, '/')+1:])
	}
	for _, i := range k.Imports {
		if strings.EqualFold(i.Path, name) || last(i.Path) == last(name) || strings.HasPrefix(i.Path, name+"/") || strings.HasPrefix(i.Path, name+".") {
			return true
		}
	}
	return slices.ContainsFunc(k.Deps, func(d string) bool {
		return strings.HasSuffix(d, "/"+name) || strings.HasPrefix(d, "ext/"+name+"/")
	})
}

// inside is the path of what a name means in the project, seen from a
// directory; "" when it is not there.
func (r *resolver) inside(dir, name string) string {
	for _, at := range []string{scan.Join(dir, strings.TrimPrefix(name, "./")), strings.TrimPrefix(name, "./")} {
		at = strings.Trim(at, "/")
		parent := scan.Parent(at)
		if at == "" || strings.Contains("/"+at+"/", "/../") || parent == "" {
			continue
		}
		here := r.places.List(parent)
		base := at[strings.LastIndexByte(at, '/')+1:]
		for _, n := range here {
			if n == base || n == base+"/" || strings.HasPrefix(n, base+".") && symbols.Language(n, nil) != "" {
				return scan.Join(parent, strings.TrimSuffix(n, "/"))
			}
		}
	}
	return ""
}

// claimsInside says that a name is that of a source file, or lies in a
// directory of the project.
func (r *resolver) claimsInside(name string) bool {
	top, _, deep := strings.Cut(name, "/")
	return symbols.Language(name, nil) != "" || deep && slices.Contains(r.places.List("."), top+"/")
}

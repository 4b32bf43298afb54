package mapgen

import (
	"fmt"
	"slices"
	"strings"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// Kinds of findings.
const (
	KindMissing    = "missing"    // a directory or file the map does not have
	KindOrphaned   = "orphaned"   // an entry or pair without its file or directory
	KindSignature  = "signature"  // exported symbols differ from the code
	KindPair       = "pair"       // one of the two documents is not there
	KindLink       = "link"       // a link leads to the wrong place or nowhere
	KindStale      = "stale"      // anything else that differs from the files
	KindDirty      = "dirty"      // a marker somebody left
	KindFormat     = "format"     // a document broken by hand
	KindUnreadable = "unreadable" // nobody can tell
)

// Kinds lists them all.
var Kinds = []string{KindMissing, KindOrphaned, KindSignature, KindPair, KindLink, KindStale, KindDirty, KindFormat, KindUnreadable}

// Finding is one thing that is wrong with the map.
type Finding struct {
	Kind   string `json:"kind"`
	Dir    string `json:"dir"`
	File   string `json:"file"` // in Dir; "" for the directory itself
	Detail string `json:"detail"`
	Fix    string `json:"fix"` // what mends it, or what was done
}

// judge compares the documents of one directory with what they should be.
type judge struct {
	dir  string
	e    existing
	want expectation
	out  []Finding
}

func (j *judge) find(kind, file, detail, fix string) {
	j.out = append(j.out, Finding{Kind: kind, Dir: j.dir, File: file, Detail: detail, Fix: fix})
}

func (j *judge) patchDir() string { return "growbench map patch " + quote(j.dir) }
func (j *judge) repair() string   { return "growbench map validate --fix" }
func (j *judge) patch(name string) string {
	return "growbench map patch " + quote(scan.Join(j.dir, name))
}

func quote(path string) string {
	if strings.ContainsAny(path, " '\"\\$`&|;<>()*?[]#~!\n\t") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// compare names every difference by its kind.
func (j *judge) compare() []Finding {
	switch {
	case j.e.rawMap == nil && j.e.rawIndex == nil:
		j.find(KindMissing, "", "the directory has no map", j.patchDir())
		return j.out
	case j.e.rawMap == nil:
		j.find(KindPair, "", artifact.MapName+" is missing beside its index", j.repair())
	case j.e.rawIndex == nil:
		j.find(KindPair, "", artifact.IndexName+" is missing beside its map", j.repair())
	}
	j.broken()
	if j.e.m != nil {
		j.files()
		j.mapLinks()
	}
	if j.e.x != nil {
		j.indexFiles()
		j.indexLinks()
	}
	for _, line := range j.e.dirty() {
		j.find(KindDirty, "", line, j.patchDir())
	}
	j.rest()
	return j.out
}

// broken are the marks of an editor who did not know the form.
func (j *judge) broken() {
	for _, d := range []struct {
		name     string
		problems []artifact.Problem
	}{{artifact.MapName, j.e.mapProb}, {artifact.IndexName, j.e.idxProb}} {
		for _, p := range d.problems {
			text := p.Text
			if p.Section != "" {
				text = "## " + p.Section + ": " + text
			}
			j.find(KindFormat, d.name, fmt.Sprintf("line %d: %s", p.Line, text), j.repair())
		}
	}
}

func (j *judge) files() {
	listed := map[string]artifact.File{}
	for _, f := range j.e.m.Files {
		if _, twice := listed[f.Name]; twice {
			j.find(KindFormat, f.Name, "has more than one entry", j.repair())
		}
		listed[f.Name] = f
	}
	for _, want := range j.want.docs.m.Files {
		got, ok := listed[want.Name]
		delete(listed, want.Name)
		if !ok {
			j.find(KindMissing, want.Name, "the file is not in the map", j.patch(want.Name))
			continue
		}
		j.file(got, want)
	}
	for _, f := range j.e.m.Files {
		if _, left := listed[f.Name]; left {
			delete(listed, f.Name)
			j.find(KindOrphaned, f.Name, "the map lists a file that is not there", j.patch(f.Name))
		}
	}
}

func (j *judge) file(got, want artifact.File) {
	if gone, new := without(got.Exports, want.Exports), without(want.Exports, got.Exports); len(gone)+len(new) > 0 {
		var parts []string
		if len(gone) > 0 {
			parts = append(parts, "no longer: "+strings.Join(gone, ", "))
		}
		if len(new) > 0 {
			parts = append(parts, "now: "+strings.Join(new, ", "))
		}
		j.find(KindSignature, want.Name, strings.Join(parts, "; "), j.patch(want.Name))
	}
	switch {
	case !slices.Equal(parsed(got.Deps), parsed(want.Deps)):
		j.find(KindStale, want.Name, "dependencies differ", j.patch(want.Name))
	case got.Purpose != want.Purpose || got.Note != want.Note:
		j.find(KindStale, want.Name, "what the map says of it differs", j.patch(want.Name))
	}
}

// parsed leaves out what somebody inferred: no parser can judge it.
func parsed(list []string) []string {
	var out []string
	for _, s := range list {
		if !strings.HasPrefix(s, "~") {
			out = append(out, s)
		}
	}
	return out
}

// without is what of a is not in b, inferred entries aside.
func without(a, b []string) []string {
	var out []string
	for _, s := range parsed(a) {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

func (j *judge) mapLinks() {
	want := j.want.docs.m
	if j.e.m.Dir != want.Dir {
		j.find(KindLink, artifact.MapName, "names itself "+j.e.m.Dir, j.repair())
	}
	if j.e.m.Index != want.Index {
		j.find(KindLink, artifact.MapName, "its index is said to be "+j.e.m.Index, j.repair())
	}
}

func (j *judge) indexFiles() {
	for _, f := range j.e.x.Files {
		if !slices.ContainsFunc(j.want.docs.m.Files, func(w artifact.File) bool { return w.Name == f.Name }) {
			if j.e.m != nil && slices.ContainsFunc(j.e.m.Files, func(w artifact.File) bool { return w.Name == f.Name }) {
				continue // named once is enough
			}
			j.find(KindOrphaned, f.Name, "the index lists a file that is not there", j.patch(f.Name))
		}
	}
}

func (j *judge) indexLinks() {
	got, want := j.e.x, j.want.docs.x
	for _, l := range []struct{ what, got, want string }{
		{"names itself", got.Dir, want.Dir}, {"index:", got.SelfIndex, want.SelfIndex}, {"map:", got.SelfMap, want.SelfMap},
	} {
		if l.got != l.want {
			j.find(KindLink, artifact.IndexName, l.what+" "+l.got+", not "+l.want, j.repair())
		}
	}
	j.links("parent", got.Parent, want.Parent)
	j.links("child", got.Children, want.Children)
}

func (j *judge) links(what string, got, want []artifact.Link) {
	has := func(list []artifact.Link, l artifact.Link) bool {
		return slices.ContainsFunc(list, func(o artifact.Link) bool { return o.Dir == l.Dir && o.Target == l.Target })
	}
	for _, l := range got {
		if !has(want, l) {
			j.find(KindLink, artifact.IndexName, fmt.Sprintf("%s %s -> %s leads nowhere", what, l.Dir, or(l.Target, "-")), j.repair())
		}
	}
	for _, l := range want {
		if !has(got, l) {
			j.find(KindLink, artifact.IndexName, fmt.Sprintf("%s %s is not linked", what, l.Dir), j.repair())
		}
	}
}

// rest catches what no kind above explains: a difference in other sections, or
// in form alone.
func (j *judge) rest() {
	if len(j.out) > 0 {
		return
	}
	docs := j.want.docs.inherit(j.e, nil)
	if m := docs.m.Format(); j.e.rawMap != nil && string(m) != string(j.e.rawMap) {
		j.differs(artifact.MapName, string(j.e.m.Format()) == string(m), sections(j.e.rawMap, m))
	}
	if x := docs.x.Format(); j.e.rawIndex != nil && string(x) != string(j.e.rawIndex) {
		j.differs(artifact.IndexName, string(j.e.x.Format()) == string(x), sections(j.e.rawIndex, x))
	}
}

func (j *judge) differs(name string, formOnly bool, where string) {
	if formOnly {
		j.find(KindFormat, name, "says the right thing in another form", j.repair())
		return
	}
	j.find(KindStale, name, "differs in "+where, j.repair())
}

// sections names the sections two documents differ in.
func sections(a, b []byte) string {
	x, y := cut(string(a)), cut(string(b))
	var out []string
	for name, text := range y {
		if x[name] != text {
			out = append(out, name)
		}
	}
	for name := range x {
		if _, ok := y[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func cut(text string) map[string]string {
	out := map[string]string{}
	name := "head"
	for line := range strings.Lines(text) {
		if h, ok := strings.CutPrefix(line, "## "); ok {
			name = "## " + strings.TrimSpace(h)
		}
		out[name] += line
	}
	return out
}

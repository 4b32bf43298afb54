package ledger

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/mapgen/symbols"
	"growbench/mapgen/tokens"
)

// maxChanges bounds what is kept of one Worker's changes.
const maxChanges = 500

// Compare finds what changed for those who use the exported symbols of some
// files. Files that say they are generated, and tests, offer nothing to
// others. What cannot be read on both sides is left out, and named.
func Compare(files []FileChange) Observation {
	o := Observation{Read: map[string]bool{}, Text: map[string]string{}}
	var before, after []*source
	out := map[string][]string{} // why: files
	for _, f := range files {
		if why := unreadable(f); why != "" {
			out[why] = append(out[why], f.path())
			continue
		}
		o.read(f)
		if private(f.path()) || f.Before != nil && private(f.Before.Code.Path) {
			continue
		}
		if f.generated() {
			continue
		}
		place := f.path()
		if f.Before != nil {
			before = append(before, &source{Version: f.Before, path: f.Before.Code.Path, place: place})
		}
		if f.After != nil {
			after = append(after, &source{Version: f.After, path: f.After.Code.Path, place: place})
		}
	}
	o.Notes = unread(out)
	c := comparer{after: after}
	c.level(outline(before), outline(after))
	o.Changes = c.sorted()
	if n := len(o.Changes); n > maxChanges {
		o.Changes = o.Changes[:maxChanges]
		o.Notes = append(o.Notes, fmt.Sprintf("%d exported symbols changed; the last %d are not listed", n, n-maxChanges))
	}
	return o
}

func (o *Observation) read(f FileChange) {
	if f.Before != nil {
		o.Read[f.Before.Code.Path] = true
	}
	if f.After != nil {
		o.Read[f.After.Code.Path] = true
		o.Text[f.After.Code.Path] = f.After.Text
	}
}

func (f FileChange) path() string {
	if f.After != nil {
		return f.After.Code.Path
	}
	return f.Before.Code.Path
}

// generated tells whether a tool wrote a file on every side it has: a mark that
// was only now put there hides nothing.
func (f FileChange) generated() bool {
	for _, side := range []*Version{f.Before, f.After} {
		if side != nil && !symbols.Generated([]byte(side.Text)) {
			return false
		}
	}
	return true
}

// unreadable says why a file's exports are not known, or "".
func unreadable(f FileChange) string {
	for _, side := range []*Version{f.Before, f.After} {
		switch {
		case side == nil:
		case side.Code.Language == "" || symbols.Document(side.Code.Language):
			return "no extractor reads this kind of file"
		case symbols.Light(side.Code.Language):
			return side.Code.Language + " is read line by line, which is not enough to compare"
		case strings.Contains(side.Code.Note, "left out"):
			return "this build has no extractor for " + side.Code.Language
		case strings.Contains(side.Code.Note, "ast:"), side.Code.Note == "binary", strings.Contains(side.Code.Note, "too large"),
			strings.Contains(side.Code.Note, "minified"), side.Code.Note == NotRead:
			return "not read: " + side.Code.Note
		}
	}
	return ""
}

// NotRead is the note of a file that was not given to the extractor.
const NotRead = "beyond what is read after one Worker"

// unread puts the files that are not compared into words.
func unread(out map[string][]string) []string {
	var notes []string
	for why, files := range out {
		const shown = 8
		list := strings.Join(files[:min(shown, len(files))], ", ")
		if n := len(files) - shown; n > 0 {
			list += fmt.Sprintf(" and %d more", n)
		}
		notes = append(notes, list+": "+why+", so claims are all there is")
	}
	slices.Sort(notes)
	return notes
}

// private tells by its name that a file is a test: nothing outside uses it.
func private(name string) bool {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case strings.HasSuffix(stem, "_test"), strings.HasSuffix(stem, ".test"), strings.HasSuffix(stem, ".spec"), strings.HasSuffix(stem, "_spec"):
		return true
	case strings.HasSuffix(base, ".py"):
		return strings.HasPrefix(stem, "test_") || stem == "conftest"
	case strings.HasSuffix(base, ".java"):
		return strings.Contains("/"+name, "/src/test/")
	}
	return false
}

type comparer struct {
	after   []*source
	changes []Change
	renames map[string]string // every name that changed, by what it is now
	types   map[string]string // those of types
	inside  *pair             // whose members are compared; nil at the top
}

// pair is one symbol on both sides.
type pair struct{ b, a *decl }

// level compares what is declared side by side: everything at the top, or the
// members of one type.
func (c *comparer) level(before, after []*decl) {
	same, gone, come := identical(before, after)
	var moved, renamed, led []pair
	same, gone, come = defaults(same, gone, come)
	same, led, come = c.led(same, come)
	moved, gone, come = c.moves(gone, come)
	renamed, gone, come = c.renamed(gone, come)
	for _, p := range renamed {
		c.add(p, doc.KindRenamed, Breaking, p.a.symbol())
	}
	for _, p := range moved {
		c.add(p, doc.KindMoved, moveClass(p), p.a.file.path)
	}
	for _, p := range led {
		if changed, class := c.judge(p); changed {
			c.add(p, doc.KindSignature, class, "")
			continue
		}
		c.add(p, doc.KindMoved, Additive, p.a.file.path)
	}
	for _, p := range same {
		c.stayed(p)
	}
	for _, d := range gone {
		c.removed(d)
	}
	for _, d := range come {
		c.added(d)
	}
	for _, list := range [][]pair{same, moved, led, renamed} {
		for _, p := range list {
			c.members(p)
		}
	}
}

// members compares what is declared inside two sides of one symbol.
func (c *comparer) members(p pair) {
	if p.b.kind == "reexport" || p.a.kind == "reexport" || len(p.b.children)+len(p.a.children) == 0 {
		return
	}
	for _, d := range p.a.children {
		d.owner = p.a.symbol()
	}
	inner := comparer{after: c.after, renames: c.renames, types: c.types, inside: &p}
	before, after := slices.Clone(p.b.children), slices.Clone(p.a.children)
	for _, d := range before {
		d.space = ""
	}
	for _, d := range after {
		d.space = ""
	}
	inner.level(before, after)
	c.changes = append(c.changes, inner.changes...)
}

// moveClass tells whether those who use a symbol notice that it moved.
func moveClass(p pair) string {
	switch language := p.a.language(); {
	case p.b.space == p.a.space:
		return Additive
	case language == "C" || language == "C++" || language == "Ruby" || language == "PHP" || language == "Bash":
		return Unknown
	}
	return Breaking
}

func (c *comparer) add(p pair, kind, class, to string) {
	d := p.b
	if d.ghost {
		return
	}
	change := Change{Symbol: d.symbol(), Kind: kind, Class: class, File: d.file.path, To: to, Before: d.signature, Language: d.language(), Package: d.file.Code.Package}
	if p.a != nil {
		change.After = p.a.signature
	}
	c.changes = append(c.changes, change)
}

// stayed compares a symbol that is still where it was, or at least in the same
// package.
func (c *comparer) stayed(p pair) {
	if p.b.ghost || p.a.ghost {
		return
	}
	if changed, class := c.judge(p); changed {
		c.add(p, doc.KindSignature, class, "")
		return
	}
	if p.b.file.place != p.a.file.place && p.b.owner == "" {
		c.add(p, doc.KindMoved, Additive, p.a.file.path)
	}
}

// judge compares two sides of a symbol. That a type in its signature has
// another name now is told where that type is.
func (c *comparer) judge(p pair) (bool, string) {
	if len(c.types) > 0 {
		was := *p.b
		others := maps.Clone(c.types)
		delete(others, last(was.name))
		was.signature = retold(was.language(), was.full(), others)
		was.extends = slices.Clone(was.extends)
		for i, name := range was.extends {
			if now := others[name]; now != "" {
				was.extends[i] = now
			}
		}
		return judge(&was, p.a)
	}
	return judge(p.b, p.a)
}

// retold is a signature with other names in it.
func retold(language, text string, names map[string]string) string {
	var b strings.Builder
	at := 0
	for _, t := range tokens.Snippet(language, text) {
		if now := names[t.Text]; now != "" {
			b.WriteString(text[at:t.At] + now)
			at = t.At + len(t.Text)
		}
	}
	return b.String() + text[at:]
}

// removed enters a symbol that is gone, unless the file as it is now cannot be
// read as a whole and still speaks of it.
func (c *comparer) removed(d *decl) {
	if d.ghost {
		for _, m := range d.children {
			c.removed(m)
		}
		return
	}
	for _, s := range c.after {
		if s.place == d.file.place && s.Code.Errors && hasSymbol(s.Text, d.name) {
			return
		}
	}
	class := Breaking
	if len(d.file.Code.Tags) > 0 {
		class = Unknown // it may still be there under other build tags
	}
	c.add(pair{b: d}, "removed", class, "")
}

func (c *comparer) added(d *decl) {
	if d.ghost {
		for _, m := range d.children {
			c.added(m)
		}
		return
	}
	class := Additive
	if c.inside != nil {
		class = joins(c.inside.b, d)
	}
	c.changes = append(c.changes, Change{
		Symbol: d.symbol(), Kind: KindAdded, Class: class, File: d.file.path, After: d.signature, Language: d.language(), Package: d.file.Code.Package,
	})
}

// sorted puts changes into one order: by file and name, what is gone before
// what is new.
func (c *comparer) sorted() []Change {
	rank := func(ch Change) string {
		if ch.Kind == KindAdded {
			return "1"
		}
		return "0"
	}
	slices.SortStableFunc(c.changes, func(x, y Change) int {
		return strings.Compare(rank(x)+x.File+"\x00"+x.Symbol+"\x00"+x.Kind, rank(y)+y.File+"\x00"+y.Symbol+"\x00"+y.Kind)
	})
	return c.changes
}

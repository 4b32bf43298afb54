package ledger

import (
	"path"
	"strings"

	"growbench/mapgen/symbols"
	"growbench/mapgen/tokens"
)

// source is one version of a file while it is compared.
type source struct {
	*Version
	path   string // the file's
	place  string // the same on both sides of a file that was only renamed
	code   []tokens.Token
	parsed bool
}

func (s *source) tokens() []tokens.Token {
	if !s.parsed {
		s.code, s.parsed = tokens.Of(s.Code.Language, s.Text), true
	}
	return s.code
}

// decl is one exported symbol, with what is declared in it.
type decl struct {
	name, owner     string // owner: the types around it, dotted
	kind, signature string
	file            *source
	line            int
	space           string // what names are told apart by: a package, or a file
	byDefault       bool
	from            string // of a re-export: the module it comes from
	extends         []string
	children        []*decl
	sealed          bool // it has members nobody else can reach
	ghost           bool // only stands for a type declared in a file that is not compared
	cut             *extent
}

func (d *decl) symbol() string {
	if d.owner == "" {
		return d.name
	}
	return d.owner + "." + d.name
}

func (d *decl) language() string { return d.file.Code.Language }

// space is what one name stands for one thing in.
func space(s *source) string {
	switch s.Code.Language {
	case "Go":
		return "Go " + path.Dir(s.place) + " " + s.Code.Package
	case "Java", "C#", "PHP":
		if s.Code.Package != "" {
			return s.Code.Language + " " + s.Code.Package
		}
	}
	return s.place
}

// outline lists what a set of files exports, members inside their owners.
func outline(files []*source) []*decl {
	var roots []*decl
	known := map[string]*decl{} // space and dotted name
	byName := map[string][]*decl{}
	for _, s := range files {
		for _, e := range s.Code.Exports {
			if e.Name == "*" {
				continue
			}
			d := &decl{
				name: e.Name, kind: e.Kind, signature: e.Signature, file: s, line: e.Line, space: space(s),
				byDefault: e.Default, from: e.From, extends: e.Extends,
			}
			roots = append(roots, d)
			key := d.space + "\x00" + d.name
			if known[key] == nil {
				known[key] = d
			}
			known[s.place+"\x00\x00"+d.name] = d // nearest first
			byName[s.Code.Language+d.name] = append(byName[s.Code.Language+d.name], d)
		}
	}
	for _, s := range files {
		for i := range s.Code.Members {
			m := &s.Code.Members[i]
			owner := ownerOf(m, s, known, byName)
			if owner == nil {
				owner = ghost(m, s, known)
				if !strings.Contains(m.Owner, ".") {
					roots = append(roots, owner)
				}
			}
			if !reachable(m, s.Code.Language) {
				owner.sealed = owner.sealed || s.Code.Language != "Rust" || m.Kind == "field"
				continue
			}
			d := &decl{name: m.Name, owner: m.Owner, kind: m.Kind, signature: m.Signature, file: s, line: m.Line, space: owner.space}
			owner.children = append(owner.children, d)
			known[s.place+"\x00\x00"+d.symbol()] = d
			if key := d.space + "\x00" + d.symbol(); known[key] == nil {
				known[key] = d
			}
		}
	}
	return roots
}

// reachable tells whether users of a type see a member. A Python class is
// called by the signature of its __init__.
func reachable(m *symbols.Member, language string) bool {
	return m.Exported || language == "Python" && m.Kind == "constructor"
}

func ownerOf(m *symbols.Member, s *source, known map[string]*decl, byName map[string][]*decl) *decl {
	if d := known[s.place+"\x00\x00"+m.Owner]; d != nil {
		return d
	}
	if d := known[space(s)+"\x00"+m.Owner]; d != nil {
		return d
	}
	// An impl may stand in any file of its crate.
	if all := byName[s.Code.Language+m.Owner]; s.Code.Language == "Rust" && len(all) == 1 {
		return all[0]
	}
	return nil
}

// ghost stands for an owner that is declared elsewhere.
func ghost(m *symbols.Member, s *source, known map[string]*decl) *decl {
	in := space(s)
	if s.Code.Language == "Rust" {
		in = "Rust"
	}
	owner, name := "", m.Owner
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		owner, name = name[:i], name[i+1:]
	}
	d := &decl{name: name, owner: owner, file: s, space: in, ghost: true}
	known[in+"\x00"+m.Owner] = d
	known[s.place+"\x00\x00"+m.Owner] = d
	return d
}

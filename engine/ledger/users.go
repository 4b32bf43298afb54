package ledger

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/mapgen/symbols"
	"growbench/mapgen/tokens"
)

// Use is a place in the code that names a symbol. Certain when what the file
// imports says that it is that symbol; else it may be another one of the name.
type Use struct {
	Line    int
	Certain bool
}

// Broken tells whether those who use a changed symbol have to be looked for,
// and by which word.
func (c Change) Broken() (name string, ok bool) {
	if c.Class == Additive || c.Kind == KindAdded || !tokens.Known(c.Language) {
		return "", false
	}
	return last(c.Symbol), true
}

// Near tells, before a file is read any closer, whether it can have to do with
// the file a symbol was declared in: it lies beside it, or names it.
func (c Change) Near(name, text string) bool {
	if path.Dir(name) == path.Dir(c.File) {
		return true
	}
	names := modules(c.File)
	for _, module := range names {
		if hasSymbol(text, module) {
			return true
		}
	}
	unnamed := nameless[names[0]]
	return unnamed != nil && unnamed.MatchString(text)
}

// nameless are files that can be imported without any word of their path: as
// the directory one stands in, or as the whole of a crate.
var nameless = map[string]*regexp.Regexp{
	"index":    regexp.MustCompile(`["']\.\.?(?:/\.\.?)*/?["']`),
	"__init__": regexp.MustCompile(`from\s*\.+\s*import`),
	"mod":      regexp.MustCompile(`\bsuper::`),
	"lib":      regexp.MustCompile(`\buse\b`),
	"main":     regexp.MustCompile(`\b(?:crate|super)::`),
}

// modules are the words an import may name a file by: its own, and its
// directory's.
func modules(file string) []string {
	stem := path.Base(file)
	stem, _, _ = strings.Cut(stem, ".")
	names := []string{stem}
	if dir := path.Base(path.Dir(file)); dir != "." && dir != "/" {
		names = append(names, dir)
	}
	return names
}

// Uses finds where a file, its imports resolved, uses a symbol that changed.
func (c Change) Uses(user Version) []Use {
	name := last(c.Symbol)
	how := c.reached(user)
	if !how.bare && !how.loose && !how.aliases && len(how.behind) == 0 {
		return nil
	}
	code := tokens.Of(user.Code.Language, user.Text)
	if how.aliases {
		how.behind = append(how.behind, aliases(code, how.paths)...)
	}
	member := strings.Contains(c.Symbol, ".")
	var uses []Use
	for i, t := range code {
		if t.Kind != tokens.Word || t.Text != name {
			continue
		}
		before, left := around(code, i)
		use := Use{Line: t.Line}
		switch {
		case member && before == "":
			continue // a member stands behind something
		case member:
			use.Certain = left == last(strings.TrimSuffix(c.Symbol, "."+name)) // Owner.name
			if c.space && !use.Certain {
				continue
			}
		case before == "":
			if !how.bare {
				continue
			}
			use.Certain = !declares(code, i)
		case slices.Contains(how.behind, left):
			use.Certain = true
		case how.loose:
		default:
			continue
		}
		if n := len(uses); n > 0 && uses[n-1].Line == use.Line {
			uses[n-1].Certain = uses[n-1].Certain || use.Certain
			continue
		}
		uses = append(uses, use)
	}
	return uses
}

// around is the dot a word stands behind, and what stands before that.
func around(code []tokens.Token, i int) (dot, left string) {
	if i == 0 {
		return "", ""
	}
	switch d := code[i-1].Text; d {
	case ".", "->", "::":
		if i > 1 {
			left = code[i-2].Text
		}
		return d, left
	}
	return "", ""
}

var (
	declaringWords = strings.Fields("func function class interface type struct enum trait def fn const let var val static mod")
	declaring      = set(strings.Join(declaringWords, " "))
)

// declares tells whether a word is given a meaning of its own where it stands.
func declares(code []tokens.Token, i int) bool {
	return i > 0 && declaring[code[i-1].Text] || i+1 < len(code) && code[i+1].Text == ":="
}

// reach is how a file gets at what another one declares.
type reach struct {
	bare    bool     // by the name alone
	loose   bool     // behind something nobody can tell the type of
	behind  []string // behind one of these names
	aliases bool     // other names for paths are to be looked for
	paths   []string
}

// reached works out how a file gets at a symbol; the zero value: not at all.
func (c Change) reached(user Version) (how reach) {
	name := user.Code.Path
	root, _, member := strings.Cut(c.Symbol, ".")
	home := name == c.File
	switch c.Language {
	case "Go", "Java", "C#":
		home = home || c.Package != "" && user.Code.Package == c.Package && (c.Language != "Go" || path.Dir(name) == path.Dir(c.File))
	}
	if home {
		return reach{bare: true, loose: member}
	}
	for _, i := range user.Code.Imports {
		if !leads(i, c, root) {
			continue
		}
		how.loose = how.loose || member
		switch {
		case c.Language == "Go":
			how.aliases, how.paths = true, append(how.paths, i.Path)
			how.behind = append(how.behind, c.Package)
		case isScript(c.Language):
			how.bare = how.bare || slices.Contains(i.Names, root) || passedOn(user.Code, i, root)
			if slices.Contains(i.Names, "*") {
				how.aliases, how.paths = true, append(how.paths, i.Path)
			}
		case c.Language == "Python":
			how.bare = how.bare || slices.Contains(i.Names, root) || slices.Contains(i.Names, "*") && !shadowed(user, i, root)
			how.behind = append(how.behind, modules(c.File)...)
			how.aliases, how.paths = true, append(how.paths, i.Path)
		case c.Language == "Rust":
			how.bare = how.bare || last(strings.ReplaceAll(i.Path, "::", ".")) == root || strings.HasSuffix(i.Path, "::*")
			how.behind = append(how.behind, modulesOf(c.File, i)...)
		case c.Language == "C" || c.Language == "C++" || c.Language == "PHP" || c.Language == "Ruby" || c.Language == "Bash":
			how.bare, how.loose = true, true
		default:
			how.bare = true
		}
	}
	return how
}

// modulesOf are the names that Rust code has for a file which an import leads
// to.
func modulesOf(file string, i symbols.Import) []string {
	names := modules(file)
	steps := strings.Split(i.Path, "::")
	switch names[0] {
	case "lib", "main":
		return []string{"crate", steps[0]}
	case "mod":
		return append(names[1:], steps[max(len(steps)-2, 0)]) // super
	}
	return names[:1]
}

// leads tells whether an import leads to the place a symbol was declared at.
func leads(i symbols.Import, c Change, root string) bool {
	if c.Language == "Java" {
		return i.Path == c.Package+"."+root || i.Path == c.Package+".*" || strings.HasPrefix(i.Path, c.Package+"."+root+".")
	}
	target, inside := strings.CutPrefix(i.Target, "pkg/")
	if !inside {
		return false
	}
	dir := path.Dir(c.File)
	switch c.Language {
	case "Go", "C#":
		return target == dir
	case "Rust":
		return target == module(c.File) || path.Dir(target) == module(c.File)
	}
	return target == module(c.File) || target == c.File
}

// module is what an import of a file is resolved to.
func module(file string) string {
	stem := strings.TrimSuffix(file, path.Ext(file))
	switch path.Base(stem) {
	case "index", "__init__", "mod":
		return path.Dir(file)
	}
	return strings.TrimSuffix(stem, ".d")
}

// passedOn tells whether a file exports on what it takes from an import.
func passedOn(f symbols.File, i symbols.Import, name string) bool {
	return slices.ContainsFunc(f.Exports, func(e symbols.Export) bool { return takes(e, i) == name })
}

// aliases are the names a file itself gives to what it imports from some
// paths: `import p "path"`, `import * as p from "path"`, `import path as p`.
func aliases(code []tokens.Token, paths []string) []string {
	var names []string
	for i, t := range code {
		switch {
		case t.Kind == tokens.String && len(t.Text) > 2 && slices.Contains(paths, t.Text[1:len(t.Text)-1]) && i > 0:
			if p := code[i-1]; p.Kind == tokens.Word && p.Text != "import" && p.Text != "from" {
				names = append(names, p.Text)
			} else if p.Text == "from" && i > 2 && code[i-3].Text == "as" {
				names = append(names, code[i-2].Text)
			}
		case t.Text == "as" && i > 0 && i+1 < len(code) && slices.ContainsFunc(paths, func(p string) bool { return last(p) == code[i-1].Text }):
			names = append(names, code[i+1].Text)
		}
	}
	return names
}

// Settled tells whether a Worker that changed a file itself has seen to its
// uses of a symbol: it wrote them against the new shape.
func (c Change) Settled() bool { return c.Kind == doc.KindSignature }

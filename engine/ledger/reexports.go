package ledger

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"growbench/mapgen/symbols"
	"growbench/mapgen/tokens"
)

// rule is how files of a language pass on everything of another, which names
// no symbol.
type rule struct {
	words      string // that stand in such a file
	everything *regexp.Regexp
}

var passing = func() map[string]rule {
	script := rule{"export", regexp.MustCompile(`export\s*\*|export\s+type\s*\*`)}
	return map[string]rule{
		"TypeScript": script, "TSX": script, "JavaScript": script,
		"Python": {"import", regexp.MustCompile(`import\s*\(?\s*\*`)},
		"Rust":   {"pub use", regexp.MustCompile(`pub\s+use\b[^;]*\*`)},
	}
}()

// MayPassOn tells whether a file of such a text can pass on what it has from
// others.
func MayPassOn(name, text string) bool {
	return path.Base(name) == "__init__.py" || strings.Contains(text, "export") || strings.Contains(text, "pub use")
}

// passage is a change as it is seen behind a file that passes the symbol on:
// that file's, under the name it has there. It is certain when no other symbol
// can be meant by that name.
type passage struct {
	Change
	certain bool
}

// passages are the names under which a file passes a symbol on. rivals are the
// files that declare another one of its name.
func (c Change) passages(by Version, rivals map[string][]string) (out []passage) {
	if _, ok := passing[c.Language]; !ok || by.Code.Path == c.File {
		return nil
	}
	root, rest, _ := strings.Cut(c.Symbol, ".")
	if rest != "" {
		rest = "." + rest
	}
	add := func(name string, certain, space bool) {
		to := c
		to.File, to.Symbol, to.space = by.Code.Path, name+rest, c.space || space
		if space {
			to.Symbol = name + "." + c.Symbol
		}
		out = append(out, passage{to, certain})
	}
	for _, i := range by.Code.Imports {
		if !leads(i, c, root) {
			continue
		}
		for _, e := range by.Code.Exports {
			switch taken := takes(e, i); {
			case taken == "":
			case taken == root && e.Name != "*":
				add(e.Name, true, false)
			case taken == "*" && e.Name != "*":
				add(e.Name, true, true)
			}
		}
		if isScript(c.Language) && slices.Contains(i.Names, root) {
			for _, name := range exportedAs(by, root) {
				add(name, true, false)
			}
		}
		if everythingOf(by, i, root) && !shadowed(by, i, root) {
			add(root, !rivalled(by, c, rivals[root], root), false)
		}
	}
	return out
}

// takes is the name that a re-export takes from an import, "" when it takes
// nothing from it.
func takes(e symbols.Export, i symbols.Import) string {
	name := e.Original
	if name == "" {
		name = e.Name
	}
	if e.From == "" || e.From != i.Path && e.From+"::"+name != i.Path {
		return ""
	}
	return name
}

// exportedAs are the names under which a script exports what it imports by
// name, in a statement of its own.
func exportedAs(by Version, root string) (out []string) {
	own := []string{root}
	code := tokens.Of(by.Code.Language, by.Text)
	for k := range max(len(code)-2, 0) {
		if code[k].Text == root && code[k+1].Text == "as" {
			own = append(own, code[k+2].Text)
		}
	}
	for _, e := range by.Code.Exports {
		if e.From == "" && slices.Contains(own, e.Name) {
			out = append(out, e.Name)
		}
	}
	return out
}

// everythingOf tells whether a file passes on all that an import leads to, and
// so a symbol of that name.
func everythingOf(by Version, i symbols.Import, root string) bool {
	if by.Code.Language == "Python" {
		return slices.Contains(i.Names, "*") && !strings.HasPrefix(root, "_")
	}
	return root != "default" && slices.ContainsFunc(by.Code.Exports, func(e symbols.Export) bool {
		return e.Name == "*" && takes(e, i) == "*"
	})
}

// shadowed tells whether a file gives a name a meaning that goes before that of
// everything it passes on.
func shadowed(by Version, i symbols.Import, name string) bool {
	return slices.ContainsFunc(by.Code.Exports, func(e symbols.Export) bool { return e.Name == name && e.From != i.Path })
}

// rivalled tells whether a file passes on everything of another place too, at
// or below which something of the same name is declared.
func rivalled(by Version, c Change, rivals []string, root string) bool {
	for _, j := range by.Code.Imports {
		target, inside := strings.CutPrefix(j.Target, "pkg/")
		if !inside || leads(j, c, root) || !everythingOf(by, j, root) {
			continue
		}
		for _, r := range rivals {
			if r != c.File && (module(r) == target || strings.HasPrefix(r, target+"/")) {
				return true
			}
		}
	}
	return false
}

package symbols

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

type pythonFile struct {
	*collector
	listed   map[string]bool // __all__; nil when the file has none
	imported map[string]Export
	signed   map[string]bool // functions with @overload signatures, which stand for the implementation
	typing   bool            // below "if TYPE_CHECKING", whose imports bind nothing at run time
	barrel   bool            // __init__.py: what it imports from its own package it offers
}

// quotedName finds the names in the text of an __all__ list.
var quotedName = regexp.MustCompile(`"([^"\n]*)"|'([^'\n]*)'`)

func extractPython(t *tree, c *collector) {
	p := &pythonFile{collector: c, imported: map[string]Export{}, signed: map[string]bool{}}
	name := base(c.file.Path)
	p.barrel = name == "__init__.py" || name == "__init__.pyi"
	root := t.root()
	p.findAll(root)
	p.imports(root)
	p.block(root)
	for _, name := range slices.Sorted(maps.Keys(p.listed)) {
		if e, ok := p.imported[name]; ok && !p.has(name) {
			p.export(e)
		}
	}
	c.file.Doc = docstring(root)
	if c.file.Doc == "" {
		c.file.Doc = leadingComment(root)
	}
}

// public is Python's own rule: what __all__ lists, else what has no leading
// underscore.
func (p *pythonFile) public(name string) bool {
	if p.listed != nil {
		return p.listed[name]
	}
	return name != "" && !strings.HasPrefix(name, "_")
}

// findAll reads __all__ = […], __all__ += […] and __all__.extend([…]).
func (p *pythonFile) findAll(root node) {
	add := func(text string) {
		if p.listed == nil {
			p.listed = map[string]bool{}
		}
		for _, m := range quotedName.FindAllStringSubmatch(text, -1) {
			p.listed[m[1]+m[2]] = true
		}
	}
	for n := range root.all("assignment", "augmented_assignment", "call") {
		switch n.kind() {
		case "call":
			switch f := oneLine(n.child("function").word()); f {
			case "__all__.extend", "__all__.append":
				add(n.child("arguments").text())
			}
		default:
			if n.child("left").text() == "__all__" {
				add(n.child("right").text())
			}
		}
	}
}

// block reads the statements of a module, also those under if, try, with and
// loops: they bind names of the module all the same.
func (p *pythonFile) block(b node) {
	for n := range b.children() {
		switch n.kind() {
		case "function_definition", "class_definition", "decorated_definition":
			if b.kind() == "ERROR" && n.column() > 0 {
				continue // most likely a method whose class was lost
			}
			p.definition(n)
		case "import_from_statement":
			p.handOn(n)
		case "expression_statement":
			p.assignments(n)
		case "type_alias_statement":
			name := typeAliasName(n)
			p.value(name, "type", n.head(node{}), n.line())
		case "if_statement":
			condition := n.child("condition")
			if isMainGuard(condition) {
				continue
			}
			outer := p.typing
			p.typing = outer || strings.HasSuffix(condition.text(), "TYPE_CHECKING")
			p.block(n)
			p.typing = outer
		case "try_statement", "with_statement", "for_statement", "while_statement", "block",
			"else_clause", "elif_clause", "except_clause", "finally_clause", "except_group_clause",
			"match_statement", "case_clause", "ERROR":
			p.block(n)
		}
	}
}

func (n node) column() int {
	at := n.start()
	for at > 0 && n.t.src[at-1] != '\n' {
		at--
	}
	return n.start() - at
}

func isMainGuard(condition node) bool {
	return condition.kind() == "comparison_operator" && strings.HasPrefix(condition.text(), "__name__")
}

func typeAliasName(n node) string {
	name, _, _ := strings.Cut(n.child("left").text(), "[")
	return strings.TrimSpace(name)
}

func (p *pythonFile) value(name, kind, signature string, line int) {
	if p.public(name) && name != "__all__" {
		p.export(Export{Name: name, Kind: kind, Signature: signature, Line: line})
	}
}

func (p *pythonFile) assignments(statement node) {
	for a := range statement.children() {
		if a.kind() != "assignment" {
			continue
		}
		kind := "variable"
		for ; a.kind() == "assignment"; a = a.child("right") {
			for _, name := range targets(a.child("left")) {
				if strings.ToUpper(name) == name {
					kind = "const"
				}
				p.value(name, kind, oneLine(name+annotation(a)), a.line())
			}
		}
	}
}

func annotation(a node) string {
	if t := a.child("type"); t.ok() {
		return ": " + t.text()
	}
	return ""
}

// targets are the plain names an assignment binds.
func targets(left node) []string {
	switch left.kind() {
	case "identifier":
		return []string{left.text()}
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern":
		var names []string
		for c := range left.children() {
			names = append(names, targets(c)...)
		}
		return names
	}
	return nil
}

func (p *pythonFile) definition(n node) {
	line := n.line()
	decorators := ""
	if n.kind() == "decorated_definition" {
		decorators, n = decoratorsOf(n), n.child("definition")
	}
	name := n.child("name").text()
	if !p.public(name) {
		return
	}
	if n.kind() == "function_definition" {
		if p.stands(name, decorators) {
			return
		}
		p.export(Export{Name: name, Kind: "function", Signature: pythonSignature(n), Line: n.line()})
		return
	}
	p.export(Export{Name: name, Kind: "class", Signature: strings.TrimSuffix(n.head(n.child("body")), ":"), Line: max(line, n.line()), Extends: superclasses(n)})
	p.classMembers(name, n.child("body"), true)
}

func decoratorsOf(n node) string {
	var all strings.Builder
	for d := range n.children() {
		if d.kind() == "decorator" {
			all.WriteString(oneLine(d.text()) + "\n")
		}
	}
	return all.String()
}

// stands is true of an implementation whose overload signatures stand for it.
func (p *pythonFile) stands(name, decorators string) bool {
	if strings.Contains(decorators, "@overload\n") || strings.Contains(decorators, ".overload\n") {
		p.signed[name] = true
		return false
	}
	return p.signed[name]
}

func pythonSignature(n node) string {
	signature := strings.TrimSuffix(n.until(n.child("name").start(), n.child("body")), ":")
	if n.has("async") {
		return "async " + signature
	}
	return signature
}

func superclasses(n node) []string {
	var names []string
	for c := range n.child("superclasses").children() {
		switch c.kind() {
		case "keyword_argument", "comment", "list_splat", "dictionary_splat":
		case "subscript":
			names = append(names, oneLine(c.child("value").text()))
		default:
			names = append(names, oneLine(c.text()))
		}
	}
	return names
}

func (p *pythonFile) classMembers(owner string, body node, exported bool) {
	for n := range body.children() {
		decorators := ""
		if n.kind() == "decorated_definition" {
			decorators, n = decoratorsOf(n), n.child("definition")
		}
		switch n.kind() {
		case "function_definition":
			p.method(owner, n, decorators, exported)
		case "class_definition":
			name := n.child("name").text()
			p.member(Member{Name: name, Owner: owner, Kind: "class", Line: n.line(), Exported: exported && !strings.HasPrefix(name, "_"),
				Signature: strings.TrimSuffix(n.head(n.child("body")), ":")})
			p.classMembers(owner+"."+name, n.child("body"), exported && !strings.HasPrefix(name, "_"))
		case "expression_statement":
			for a := range n.children() {
				if a.kind() != "assignment" {
					continue
				}
				for _, name := range targets(a.child("left")) {
					p.member(Member{Name: name, Owner: owner, Kind: "field", Signature: oneLine(name + annotation(a)), Line: a.line(),
						Exported: exported && !strings.HasPrefix(name, "_")})
				}
			}
		case "if_statement", "try_statement", "block", "else_clause", "elif_clause", "except_clause":
			p.classMembers(owner, n, exported)
		}
	}
}

func (p *pythonFile) method(owner string, n node, decorators string, exported bool) {
	name := n.child("name").text()
	if p.stands(owner+"."+name, decorators) {
		return
	}
	m := Member{Name: name, Owner: owner, Kind: "method", Signature: pythonSignature(n), Line: n.line(),
		Exported: exported && !strings.HasPrefix(name, "_")}
	switch {
	case name == "__init__":
		m.Kind = "constructor"
	case strings.Contains(decorators, "property") || strings.Contains(decorators, ".setter") || strings.Contains(decorators, ".deleter"):
		m.Kind = "property"
		m.Signature = name
		if t := n.child("return_type"); t.ok() {
			m.Signature = oneLine(name + ": " + t.text())
		}
	}
	p.member(m)
}

// imports finds every module the file names, and remembers what it binds from
// them: __all__ and packages hand such names on.
func (p *pythonFile) imports(root node) {
	for n := range root.all("import_statement", "import_from_statement", "future_import_statement") {
		switch n.kind() {
		case "future_import_statement":
			p.collector.imported(Import{Path: "__future__", Line: n.line()})
		case "import_statement":
			for c := range n.children() {
				if c.field() != "name" {
					continue
				}
				module := c.text()
				if c.kind() == "aliased_import" {
					module = c.child("name").text()
				}
				p.collector.imported(Import{Path: compact(module), Line: n.line()})
			}
		default:
			p.importFrom(n)
		}
	}
}

func (p *pythonFile) importFrom(n node) {
	module := compact(n.child("module_name").text())
	i := Import{Path: module, Line: n.line(), Relative: strings.HasPrefix(module, ".")}
	for c := range n.children() {
		switch {
		case c.kind() == "wildcard_import":
			i.Names = append(i.Names, "*")
		case c.field() == "name":
			e := taken(c, module)
			i.Names = append(i.Names, or(e.Original, e.Name))
			p.imported[e.Name] = e
		}
	}
	slices.Sort(i.Names)
	i.Names = slices.Compact(i.Names)
	p.collector.imported(i)
}

// taken is the name an import binds, as the re-export it may be.
func taken(c node, module string) Export {
	name, bound := c.text(), c.text()
	if c.kind() == "aliased_import" {
		name, bound = c.child("name").text(), c.child("alias").text()
	}
	e := Export{Name: bound, Kind: "reexport", Signature: bound, Line: c.line(), From: module}
	if bound != name {
		e.Original = name
	}
	return e
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// handOn lists what a module takes from another to offer it itself: a package
// what it imports from its own modules, a stub what it writes "x as x".
func (p *pythonFile) handOn(n node) {
	if p.listed != nil || p.typing {
		return
	}
	module := compact(n.child("module_name").text())
	own := p.barrel && strings.HasPrefix(module, ".")
	for c := range n.children() {
		if c.kind() == "wildcard_import" && own {
			p.export(Export{Name: "*", Kind: "reexport", Signature: "* from " + module, Line: n.line(), From: module})
		}
		if c.field() != "name" {
			continue
		}
		e := taken(c, module)
		if (own || c.kind() == "aliased_import" && e.Original == "") && p.public(e.Name) {
			p.export(e)
		}
	}
}

func compact(text string) string { return strings.Join(strings.Fields(text), "") }

// docstring is the first paragraph of a module's docstring.
func docstring(root node) string {
	for n := range root.children() {
		if n.kind() == "comment" {
			continue
		}
		if s := n.of("string"); n.kind() == "expression_statement" && s.ok() {
			text := strings.TrimLeft(s.text(), "rRuUbB")
			for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
				if inner, ok := strings.CutPrefix(text, quote); ok {
					return paragraph(strings.TrimSuffix(inner, quote))
				}
			}
		}
		return ""
	}
	return ""
}

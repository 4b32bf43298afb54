package symbols

import "strings"

// TypeScript, TSX and JavaScript share a grammar family and one extractor;
// CommonJS is in commonjs.go.

var (
	scriptBodies = []string{"function_declaration", "generator_function_declaration", "method_definition",
		"arrow_function", "function_expression", "generator_function", "class_static_block"}
	scriptLeaves = []string{"string", "template_string", "regex", "array", "jsx_element", "jsx_self_closing_element", "decorator"}
	scriptLate   = []string{"import", "require", "exports"}
)

// declared is a declaration at the top of a scope, exported or not yet.
type declared struct {
	name, kind, signature string
	extends, implements   []string
	line                  int
	at                    []node // where its members are; several for merged declarations
	open                  bool   // a namespace all of which is visible
	from, original        string
}

type script struct {
	*collector
	locals  map[string]declared
	loaded  map[string]string // variable → module it was required from
	objects map[string]node   // variable → object literal it was given
	aliases map[string]bool   // variables that are module.exports under another name
	ambient bool              // a declaration file that exports everything it declares
}

func extractScript(t *tree, c *collector) {
	s := &script{collector: c, locals: map[string]declared{}, loaded: map[string]string{}, objects: map[string]node{}, aliases: map[string]bool{}}
	root := t.root()
	module := false
	for n := range root.children() {
		kind := n.kind()
		module = module || kind == "export_statement" || kind == "import_statement"
		for _, d := range s.declarations(n) {
			s.remember(d, n.kind() == "function_signature")
		}
	}
	s.ambient = !module && strings.HasSuffix(c.file.Path, ".d.ts")
	s.imports(root)
	signed := map[string]bool{} // functions whose overload signatures stand for the implementation
	for n := range root.children() {
		switch {
		case n.kind() == "export_statement":
			s.exportStatement(n, signed)
		case s.ambient || n.kind() == "ambient_declaration" && n.of("module").has("string"):
			for _, d := range s.declarations(n) {
				s.publish(d, false)
			}
		}
	}
	if !module {
		s.commonJS(root)
	}
	c.file.Doc = leadingComment(root)
}

// remember keeps a declaration for an export statement that names it. Overload
// signatures are joined, and a class, interface or namespace declared twice is
// one with the members of both.
func (s *script) remember(d declared, signature bool) {
	old, seen := s.locals[d.name]
	switch {
	case !seen:
		old = d
	case callable(d.kind) && callable(old.kind):
		if signature {
			old.signature = overload(old.signature, d.signature, d.name)
		}
	default:
		old.at = append(old.at, d.at...)
		old.open = old.open || d.open
	}
	s.locals[d.name] = old
}

// publish makes a declaration an export, with its members.
func (s *script) publish(d declared, isDefault bool) {
	s.export(Export{Name: d.name, Kind: d.kind, Signature: d.signature, Line: d.line, Extends: d.extends,
		Implements: d.implements, Default: isDefault, From: d.from, Original: d.original})
	for _, at := range d.at {
		s.membersOf(d.name, at, d.open)
	}
}

// declarations are what one statement declares.
func (s *script) declarations(n node) []declared {
	kind := n.kind()
	switch kind {
	case "ambient_declaration", "expression_statement", "export_statement":
		var all []declared
		for c := range n.children() {
			switch c.kind() {
			case "call_expression", "assignment_expression", "import", "identifier":
			default:
				all = append(all, s.declarations(c)...)
			}
		}
		for i := range all {
			all[i].open = all[i].open || kind == "ambient_declaration"
		}
		return all
	case "function_declaration", "generator_function_declaration", "function_signature":
		return one(n, "function", n.child("name").text()+n.callable())
	case "class_declaration", "abstract_class_declaration", "class":
		return []declared{s.class(n)}
	case "interface_declaration":
		d := declared{name: n.child("name").text(), kind: "interface", signature: n.head(n.child("body")), line: n.nameLine(), at: []node{n}}
		for t := range n.of("extends_type_clause", "extends_clause").children() {
			d.extends = appendType(d.extends, t)
		}
		return []declared{d}
	case "type_alias_declaration":
		return one(n, "type", n.head(node{}))
	case "enum_declaration":
		return one(n, "enum", n.head(node{}))
	case "internal_module", "module":
		name := unquote(n.child("name").text())
		kind := "namespace"
		if n.child("name").kind() == "string" {
			kind = "module"
		}
		return []declared{{name: name, kind: kind, signature: kind + " " + name, line: n.line(), at: []node{n}}}
	case "import_alias":
		name := n.of("identifier").text()
		return []declared{{name: name, kind: "alias", signature: n.head(node{}), line: n.line()}}
	case "lexical_declaration", "variable_declaration":
		return s.variables(n)
	}
	return nil
}

func one(n node, kind, signature string) []declared {
	return []declared{{name: n.child("name").text(), kind: kind, signature: signature, line: n.nameLine(), at: []node{n}}}
}

// nameLine is the line a declaration's name stands on: decorators and comments
// come before it.
func (n node) nameLine() int {
	if name := n.child("name"); name.ok() {
		return name.line()
	}
	return n.line()
}

// callable is the part of a function from its type parameters to its body.
func (n node) callable() string {
	body := n.child("body")
	for c := range n.children() {
		switch c.field() {
		case "type_parameters", "parameters":
			return strings.TrimSuffix(n.t.line(c.start(), bodyStart(n, body)), " =>")
		case "parameter":
			return "(" + c.text() + ")"
		}
	}
	return "()"
}

func bodyStart(n, body node) int {
	if body.ok() {
		return body.start()
	}
	return n.end()
}

func (s *script) class(n node) declared {
	d := declared{name: n.child("name").text(), kind: "class", line: n.nameLine(), at: []node{n}}
	for c := range n.children() {
		if kind := c.kind(); kind == "class" || kind == "abstract" {
			d.signature = n.until(c.start(), n.child("body"))
			break
		}
	}
	heritage := n.of("class_heritage")
	for clause := range heritage.children() {
		switch clause.kind() {
		case "extends_clause":
			d.extends = append(d.extends, oneLine(clause.child("value").text()))
		case "implements_clause":
			for t := range clause.children() {
				d.implements = appendType(d.implements, t)
			}
		case "extends":
		default:
			d.extends = append(d.extends, oneLine(clause.text()))
		}
	}
	return d
}

// appendType adds a named type without its arguments; keywords are passed over.
func appendType(list []string, t node) []string {
	switch t.kind() {
	case "extends", "implements", "comment", "ERROR", "type_arguments":
		return list
	case "generic_type":
		if name := t.child("name"); name.ok() {
			t = name
		}
	}
	return append(list, oneLine(t.text()))
}

func (s *script) variables(n node) []declared {
	kind := "variable"
	if n.has("const") {
		kind = "const"
	}
	var all []declared
	for v := range n.children() {
		if v.kind() != "variable_declarator" {
			continue
		}
		name, value := v.child("name"), v.child("value")
		if name.kind() == "object_pattern" || name.kind() == "array_pattern" {
			for _, bound := range patternNames(name) {
				all = append(all, declared{name: bound, kind: kind, signature: bound, line: v.line()})
			}
			continue
		}
		if from := required(value); from != "" {
			s.loaded[name.text()] = from
		}
		if value.kind() == "object" {
			s.objects[name.text()] = value
		}
		d := s.valueOf(name.text(), value)
		if d.kind == "variable" {
			d.kind = kind
		}
		if t := v.child("type"); t.ok() {
			d.signature = oneLine(d.name + t.text())
		}
		d.line = v.line()
		all = append(all, d)
	}
	return all
}

// valueOf describes an expression bound to a name.
func (s *script) valueOf(name string, value node) declared {
	switch value.kind() {
	case "arrow_function", "function_expression", "generator_function", "function_declaration", "generator_function_declaration":
		return declared{name: name, kind: "function", signature: name + value.callable(), line: value.line()}
	case "class", "class_declaration":
		d := s.class(value)
		d.name = name
		if own := value.child("name"); own.ok() {
			d.signature = renamed(d.signature, own.text(), name)
		} else {
			d.signature = strings.TrimSpace(strings.Replace(d.signature, "class", "class "+name, 1))
		}
		return d
	}
	return declared{name: name, kind: "variable", signature: name, line: value.line()}
}

func firstNamed(n node) node {
	for c := range n.children() {
		if kind := c.kind(); kind != "comment" && kind != "as" {
			return c
		}
	}
	return node{}
}

func unquote(text string) string {
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'' || text[0] == '`') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1]
	}
	return text
}

package symbols

import "strings"

type phpFile struct{ *collector }

var phpTypes = map[string]string{
	"class_declaration": "class", "interface_declaration": "interface", "trait_declaration": "trait", "enum_declaration": "enum",
}

func extractPHP(t *tree, c *collector) {
	p := phpFile{c}
	root := t.root()
	for n := range root.all("namespace_use_declaration") {
		p.uses(n)
	}
	for n := range root.all("require_expression", "require_once_expression", "include_expression", "include_once_expression") {
		p.include(n)
	}
	p.items(root)
	c.file.Doc = leadingComment(root)
}

func (p phpFile) uses(n node) {
	prefix := ""
	if group := n.of("namespace_use_group"); group.ok() {
		prefix = compact(n.of("namespace_name", "qualified_name").text()) + "\\"
		n = group
	}
	for clause := range n.children() {
		if clause.kind() != "namespace_use_clause" {
			continue
		}
		name := clause.of("qualified_name", "name", "namespace_name")
		p.imported(Import{Path: strings.TrimPrefix(prefix+compact(name.text()), "\\"), Line: clause.line()})
	}
}

// include reads a path that is a literal, or one under the file's own directory.
func (p phpFile) include(n node) {
	text := n.text()
	var path string
	for s := range n.all("string_content") {
		if path != "" {
			return // put together from pieces
		}
		path = s.text()
	}
	if path == "" || strings.Contains(text, "$") {
		return
	}
	if strings.Contains(text, "__DIR__") || strings.Contains(text, "__FILE__") {
		path = "." + path
	}
	p.imported(Import{Path: path, Line: n.line(), Relative: !strings.HasPrefix(path, "/")})
}

// items reads declarations of a file or namespace, also conditional ones.
func (p phpFile) items(scope node) {
	lost := "" // type whose closing brace the parser had to invent
	for n := range scope.children() {
		kind := n.kind()
		if lost != "" {
			if kind == "ERROR" && strings.TrimSpace(n.text()) == "}" {
				lost = ""
				continue
			}
			if p.typeMember(lost, n) {
				continue
			}
		}
		switch kind {
		case "namespace_definition":
			if p.file.Package == "" {
				p.file.Package = compact(n.child("name").text())
			}
			p.items(n.child("body"))
		case "class_declaration", "interface_declaration", "trait_declaration", "enum_declaration":
			p.typeDeclaration(n)
			if inventedEnd(n.child("body")) {
				lost = n.child("name").text()
			}
		case "function_definition":
			name := n.child("name")
			p.export(Export{Name: name.text(), Kind: "function", Signature: n.until(name.start(), n.child("body")), Line: name.line()})
		case "const_declaration":
			for _, c := range phpConstants(n) {
				p.export(Export{Name: c.text(), Kind: "const", Signature: c.text(), Line: c.line()})
			}
		case "expression_statement":
			p.define(n)
		case "if_statement", "else_clause", "else_if_clause", "compound_statement", "try_statement", "ERROR", "colon_block":
			p.items(n)
		}
	}
}

func inventedEnd(body node) bool {
	last := node{}
	for c := range body.children() {
		last = c
	}
	return last.ok() && last.kind() == "}" && last.missing()
}

func phpConstants(n node) []node {
	var names []node
	for e := range n.children() {
		if e.kind() == "const_element" {
			names = append(names, e.of("name"))
		}
	}
	return names
}

// define reads define('NAME', …).
func (p phpFile) define(n node) {
	call := n.of("function_call_expression")
	if call.child("function").word() != "define" {
		return
	}
	name := unquote(call.child("arguments").of("argument").of("string", "encapsed_string").text())
	p.export(Export{Name: name, Kind: "const", Signature: name, Line: n.line()})
}

func (p phpFile) typeDeclaration(n node) {
	name := n.child("name")
	kind := phpTypes[n.kind()]
	e := Export{Name: name.text(), Kind: kind, Signature: kind + " " + n.until(name.start(), n.child("body")), Line: name.line(),
		Extends: phpNames(n.of("base_clause")), Implements: phpNames(n.of("class_interface_clause"))}
	if n.has("abstract_modifier") {
		e.Signature = "abstract " + e.Signature
	}
	var cases []string
	for m := range n.child("body").children() {
		switch m.kind() {
		case "use_declaration":
			e.Implements = append(e.Implements, phpNames(m)...)
		case "enum_case":
			cases = append(cases, m.child("name").text())
		}
	}
	if kind == "enum" {
		e.Signature += " { " + strings.Join(cases, ", ") + " }"
	}
	p.export(e)
	for m := range n.child("body").children() {
		p.typeMember(e.Name, m)
	}
}

func phpNames(clause node) []string {
	var names []string
	for c := range clause.children() {
		if kind := c.kind(); kind == "name" || kind == "qualified_name" {
			names = append(names, strings.TrimPrefix(compact(c.text()), "\\"))
		}
	}
	return names
}

// typeMember lists one member; false means that n is none.
func (p phpFile) typeMember(owner string, m node) bool {
	access := m.of("visibility_modifier").text()
	exported := access == "" || access == "public"
	switch m.kind() {
	case "method_declaration":
		name := m.child("name")
		kind := "method"
		if name.text() == "__construct" {
			kind = "constructor"
		}
		p.member(Member{Name: name.text(), Owner: owner, Kind: kind, Signature: m.until(name.start(), m.child("body")), Line: name.line(), Exported: exported})
	case "property_declaration":
		for e := range m.children() {
			if e.kind() != "property_element" {
				continue
			}
			name := e.child("name").text()
			p.member(Member{Name: strings.TrimPrefix(name, "$"), Owner: owner, Kind: "property", Line: e.line(), Exported: exported,
				Signature: oneLine(m.child("type").text() + " " + name)})
		}
	case "const_declaration":
		for _, c := range phpConstants(m) {
			p.member(Member{Name: c.text(), Owner: owner, Kind: "const", Signature: c.text(), Line: c.line(), Exported: exported})
		}
	default:
		return false
	}
	return true
}

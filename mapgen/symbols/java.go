package symbols

import "strings"

type javaFile struct{ *collector }

var javaTypes = map[string]string{
	"class_declaration": "class", "interface_declaration": "interface", "enum_declaration": "enum",
	"record_declaration": "record", "annotation_type_declaration": "annotation",
}

func extractJava(t *tree, c *collector) {
	j := javaFile{c}
	root := t.root()
	for n := range root.children() {
		switch n.kind() {
		case "package_declaration":
			c.file.Package = oneLine(n.of("scoped_identifier", "identifier").text())
		case "import_declaration":
			path := compact(n.of("scoped_identifier", "identifier").text())
			if n.has("asterisk") {
				path += ".*"
			}
			c.imported(Import{Path: path, Line: n.line()})
		case "module_declaration":
			name := oneLine(n.child("name").text())
			c.export(Export{Name: name, Kind: "module", Signature: "module " + name, Line: n.line()})
		case "ERROR":
			for inner := range n.children() {
				j.topLevel(inner)
			}
		default:
			j.topLevel(n)
		}
	}
	c.file.Doc = javaDoc(root)
}

// javaDoc is the comment before the first type, or else the one at the top.
func javaDoc(root node) string {
	last := ""
	for n := range root.children() {
		if strings.HasSuffix(n.kind(), "comment") {
			if strings.HasPrefix(n.text(), "/**") {
				last = commentText(n.text())
			}
			continue
		}
		if javaTypes[n.kind()] != "" {
			break
		}
	}
	if last != "" {
		return last
	}
	return leadingComment(root)
}

func (j javaFile) topLevel(n node) {
	kind := javaTypes[n.kind()]
	if kind == "" || !modified(n, "public") {
		return
	}
	name := n.child("name").text()
	extends, implements := javaParents(n)
	j.export(Export{Name: name, Kind: kind, Signature: javaHead(n), Line: n.nameLine(), Extends: extends, Implements: implements})
	j.typeMembers(name, n)
}

// modified is true when a declaration carries a modifier.
func modified(n node, word string) bool { return n.of("modifiers").has(word) }

// javaHead is a declaration without annotations, access and body; of an enum
// with its constants.
func javaHead(n node) string {
	modifiers := n.of("modifiers")
	from := n.start()
	if modifiers.ok() {
		from = modifiers.end()
	}
	head := n.until(from, n.child("body"))
	if n.kind() == "enum_declaration" {
		var constants []string
		for c := range n.child("body").children() {
			if c.kind() == "enum_constant" {
				constants = append(constants, c.child("name").text())
			}
		}
		head += " { " + strings.Join(constants, ", ") + " }"
	}
	if javaTypes[n.kind()] != "" {
		for _, word := range []string{"sealed", "abstract"} {
			if modifiers.has(word) {
				head = word + " " + head
			}
		}
	}
	return head
}

func javaParents(n node) (extends, implements []string) {
	list := func(n node) (names []string) {
		for t := range n.children() {
			if t.kind() == "type_list" {
				for inner := range t.children() {
					names = append(names, javaType(inner))
				}
			} else if t.kind() != "extends" && t.kind() != "implements" {
				names = append(names, javaType(t))
			}
		}
		return names
	}
	extends = append(list(n.child("superclass")), list(n.of("extends_interfaces"))...)
	return extends, list(n.child("interfaces"))
}

func javaType(n node) string {
	if n.kind() == "generic_type" {
		n = firstNamed(n)
	}
	return oneLine(n.text())
}

func (j javaFile) typeMembers(owner string, n node) {
	open := n.kind() == "interface_declaration" || n.kind() == "annotation_type_declaration"
	for m := range n.child("body").children() {
		if m.kind() == "enum_body_declarations" {
			for inner := range m.children() {
				j.typeMember(owner, inner, false)
			}
			continue
		}
		j.typeMember(owner, m, open)
	}
}

// typeMember lists one member; open bodies (interfaces) make all public that
// is not private.
func (j javaFile) typeMember(owner string, m node, open bool) {
	exported := modified(m, "public") || open && !modified(m, "private")
	name := m.child("name").text()
	member := Member{Name: name, Owner: owner, Line: m.nameLine(), Signature: javaHead(m), Exported: exported}
	if kind := javaTypes[m.kind()]; kind != "" {
		member.Kind = kind
		j.member(member)
		if exported {
			j.typeMembers(owner+"."+name, m)
		}
		return
	}
	switch m.kind() {
	case "method_declaration":
		member.Kind = "method"
	case "annotation_type_element_declaration":
		member.Kind = "method"
	case "constructor_declaration", "compact_constructor_declaration":
		member.Kind = "constructor"
	case "field_declaration", "constant_declaration":
		for v := range m.children() {
			if v.kind() == "variable_declarator" {
				field := v.child("name").text()
				j.member(Member{Name: field, Owner: owner, Kind: "field", Line: v.line(), Exported: exported,
					Signature: oneLine(m.child("type").text() + " " + field)})
			}
		}
		return
	default:
		return
	}
	j.member(member)
}

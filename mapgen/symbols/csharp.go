package symbols

import "strings"

type csFile struct{ *collector }

var csTypes = map[string]string{
	"class_declaration": "class", "struct_declaration": "struct", "interface_declaration": "interface",
	"enum_declaration": "enum", "record_declaration": "record", "record_struct_declaration": "record struct",
	"delegate_declaration": "delegate",
}

func extractCSharp(t *tree, c *collector) {
	x := csFile{c}
	root := t.root()
	for n := range root.all("using_directive") {
		x.using(n)
	}
	x.items(root)
	c.file.Doc = leadingComment(root)
}

func (x csFile) using(n node) {
	var target node
	for c := range n.children() {
		if c.field() != "name" {
			switch c.kind() {
			case "identifier", "qualified_name", "alias_qualified_name", "generic_name":
				target = c
			}
		}
	}
	if !target.ok() {
		target = n.child("name")
	}
	path, _, _ := strings.Cut(compact(target.text()), "<")
	x.imported(Import{Path: path, Line: n.line()})
}

// items reads types of a file or namespace, also under conditional directives.
func (x csFile) items(scope node) {
	for n := range scope.children() {
		kind := n.kind()
		switch {
		case kind == "namespace_declaration" || kind == "file_scoped_namespace_declaration":
			if x.file.Package == "" {
				x.file.Package = compact(n.child("name").text())
			}
			x.items(n.child("body"))
			if kind == "file_scoped_namespace_declaration" {
				x.items(n)
			}
		case strings.HasPrefix(kind, "preproc_") || kind == "declaration_list" || kind == "ERROR" || kind == "declaration":
			x.items(n)
		case csTypes[kind] != "" && csModified(n, "public"):
			name := n.child("name").text()
			extends, implements := csParents(n)
			x.export(Export{Name: name, Kind: csTypes[kind], Signature: csHead(n), Line: n.nameLine(), Extends: extends, Implements: implements})
			x.typeMembers(name, n)
		}
	}
}

func csModified(n node, word string) bool {
	for c := range n.children() {
		if c.kind() == "modifier" && c.text() == word {
			return true
		}
	}
	return false
}

// csHead is a declaration without attributes, access and body. Of the
// modifiers only abstract tells a caller something.
func csHead(n node) string {
	from := n.start()
	abstract := ""
	for c := range n.children() {
		switch c.kind() {
		case "attribute_list", "comment":
			from = c.end()
			continue
		case "modifier":
			from = c.end()
			if c.text() == "abstract" && csTypes[n.kind()] != "" {
				abstract = "abstract "
			}
			continue
		}
		break
	}
	stop := n.child("body")
	for _, field := range []string{"accessors", "value"} {
		if c := n.child(field); c.ok() && !stop.ok() {
			stop = c
		}
	}
	if !stop.ok() {
		stop = n.of("arrow_expression_clause", "accessor_list", "constructor_initializer")
	}
	if init := n.of("constructor_initializer"); init.ok() {
		stop = init
	}
	if n.kind() == "enum_declaration" {
		return n.until(from, node{})
	}
	return abstract + strings.TrimSpace(strings.TrimSuffix(n.until(from, stop), ":"))
}

// csParents tells classes from interfaces the only way a single file can: by
// the convention that an interface's name begins with I and a capital.
func csParents(n node) (extends, implements []string) {
	if n.kind() == "enum_declaration" {
		return nil, nil // its base is the type of its numbers
	}
	for c := range n.of("base_list").children() {
		switch c.kind() {
		case "argument_list", "comment":
			continue
		}
		name, _, _ := strings.Cut(oneLine(c.text()), "<")
		name, _, _ = strings.Cut(name, "(")
		last := name[strings.LastIndex(name, ".")+1:]
		if n.kind() != "interface_declaration" && len(last) > 1 && last[0] == 'I' && last[1] >= 'A' && last[1] <= 'Z' {
			implements = append(implements, name)
		} else {
			extends = append(extends, name)
		}
	}
	return extends, implements
}

func (x csFile) typeMembers(owner string, n node) {
	x.memberList(owner, n.child("body"), n.kind() == "interface_declaration")
}

func (x csFile) memberList(owner string, body node, open bool) {
	for m := range body.children() {
		if kind := m.kind(); strings.HasPrefix(kind, "preproc_") {
			x.memberList(owner, m, open)
			continue
		}
		x.typeMember(owner, m, open)
	}
}

func (x csFile) typeMember(owner string, m node, open bool) {
	exported := csModified(m, "public") || open && !csModified(m, "private") && !csModified(m, "protected") && !csModified(m, "internal")
	member := Member{Name: m.child("name").text(), Owner: owner, Line: m.nameLine(), Signature: csHead(m), Exported: exported}
	if kind := csTypes[m.kind()]; kind != "" {
		member.Kind = kind
		x.member(member)
		if exported {
			x.typeMembers(owner+"."+member.Name, m)
		}
		return
	}
	switch m.kind() {
	case "method_declaration":
		if m.has("explicit_interface_specifier") {
			return // reachable through the interface, which lists it
		}
		member.Kind = "method"
	case "constructor_declaration":
		member.Kind = "constructor"
	case "property_declaration":
		if m.has("explicit_interface_specifier") {
			return
		}
		member.Kind = "property"
	case "event_declaration":
		member.Kind = "event"
	case "indexer_declaration":
		member.Kind, member.Name = "property", "this[]"
	case "operator_declaration":
		member.Kind = "operator"
		member.Name = "operator " + m.child("operator").text()
		if !m.child("operator").ok() {
			member.Name = csOperator(m)
		}
	case "conversion_operator_declaration":
		member.Kind, member.Name = "operator", "operator "+oneLine(m.child("type").text())
	case "field_declaration", "event_field_declaration":
		kind := "field"
		if m.kind() == "event_field_declaration" {
			kind = "event"
		}
		d := m.of("variable_declaration")
		for v := range d.children() {
			if v.kind() == "variable_declarator" {
				name := v.child("name").text()
				x.member(Member{Name: name, Owner: owner, Kind: kind, Line: v.line(), Exported: exported,
					Signature: oneLine(d.child("type").text() + " " + name)})
			}
		}
		return
	default:
		return
	}
	x.member(member)
}

// csOperator reads the operator between its keyword and the parameters.
func csOperator(m node) string {
	head := m.head(m.child("parameters"))
	if at := strings.LastIndex(head, "operator"); at >= 0 {
		return "operator " + strings.TrimSpace(strings.TrimPrefix(head[at:], "operator"))
	}
	return ""
}

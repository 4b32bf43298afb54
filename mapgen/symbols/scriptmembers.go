package symbols

import "strings"

// membersOf lists what a class, interface, object type or namespace holds.
func (s *script) membersOf(owner string, n node, open bool) {
	if !n.ok() {
		return
	}
	switch n.kind() {
	case "type_alias_declaration":
		if value := n.child("value"); value.kind() == "object_type" {
			s.bodyMembers(owner, value)
		}
	case "internal_module", "module":
		s.namespaceMembers(owner, n.child("body"), open || n.child("name").kind() == "string")
	default:
		s.bodyMembers(owner, n.child("body"))
	}
}

func (s *script) bodyMembers(owner string, body node) {
	signed := map[string]bool{}
	for m := range body.children() {
		kind := m.kind()
		name := m.child("name")
		if !name.ok() {
			name = m.child("property")
		}
		if !name.ok() {
			continue
		}
		text := memberName(name)
		member := Member{Name: text, Owner: owner, Line: m.line(), Exported: visible(m, name)}
		switch kind {
		case "method_definition":
			if signed[text] {
				continue
			}
			member.Kind, member.Signature = "method", text+m.callable()
			switch {
			case text == "constructor":
				member.Kind = "constructor"
			case m.has("get"):
				member.Kind, member.Signature = "property", oneLine(text+m.child("return_type").text())
			case m.has("set"):
				member.Kind, member.Signature = "property", text
			}
		case "method_signature", "abstract_method_signature":
			signed[text] = true
			member.Kind, member.Signature = "method", text+m.callable()
			switch {
			case text == "constructor":
				member.Kind = "constructor"
			case m.has("get"):
				member.Kind, member.Signature = "property", oneLine(text+m.child("return_type").text())
			}
		case "public_field_definition", "field_definition":
			d := s.valueOf(text, m.child("value"))
			member.Kind, member.Signature = "property", d.signature
			if d.kind == "function" && !m.child("type").ok() {
				member.Kind = "method"
			} else {
				member.Signature = oneLine(text + m.child("type").text())
			}
		case "property_signature":
			member.Kind, member.Signature = "property", m.until(name.start(), node{})
		default:
			continue
		}
		s.member(member)
	}
}

func (s *script) namespaceMembers(owner string, body node, ambient bool) {
	for n := range body.children() {
		exported := n.kind() == "export_statement"
		if !exported && !ambient && !s.ambient {
			continue
		}
		for _, d := range s.declarations(n) {
			s.member(Member{Name: d.name, Owner: owner, Kind: d.kind, Signature: d.signature, Line: d.line, Exported: true})
			for _, at := range d.at {
				s.membersOf(owner+"."+d.name, at, ambient || d.open)
			}
		}
	}
}

func visible(m, name node) bool {
	if name.kind() == "private_property_identifier" {
		return false
	}
	access := m.of("accessibility_modifier").text()
	return access != "private" && access != "protected"
}

// memberName reads ["x"] and 'x' as x, and keeps other computed names as written.
func memberName(name node) string {
	text := oneLine(name.text())
	if name.kind() == "computed_property_name" {
		if inner := firstNamed(name); inner.kind() == "string" {
			return unquote(inner.text())
		}
		return text
	}
	return unquote(text)
}

// leadingComment is what a file says about itself before its first statement;
// licence texts and directives do not count.
func leadingComment(root node) string {
	for n := range root.children() {
		if !strings.HasSuffix(n.kind(), "comment") {
			switch n.kind() {
			case "hash_bang_line", "php_tag", "expression_statement", "declare_statement":
				continue
			}
			return ""
		}
		if text := commentText(n.run()); text != "" {
			return text
		}
	}
	return ""
}

// run is a comment together with the line comments directly under it.
func (n node) run() string {
	end, line := n.end(), n.line()
	for at := n.t.nodes[n.at].next; at != 0; at = n.t.nodes[at].next {
		next := node{n.t, at}
		if !strings.HasSuffix(next.kind(), "comment") || next.line() != line+1 {
			break
		}
		end, line = next.end(), next.line()
	}
	return string(n.t.src[n.start():end])
}

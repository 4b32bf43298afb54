package symbols

import "strings"

// exportStatement reads one statement of an ES module.
func (s *script) exportStatement(n node, signed map[string]bool) {
	isDefault := n.has("default")
	if source := n.child("source"); source.ok() {
		s.reexport(n, unquote(source.text()))
		return
	}
	if d := n.child("declaration"); d.ok() {
		for _, found := range s.declarations(d) {
			if d.kind() == "function_signature" {
				signed[found.name] = true
			} else if signed[found.name] && found.kind == "function" {
				continue
			}
			s.publish(found, isDefault)
		}
		return
	}
	if value := n.child("value"); value.ok() {
		s.exportValue(value, n.line(), true)
		return
	}
	if clause := n.of("export_clause"); clause.ok() {
		for spec := range clause.children() {
			if spec.kind() == "export_specifier" {
				s.exportLocal(specName(spec, "name"), specName(spec, "alias"), spec.line())
			}
		}
		return
	}
	if name := n.of("identifier"); name.ok() {
		if n.has("namespace") {
			s.export(Export{Name: name.text(), Kind: "namespace", Signature: "namespace " + name.text(), Line: n.line()})
			return
		}
		s.exportValue(name, n.line(), false) // export = name
	} else if n.has("=") {
		for value := range n.children() {
			if kind := value.kind(); kind != "export" && kind != "=" && kind != "comment" {
				s.exportModule(value, n.line())
				return
			}
		}
	}
}

// exportLocal publishes a name declared elsewhere in the file under an alias.
func (s *script) exportLocal(name, alias string, line int) {
	d, known := s.locals[name]
	if !known {
		d = declared{name: name, kind: "variable", signature: name}
	}
	d.line = line
	switch alias {
	case "", name:
		s.publish(d, name == "default")
	case "default":
		s.publish(d, true)
	default:
		d.name = alias
		d.signature = renamed(d.signature, name, alias)
		s.publish(d, false)
	}
}

func renamed(signature, from, to string) string {
	at := strings.Index(signature, from)
	if at < 0 {
		return signature
	}
	return signature[:at] + to + signature[at+len(from):]
}

// exportValue publishes an expression: a known name under that name, anything
// else as "default" unless it names itself.
func (s *script) exportValue(value node, line int, isDefault bool) {
	for value.kind() == "parenthesized_expression" || value.kind() == "as_expression" || value.kind() == "satisfies_expression" {
		inner := firstNamed(value)
		if !inner.ok() {
			break
		}
		value = inner
	}
	if value.kind() == "identifier" {
		d, known := s.locals[value.text()]
		if !known {
			d = declared{name: value.text(), kind: "variable", signature: value.text()}
		}
		d.line = line
		s.publish(d, isDefault)
		return
	}
	d := s.valueOf("default", value)
	if name := value.child("name"); name.ok() && (d.kind == "class" || d.kind == "function") {
		d = s.valueOf(name.text(), value)
	}
	d.line = line
	s.publish(d, isDefault || d.name == "default")
}

func (s *script) reexport(n node, from string) {
	line := n.line()
	if clause := n.of("export_clause"); clause.ok() {
		for spec := range clause.children() {
			if spec.kind() != "export_specifier" {
				continue
			}
			name, alias := specName(spec, "name"), specName(spec, "alias")
			e := Export{Name: name, Kind: "reexport", Line: line, From: from}
			switch {
			case alias == "default" && name != "default":
				e.Default = true
			case alias != "" && alias != name:
				e.Name, e.Original = alias, name
			case name == "default":
				e.Default = true
			}
			e.Signature = e.Name
			s.export(e)
		}
		return
	}
	if ns := n.of("namespace_export"); ns.ok() {
		name := unquote(ns.of("identifier", "string").text())
		s.export(Export{Name: name, Kind: "namespace", Signature: name, Line: line, From: from, Original: "*"})
		return
	}
	s.exportAll(from, line)
}

func (s *script) exportAll(from string, line int) {
	s.export(Export{Name: "*", Kind: "reexport", Signature: "* from " + from, Line: line, From: from})
}

func specName(spec node, field string) string { return unquote(spec.child(field).text()) }

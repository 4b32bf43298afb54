package symbols

import "strings"

type rustFile struct {
	*collector
	private map[string]bool // types of this file that are not public
}

func extractRust(t *tree, c *collector) {
	r := &rustFile{collector: c, private: map[string]bool{}}
	root := t.root()
	for n := range root.children() {
		switch n.kind() {
		case "struct_item", "enum_item", "union_item", "trait_item", "type_item":
			if !isPub(n) {
				r.private[n.child("name").text()] = true
			}
		}
	}
	r.imports(root)
	r.items(root, "")
	r.implementations(root, "")
	for n := range root.children() {
		if n.kind() != "inner_attribute_item" {
			continue
		}
		if tag, ok := strings.CutPrefix(oneLine(n.text()), "#![cfg("); ok {
			c.file.Tags = append(c.file.Tags, strings.TrimSuffix(tag, ")]"))
		}
	}
	c.file.Doc = moduleComment(root)
}

// moduleComment is the text of //! and /*! comments, which speak of the file.
func moduleComment(root node) string {
	for n := range root.children() {
		if strings.HasSuffix(n.kind(), "comment") {
			if text := n.run(); strings.HasPrefix(text, "//!") || strings.HasPrefix(text, "/*!") {
				return commentText(text)
			}
		}
	}
	return ""
}

// isPub is true of "pub" alone: pub(crate) and its like stop at the crate.
func isPub(n node) bool { return n.of("visibility_modifier").text() == "pub" }

var rustKinds = map[string]string{
	"function_item": "function", "function_signature_item": "function", "struct_item": "struct", "enum_item": "enum",
	"union_item": "union", "trait_item": "trait", "type_item": "type", "const_item": "const", "static_item": "static",
	"mod_item": "module", "associated_type": "type",
}

// items lists what a module declares: as exports at the top, as members of the
// module inside of one.
func (r *rustFile) items(scope node, owner string) {
	macro := false
	for n := range scope.children() {
		kind := n.kind()
		if kind == "attribute_item" {
			macro = macro || strings.Contains(n.text(), "macro_export")
			continue
		}
		switch kind {
		case "macro_definition":
			if macro {
				name := n.child("name").text()
				r.declare(owner, Export{Name: name, Kind: "macro", Signature: "macro " + name + "!", Line: n.line()})
			}
		case "use_declaration":
			if isPub(n) {
				for _, u := range uses(n.child("argument"), "") {
					r.reexport(owner, u, n.line())
				}
			}
		case "foreign_mod_item":
			r.items(n.child("body"), owner)
		case "ERROR":
			r.items(n, owner)
		default:
			if rustKinds[kind] != "" && isPub(n) {
				r.item(n, owner)
			}
		}
		if !strings.HasSuffix(kind, "comment") {
			macro = false
		}
	}
}

func (r *rustFile) declare(owner string, e Export) {
	if owner == "" {
		r.export(e)
		return
	}
	r.member(Member{Name: e.Name, Owner: owner, Kind: e.Kind, Signature: e.Signature, Line: e.Line, Exported: true})
}

func (r *rustFile) item(n node, owner string) {
	name := n.child("name").text()
	e := Export{Name: name, Kind: rustKinds[n.kind()], Signature: rustSignature(n), Line: n.line()}
	for bound := range n.child("bounds").children() {
		if bound.kind() != "lifetime" {
			e.Extends = append(e.Extends, rustType(bound))
		}
	}
	r.declare(owner, e)
	inner := join(owner, name)
	switch n.kind() {
	case "mod_item":
		r.items(n.child("body"), inner)
		r.implementations(n.child("body"), inner)
	case "struct_item", "union_item":
		for f := range n.child("body").children() {
			if f.kind() == "field_declaration" {
				r.member(Member{Name: f.child("name").text(), Owner: inner, Kind: "field", Signature: f.until(f.child("name").start(), node{}),
					Line: f.line(), Exported: isPub(f)})
			}
		}
	case "trait_item":
		for m := range n.child("body").children() {
			r.associated(inner, m, true)
		}
	}
}

func (r *rustFile) associated(owner string, m node, exported bool) {
	kind := rustKinds[m.kind()]
	if kind == "" {
		return
	}
	if kind == "function" {
		kind = "method"
	}
	r.member(Member{Name: m.child("name").text(), Owner: owner, Kind: kind, Signature: rustSignature(m), Line: m.line(), Exported: exported})
}

// rustSignature leaves out visibility and, of functions, the keyword.
func rustSignature(n node) string {
	name := n.child("name")
	if !name.ok() {
		return ""
	}
	switch n.kind() {
	case "function_item", "function_signature_item":
		prefix := ""
		if m := n.of("function_modifiers"); m.ok() {
			prefix = oneLine(m.text()) + " "
		}
		return prefix + strings.TrimSuffix(n.until(name.start(), n.child("body")), ",")
	case "const_item", "static_item":
		return strings.TrimSuffix(n.until(name.start(), n.child("value")), " =")
	case "mod_item":
		return "mod " + name.text()
	case "associated_type":
		return n.head(node{})
	case "enum_item":
		return "enum " + n.until(name.start(), node{})
	case "struct_item":
		if body := n.child("body"); body.kind() == "ordered_field_declaration_list" {
			return "struct " + n.until(name.start(), node{})
		}
	}
	keyword := strings.TrimSuffix(n.kind(), "_item")
	return strings.TrimSuffix(keyword+" "+n.until(name.start(), n.child("body")), ",")
}

func (r *rustFile) implementations(scope node, owner string) {
	for n := range scope.children() {
		if n.kind() != "impl_item" {
			continue
		}
		of := rustType(n.child("type"))
		if of == "" || r.private[of] || foreignType(n, of) {
			continue
		}
		trait := n.child("trait")
		if trait.ok() {
			r.implement(of, rustType(trait))
		}
		for m := range n.child("body").children() {
			r.associated(join(owner, of), m, trait.ok() || isPub(m))
		}
	}
}

// foreignType is true of types an impl only extends: primitives, the prelude's,
// and its own type parameters.
func foreignType(impl node, name string) bool {
	if rustPrelude[name] || name[0] < 'A' || name[0] > 'Z' && name[0] < 0x80 {
		return true
	}
	for p := range impl.child("type_parameters").children() {
		if p.text() == name || p.child("left").text() == name || p.child("name").text() == name {
			return true
		}
	}
	return false
}

var rustPrelude = map[string]bool{"Vec": true, "String": true, "Option": true, "Result": true, "Box": true, "Rc": true, "Arc": true,
	"HashMap": true, "HashSet": true, "BTreeMap": true, "BTreeSet": true, "Cow": true, "Path": true, "PathBuf": true}

// rustType is a type's name without arguments, references and paths.
func rustType(n node) string {
	for {
		switch n.kind() {
		case "generic_type", "reference_type", "function_type":
			inner := n.child("type")
			if !inner.ok() {
				inner = n.child("trait")
			}
			n = inner
		case "scoped_type_identifier":
			n = n.child("name")
		case "type_identifier", "primitive_type":
			return n.text()
		case "":
			return ""
		default:
			return oneLine(n.text())
		}
	}
}

func join(owner, name string) string {
	if owner == "" {
		return name
	}
	return owner + "." + name
}

// use is one path of a use declaration, spelled out.
type use struct{ path, alias string }

func uses(n node, prefix string) []use {
	with := func(text string) string {
		text = compact(text)
		switch {
		case prefix == "":
			return text
		case text == "self":
			return prefix
		}
		return prefix + "::" + text
	}
	switch n.kind() {
	case "scoped_use_list":
		inner := prefix
		if p := n.child("path"); p.ok() {
			inner = with(p.text())
		}
		return uses(n.child("list"), inner)
	case "use_list":
		var all []use
		for c := range n.children() {
			all = append(all, uses(c, prefix)...)
		}
		return all
	case "use_as_clause":
		return []use{{with(n.child("path").text()), n.child("alias").text()}}
	case "use_wildcard", "scoped_identifier", "identifier", "self", "crate", "super":
		return []use{{with(n.text()), ""}}
	}
	return nil
}

func (r *rustFile) reexport(owner string, u use, line int) {
	from, name := "", u.path
	if at := strings.LastIndex(u.path, "::"); at >= 0 {
		from, name = u.path[:at], u.path[at+2:]
	}
	e := Export{Name: name, Kind: "reexport", Signature: name, Line: line, From: from}
	switch {
	case name == "*":
		e.Signature = "* from " + from
	case u.alias == "_":
		return
	case u.alias != "":
		e.Name, e.Signature, e.Original = u.alias, u.alias, name
	}
	r.declare(owner, e)
}

func (r *rustFile) imports(root node) {
	for n := range root.all("use_declaration", "extern_crate_declaration", "mod_item") {
		switch n.kind() {
		case "use_declaration":
			for _, u := range uses(n.child("argument"), "") {
				r.imported(Import{Path: u.path, Line: n.line(), Relative: strings.HasPrefix(u.path, "self::") || strings.HasPrefix(u.path, "super::")})
			}
		case "extern_crate_declaration":
			r.imported(Import{Path: n.child("name").text(), Line: n.line()})
		case "mod_item":
			if !n.child("body").ok() {
				r.imported(Import{Path: "self::" + n.child("name").text(), Line: n.line(), Relative: true})
			}
		}
	}
}

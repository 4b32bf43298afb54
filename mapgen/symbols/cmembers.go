package symbols

import "strings"

// fields lists the members of a struct, union or class. Open says whether they
// are public until an access label says otherwise.
func (x *cFile) fields(owner string, body node, open bool) {
	access := open
	x.fieldList(owner, body, &access, "")
}

func (x *cFile) fieldList(owner string, body node, public *bool, template string) {
	for n := range body.children() {
		switch n.kind() {
		case "access_specifier":
			*public = strings.HasPrefix(n.text(), "public")
		case "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif":
			x.fieldList(owner, n, public, template)
		case "template_declaration":
			x.fieldList(owner, n, public, oneLine("template "+n.child("parameters").text())+" ")
		case "field_declaration", "declaration":
			x.field(owner, n, *public, template)
		case "function_definition":
			if n.has("delete_method_clause") {
				continue
			}
			if name, isFunction := declared1(n.child("declarator")); isFunction && name.ok() {
				text := cName(name)
				x.member(Member{Name: text, Owner: owner, Kind: memberKind(owner, text), Line: name.line(), Exported: *public,
					Signature: template + n.until(specifiersEnd(n), functionEnd(n))})
			}
		case "alias_declaration":
			x.member(Member{Name: n.child("name").text(), Owner: owner, Kind: "type", Signature: n.head(node{}), Line: n.line(), Exported: *public})
		case "type_definition":
			for d := range n.children() {
				if name, _ := declared1(d); d.field() == "declarator" && name.ok() {
					x.member(Member{Name: name.text(), Owner: owner, Kind: "type", Signature: n.head(node{}), Line: n.line(), Exported: *public})
				}
			}
		case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
			x.nested(owner, n, *public)
		}
	}
}

func (x *cFile) field(owner string, n node, public bool, template string) {
	t := n.child("type")
	any := false
	for d := range n.children() {
		if d.field() != "declarator" {
			continue
		}
		any = true
		name, isFunction := declared1(d)
		if !name.ok() || name.missing() {
			continue
		}
		text, kind := cName(name), "field"
		if isFunction {
			kind = memberKind(owner, text)
		}
		x.member(Member{Name: text, Owner: owner, Kind: kind, Signature: template + declaratorSignature(n, d), Line: name.line(), Exported: public})
	}
	switch {
	case !t.child("body").ok():
	case t.child("name").ok():
		x.nested(owner, t, public)
	case !any && t.kind() != "enum_specifier":
		// The fields of an unnamed struct or union are the outer one's.
		access := public
		x.fieldList(owner, t.child("body"), &access, "")
	}
}

func (x *cFile) nested(owner string, n node, public bool) {
	name, body := n.child("name"), n.child("body")
	if !body.ok() || !name.ok() {
		return
	}
	kind := strings.TrimSuffix(n.kind(), "_specifier")
	m := Member{Name: name.text(), Owner: owner, Kind: kind, Signature: n.head(body), Line: name.line(), Exported: public}
	if kind == "enum" {
		m.Signature = n.head(node{})
	}
	x.member(m)
	if kind != "enum" && public {
		x.fields(owner+"."+m.Name, body, kind != "class")
	}
}

func memberKind(owner, name string) string {
	switch {
	case strings.HasPrefix(name, "~"):
		return "destructor"
	case strings.HasPrefix(name, "operator"):
		return "operator"
	case name == owner || strings.HasSuffix(owner, "."+name):
		return "constructor"
	}
	return "method"
}

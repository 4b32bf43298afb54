package symbols

import "strings"

type rubyFile struct{ *collector }

// rubyScope is one class or module body while it is read.
type rubyScope struct {
	owner   string // "" at the top of the file
	class   bool   // inside of a class: nested types are its members
	private bool   // after a bare "private" or "protected"
}

func extractRuby(t *tree, c *collector) {
	r := rubyFile{c}
	root := t.root()
	for n := range root.all("call") {
		r.require(n)
	}
	r.body(root, &rubyScope{})
	c.file.Doc = leadingComment(root)
}

func (r rubyFile) require(n node) {
	method := n.child("method").text()
	if n.child("receiver").ok() {
		return
	}
	args := n.child("arguments")
	literal := args.of("string")
	if !literal.ok() || literal.has("interpolation") {
		return
	}
	path := literal.of("string_content").text()
	switch method {
	case "require", "load", "autoload":
		r.imported(Import{Path: path, Line: n.line(), Relative: strings.HasPrefix(path, ".")})
	case "require_relative":
		r.imported(Import{Path: path, Line: n.line(), Relative: true})
	}
}

func (r rubyFile) body(b node, scope *rubyScope) {
	for n := range b.children() {
		r.statement(n, scope)
	}
}

func (r rubyFile) statement(n node, scope *rubyScope) {
	switch n.kind() {
	case "class", "module":
		r.constant(n, scope)
	case "method", "singleton_method":
		r.method(n, scope, scope.private && n.kind() == "method")
	case "singleton_class":
		r.body(n.child("body"), &rubyScope{owner: scope.owner, class: scope.class})
	case "assignment":
		r.assignment(n, scope)
	case "alias":
		r.alias(scope, n.child("name").text(), n.line())
	case "identifier":
		switch n.text() {
		case "private", "protected":
			scope.private = true
		case "public", "module_function":
			scope.private = false
		}
	case "call":
		r.call(n, scope)
	case "if", "unless", "begin", "then", "else", "elsif", "rescue", "ensure", "body_statement", "ERROR", "begin_block":
		r.body(n, scope)
	case "if_modifier", "unless_modifier", "rescue_modifier":
		r.statement(n.child("body"), scope)
	}
}

// constant reads a class or module. A module around it is a namespace, a class
// around it an owner.
func (r rubyFile) constant(n node, scope *rubyScope) {
	name := n.child("name")
	text := name.text()
	if name.kind() == "scope_resolution" {
		text = name.child("name").text()
	}
	e := Export{Name: text, Kind: n.kind(), Signature: n.kind() + " " + text, Line: n.line()}
	if super := n.child("superclass"); super.ok() {
		parent := oneLine(strings.TrimSpace(strings.TrimPrefix(super.text(), "<")))
		e.Extends = []string{parent}
		e.Signature += " < " + parent
	}
	e.Implements = mixins(n.child("body"))
	inner := &rubyScope{owner: text, class: n.kind() == "class"}
	if scope.class {
		r.member(Member{Name: text, Owner: scope.owner, Kind: e.Kind, Signature: e.Signature, Line: e.Line, Exported: true})
		inner.owner = scope.owner + "." + text
	} else {
		if r.file.Package == "" && n.kind() == "module" && scope.owner == "" {
			r.file.Package = text
		}
		r.export(e)
	}
	r.body(n.child("body"), inner)
}

func mixins(body node) []string {
	var names []string
	for n := range body.children() {
		if n.kind() != "call" || n.child("receiver").ok() {
			continue
		}
		switch n.child("method").text() {
		case "include", "extend", "prepend":
			for a := range n.child("arguments").children() {
				if a.kind() == "constant" || a.kind() == "scope_resolution" {
					names = append(names, a.text())
				}
			}
		}
	}
	return names
}

func (r rubyFile) declare(scope *rubyScope, name, kind, signature string, line int, private bool) {
	if scope.owner == "" {
		if !private {
			r.export(Export{Name: name, Kind: kind, Signature: signature, Line: line})
		}
		return
	}
	if kind == "function" {
		kind = "method"
	}
	r.member(Member{Name: name, Owner: scope.owner, Kind: kind, Signature: signature, Line: line, Exported: !private})
}

func (r rubyFile) method(n node, scope *rubyScope, private bool) {
	name := n.child("name")
	text := name.text()
	signature := text
	if p := n.child("parameters"); p.ok() {
		params := oneLine(p.text())
		if !strings.HasPrefix(params, "(") {
			params = "(" + params + ")"
		}
		signature += params
	}
	kind := "function"
	if n.kind() == "singleton_method" {
		signature = "self." + signature
	}
	if text == "initialize" {
		kind = "constructor"
	}
	r.declare(scope, text, kind, signature, name.line(), private)
}

func (r rubyFile) alias(scope *rubyScope, name string, line int) {
	name = strings.TrimPrefix(name, ":")
	r.declare(scope, name, "function", name, line, scope.private)
}

func (r rubyFile) assignment(n node, scope *rubyScope) {
	left := n.child("left")
	names := []node{left}
	if left.kind() == "left_assignment_list" {
		names = nil
		for c := range left.children() {
			names = append(names, c)
		}
	}
	for _, c := range names {
		if c.kind() != "constant" {
			continue
		}
		kind := "const"
		if value := n.child("right"); value.kind() == "call" {
			switch compact(value.child("receiver").text() + "." + value.child("method").text()) {
			case "Struct.new", "Class.new", "Data.define":
				kind = "class"
			case "Module.new":
				kind = "module"
			}
		}
		r.declare(scope, c.text(), kind, c.text(), c.line(), false)
	}
}

// call reads the calls that declare: visibility, accessors, dynamic methods.
func (r rubyFile) call(n node, scope *rubyScope) {
	if n.child("receiver").ok() {
		return
	}
	args := n.child("arguments")
	switch method := n.child("method").text(); method {
	case "private", "protected", "public", "private_class_method", "module_function", "private_constant":
		hidden := method != "public" && method != "module_function"
		if !args.ok() {
			scope.private = hidden
			return
		}
		for a := range args.children() {
			switch a.kind() {
			case "method", "singleton_method":
				r.method(a, scope, hidden)
			case "simple_symbol", "string":
				if hidden {
					r.hide(scope.owner, symbol(a))
				}
			case "call":
				inner := *scope
				inner.private = hidden
				r.call(a, &inner)
			}
		}
	case "attr_reader", "attr_writer", "attr_accessor", "attr", "cattr_accessor", "mattr_accessor", "class_attribute":
		for a := range args.children() {
			if a.kind() == "simple_symbol" || a.kind() == "string" {
				r.declare(scope, symbol(a), "property", symbol(a), a.line(), scope.private)
			}
		}
	case "define_method", "alias_method", "define_singleton_method":
		if a := args.of("simple_symbol", "string"); a.ok() {
			r.declare(scope, symbol(a), "function", symbol(a), n.line(), scope.private)
		}
	}
}

func symbol(n node) string { return strings.TrimPrefix(unquote(n.text()), ":") }

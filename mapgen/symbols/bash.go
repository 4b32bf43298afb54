package symbols

import (
	"regexp"
	"strings"
)

type bashFile struct{ *collector }

// bashBase is a leading expansion in a path, nearly always the script's own
// directory.
var bashBase = regexp.MustCompile(`^(?:\$\{[^}]*\}|\$\(.*\)|\$[A-Za-z_0-9]+)/`)

func extractBash(t *tree, c *collector) {
	b := bashFile{c}
	root := t.root()
	// A function inside of a function is as global as any other.
	for n := range root.all("function_definition", "command") {
		if n.kind() == "command" {
			b.source(n)
			continue
		}
		name := n.child("name")
		b.export(Export{Name: name.text(), Kind: "function", Signature: name.text() + "()", Line: name.line()})
	}
	b.variables(root)
	c.file.Doc = leadingComment(root)
}

func (b bashFile) source(n node) {
	if name := n.child("name").text(); name != "source" && name != "." {
		return
	}
	argument := n.child("argument")
	if !argument.ok() {
		return
	}
	path := unquote(argument.text())
	if rest := bashBase.ReplaceAllString(path, "./"); rest != path {
		path = rest
	}
	if strings.ContainsAny(path, "$`*<") {
		return
	}
	b.imported(Import{Path: path, Line: n.line(), Relative: !strings.HasPrefix(path, "/")})
}

// variables reads what a script puts into the environment, outside of functions.
func (b bashFile) variables(scope node) {
	for n := range scope.children() {
		switch n.kind() {
		case "declaration_command":
			b.declaration(n)
		case "if_statement", "else_clause", "elif_clause", "list", "compound_statement", "redirected_statement", "do_group",
			"for_statement", "while_statement", "case_statement", "case_item", "ERROR":
			b.variables(n)
		}
	}
}

func (b bashFile) declaration(n node) {
	exported := n.has("export")
	for c := range n.children() {
		switch c.kind() {
		case "word":
			option := c.text()
			if strings.HasPrefix(option, "-") && strings.Contains(option, "x") {
				exported = true
			}
			if exported && strings.HasPrefix(option, "-") && strings.Contains(option, "f") {
				return // a function, listed already
			}
		case "variable_assignment", "variable_name":
			if !exported {
				continue
			}
			name := c
			if c.kind() == "variable_assignment" {
				name = c.child("name")
			}
			b.export(Export{Name: name.text(), Kind: "variable", Signature: name.text(), Line: c.line()})
		}
	}
}

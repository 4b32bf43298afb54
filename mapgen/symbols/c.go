package symbols

import (
	"path"
	"strings"
)

// C and C++ share an extractor: the grammars share their node kinds, and the
// rules differ in what has linkage. Members of classes are in cmembers.go.

var cLeaves = []string{"initializer_list", "string_literal", "raw_string_literal", "preproc_arg", "attribute_specifier", "requires_clause"}

type cFile struct {
	*collector
	header, cpp bool
	namespaces  map[string]bool // names this file uses as namespaces
}

func extractC(t *tree, c *collector) {
	ext := strings.ToLower(path.Ext(c.file.Path))
	x := &cFile{collector: c, cpp: c.file.Language == "C++", namespaces: map[string]bool{}}
	x.header = strings.HasPrefix(ext, ".h") || ext == ".inl" || ext == ".ipp" || ext == ".tpp"
	root := t.root()
	for n := range root.all("namespace_definition") {
		for _, name := range strings.Split(compact(n.child("name").text()), "::") {
			if name != "" {
				x.namespaces[name] = true
			}
		}
	}
	for n := range root.all("preproc_include") {
		x.include(n)
	}
	x.items(root, "")
	c.file.Doc = leadingComment(root)
}

func (x *cFile) include(n node) {
	path := n.child("path")
	switch path.kind() {
	case "string_literal":
		x.imported(Import{Path: unquote(path.text()), Line: n.line(), Relative: true})
	case "system_lib_string":
		x.imported(Import{Path: strings.Trim(path.text(), "<> "), Line: n.line()})
	}
}

// items reads declarations at file or namespace level; template is the
// parameter list they stand under.
func (x *cFile) items(scope node, template string) {
	guard := includeGuard(scope)
	for n := range scope.children() {
		if n.missing() {
			continue
		}
		switch n.kind() {
		case "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "preproc_elifdef", "declaration_list", "ERROR":
			x.items(n, template)
		case "linkage_specification":
			if body := n.child("body"); body.kind() == "declaration_list" {
				x.items(body, template)
			} else {
				x.item(body, template)
			}
		case "namespace_definition":
			name := n.child("name")
			if !name.ok() {
				continue // an unnamed namespace is private to its file
			}
			if x.file.Package == "" {
				x.file.Package = compact(name.text())
			}
			x.items(n.child("body"), template)
		case "template_declaration":
			x.items(n, oneLine("template "+n.child("parameters").text())+" ")
		case "preproc_def", "preproc_function_def":
			if name := n.child("name").text(); x.header && (name != guard || n.child("value").ok()) {
				x.export(Export{Name: name, Kind: "macro", Signature: "#define " + name + n.child("parameters").text(), Line: n.line()})
			}
		default:
			x.item(n, template)
		}
	}
}

// includeGuard is the name an #ifndef asks for before it defines it.
func includeGuard(scope node) string {
	if scope.kind() != "preproc_ifdef" || !scope.has("#ifndef") {
		return ""
	}
	return scope.child("name").text()
}

func (x *cFile) item(n node, template string) {
	switch n.kind() {
	case "function_definition":
		x.function(n, template)
	case "declaration":
		x.typeIn(n, template, "")
		x.declaration(n, template)
	case "type_definition":
		x.typedef(n)
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		x.typeSpecifier(n, template, "")
	case "alias_declaration", "concept_definition":
		if x.header {
			kind := "type"
			if n.kind() == "concept_definition" {
				kind = "concept"
			}
			x.export(Export{Name: n.child("name").text(), Kind: kind, Signature: template + n.head(node{}), Line: n.line()})
		}
	}
}

// shared is true of a declaration other files can see.
func (x *cFile) shared(n node) bool { return x.header || !stored(n, "static") }

func stored(n node, class string) bool {
	for c := range n.children() {
		if c.kind() == "storage_class_specifier" && c.text() == class {
			return true
		}
	}
	return false
}

func (x *cFile) function(n node, template string) {
	d := n.child("declarator")
	name, isFunction := declared1(d)
	if !isFunction || !name.ok() || name.missing() || !x.shared(n) || n.has("delete_method_clause") {
		return
	}
	text := cName(name)
	signature := template + n.until(specifiersEnd(n), functionEnd(n))
	if owner, inner, qualified := x.scopeOf(text); qualified {
		x.member(Member{Name: inner, Owner: owner, Kind: memberKind(owner, inner), Signature: signature, Line: name.line(), Exported: true})
		return
	} else if inner != "" {
		text = inner
	}
	x.export(Export{Name: text, Kind: "function", Signature: signature, Line: name.line()})
}

// functionEnd is where a function's head stops.
func functionEnd(n node) node {
	for c := range n.children() {
		switch c.kind() {
		case "compound_statement", "field_initializer_list", "try_statement", "default_method_clause", "delete_method_clause", "constructor_try_statement":
			return c
		}
	}
	return n.child("body")
}

// specifiersEnd is where a declaration begins once storage classes and
// attributes, which are no part of its type, are passed.
func specifiersEnd(n node) int {
	for c := range n.children() {
		switch c.kind() {
		case "storage_class_specifier", "attribute_specifier", "attribute_declaration", "ms_declspec_modifier", "ms_call_modifier",
			"virtual", "explicit_function_specifier", "comment", "inline", "extern", "static", "typedef":
			continue
		}
		return c.start()
	}
	return n.start()
}

// scopeOf splits Class::name. A qualifier that is a namespace of this file
// makes a plain function, whose bare name is then returned.
func (x *cFile) scopeOf(text string) (owner, name string, member bool) {
	parts := splitScopes(text)
	if len(parts) < 2 {
		return "", "", false
	}
	name = parts[len(parts)-1]
	owner = parts[len(parts)-2]
	if x.namespaces[owner] {
		return "", name, false
	}
	return owner, name, true
}

// splitScopes cuts a::B<c::d>::e at its outer colons and drops arguments.
func splitScopes(text string) []string {
	if at := strings.Index(text, "operator"); at > 0 {
		return append(splitScopes(strings.TrimSuffix(text[:at], "::")), text[at:])
	}
	if strings.HasPrefix(text, "operator") {
		return []string{text}
	}
	var parts []string
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '<':
			depth++
		case ch == '>':
			depth--
		case depth > 0 || ch == ' ':
		case ch == ':' && i+1 < len(text) && text[i+1] == ':':
			if b.Len() > 0 {
				parts = append(parts, b.String())
			}
			b.Reset()
			i++
		default:
			b.WriteByte(ch)
		}
	}
	return append(parts, b.String())
}

// declared1 finds the name a declarator declares, and whether it declares a
// function: the name is then the direct operand of the parameter list.
func declared1(d node) (name node, isFunction bool) {
	for d.ok() {
		switch d.kind() {
		case "function_declarator":
			isFunction = true
		case "pointer_declarator", "reference_declarator", "array_declarator", "pointer_type_declarator":
			isFunction = false
		case "parenthesized_declarator", "attributed_declarator", "init_declarator", "bitfield_clause":
		default:
			return d, isFunction || d.kind() == "operator_cast"
		}
		next := d.child("declarator")
		if !next.ok() {
			for c := range d.children() {
				if kind := c.kind(); strings.HasSuffix(kind, "declarator") || strings.HasSuffix(kind, "identifier") ||
					kind == "operator_name" || kind == "destructor_name" {
					next = c
					break
				}
			}
		}
		d = next
	}
	return node{}, false
}

func cName(name node) string {
	if name.kind() == "operator_cast" {
		return "operator " + oneLine(name.child("type").text())
	}
	return oneLine(name.text())
}

func (x *cFile) declaration(n node, template string) {
	for d := range n.children() {
		if d.field() != "declarator" {
			continue
		}
		name, isFunction := declared1(d)
		if !name.ok() || name.missing() || name.kind() == "qualified_identifier" {
			continue
		}
		kind := "variable"
		switch {
		case isFunction && !x.header:
			continue // a prototype repeats what another file defines
		case isFunction:
			kind = "function"
		case !x.shared(n):
			continue
		case !x.header && stored(n, "extern") && d.kind() != "init_declarator":
			continue
		case qualified(n, "const") || qualified(n, "constexpr"):
			if d := unwrapInit(d); d.kind() != "pointer_declarator" {
				kind = "const"
				if x.cpp && !x.header && !stored(n, "extern") {
					continue // constants are internal to their file in C++
				}
			}
		}
		x.export(Export{Name: cName(name), Kind: kind, Signature: template + declaratorSignature(n, d), Line: name.line()})
	}
}

func qualified(n node, word string) bool {
	for c := range n.children() {
		if c.kind() == "type_qualifier" && c.text() == word {
			return true
		}
	}
	return false
}

func unwrapInit(d node) node {
	if d.kind() == "init_declarator" {
		return d.child("declarator")
	}
	return d
}

// declaratorSignature is one declarator with the type it shares with others.
func declaratorSignature(n, d node) string {
	kind := ""
	if t := n.child("type"); t.child("body").ok() {
		// The body of a type has its own entry.
		kind, _, _ = strings.Cut(t.text(), " ")
		if name := t.child("name"); name.ok() {
			kind += " " + name.text()
		}
	} else {
		for c := range n.children() {
			if c.field() == "declarator" {
				kind = n.t.line(specifiersEnd(n), c.start())
				break
			}
		}
	}
	return oneLine(kind + " " + unwrapInit(d).head(node{}))
}

func (x *cFile) typedef(n node) {
	if !x.header {
		return
	}
	body := n.child("type").child("body")
	x.typeIn(n, "", "")
	for d := range n.children() {
		if d.field() != "declarator" {
			continue
		}
		name, _ := declared1(d)
		text := name.text()
		kind := "type"
		signature := n.head(node{})
		if t := n.child("type"); body.ok() {
			keyword, _, _ := strings.Cut(t.text(), " ")
			keyword = strings.TrimRight(keyword, "{\n\t")
			if keyword == "enum" {
				kind = "enum"
			} else if !t.child("name").ok() {
				kind = keyword
				signature = "typedef " + keyword + " " + text
				x.fields(text, body, true)
			} else {
				signature = "typedef " + keyword + " " + t.child("name").text() + " " + text
			}
		}
		x.export(Export{Name: text, Kind: kind, Signature: signature, Line: name.line()})
	}
}

// typeIn lists a named type that a declaration defines on the way.
func (x *cFile) typeIn(n node, template, owner string) {
	if t := n.child("type"); t.child("body").ok() && t.child("name").ok() {
		x.typeSpecifier(t, template, owner)
	}
}

// typeSpecifier lists a struct, union, class or enum with a body. In C types
// have no linkage: those of a .c file are nobody else's.
func (x *cFile) typeSpecifier(n node, template, owner string) {
	name, body := n.child("name"), n.child("body")
	if !body.ok() || !name.ok() || name.missing() || !x.cpp && !x.header || strings.Contains(name.text(), "<") {
		return
	}
	kind := strings.TrimSuffix(n.kind(), "_specifier")
	parts := splitScopes(name.text())
	e := Export{Name: parts[len(parts)-1], Kind: kind, Signature: template + n.head(body), Line: name.line()}
	if kind == "enum" {
		e.Signature = n.head(node{})
	}
	for base := range n.of("base_class_clause").children() {
		switch base.kind() {
		case "access_specifier", "virtual", "comment", "attribute_declaration":
		default:
			text, _, _ := strings.Cut(base.text(), "<")
			e.Extends = append(e.Extends, oneLine(text))
		}
	}
	x.export(e)
	if kind != "enum" {
		x.fields(e.Name, body, kind != "class")
	}
}

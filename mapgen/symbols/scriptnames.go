package symbols

import "strings"

// imports finds every module the file names, wherever it stands.
func (s *script) imports(root node) {
	for n := range root.all("import_statement", "export_statement", "call_expression", "import_require_clause") {
		source := n.child("source")
		var names []string
		switch n.kind() {
		case "import_statement":
			names = importNames(n.of("import_clause"))
		case "call_expression":
			if f := n.child("function"); f.kind() != "import" && f.word() != "require" {
				continue
			}
			source = n.child("arguments").of("string", "template_string")
		}
		text := source.text()
		if !source.ok() || strings.Contains(text, "${") {
			continue
		}
		target := unquote(text)
		s.imported(Import{Path: target, Names: names, Line: n.line(), Relative: strings.HasPrefix(target, ".")})
	}
}

func importNames(clause node) []string {
	var names []string
	for c := range clause.children() {
		switch c.kind() {
		case "identifier":
			names = append(names, "default")
		case "namespace_import":
			names = append(names, "*")
		case "named_imports":
			for spec := range c.children() {
				if spec.kind() == "import_specifier" {
					names = append(names, specName(spec, "name"))
				}
			}
		}
	}
	return names
}

// patternNames are the names a destructuring binds.
func patternNames(pattern node) []string {
	var names []string
	for c := range pattern.children() {
		switch c.kind() {
		case "identifier", "shorthand_property_identifier_pattern":
			names = append(names, c.text())
		case "pair_pattern":
			names = append(names, boundNames(c.child("value"))...)
		case "assignment_pattern", "object_assignment_pattern":
			names = append(names, boundNames(c.child("left"))...)
		case "rest_pattern", "object_pattern", "array_pattern":
			names = append(names, patternNames(c)...)
		}
	}
	return names
}

func boundNames(n node) []string {
	switch n.kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		return []string{n.text()}
	case "assignment_pattern":
		return boundNames(n.child("left"))
	}
	return patternNames(n)
}

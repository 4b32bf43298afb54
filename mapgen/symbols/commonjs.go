package symbols

import "strings"

// commonJS finds what a script without import or export statements hands out
// through module.exports and exports.
func (s *script) commonJS(root node) {
	s.findAliases(root)
	for statement := range root.children() {
		switch statement.kind() {
		case "function_declaration", "generator_function_declaration", "class_declaration":
			continue // what runs when it is called is not the module's interface
		}
		for n := range statement.all("assignment_expression", "call_expression") {
			if n.kind() == "assignment_expression" {
				s.exportAssignment(n)
			} else {
				s.exportCall(n)
			}
		}
	}
	s.prototypes(root)
}

// findAliases reads var app = exports = module.exports = {…}.
func (s *script) findAliases(root node) {
	for v := range root.all("variable_declarator") {
		value := v.child("value")
		alias := value.kind() == "identifier" && value.text() == "exports" || isModuleExports(value)
		for value.kind() == "assignment_expression" {
			left := value.child("left")
			alias = alias || left.word() == "exports" || isModuleExports(left)
			value = value.child("right")
		}
		if alias {
			s.aliases[v.child("name").text()] = true
		}
	}
}

func (s *script) isExports(n node) bool {
	return n.word() == "exports" || isModuleExports(n) || n.kind() == "identifier" && s.aliases[n.text()]
}

func (s *script) exportAssignment(n node) {
	value := n.child("right")
	for value.kind() == "assignment_expression" {
		value = value.child("right")
	}
	if value.kind() == "unary_expression" && strings.HasPrefix(value.text(), "void") {
		return // compilers announce names this way before they are set
	}
	left := n.child("left")
	if isModuleExports(left) {
		s.exportModule(value, n.line())
		return
	}
	name := ""
	switch left.kind() {
	case "member_expression":
		name = left.child("property").text()
	case "subscript_expression":
		if index := left.child("index"); index.kind() == "string" {
			name = unquote(index.text())
		}
	}
	object := left.child("object")
	if name == "" || !s.isExports(object) || name == "__esModule" {
		return
	}
	s.exportProperty(name, value, n.line())
}

func isModuleExports(n node) bool {
	return n.kind() == "member_expression" && oneLine(n.word()) == "module.exports"
}

func (s *script) exportProperty(name string, value node, line int) {
	if value.kind() == "identifier" {
		if _, known := s.locals[value.text()]; known {
			s.exportLocal(value.text(), name, line)
			return
		}
	}
	d := s.valueOf(name, value)
	d.line = line
	s.publish(d, name == "default")
}

// exportModule reads module.exports = value: of an object, its properties.
func (s *script) exportModule(value node, line int) {
	if value.kind() == "call_expression" && value.child("function").word() == "Object.freeze" {
		value = firstNamed(value.child("arguments"))
	}
	if object, ok := s.objects[value.word()]; ok && value.kind() == "identifier" {
		value = object
	}
	switch value.kind() {
	case "object":
		for p := range value.children() {
			switch p.kind() {
			case "shorthand_property_identifier":
				s.exportLocal(p.text(), "", p.line())
			case "pair":
				s.exportProperty(memberName(p.child("key")), p.child("value"), p.line())
			case "method_definition":
				name := memberName(p.child("name"))
				s.publish(declared{name: name, kind: "function", signature: name + p.callable(), line: p.line()}, false)
			case "spread_element":
				from := required(p.of("call_expression"))
				if from == "" {
					from = s.loaded[p.of("identifier").text()]
				}
				if from != "" {
					s.exportAll(from, p.line())
				}
			}
		}
	case "call_expression":
		if from := required(value); from != "" {
			s.exportAll(from, line)
			return
		}
		s.exportValue(value, line, false)
	default:
		s.exportValue(value, line, false)
	}
}

// required is the module a require call names, or "".
func required(n node) string {
	if n.kind() != "call_expression" || n.child("function").word() != "require" {
		return ""
	}
	return unquote(n.child("arguments").of("string").text())
}

// exportCall reads Object.defineProperty(exports, "name", …) and the helper
// compilers write for export *.
func (s *script) exportCall(n node) {
	args := n.child("arguments")
	switch name := n.child("function").word(); {
	case name == "Object.defineProperty":
		object := firstNamed(args)
		key := args.of("string")
		if !s.isExports(object) || !key.ok() || unquote(key.text()) == "__esModule" {
			return
		}
		text := unquote(key.text())
		s.publish(declared{name: text, kind: "variable", signature: text, line: n.line()}, text == "default")
	case name == "Object.assign":
		if s.isExports(firstNamed(args)) {
			for a := range args.children() {
				if a.kind() == "object" {
					s.exportModule(a, n.line())
				}
			}
		}
	case strings.HasSuffix(name, "__exportStar"):
		if from := required(firstNamed(args)); from != "" {
			s.exportAll(from, n.line())
		}
	}
}

// prototypes lists methods set on the prototype of an exported function.
func (s *script) prototypes(root node) {
	for statement := range root.children() {
		assignment := statement.of("assignment_expression")
		left := assignment.child("left")
		owner, ok := strings.CutSuffix(left.child("object").word(), ".prototype")
		if !ok || !s.has(owner) {
			continue
		}
		d := s.valueOf(left.child("property").text(), assignment.child("right"))
		kind := "property"
		if d.kind == "function" {
			kind = "method"
		}
		s.member(Member{Name: d.name, Owner: owner, Kind: kind, Signature: d.signature, Line: statement.line(), Exported: true})
	}
}

package ledger

import (
	"slices"
	"strings"

	"growbench/mapgen/tokens"
)

// judge tells whether a symbol that is still there is another one for those
// who use it, and what that means for them.
func judge(before, after *decl) (changed bool, class string) {
	if before.ghost || after.ghost {
		return false, ""
	}
	if before.kind == "reexport" || after.kind == "reexport" || before.kind == "namespace" && after.from != "" {
		return false, "" // where it leads is compared at its own place
	}
	language := after.language()
	old, now := before.overloads(), after.overloads()
	if language == "Go" {
		return judgeGo(before, after)
	}
	if before.kind == "enum" && after.kind == "enum" && sameMembers(old, now) {
		return false, ""
	}
	gone, come := without(language, old, now), without(language, now, old)
	if len(gone) == 0 && len(come) == 0 {
		return judgeUnsaid(before, after)
	}
	if before.kind != after.kind && !(before.callable() && after.callable()) {
		return true, classOfKind(before, after)
	}
	switch {
	case len(gone) == 0 && after.callable():
		return true, Additive // one more way to call it
	case len(gone) > 1 || len(come) == 0:
		return true, Breaking
	case len(come) > 1 && after.callable():
		// One was replaced by several: fine when one of them takes all the old calls.
		for _, c := range come {
			if class := judgeOne(before, after, gone[0], c); class == Additive {
				return true, Additive
			}
		}
		return true, Unknown
	}
	return true, judgeOne(before, after, gone[0], come[0])
}

// without lists the signatures of a that are not in b.
func without(language string, a, b [][]string) [][]string {
	var out [][]string
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y []string) bool { return sameCall(language, x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

// sameCall tells whether two signatures are the same to everybody: names of
// parameters mean nothing where no language rule lets a caller use them.
func sameCall(language string, a, b []string) bool {
	if slices.Equal(a, b) {
		return true
	}
	if named(language) {
		return false
	}
	x, ok := shapeOf(language, a)
	y, also := shapeOf(language, b)
	if !ok || !also || len(x.params) != len(y.params) || !slices.Equal(lead(language, x), lead(language, y)) ||
		!slices.Equal(x.generics, y.generics) || !slices.Equal(x.result, y.result) {
		return false
	}
	for i, p := range x.params {
		q := y.params[i]
		if !slices.Equal(p.typ, q.typ) || p.optional != q.optional || p.rest != q.rest || p.self != q.self || !slices.Equal(p.fallback, q.fallback) {
			return false
		}
	}
	return true
}

// named are the languages in which a caller may give a parameter by its name.
func named(language string) bool {
	switch language {
	case "Python", "C#", "PHP", "Ruby", "Bash":
		return true
	}
	return false
}

func lead(language string, s shape) []string {
	if language == "Java" {
		return plainJava(s.lead)
	}
	return s.lead
}

// classOfKind judges a symbol that became something else altogether.
func classOfKind(before, after *decl) string {
	if isScript(after.language()) && before.kind == "interface" && after.kind == "type" || before.kind == "type" && after.kind == "interface" {
		return Unknown
	}
	return Breaking
}

// judgeUnsaid looks for what a signature does not hold but users feel.
func judgeUnsaid(before, after *decl) (bool, string) {
	if after.owner == "" || !isScript(after.language()) && after.language() != "Java" {
		return false, ""
	}
	if was, is := before.modified("abstract"), after.modified("abstract"); !was && is && after.callable() {
		return true, Breaking
	}
	if was, is := before.modified("static"), after.modified("static"); was != is {
		return true, Breaking
	}
	return false, ""
}

func judgeOne(before, after *decl, gone, come []string) string {
	if !after.callable() {
		return judgeValue(before, after, gone, come)
	}
	language := after.language()
	x, ok := shapeOf(language, gone)
	y, also := shapeOf(language, come)
	if !ok || !also {
		return Unknown
	}
	switch {
	case isScript(language):
		return judgeScript(x, y)
	case language == "Python":
		return judgePython(x, y)
	case language == "Rust":
		return judgeRust(x, y)
	case language == "Java":
		return judgeJava(x, y)
	case language == "C":
		return Breaking
	case len(y.params) < len(x.params) || required(y) > len(x.params):
		return Breaking // old calls have the wrong number of values
	}
	return Unknown
}

// required counts the values a call must have.
func required(s shape) int {
	n := 0
	for _, p := range s.params {
		if !p.optional && !p.rest {
			n++
		}
	}
	return n
}

// judgeValue judges fields, constants, types and the like.
func judgeValue(before, after *decl, gone, come []string) string {
	language := after.language()
	switch after.kind {
	case "enum":
		return judgeEnum(before, after, gone, come)
	case "field", "property", "const", "variable", "static":
		was, is := valueType(language, gone), valueType(language, come)
		switch {
		case language == "Python" && (len(was) == 0 || len(is) == 0):
			return Additive // an annotation changes nothing that runs
		case language == "Python":
			return Unknown
		case isScript(language) && !(primitive(was) && primitive(is)):
			return Unknown
		case len(was) == 0 || len(is) == 0:
			return Unknown
		}
		return Breaking
	case "struct":
		return Breaking // a tuple struct: its fields are its signature
	case "record":
		return Breaking
	}
	return Unknown
}

func valueType(language string, words []string) []string {
	switch {
	case language == "Java":
		words = plainJava(words)
		return words[:max(0, len(words)-1)]
	case isScript(language) || language == "Python" || language == "Rust":
		_, typ, _ := cutTop(words, ":")
		return typ
	}
	return words
}

// primitive types have no aliases one would have to look up.
func primitive(typ []string) bool {
	if len(typ) == 0 {
		return false
	}
	for _, w := range typ {
		switch w {
		case "string", "number", "boolean", "bigint", "symbol", "null", "undefined", "void", "never", "|", "[", "]":
		default:
			if !strings.HasPrefix(w, `"`) {
				return false
			}
		}
	}
	return true
}

// judgeEnum compares members. One more is felt by whoever handles them all.
func judgeEnum(before, after *decl, gone, come []string) string {
	was, is := enumMembers(gone), enumMembers(come)
	if was == nil || is == nil || len(was)*len(is) > maxPairs {
		return Unknown
	}
	valued := false
	for _, m := range was {
		if holds(is, m) {
			continue
		}
		name := func(m []string) string { return m[0] }
		if !slices.ContainsFunc(is, func(n []string) bool {
			return name(n) == name(m) && slices.Contains(n, "=") == slices.Contains(m, "=") && slices.Contains(m, "=")
		}) {
			return Breaking
		}
		valued = true
	}
	if valued {
		return Unknown
	}
	switch {
	case after.language() != "Rust":
		return Additive
	case before.markedOpen():
		return Additive
	}
	return Breaking // a match over all of them no longer compiles
}

func holds(members [][]string, m []string) bool {
	return slices.ContainsFunc(members, func(n []string) bool { return slices.Equal(m, n) })
}

// sameMembers tells whether two enums differ by the order of their members at
// most.
func sameMembers(was, is [][]string) bool {
	if len(was) != 1 || len(is) != 1 {
		return false
	}
	a, b := enumMembers(was[0]), enumMembers(is[0])
	return a != nil && len(a) == len(b) && len(a)*len(b) <= maxPairs && !slices.ContainsFunc(a, func(m []string) bool { return !holds(b, m) })
}

// markedOpen tells whether a Rust enum says that more members may come.
func (d *decl) markedOpen() bool {
	e := d.extent()
	return slices.ContainsFunc(d.attributes(e), func(w string) bool { return w == "non_exhaustive" })
}

// attributes are the words of the attributes before a declaration.
func (d *decl) attributes(e extent) []string {
	if len(e.whole) == 0 {
		return nil
	}
	code := d.file.tokens()
	at, _ := slices.BinarySearchFunc(code, e.whole[0].At, func(t tokens.Token, at int) int { return t.At - at })
	var words []string
	for i := at - 1; i >= 0 && at-i < 60 && !strings.Contains(";{}", code[i].Text); i-- {
		words = append(words, code[i].Text)
	}
	return words
}

// enumMembers are the members in a signature that lists them.
func enumMembers(words []string) [][]string {
	open := slices.Index(words, "{")
	if open < 0 {
		return nil
	}
	return splitTop(words[open+1:closing(words, open)], ",")
}

package ledger

import "slices"

// judgeScript judges TypeScript and JavaScript calls.
func judgeScript(was, is shape) string {
	if !slices.Equal(was.lead, is.lead) || !slices.Equal(was.generics, is.generics) {
		return Unknown
	}
	class := scriptResult(was.result, is.result)
	n := min(len(was.params), len(is.params))
	if len(was.params) > len(is.params) {
		return Breaking
	}
	for i := range n {
		class = worst(class, scriptParam(was.params[i], is.params[i]))
	}
	for _, p := range is.params[n:] {
		if !p.optional && !p.rest {
			return Breaking
		}
	}
	return class
}

func scriptParam(was, is param) string {
	switch {
	case was.rest != is.rest, was.self != is.self:
		return Breaking
	case was.optional && !is.optional:
		return Breaking
	case slices.Equal(was.typ, is.typ):
		return Additive
	case len(is.typ) == 1 && (is.typ[0] == "any" || is.typ[0] == "unknown"):
		return Additive
	case wider(was.typ, is.typ):
		return Additive
	case primitive(was.typ) && primitive(is.typ):
		return Breaking
	}
	return Unknown
}

// wider tells whether a union holds every part another type has.
func wider(narrow, wide []string) bool {
	if len(narrow) == 0 || len(wide) == 0 {
		return false
	}
	all := splitTop(wide, "|")
	for _, part := range splitTop(narrow, "|") {
		if !slices.ContainsFunc(all, func(w []string) bool { return slices.Equal(w, part) }) {
			return false
		}
	}
	return true
}

// scriptResult judges what comes back: less is fine, more is not.
func scriptResult(was, is []string) string {
	was, is = trimColon(was), trimColon(is)
	promised := func(t []string) bool { return len(t) > 1 && t[0] == "Promise" && t[1] == "<" }
	switch {
	case slices.Equal(was, is):
		return Additive
	case len(was) == 0 || len(is) == 0:
		return Unknown // one of the two is inferred
	case promised(was) != promised(is):
		return Breaking
	case len(is) == 1 && is[0] == "any":
		return Unknown
	case wider(is, was):
		return Additive
	case wider(was, is), primitive(was) && primitive(is):
		return Breaking
	}
	return Unknown
}

func trimColon(words []string) []string {
	if len(words) > 0 && words[0] == ":" {
		return words[1:]
	}
	return words
}

// worst is the class of two changes at once.
func worst(a, b string) string {
	for _, c := range []string{Breaking, Unknown} {
		if a == c || b == c {
			return c
		}
	}
	return Additive
}

// judgePython judges calls by position and by name. Annotations are not
// looked at when a program runs.
func judgePython(was, is shape) string {
	if !slices.Equal(was.lead, is.lead) {
		return Breaking // async, or no longer
	}
	class := Additive
	if !slices.Equal(was.result, is.result) {
		class = annotation(trimArrow(was.result), trimArrow(is.result))
	}
	for i, p := range was.params {
		at := slices.IndexFunc(is.params, func(q param) bool { return q.name == p.name && q.rest == p.rest })
		if p.position && at < 0 && i < len(is.params) && is.params[i].position {
			at = i // its name was nobody's business
		}
		if at < 0 {
			return Breaking
		}
		q := is.params[at]
		switch {
		case p.rest:
			continue
		case p.optional && !q.optional, !p.keyword && q.keyword, !p.position && q.position:
			return Breaking
		case !p.keyword && at != i:
			return Breaking
		case p.optional && !slices.Equal(p.fallback, q.fallback):
			class = worst(class, Unknown)
		}
		class = worst(class, annotation(p.typ, q.typ))
	}
	for _, q := range is.params {
		isNew := !slices.ContainsFunc(was.params, func(p param) bool { return p.name == q.name }) && !(q.position && slices.ContainsFunc(was.params, func(p param) bool { return p.position }))
		if isNew && !q.optional && !q.rest {
			return Breaking
		}
	}
	return class
}

func annotation(was, is []string) string {
	if slices.Equal(was, is) || len(was) == 0 || len(is) == 0 {
		return Additive
	}
	return Unknown
}

func trimArrow(words []string) []string {
	if len(words) > 0 && words[0] == "->" {
		return words[1:]
	}
	return words
}

// judgeRust judges calls; Rust has neither overloads nor defaults.
func judgeRust(was, is shape) string {
	switch {
	case len(was.params) != len(is.params):
		return Breaking
	case !slices.Equal(was.generics, is.generics):
		return Unknown
	}
	class := Additive
	for i, p := range was.params {
		if q := is.params[i]; !slices.Equal(p.typ, q.typ) {
			if !slices.Contains(q.typ, "impl") {
				return Breaking
			}
			class = Unknown
		}
	}
	if !slices.Equal(was.result, is.result) {
		bound := slices.Contains(was.result, "where") || slices.Contains(is.result, "where")
		if !bound && !slices.Contains(is.result, "impl") {
			return Breaking
		}
		class = Unknown
	}
	for _, word := range []string{"async", "unsafe", "const", "extern"} {
		had, has := slices.Contains(was.lead, word), slices.Contains(is.lead, word)
		switch {
		case had == has:
		case word == "const" && has, word == "unsafe" && had:
		default:
			return Breaking
		}
	}
	return class
}

// judgeJava judges methods. The compiler may find a way to go on calling, but
// what is compiled already and what overrides it does not.
func judgeJava(was, is shape) string {
	if len(was.params) != len(is.params) {
		return Breaking
	}
	for i, p := range was.params {
		if !slices.Equal(p.typ, is.params[i].typ) {
			if widens(p.typ, is.params[i].typ) {
				return Unknown
			}
			return Breaking
		}
	}
	a, b := plainJava(was.lead), plainJava(is.lead)
	switch {
	case slices.Equal(a, b) && slices.Equal(was.result, is.result):
		return Unknown // only what it is generic in
	case slices.Equal(a, b):
		if len(was.result) == 0 || len(is.result) > len(was.result) {
			return Breaking // callers must handle what it throws now
		}
		return Unknown
	}
	return Breaking
}

// widens tells numbers that Java turns into larger ones by itself.
func widens(was, is []string) bool {
	order := []string{"byte", "short", "int", "long", "float", "double"}
	if len(was) != 1 || len(is) != 1 {
		return false
	}
	from, to := slices.Index(order, was[0]), slices.Index(order, is[0])
	return is[0] == "Object" || from >= 0 && to > from
}

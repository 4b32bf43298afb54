package ledger

import (
	"slices"
	"strings"

	"growbench/mapgen/tokens"
)

// full is a declaration's signature. One the extractor had to cut is taken
// from the code.
func (d *decl) full() string {
	if !strings.HasSuffix(d.signature, "…") {
		return d.signature
	}
	e := d.extent()
	if len(e.whole) == 0 {
		return d.signature
	}
	head := e.whole[:e.body]
	if d.kind == "enum" || d.kind == "type" || len(head) == 0 {
		head = e.whole
	}
	words := make([]string, len(head))
	for i, t := range head {
		words[i] = t.Text
	}
	return strings.Join(words, " ")
}

func isScript(language string) bool {
	return language == "TypeScript" || language == "TSX" || language == "JavaScript"
}

// quote gives a string the quotes another style of writing would have given
// it.
func quote(language, text string) string {
	if len(text) >= 2 && text[0] == '\'' && text[len(text)-1] == '\'' && (isScript(language) || language == "Python") && !strings.ContainsAny(text[1:len(text)-1], `"'`) {
		return `"` + text[1:len(text)-1] + `"`
	}
	return text
}

// normal is a signature as its pieces, without what a formatter decides.
func normal(language, signature string) []string {
	code := tokens.Snippet(language, signature)
	out := make([]string, 0, len(code))
	braces := 0
	for i, t := range code {
		text := quote(language, t.Text)
		next := ""
		if i+1 < len(code) {
			next = code[i+1].Text
		}
		switch {
		case text == "{":
			braces++
		case text == "}":
			braces--
		case text == ";" && braces > 0 && isScript(language):
			text = ","
		case (text == "|" || text == "&") && isScript(language) && (i == 0 || strings.Contains("=(<,:[|", code[i-1].Text)):
			continue
		}
		if (text == "," || text == ";") && (next == "" || strings.Contains(")]}>", next)) {
			continue
		}
		out = append(out, text)
	}
	return out
}

// overloads are the signatures an entry stands for, each from what is before
// its parameters on; the order they are written in means nothing.
func (d *decl) overloads() [][]string {
	all := normal(d.language(), d.full())
	var out [][]string
	add := func(one []string) {
		if i := slices.Index(one, last(d.name)); i >= 0 && i+1 < len(one) && d.callable() {
			one = slices.Delete(slices.Clone(one), i, i+1)
		}
		if len(one) > 0 {
			out = append(out, one)
		}
	}
	depth, from := 0, 0
	for i, t := range all {
		depth += nesting(t)
		if t == ";" && depth == 0 {
			add(all[from:i])
			from = i + 1
		}
	}
	add(all[from:])
	return out
}

func (d *decl) callable() bool {
	switch d.kind {
	case "function", "method", "constructor", "operator":
		return true
	}
	return false
}

// value tells fields, constants and the like from types.
func (d *decl) value() bool {
	switch d.kind {
	case "field", "property", "const", "variable", "static", "event":
		return true
	}
	return false
}

// shape is one callable signature in its parts.
type shape struct {
	lead     []string // before the parameters: modifiers, type parameters; in some languages the result
	generics []string
	params   []param
	result   []string // after the parameters
}

type param struct {
	name     string
	typ      []string
	fallback []string // its default value
	optional bool     // may be left out
	rest     bool     // takes any number
	keyword  bool     // is given by name alone
	position bool     // is never given by name
	self     bool
}

// shapeOf takes a signature apart; ok is false for one without parameters.
func shapeOf(language string, words []string) (s shape, ok bool) {
	depth, angle, open := 0, 0, -1
	for i, w := range words {
		switch {
		case w == "<":
			angle++
		case w == ">":
			angle--
		case w == "(" && depth == 0 && angle <= 0:
			open = i
		}
		if open >= 0 {
			break
		}
		depth += nesting(w)
	}
	if open < 0 {
		return shape{}, false
	}
	end := closing(words, open)
	for i, w := range words[:open] {
		if w == "<" && i > 0 || w == "<" && language != "Java" {
			s.lead, s.generics = words[:i], words[i:open]
			break
		}
	}
	if s.generics == nil {
		s.lead = words[:open]
	}
	s.result = words[min(end+1, len(words)):]
	keyword, first := false, 0
	for _, one := range splitTop(words[open+1:end], ",") {
		switch p, kind := readParam(language, one); kind {
		case "*":
			keyword = true
		case "/":
			for i := first; i < len(s.params); i++ {
				s.params[i].position = true
			}
		default:
			p.keyword = keyword && !p.rest
			keyword = keyword || p.rest && language == "Python"
			s.params = append(s.params, p)
		}
	}
	return s, true
}

func closing(words []string, open int) int {
	depth := 0
	for i := open; i < len(words); i++ {
		if depth += nesting(words[i]); depth == 0 {
			return i
		}
	}
	return len(words)
}

// splitTop cuts at a mark outside all brackets.
func splitTop(words []string, mark string) [][]string {
	var out [][]string
	depth, from := 0, 0
	for i, w := range words {
		depth += nesting(w)
		switch {
		case w == "<":
			depth++
		case w == ">":
			depth--
		case w == mark && depth == 0:
			out = append(out, words[from:i])
			from = i + 1
		}
	}
	if from < len(words) {
		out = append(out, words[from:])
	}
	return out
}

// cutTop cuts once.
func cutTop(words []string, mark string) (before, after []string, found bool) {
	parts := splitTop(words, mark)
	if len(parts) < 2 {
		return words, nil, false
	}
	return parts[0], words[len(parts[0])+1:], true
}

// readParam reads one parameter; kind is the marker it is when it is none.
func readParam(language string, words []string) (p param, kind string) {
	if language == "Python" && len(words) == 1 && (words[0] == "*" || words[0] == "/") {
		return p, words[0]
	}
	var fallback []string
	if words, fallback, p.optional = cutTop(words, "="); p.optional {
		p.fallback = fallback
	}
	switch {
	case isScript(language):
		for len(words) > 0 && (words[0] == "public" || words[0] == "private" || words[0] == "protected" || words[0] == "readonly") && len(words) > 1 && words[1] != ":" && words[1] != "?" {
			words = words[1:]
		}
		if len(words) > 0 && words[0] == "..." {
			p.rest, words = true, words[1:]
		}
		name, typ, _ := cutTop(words, ":")
		if n := len(name); n > 0 && name[n-1] == "?" {
			p.optional, name = true, name[:n-1]
		}
		p.name, p.typ = strings.Join(name, " "), typ
		p.self = p.name == "this"
	case language == "Python":
		stars := 0
		for ; stars < len(words) && words[stars] == "*"; stars++ {
			p.rest = true
		}
		name, typ, _ := cutTop(words[stars:], ":")
		p.name, p.typ = strings.Join(name, " "), typ
		if p.rest {
			p.name = strings.Repeat("*", stars) // what it is called is nobody's business
		}
	case language == "Rust":
		name, typ, typed := cutTop(words, ":")
		p.name, p.typ = strings.Join(name, " "), typ
		if !typed {
			p.self = true
			p.typ = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "mut" && words[0] == "mut" })
		}
	case language == "Java":
		words = plainJava(words)
		if n := len(words); n > 0 {
			p.name, p.typ = words[n-1], words[:n-1]
			p.rest = slices.Contains(p.typ, "...")
		}
	default: // C and its like: a name stands last, when there is one
		p.typ = words
		if n := len(words); n > 1 && word(words[n-1]) && !cTypes[words[n-1]] && words[n-2] != "::" && words[n-2] != "struct" && words[n-2] != "enum" && words[n-2] != "union" && words[n-2] != "const" {
			p.name, p.typ = words[n-1], words[:n-1]
		}
		p.rest = slices.Contains(p.typ, "...")
	}
	return p, ""
}

var cTypes = set("int long short char unsigned signed double float bool void auto")

func word(text string) bool {
	return text != "" && (text[0] == '_' || text[0] >= 0x80 || text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z')
}

// plainJava leaves annotations and final out.
func plainJava(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "@":
			for i++; i+1 < len(words) && words[i+1] == "."; i += 2 {
			}
			if i+1 < len(words) && words[i+1] == "(" {
				i = closing(words, i+1)
			}
		case words[i] == "final":
		default:
			out = append(out, words[i])
		}
	}
	return out
}

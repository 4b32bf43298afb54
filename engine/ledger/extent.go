package ledger

import (
	"slices"
	"strings"

	"growbench/mapgen/tokens"
)

// extent is a declaration in the tokens of its file: from its name to its end.
type extent struct {
	before []tokens.Token // what stands before the name, back to the declaration's start
	whole  []tokens.Token
	body   int // where in whole the body begins, or its length
}

// maxExtent bounds how much of a declaration is looked at, in tokens.
const maxExtent = 20_000

func (d *decl) extent() extent {
	if d.cut == nil {
		e := cutOut(d)
		d.cut = &e
	}
	return *d.cut
}

func cutOut(d *decl) extent {
	code := d.file.tokens()
	at, _ := slices.BinarySearchFunc(code, d.line, func(t tokens.Token, line int) int { return t.Line - line })
	name := last(d.name)
	for ; ; at++ {
		if at >= len(code) || code[at].Line > d.line+20 {
			return extent{}
		}
		if code[at].Text == name || d.byDefault && code[at].Text == "default" {
			break
		}
	}
	end := min(len(code), at+maxExtent)
	if lang := d.language(); lang == "Python" || lang == "Ruby" {
		end = indented(d.file.Text, code[:end], at)
	} else {
		end = braced(code[:end], at, lang)
	}
	whole := code[at:end]
	return extent{before: leading(code, at), whole: whole, body: body(whole, d.language())}
}

// leading is what stands between the statement before and a name, on its line.
func leading(code []tokens.Token, at int) []tokens.Token {
	from := at
	for from > 0 && !code[from].First && !strings.Contains(";{}", code[from-1].Text) {
		from--
	}
	return code[from:at]
}

// indented ends a declaration where a line stands no deeper than its first.
func indented(text string, code []tokens.Token, at int) int {
	base, depth := tokens.Indent(text, code[at].At), 0
	for i := at; i < len(code); i++ {
		if i > at && code[i].First && depth == 0 && tokens.Indent(text, code[i].At) <= base {
			return i
		}
		depth += nesting(code[i].Text)
	}
	return len(code)
}

func nesting(text string) int {
	switch text {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// unended are languages whose statements may end with their line.
func unended(language string) bool {
	return language == "Go" || language == "TypeScript" || language == "TSX" || language == "JavaScript" || language == "Bash"
}

var (
	goesOn    = set(", = ( [ { | & => -> : + - * / . < && || ? extends implements")
	continues = set("{ . | & => ) ] } ? : = + && || extends implements")
	afterBody = set("{ | & [ => , . ( ) ? : = satisfies as")
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// braced ends a declaration at its semicolon, its closing brace or, where a
// language has it so, the end of its line.
func braced(code []tokens.Token, at int, language string) int {
	depth := 0
	for i := at; i < len(code); i++ {
		t := code[i].Text
		depth += nesting(t)
		if depth < 0 {
			return i
		}
		if depth > 0 {
			continue
		}
		next := tokens.Token{First: true}
		if i+1 < len(code) {
			next = code[i+1]
		}
		switch {
		case t == ";":
			return i + 1
		case t == "}" && !(afterBody[next.Text] && !next.First):
			if next.Text == ";" {
				return i + 2
			}
			return i + 1
		case unended(language) && next.First && !goesOn[t] && !continues[next.Text]:
			return i + 1
		}
	}
	return len(code)
}

// body finds where the body of a declaration begins.
func body(whole []tokens.Token, language string) int {
	depth := 0
	opens := "{"
	if language == "Python" {
		opens = ":"
	}
	at := len(whole)
	for i, t := range whole {
		if depth == 0 && t.Text == opens {
			at = i
			if opens == ":" {
				return i
			}
		}
		depth += nesting(t.Text)
	}
	return at
}

// hasBody tells whether statements or members follow the head.
func (d *decl) hasBody() bool {
	e := d.extent()
	return e.body < len(e.whole)
}

// modified tells whether a word such as abstract stands before the name.
func (d *decl) modified(word string) bool {
	return slices.ContainsFunc(d.extent().before, isText(word))
}

func isText(word string) func(tokens.Token) bool {
	return func(t tokens.Token) bool { return t.Text == word }
}

// print is what a declaration is once its own name is left out: its signature
// and the code of its body. also are other names that changed meanwhile, by
// what they are now. A name behind a dot may be the declaration's own, or another
// one's of the same name: with all set, it is left out too.
func (d *decl) print(also map[string]string, all bool) string {
	var b strings.Builder
	b.WriteString(d.kind)
	before, second := "", ""
	write := func(text string) {
		own := all || before != "." || second == "self" || second == "this"
		second, before = before, text
		if text == last(d.name) && own {
			text = "\x01"
		} else if now := also[text]; now != "" {
			text = now
		}
		b.WriteByte(0)
		b.WriteString(text)
	}
	for _, t := range normal(d.language(), d.full()) {
		write(t)
	}
	if d.kind == "field" || d.kind == "property" {
		return b.String()
	}
	b.WriteString("\x00\x02")
	e := d.extent()
	for i, t := range e.whole {
		statement := t.First && (i+1 >= len(e.whole) || e.whole[i+1].First)
		if t.Kind == tokens.String && statement && d.language() == "Python" {
			continue // what a function says of itself
		}
		if t.Text == ";" && unended(d.language()) || t.Text == "," && i+1 < len(e.whole) && nesting(e.whole[i+1].Text) < 0 {
			continue
		}
		write(quote(d.language(), t.Text))
	}
	return b.String()
}

package symbols

import "bytes"

// nameByte tells the bytes of names from others. Bytes beyond ASCII are taken
// for letters; the few that are none are left to the parser.
var nameByte = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$', c >= 0x80:
			t[c] = letter
		case c >= '0' && c <= '9':
			t[c] = digit
		}
	}
	return t
}()

// word reads a name or keyword.
func (s *scriptSkimmer) word() bool {
	i := s.at + 1
	odd := s.text[s.at] >= 0x80
	for i < len(s.text) && nameByte[s.text[i]] != 0 {
		odd = odd || s.text[i] >= 0x80
		i++
	}
	word := s.text[s.at:i]
	if odd && bytes.ContainsAny(word, "\u00a0\u2028\u2029\ufeff") {
		return false
	}
	switch string(word) {
	case "import", "require":
		if !s.strict {
			s.late = append(s.late, s.at)
		}
	case "exports":
		s.exports = true
	}
	if s.before == scriptDot {
		return s.next(scriptOperand, s.at, i)
	}
	kind := scriptWords[string(word)]
	if kind != plainWord {
		j := i
		for j < len(s.text) && s.text[j] == ' ' {
			j++
		}
		if j < len(s.text) && kind != caseWord && s.sign != '?' && (s.text[j] == ':' || s.text[j] == '?' && j+1 < len(s.text) && s.text[j+1] == ':') {
			kind = plainWord // a key
		}
	}
	return s.named(kind, word, i)
}

func (s *scriptSkimmer) named(kind scriptWord, word []byte, end int) bool {
	switch kind {
	case binaryWord:
		if s.ended() && !(s.newline && s.before == scriptBrace) {
			return s.next(scriptBinary, s.at, end)
		}
		return s.breaks() && s.next(scriptLoose, s.at, end)
	case operatorWord:
		return s.ended() && s.next(scriptBinary, s.at, end)
	case prefixWord, voidWord:
		if s.before == scriptKeyword && s.sign == 'F' { // for await
			s.at = end
			return true
		}
		if !s.breaks() {
			return false
		}
		if kind == voidWord {
			return s.next(scriptAfter, s.at, end)
		}
		return s.next(scriptPrefix, s.at, end)
	case looseWord:
		if nameAhead(s.text[end:]) && (string(word) == "interface" || string(word) == "namespace" || string(word) == "module") {
			s.header = true
		}
		return s.breaks() && s.next(scriptLoose, s.at, end)
	case afterWord:
		return s.breaks() && s.next(scriptAfter, s.at, end)
	case headWord, functionWord, caseWord, forWord:
		if string(word) == "const" && s.before == scriptBinary && s.sign == 'a' {
			return s.next(scriptOperand, s.at, end)
		}
		if !s.breaks() {
			return false
		}
		s.header = s.header || string(word) == "class" || string(word) == "enum"
		s.next(scriptKeyword, s.at, end)
		switch kind {
		case forWord:
			s.sign = 'F'
		case headWord:
			if s.sign == 'f' { // finally
				s.sign = 'h'
			}
		}
		return true
	}
	return s.breaks() && s.next(scriptOperand, s.at, end)
}

// nameAhead says that a name or a string follows.
func nameAhead(rest []byte) bool {
	rest = bytes.TrimLeft(rest[:min(len(rest), 16)], " ")
	return len(rest) > 0 && (nameByte[rest[0]] == letter || rest[0] == '"' || rest[0] == '\'')
}

type scriptWord uint8

const (
	plainWord    scriptWord = iota
	looseWord               // a name that another may follow
	binaryWord              // between operands an operator, else a name
	operatorWord            // between operands
	prefixWord
	voidWord // a prefix, or a type
	afterWord
	headWord
	functionWord
	caseWord
	forWord
)

var scriptWords = func() map[string]scriptWord {
	words := map[string]scriptWord{"function": functionWord, "case": caseWord, "for": forWord, "void": voidWord}
	for kind, list := range map[scriptWord][]string{
		looseWord: {"async", "get", "set", "static", "declare", "type", "interface", "namespace", "module", "abstract", "readonly",
			"public", "private", "protected", "override", "accessor", "keyof", "infer", "unique", "asserts", "global", "out", "using"},
		binaryWord:   {"as", "satisfies", "is", "of", "from", "extends", "implements"},
		operatorWord: {"in", "instanceof"},
		prefixWord:   {"typeof", "delete", "new", "await"},
		afterWord:    {"return", "break", "continue", "debugger", "yield", "default"},
		headWord: {"if", "while", "do", "switch", "try", "catch", "finally", "throw", "const", "let", "var", "class", "else", "export",
			"import", "with", "enum"},
	} {
		for _, w := range list {
			words[w] = kind
		}
	}
	return words
}()

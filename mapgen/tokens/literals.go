package tokens

import (
	"regexp"
	"strings"
)

// literal takes a string, template or regular expression.
func (s *scanner) literal() bool {
	rest := s.rest()
	c := rest[0]
	switch {
	case s.islands[1] != "" && s.has(s.islands[1]):
		s.skip(len(s.islands[1]))
		s.island()
		return true
	case s.raw != noRaw && s.rawLiteral(rest):
		return true
	case s.triple && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, `'''`)):
		s.quoted(rest[:3])
		return true
	case s.template && c == '`':
		s.openString("`")
		return true
	case s.lifetimes && c == '\'':
		return s.rune(rest)
	case strings.IndexByte(s.long, c) >= 0:
		s.quoted(rest[:1])
		return true
	case strings.IndexByte(s.quotes, c) >= 0:
		return s.oneLine(rest)
	case s.regex && c == '/':
		return s.expression(rest)
	case s.heredocs && strings.HasPrefix(rest, "<<"):
		return s.document(rest)
	}
	return false
}

// oneLine takes a string that ends with its line at the latest. A quote that is
// never closed is no string.
func (s *scanner) oneLine(rest string) bool {
	if s.holed(rest[0]) {
		s.openString(rest[:1])
		return true
	}
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			s.emit(String, i+1)
			return true
		}
	}
	return false
}

// holed says whether the string at hand may hold code.
func (s *scanner) holed(quote byte) bool {
	if s.opens == "" || quote == '\'' && s.prefixed == "" {
		return false
	}
	if s.prefixed == "" {
		return true
	}
	i := s.at - 1
	for i > 0 && i > s.at-2 && strings.IndexByte(s.prefixes, s.text[i]) >= 0 && strings.IndexByte(s.prefixed, s.text[i]) < 0 {
		i--
	}
	return i >= 0 && strings.IndexByte(s.prefixed, s.text[i]) >= 0
}

// quoted takes a string that may run over lines, to the closing quote.
func (s *scanner) quoted(quote string) {
	if s.holed(quote[0]) {
		s.openString(quote)
		return
	}
	rest := s.rest()
	for i := len(quote); i < len(rest); i++ {
		if rest[i] == '\\' && !(quote == "`" && !s.template) {
			i++
			continue
		}
		if strings.HasPrefix(rest[i:], quote) {
			s.emit(String, i+len(quote))
			return
		}
	}
	s.emit(String, len(rest))
}

// openString begins a string with code in it.
func (s *scanner) openString(quote string) { s.interpolated(quote, len(quote)) }

// interpolated takes a string from inside it to its end or the next code.
func (s *scanner) interpolated(quote string, from int) {
	open := s.opens
	if s.template {
		open = "${"
	}
	rest := s.rest()
	for i := from; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case strings.HasPrefix(rest[i:], quote):
			s.emit(String, i+len(quote))
			return
		case len(quote) == 1 && quote != "`" && rest[i] == '\n' && strings.Contains(s.quotes, quote):
			s.emit(String, i)
			return
		case open == "{" && strings.HasPrefix(rest[i:], "{{"):
			i++
		case strings.HasPrefix(rest[i:], open):
			s.emit(String, i+len(open))
			s.holes = append(s.holes, hole{quote: quote})
			return
		}
	}
	s.emit(String, len(rest))
}

// rune tells 'x' from the lifetime 'x.
func (s *scanner) rune(rest string) bool {
	if m := runeLiteral.FindString(rest[:min(len(rest), 16)]); m != "" {
		s.emit(String, len(m))
		return true
	}
	return false
}

var runeLiteral = regexp.MustCompile(`^'(?:\\(?:u\{[0-9a-fA-F_]{1,8}\}|x[0-9a-fA-F]{2}|.)|[^\\'\n])'`)

// rawLiteral takes strings without escapes.
func (s *scanner) rawLiteral(rest string) bool {
	var close string
	var open int
	switch s.raw {
	case rawRust:
		i := strings.IndexByte("br", rest[0])
		if i < 0 || s.afterWord() {
			return false
		}
		body := strings.TrimPrefix(rest, "b")
		if !strings.HasPrefix(body, "r") {
			return false
		}
		hashes := len(body[1:]) - len(strings.TrimLeft(body[1:], "#"))
		if !strings.HasPrefix(body[1+hashes:], `"`) {
			return false
		}
		open = len(rest) - len(body) + 1 + hashes + 1
		close = `"` + strings.Repeat("#", hashes)
	case rawCPP:
		if !strings.HasPrefix(rest, `R"`) {
			return false
		}
		end := strings.IndexByte(rest, '(')
		if end < 0 || end > 20 {
			return false
		}
		open, close = end+1, ")"+rest[2:end]+`"`
	case rawCSharp:
		if !strings.HasPrefix(rest, `@"`) && !strings.HasPrefix(rest, `$@"`) && !strings.HasPrefix(rest, `@$"`) {
			return false
		}
		open = strings.IndexByte(rest, '"') + 1
		for i := open; i < len(rest); i++ {
			if rest[i] == '"' {
				if strings.HasPrefix(rest[i:], `""`) {
					i++
					continue
				}
				s.emit(String, i+1)
				return true
			}
		}
		s.emit(String, len(rest))
		return true
	}
	end := strings.Index(rest[open:], close)
	if end < 0 {
		return false
	}
	s.emit(String, open+end+len(close))
	return true
}

func (s *scanner) afterWord() bool {
	if s.at == 0 {
		return false
	}
	c := s.text[s.at-1]
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// valueBefore are words after which a slash begins an expression.
var valueBefore = map[string]bool{"return": true, "typeof": true, "case": true, "in": true, "of": true, "delete": true, "void": true,
	"throw": true, "new": true, "else": true, "do": true, "yield": true, "await": true, "if": true, "unless": true, "when": true,
	"and": true, "or": true, "not": true, "while": true, "until": true, "then": true}

// expression takes a regular expression where a value is expected.
func (s *scanner) expression(rest string) bool {
	if n := len(s.out); n > 0 {
		switch last := s.out[n-1]; last.Kind {
		case Number, String:
			return false
		case Word:
			if !valueBefore[last.Text] {
				return false
			}
		default:
			if strings.Contains(")]}", last.Text) {
				return false
			}
		}
	}
	class := false
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				s.emit(String, i+1)
				return true
			}
		}
	}
	return false
}

var documentOpen = regexp.MustCompile(`^<<<?[-~]?[ \t]*(?:"([\pL_][\pL\d_]*)"|'([\pL_][\pL\d_]*)'|\\?([\pL_][\pL\d_]*))`)

// document notes that a here-document begins after this line.
func (s *scanner) document(rest string) bool {
	if s.failed > 64 {
		return false
	}
	m := documentOpen.FindStringSubmatch(rest[:min(len(rest), 128)])
	if m == nil {
		return false
	}
	s.heredoc = append(s.heredoc, m[1]+m[2]+m[3])
	s.emit(String, len(m[0]))
	return true
}

// documents skips the here-documents that begin here, as one string each.
func (s *scanner) documents() {
	for len(s.heredoc) > 0 && s.at < len(s.text) {
		end := s.heredoc[0]
		s.heredoc = s.heredoc[1:]
		n := 0
		for line := range strings.Lines(s.rest()) {
			word := strings.TrimLeft(line, " \t")
			if strings.TrimRight(word, " \t\r\n;,)") == end {
				break
			}
			n += len(line)
		}
		if n == len(s.rest()) {
			s.failed++
			continue // never closed: what looked like one is none
		}
		if n > 0 {
			s.emit(String, n)
			s.fresh = true
		}
		s.skip(strings.Index(s.rest(), end) + len(end))
	}
	s.heredoc = nil
}

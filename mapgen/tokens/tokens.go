// Package tokens cuts source text into words, literals and punctuation, and
// leaves comments out. It knows just enough of each language to tell code from
// strings and comments, never fails, and costs one pass over the text.
package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a token is.
type Kind byte

// The kinds of tokens.
const (
	Word Kind = iota
	Number
	String // with its quotes; what is interpolated into it follows as tokens of its own
	Punct
)

// Token is one piece of code. Text is a part of the source.
type Token struct {
	Kind  Kind
	Text  string
	Line  int  // from 1
	At    int  // byte offset
	First bool // of its line
}

// Known says whether code of a language, named as the map names it, can be
// told from its strings and comments.
func Known(language string) bool { return languages[language] != nil }

// Of cuts a whole file of a language. Of one that is not known everything is
// code.
func Of(language, text string) []Token { return scan(language, text, true) }

// Snippet cuts a piece of code, such as a signature.
func Snippet(language, text string) []Token { return scan(language, text, false) }

func scan(language, text string, whole bool) []Token {
	s := &scanner{rules: languages[language], text: text, line: 1, fresh: true}
	if s.rules == nil {
		s.rules = &rules{}
	}
	s.out = make([]Token, 0, len(text)/5+1)
	if whole && s.rules.islands[0] != "" {
		s.island()
	}
	for s.at < len(s.text) {
		s.step()
	}
	return s.out
}

// Indent is how far the line of a byte offset is indented; a tab reaches to the
// next multiple of eight.
func Indent(text string, at int) int {
	width := 0
	for _, c := range text[strings.LastIndexByte(text[:at], '\n')+1:] {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		default:
			return width
		}
	}
	return width
}

type scanner struct {
	*rules
	text  string
	at    int
	line  int
	fresh bool // nothing was found on this line yet
	out   []Token
	// Open code inside strings: how to go on when a closing brace is met.
	holes   []hole
	heredoc []string // ends that are awaited after this line
	failed  int      // here-documents that had no end
}

// hole is code inside a string. depth counts the braces open in it.
type hole struct {
	quote string
	depth int
}

func (s *scanner) rest() string { return s.text[s.at:] }

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.text[s.at:], prefix) }

// skip moves on by n bytes and counts the lines in them.
func (s *scanner) skip(n int) {
	n = min(n, len(s.text)-s.at)
	if lines := strings.Count(s.text[s.at:s.at+n], "\n"); lines > 0 {
		s.line += lines
		s.fresh = true
	}
	s.at += n
}

func (s *scanner) emit(kind Kind, n int) {
	if n = min(n, len(s.text)-s.at); n == 0 {
		return
	}
	s.out = append(s.out, Token{kind, s.text[s.at : s.at+n], s.line, s.at, s.fresh})
	s.fresh = false
	lines := strings.Count(s.text[s.at:s.at+n], "\n")
	s.line += lines
	s.at += n
}

func (s *scanner) step() {
	c := s.text[s.at]
	switch {
	case c == '\n':
		s.skip(1)
		s.documents()
		return
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		s.at++
		return
	case s.comment() || s.literal() || s.closed():
		return
	case c >= '0' && c <= '9':
		s.number()
		return
	}
	if n := s.word(); n > 0 {
		if s.prefix(n) {
			s.at += n
			return
		}
		s.emit(Word, n)
		return
	}
	for _, mark := range marks {
		if s.has(mark) {
			s.emit(Punct, len(mark))
			return
		}
	}
	_, n := utf8.DecodeRuneInString(s.rest())
	s.emit(Punct, n)
	s.braces(c)
}

// marks are punctuation whose parts mean something else alone.
var marks = []string{"...", "=>", "->", "::", ">=", "<=", "==", "!=", "&&", "||"}

// braces follows the braces of code inside a string.
func (s *scanner) braces(c byte) {
	if n := len(s.holes); n > 0 && c == '{' {
		s.holes[n-1].depth++
	}
}

// closed ends code inside a string and goes on with the string.
func (s *scanner) closed() bool {
	n := len(s.holes)
	if n == 0 || s.text[s.at] != '}' {
		return false
	}
	if s.holes[n-1].depth > 0 {
		s.holes[n-1].depth--
		return false
	}
	h := s.holes[n-1]
	s.holes = s.holes[:n-1]
	s.at++
	s.interpolated(h.quote, 0)
	return true
}

func (s *scanner) number() {
	n := 1
	for s.at+n < len(s.text) {
		c := s.text[s.at+n]
		if c == '_' || c == '.' && !strings.HasPrefix(s.text[s.at+n:], "..") || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			n++
			continue
		}
		break
	}
	s.emit(Number, n)
}

// prefix tells whether a word of n letters only says how to read the string
// right behind it.
func (s *scanner) prefix(n int) bool {
	if s.prefixes == "" || n > 2 || s.at+n >= len(s.text) || strings.IndexByte(`"'`, s.text[s.at+n]) < 0 {
		return false
	}
	return strings.Trim(s.text[s.at:s.at+n], s.prefixes) == ""
}

// word is the length of the word the rest begins with, or 0.
func (s *scanner) word() int {
	n := 0
	for n < len(s.text)-s.at {
		r, size := utf8.DecodeRuneInString(s.text[s.at+n:])
		if r == '_' || unicode.IsLetter(r) || n > 0 && (unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)) || r == '$' && s.dollar {
			n += size
			continue
		}
		break
	}
	if n > 0 && s.questions && s.at+n < len(s.text) {
		if c := s.text[s.at+n]; (c == '?' || c == '!') && !strings.HasPrefix(s.text[s.at+n+1:], "=") {
			n++
		}
	}
	return n
}

// comment skips one.
func (s *scanner) comment() bool {
	for _, open := range s.lineComments {
		if s.has(open) && !(s.spaced && s.at > 0 && !strings.ContainsRune(" \t\n;(", rune(s.text[s.at-1]))) && !(open == "#" && s.attributes && s.has("#[")) {
			end := strings.IndexByte(s.rest(), '\n')
			if end < 0 {
				end = len(s.rest())
			}
			if s.islands[1] != "" {
				if out := strings.Index(s.rest()[:end], s.islands[1]); out >= 0 {
					end = out
				}
			}
			s.at += end
			return true
		}
	}
	for _, block := range s.blockComments {
		if !s.has(block[0]) || block[0][0] == '=' && !s.lineStart() {
			continue
		}
		s.skip(s.blockEnd(block))
		return true
	}
	return false
}

func (s *scanner) lineStart() bool { return s.at == 0 || s.text[s.at-1] == '\n' }

// blockEnd is the length of the block comment at hand.
func (s *scanner) blockEnd(block [2]string) int {
	rest, at, depth := s.rest(), len(block[0]), 1
	for at < len(rest) {
		switch {
		case strings.HasPrefix(rest[at:], block[1]):
			at += len(block[1])
			if depth--; depth == 0 {
				return at
			}
		case s.nested && strings.HasPrefix(rest[at:], block[0]):
			depth++
			at += len(block[0])
		default:
			at++
		}
	}
	return at
}

// island skips text to where code begins, for languages that stand in another
// one.
func (s *scanner) island() {
	at := strings.Index(s.rest(), s.islands[0])
	if at < 0 {
		s.at = len(s.text)
		return
	}
	s.skip(at)
	n := len(s.islands[0])
	for s.at+n < len(s.text) && (s.text[s.at+n] == '=' || s.text[s.at+n]|0x20 >= 'a' && s.text[s.at+n]|0x20 <= 'z') {
		n++
	}
	s.skip(n)
}

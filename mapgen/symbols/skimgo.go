package symbols

import "bytes"

// skimGo finds the bodies of functions declared at the top of a Go file. Inside
// them it gives up where the grammar would, for all that two neighbouring
// tokens and the bracket around them tell.
func skimGo(text []byte) []span {
	if bytes.Contains(text, []byte("//line ")) || bytes.Contains(text, []byte("/*line ")) {
		return nil // lines are counted anew in the middle
	}
	s := goSkimmer{text: text, open: make([]goBracket, 1, 16)}
	for s.at < len(text) {
		if !s.token() {
			return nil
		}
	}
	if len(s.open) > 1 {
		return nil
	}
	return s.found
}

type goSkimmer struct {
	bodies
	text []byte
	at   int

	before goToken
	sign   byte // first byte of the token before
	open   []goBracket
	body   int // depth of the function's body at hand; 0: none
}

type goToken uint8

const (
	goStart   goToken = iota // the beginning, or ; written or not
	goOpened                 // ( [ {
	goOperand                // name, literal, ) ]
	goBrace                  // }
	goAfter                  // keyword that may end a statement
	goKeyword                // keyword that may not
	goTypeful                // struct, interface: a brace follows
	goElse
	goPrefix // operator before an operand
	goBinary // operator between operands
	goDot
)

// goBracket is an open bracket, or the file, and what was seen directly in it.
type goBracket struct {
	sign  byte
	start int
	role  goRole
	first bool // no operand stood before it

	header bool // the next brace begins a block
	typed  bool // a function's type began: names may follow )
	decl   bool // a declaration: names may follow names
	lit    bool // a type that a literal may follow, also before a block
}

type goRole uint8

const (
	goBlock   goRole = iota // statements, or the file
	goList                  // separated by commas
	goMembers               // of a type, or a group of declarations
	goParams
)

// goDepth is how deep brackets may be open; beyond, the parser decides.
const goDepth = 400

func (s *goSkimmer) top() *goBracket { return &s.open[len(s.open)-1] }

func (s *goSkimmer) ended() bool { return s.before == goOperand || s.before == goBrace }

func (s *goSkimmer) next(kind goToken, from, to int) bool {
	s.before, s.sign, s.at = kind, s.text[from], to
	return true
}

// names says that an operand may begin here, or a name after a name.
func (s *goSkimmer) names() bool {
	if !s.ended() {
		return s.before != goAfter || s.sign != 'f' // fallthrough
	}
	in := s.top()
	return s.body == 0 || s.sign == ']' || in.role == goParams || in.role == goMembers || in.decl || (in.typed || in.lit) && s.sign == ')'
}

func (s *goSkimmer) token() bool {
	c := s.text[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
		return true
	case c == '\n':
		s.at++
		return s.line()
	case nameByte[c] == letter && c != '$':
		return s.word()
	case nameByte[c] == digit || c == '.' && s.at+1 < len(s.text) && nameByte[s.text[s.at+1]] == digit:
		return s.number()
	}
	switch c {
	case '"', '\'', '`':
		end := s.at + quoted(s.text[s.at:])
		lit := s.text[s.at:end]
		if len(lit) < 2 || lit[len(lit)-1] != c || c != '`' && bytes.IndexByte(lit, '\n') >= 0 || c == '\'' && len(lit) < 3 {
			return false
		}
		return s.names() && s.next(goOperand, s.at, end)
	case '/':
		if s.at+1 < len(s.text) && s.text[s.at+1] == '/' {
			s.at = lineEnd(s.text, s.at)
			return true
		}
		if s.at+1 < len(s.text) && s.text[s.at+1] == '*' {
			return s.comment()
		}
	case '(', '[', '{':
		return s.opens(c)
	case ')', ']', '}':
		return s.closes(c)
	case ';':
		s.at++
		return s.statement()
	}
	return s.operator(c)
}

// line ends a statement where Go would.
func (s *goSkimmer) line() bool {
	if s.ended() || s.before == goAfter {
		return s.statement()
	}
	return true
}

func (s *goSkimmer) statement() bool {
	in := s.top()
	if s.body > 0 {
		if in.role == goList || in.role == goParams {
			return false
		}
		if s.before == goBinary && s.sign != ':' || s.before == goPrefix || s.before == goDot || s.before == goElse || s.before == goTypeful {
			return false
		}
		if s.before == goKeyword && s.sign != 'f' && s.sign != 's' && s.sign != 'i' { // for ; switch ; if ;
			return false
		}
	}
	if s.text[s.at-1] != ';' {
		if in.header && s.body > 0 && !in.typed {
			return false // the block of an if or for is missing
		}
		in.header, in.typed = false, false
	}
	in.decl, in.lit = false, false
	s.before = goStart
	return true
}

func (s *goSkimmer) comment() bool {
	end := bytes.Index(s.text[s.at+2:], []byte("*/"))
	if end < 0 {
		return false
	}
	from := s.at
	s.at += end + 4
	if bytes.IndexByte(s.text[from:s.at], '\n') >= 0 {
		return s.line()
	}
	return true
}

func (s *goSkimmer) number() bool {
	if !s.names() || s.ended() && s.sign != ']' && s.body > 0 {
		return false
	}
	i := s.at
	hex := s.text[i] == '0' && i+1 < len(s.text) && s.text[i+1]|0x20 == 'x'
	for i++; i < len(s.text); i++ {
		c := s.text[i]
		if nameByte[c] != 0 || c == '.' || (c == '+' || c == '-') && (!hex && s.text[i-1]|0x20 == 'e' || hex && s.text[i-1]|0x20 == 'p') {
			continue
		}
		break
	}
	n := s.text[s.at:i]
	if n[len(n)-1] == 'i' {
		n = n[:len(n)-1]
	}
	if hex && bytes.ContainsAny(n, "pP.") {
		n = bytes.Trim(n[2:], "0123456789abcdefABCDEF_.pP+-")
	}
	if len(n) > 0 && !wellFormed(n) || bytes.IndexByte(n, 'n') >= 0 || len(n) > 1 && n[0] == '0' && nameByte[n[1]] == digit && len(bytes.Trim(n, "01234567_")) > 0 {
		return false
	}
	return s.next(goOperand, s.at, i)
}

func (s *goSkimmer) opens(c byte) bool {
	in := s.top()
	b := goBracket{sign: c, start: s.at, role: goList, first: !s.ended()}
	switch c {
	case '(':
		switch {
		case in.typed && (s.before == goKeyword || s.ended()), in.role == goMembers, in.lit && s.before == goKeyword:
			b.role = goParams
		case s.before == goKeyword && in.decl:
			b.role = goMembers
		case s.ended():
			in.lit = false // a conversion
		}
	case '{':
		switch {
		case s.before == goTypeful:
			b.role = goMembers
		case in.lit && !in.typed:
			in.lit = false
		case in.header && (s.ended() || s.before == goKeyword || s.before == goStart || s.before == goAfter || s.before == goElse):
			b.role = goBlock
			if len(s.open) == 1 && s.body == 0 && in.typed {
				s.body = 2
			}
			in.header, in.typed = false, false
		case s.before == goStart, s.before == goOpened && in.role == goBlock, s.before == goBinary && s.sign == ':' && in.role == goBlock:
			b.role = goBlock
		case s.body > 0 && !s.ended() && in.role != goList:
			return false
		case s.body > 0 && s.before == goBinary && s.sign != ',' && s.sign != ':':
			return false
		case s.body > 0 && s.before == goOpened && in.sign != '{':
			return false
		}
	}
	if len(s.open) > goDepth {
		return false
	}
	s.open = append(s.open, b)
	return s.next(goOpened, s.at, s.at+1)
}

func (s *goSkimmer) closes(c byte) bool {
	if len(s.open) == 1 {
		return false
	}
	in := *s.top()
	if in.sign != c-1 && in.sign != c-2 {
		return false
	}
	if s.body > 0 {
		switch s.before {
		case goKeyword, goTypeful, goElse, goDot, goPrefix:
			return false
		case goBinary:
			if s.sign != ':' && s.sign != '.' && (s.sign != ',' || in.role == goBlock) || s.sign == ':' && c == ')' {
				return false
			}
		}
		if c == '}' && in.role == goBlock && in.header && !in.typed {
			return false
		}
	}
	s.open = s.open[:len(s.open)-1]
	if c == ']' && in.first {
		s.top().lit = true
	}
	kind := goOperand
	if c == '}' {
		kind = goBrace
		if s.body == len(s.open)+1 {
			s.body = 0
			s.close(in.start+1, s.at, len(s.found))
		}
	}
	return s.next(kind, s.at, s.at+1)
}

func (s *goSkimmer) operator(c byte) bool {
	end := s.at + 1
	for end < len(s.text) && end < s.at+3 && goJoins(s.text[s.at:end], s.text[end]) {
		end++
	}
	op := string(s.text[s.at:end])
	from := s.at
	if s.body == 0 {
		return s.next(goBinary, from, end)
	}
	in := s.top()
	if op != "*" && op != "." && op != "<-" {
		in.lit = false
	}
	switch op {
	case "++", "--":
		return s.ended() && in.role == goBlock && s.next(goOperand, from, end)
	case "!", "~":
		return !s.ended() && s.next(goPrefix, from, end)
	case "+", "-", "*", "&", "^", "<-":
		if s.ended() {
			return s.next(goBinary, from, end)
		}
		return s.next(goPrefix, from, end)
	case "...":
		return (s.ended() || in.sign == '[' || in.role == goParams) && s.next(goBinary, from, end)
	case ".":
		return s.ended() && s.next(goDot, from, end)
	case ":":
		return (s.ended() || s.before == goAfter && s.sign == 'd' || in.sign == '[' && s.before == goOpened) &&
			s.next(goBinary, from, end)
	case ",":
		return (s.ended() || s.before == goBinary && s.sign == '.') && s.next(goBinary, from, end)
	case "/", "%", "&^", "|", "<<", ">>", "&&", "||", "==", "!=", "<", ">", "<=", ">=":
		return s.ended() && s.next(goBinary, from, end)
	case "=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "&^=":
		// Told from a lone colon by its last byte.
		return s.ended() && in.role != goList && in.role != goParams && s.next(goBinary, end-1, end)
	}
	return false
}

func goJoins(op []byte, c byte) bool {
	last := op[len(op)-1]
	switch op[0] {
	case '+', '-', '|':
		return len(op) == 1 && (c == op[0] || c == '=')
	case '&':
		return len(op) == 1 && (c == '&' || c == '=' || c == '^') || last == '^' && c == '='
	case '<':
		return len(op) == 1 && (c == '<' || c == '=' || c == '-') || len(op) == 2 && last == '<' && c == '='
	case '>':
		return len(op) == 1 && (c == '>' || c == '=') || len(op) == 2 && last == '>' && c == '='
	case '*', '/', '%', '^', '=', '!', ':':
		return len(op) == 1 && c == '='
	case '.':
		return c == '.'
	}
	return false
}

func (s *goSkimmer) word() bool {
	i := s.at + 1
	for i < len(s.text) && nameByte[s.text[i]] != 0 && s.text[i] != '$' {
		i++
	}
	word := s.text[s.at:i]
	kind := goName
	if len(word) <= 11 && word[0] >= 'b' && word[0] <= 'v' {
		kind = goWords[string(word)]
	}
	in := s.top()
	if kind == goName || s.before == goDot && kind != goName && s.body == 0 {
		if s.before == goAfter && s.sign == 'd' {
			return false // default
		}
		return s.names() && s.next(goOperand, s.at, i)
	}
	if s.body == 0 {
		return s.outside(kind, i)
	}
	switch kind {
	case goFunc:
		if !in.lit || s.sign != ']' {
			in.header, in.typed = true, true
		}
		return s.names() && s.next(goKeyword, s.at, i)
	case goType, goVar:
		if kind == goType && s.before == goOpened && in.sign == '(' {
			return s.next(goOperand, s.at, i)
		}
		in.decl = true
		return s.begins() && s.next(goKeyword, s.at, i)
	case goBrackets:
		return s.names() && s.next(goTypeful, s.at, i)
	case goOperandWord:
		return s.names() && s.next(goPrefix, s.at, i)
	case goRange:
		if s.before != goKeyword && s.before != goBinary {
			return false
		}
		return s.next(goPrefix, s.at, i)
	case goHead:
		if !s.begins() && s.before != goElse {
			return false
		}
		in.header, in.typed = true, false
		return s.next(goKeyword, s.at, i)
	case goElseWord:
		in.header, in.typed = true, false
		return s.before == goBrace && s.next(goElse, s.at, i)
	case goEnds:
		return s.begins() && s.next(goAfter, s.at, i)
	case goStarts:
		return s.begins() && s.next(goKeyword, s.at, i)
	}
	return false
}

// begins says that a statement may begin here.
func (s *goSkimmer) begins() bool {
	return s.top().role == goBlock && (s.before == goStart || s.before == goOpened || s.before == goBinary && s.sign == ':')
}

// outside keeps what is needed to know a function's body by, among
// declarations.
func (s *goSkimmer) outside(kind goWord, end int) bool {
	in := s.top()
	switch {
	case kind == goFunc && len(s.open) == 1 && s.before == goStart:
		in.header, in.typed = true, true
	case kind == goBrackets:
		return s.next(goTypeful, s.at, end)
	case kind == goOperandWord:
		return s.next(goPrefix, s.at, end)
	}
	return s.next(goKeyword, s.at, end)
}

type goWord uint8

const (
	goName goWord = iota
	goFunc
	goType
	goVar
	goBrackets
	goOperandWord
	goRange
	goHead
	goElseWord
	goEnds
	goStarts
	goNever
)

var goWords = map[string]goWord{
	"func": goFunc, "type": goType, "var": goVar, "const": goVar, "struct": goBrackets, "interface": goBrackets,
	"map": goOperandWord, "chan": goOperandWord, "range": goRange, "if": goHead, "for": goHead, "switch": goHead, "select": goHead,
	"else": goElseWord, "return": goEnds, "break": goEnds, "continue": goEnds, "fallthrough": goEnds, "default": goEnds,
	"go": goStarts, "defer": goStarts, "goto": goStarts, "case": goStarts, "package": goNever, "import": goNever,
}

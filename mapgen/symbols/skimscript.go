package symbols

import "bytes"

// skimScript finds function bodies of TypeScript and JavaScript.
func skimScript(text []byte, late [][]byte) []span { return skimScripts(text, late, false) }

// skimJSX is skimScript where elements may stand in the text.
func skimJSX(text []byte, late [][]byte) []span { return skimScripts(text, late, true) }

func skimScripts(text []byte, late [][]byte, elements bool) []span {
	s := scriptSkimmer{text: text, elements: elements}
	if !s.all() {
		return nil
	}
	if s.exports {
		// It can be assigned through another name: then a late word keeps a
		// body wherever it stands, not only as a token.
		s = scriptSkimmer{text: text, elements: elements, strict: true}
		s.look(text, late)
		s.all()
	}
	return s.found
}

// all goes through the text; false when it gives up.
func (s *scriptSkimmer) all() bool {
	if bytes.HasPrefix(s.text, []byte("#!")) {
		s.at = lineEnd(s.text, 0)
	}
	for s.at < len(s.text) {
		if !s.token() {
			return false
		}
	}
	return len(s.open) == 0
}

// scriptSkimmer goes through a script token by token. It knows of each token
// whether an operand has ended with it, and so what may come next.
type scriptSkimmer struct {
	bodies
	text     []byte
	at       int
	elements bool
	exports  bool // the name stands in the text
	strict   bool // late words are found already

	before  scriptToken // the token before
	sign    byte        // its first byte
	newline bool        // since then
	open    []scriptBracket

	header    bool // between class and its brace
	decorator bool // between @ and what follows its name
	returns   int  // depth + 1 at which a return type stands; 0: none
	angles    int  // open in it
}

type scriptToken uint8

const (
	scriptStart   scriptToken = iota // the beginning, or ;
	scriptOpened                     // ( [ { or ${
	scriptOperand                    // name, literal, ) ] }
	scriptLoose                      // a name that others may follow, or ) after which a statement may stand
	scriptBrace                      // }
	scriptAfter                      // keyword that may end a statement
	scriptKeyword                    // keyword that may not
	scriptPrefix                     // operator before an operand
	scriptBinary                     // operator between operands
	scriptAngle                      // >
	scriptDot
)

type scriptBracket struct {
	sign  byte // ( [ { or $ for the hole in a template
	start int
	found int  // bodies before it
	body  bool // of a function
	loose bool // a statement may follow
	turns bool // for (;;)
	asked int  // question marks that wait for their colon
}

// ended says that the token before ends an operand.
func (s *scriptSkimmer) ended() bool {
	return s.before >= scriptOperand && s.before <= scriptBrace || s.before == scriptAngle
}

// breaks says that a new statement may begin here.
func (s *scriptSkimmer) breaks() bool {
	if s.before == scriptLoose || s.before == scriptBrace || s.before == scriptAngle {
		return true
	}
	return !s.ended() || s.newline && s.in() == '{'
}

func (s *scriptSkimmer) in() byte {
	if len(s.open) == 0 {
		return '{'
	}
	return s.open[len(s.open)-1].sign
}

func (s *scriptSkimmer) next(kind scriptToken, from, to int) bool {
	s.before, s.sign, s.at, s.newline = kind, s.text[from], to, false
	return true
}

func (s *scriptSkimmer) peek(n int) byte {
	if s.at+n < len(s.text) {
		return s.text[s.at+n]
	}
	return 0
}

// token reads one token; false where the text is none that is known.
func (s *scriptSkimmer) token() bool {
	c := s.text[s.at]
	switch {
	case c == '\n':
		s.newline = true
		s.at++
		return true
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
		return true
	case nameByte[c] == letter || c == '#':
		return s.word()
	case nameByte[c] == digit || c == '.' && nameByte[s.peek(1)] == digit:
		return s.number()
	}
	if c != '.' {
		s.decorator = s.decorator && c == '('
	}
	switch c {
	case '"', '\'':
		end := s.quoted(c)
		return end > 0 && s.breaks() && s.next(scriptOperand, s.at, end)
	case '`':
		// A tag may stand before it.
		return s.template(s.at + 1)
	case '/':
		return s.slash()
	case '(', '[', '{':
		return s.opens(c)
	case ')', ']', '}':
		return s.closes(c)
	case ';':
		return s.semicolon()
	case '@':
		s.decorator = true
		return s.next(scriptPrefix, s.at, s.at+1)
	case '~':
		return s.breaks() && s.next(scriptPrefix, s.at, s.at+1)
	case '!':
		return s.bang()
	}
	return s.operator(c)
}

func (s *scriptSkimmer) bang() bool {
	switch {
	case s.peek(1) == '=':
		return s.operator('!')
	case s.suffixed():
		return s.next(scriptOperand, s.at, s.at+1)
	}
	return s.breaks() && s.next(scriptPrefix, s.at, s.at+1)
}

// suffixed says that an operator which may stand on either side of an operand
// stands behind one.
func (s *scriptSkimmer) suffixed() bool {
	return s.ended() && !s.newline && s.before != scriptAngle && !(s.before == scriptLoose && s.sign == ')')
}

func (s *scriptSkimmer) semicolon() bool {
	in := len(s.open) - 1
	if s.in() != '{' && !(in >= 0 && s.open[in].turns) {
		return false
	}
	if !s.ended() && s.before != scriptStart && s.before != scriptOpened && s.before != scriptAfter && s.sign != ':' {
		return false
	}
	if in >= 0 && s.open[in].asked > 0 {
		return false
	}
	s.header, s.returns = false, 0
	return s.next(scriptStart, s.at, s.at+1)
}

// quoted is where a string ends, or 0.
func (s *scriptSkimmer) quoted(quote byte) int {
	for i := s.at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		case '\n':
			return 0
		}
	}
	return 0
}

// template goes on in a template to its end or its next hole.
func (s *scriptSkimmer) template(from int) bool {
	for i := from; i < len(s.text); i++ {
		switch s.text[i] {
		case '`':
			return s.next(scriptOperand, i, i+1)
		case '\\':
			i++
		case '$':
			if i+1 < len(s.text) && s.text[i+1] == '{' {
				s.open = append(s.open, scriptBracket{sign: '$', start: i, found: len(s.found)})
				return s.next(scriptOpened, i, i+2)
			}
		}
	}
	return false
}

// slash is a comment, a regular expression or a division.
func (s *scriptSkimmer) slash() bool {
	switch s.peek(1) {
	case '/':
		s.at = lineEnd(s.text, s.at)
		return true
	case '*':
		end := bytes.Index(s.text[s.at+2:], []byte("*/"))
		if end < 0 {
			return false
		}
		s.newline = s.newline || bytes.IndexByte(s.text[s.at:s.at+end+2], '\n') >= 0
		s.at += end + 4
		return true
	}
	if s.before == scriptBrace || s.before == scriptAngle {
		return false // both are possible
	}
	if s.ended() && !(s.before == scriptLoose && s.sign == ')') {
		return s.operator('/')
	}
	class := false
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\n':
			return false
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for i++; i < len(s.text) && nameByte[s.text[i]] == letter; i++ {
			}
			return s.next(scriptOperand, s.at, i)
		}
	}
	return false
}

func (s *scriptSkimmer) number() bool {
	if !s.breaks() {
		return false
	}
	i := s.at
	hex := s.text[i] == '0' && (s.peek(1)|0x20 == 'x')
	for i++; i < len(s.text); i++ {
		c := s.text[i]
		if nameByte[c] != 0 || c == '.' {
			continue
		}
		if (c == '+' || c == '-') && !hex && s.text[i-1]|0x20 == 'e' {
			continue
		}
		break
	}
	if !wellFormed(s.text[s.at:i]) {
		return false
	}
	return s.next(scriptOperand, s.at, i)
}

// wellFormed says that a number is one: digits of its base, one point, one
// exponent.
func wellFormed(n []byte) bool {
	n = bytes.TrimSuffix(n, []byte("n"))
	if len(n) > 2 && n[0] == '0' && nameByte[n[1]] == letter && n[1]|0x20 != 'e' {
		digits := map[byte]string{'x': "0123456789abcdefABCDEF_", 'o': "01234567_", 'b': "01_"}[n[1]|0x20]
		return digits != "" && len(bytes.Trim(n[2:], digits)) == 0
	}
	point, exponent := false, false
	for i, c := range n {
		switch {
		case c >= '0' && c <= '9' || c == '_':
		case c == '.' && !point && !exponent:
			point = true
		case c|0x20 == 'e' && !exponent && i > 0 && i+1 < len(n):
			exponent = true
		case (c == '+' || c == '-') && n[i-1]|0x20 == 'e' && i+1 < len(n):
		default:
			return false
		}
	}
	return true
}

func (s *scriptSkimmer) opens(c byte) bool {
	b := scriptBracket{sign: c, start: s.at, found: len(s.found)}
	switch c {
	case '(':
		b.loose = s.decorator || s.before == scriptKeyword && s.sign != 'f'
		b.turns = s.before == scriptKeyword && s.sign == 'F'
		s.decorator = false
	case '{':
		b.body = s.body()
		s.header = false
		if s.returns == len(s.open)+1 && s.before != scriptBinary {
			s.returns = 0
		}
	}
	s.open = append(s.open, b)
	return s.next(scriptOpened, s.at, s.at+1)
}

// body says whether a function's body seems to begin at this brace.
func (s *scriptSkimmer) body() bool {
	switch {
	case s.header:
		return false
	case s.sign == '>' && s.before == scriptBinary: // =>
		return !s.typeFollows()
	case s.before == scriptOperand && s.sign == ')':
		return true
	case s.returns == len(s.open)+1:
		return !s.newline && (s.ended() && s.before != scriptLoose || s.before == scriptAfter)
	}
	return false
}

// typeFollows says that the brace begins the members of a type and not
// statements, for all its first token shows.
func (s *scriptSkimmer) typeFollows() bool {
	i := s.at + 1
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\n' || s.text[i] == '\t') {
		i++
	}
	from := i
	for i < len(s.text) && nameByte[s.text[i]] != 0 {
		i++
	}
	if i == from {
		return i < len(s.text) && (s.text[i] == '[' || s.text[i] == '"' || s.text[i] == '\'')
	}
	return i < len(s.text) && (s.text[i] == ':' || s.text[i] == '?' && i+1 < len(s.text) && (s.text[i+1] == ':' || s.text[i+1] == '('))
}

func (s *scriptSkimmer) closes(c byte) bool {
	top := len(s.open) - 1
	if top < 0 {
		return false
	}
	if s.before == scriptBinary && s.sign != ',' && !(c == '}' && s.sign == ':') || s.before == scriptKeyword || s.before == scriptPrefix || s.before == scriptDot {
		return false
	}
	b := s.open[top]
	if b.asked > 0 {
		return false
	}
	s.open = s.open[:top]
	if s.returns > top+1 {
		s.returns = 0
	}
	switch {
	case b.sign == '$' && c == '}':
		if !s.ended() && s.before != scriptAfter {
			return false
		}
		return s.template(s.at + 1)
	case b.sign == '(' && c == ')':
		if b.loose {
			return s.next(scriptLoose, s.at, s.at+1)
		}
		return s.next(scriptOperand, s.at, s.at+1)
	case b.sign == '[' && c == ']':
		return s.next(scriptOperand, s.at, s.at+1)
	case b.sign == '{' && c == '}':
		if b.body {
			s.close(b.start+1, s.at, b.found)
		}
		return s.next(scriptBrace, s.at, s.at+1)
	}
	return false
}

// operator reads an operator between operands, or one that can stand before
// one as well.
func (s *scriptSkimmer) operator(c byte) bool {
	end := s.at + 1
	for end < len(s.text) && end < s.at+4 && joins(s.text[s.at:end], s.text[end]) {
		end++
	}
	op := string(s.text[s.at:end])
	ended := s.ended() || s.before == scriptAfter
	switch op {
	case "+", "-":
		return s.next(scriptBinary, s.at, end)
	case "++", "--":
		if s.suffixed() {
			return s.next(scriptOperand, s.at, end)
		}
		return s.breaks() && s.next(scriptPrefix, s.at, end)
	case "...":
		return (!s.ended() || s.newline) && s.next(scriptPrefix, s.at, end)
	case ".", "?.":
		if !s.ended() && !(s.before == scriptPrefix && s.sign == 'n') && !(s.before == scriptKeyword && s.sign == 'i') {
			return false
		}
		return s.next(scriptDot, s.at, end)
	case ",":
		if !ended && !(s.in() == '[' && (s.before == scriptOpened || s.sign == ',')) {
			return false
		}
		if s.returns == len(s.open)+1 && s.angles == 0 {
			s.returns = 0
		}
		return s.next(scriptBinary, s.at, end)
	case ":":
		if !ended && !(s.before == scriptBinary && s.sign == '?') {
			return false
		}
		if s.before == scriptOperand && s.sign == ')' {
			s.returns, s.angles = len(s.open)+1, 0
		}
		s.header = false
		s.answer()
		return s.next(scriptBinary, s.at, end)
	case "<":
		if s.elements && (!s.ended() || s.before == scriptBrace || s.before == scriptLoose && s.sign == ')') {
			return false // an element may begin
		}
		s.angles++
		return s.next(scriptBinary, s.at, end)
	case ">", ">>", ">>>":
		if !ended && s.sign != ',' {
			return false
		}
		s.angles -= len(op)
		return s.next(scriptAngle, s.at, end)
	case "*":
		if !ended && s.before != scriptKeyword && s.before != scriptStart && s.before != scriptOpened && s.sign != ',' {
			return false
		}
		return s.next(scriptBinary, s.at, end)
	case "|", "&":
		if !ended && s.before != scriptOpened && !(s.before == scriptBinary && (s.sign == '=' || s.sign == ':' || s.sign == '<' || s.sign == ',' || s.sign == '>')) {
			return false
		}
		return s.next(scriptBinary, s.at, end)
	case "=>":
		if !ended {
			return false
		}
		s.next(scriptBinary, s.at, end)
		s.sign = '>'
		return true
	case "=":
		s.returns = 0
		ended = ended || s.before == scriptKeyword && s.sign == 'e' // export =
	case "/", "%", "**", "^", "<<", "&&", "||", "??", "==", "===", "!=", "!==", "<=", ">=", "?",
		"+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=":
	default:
		return false
	}
	if op == "?" {
		s.ask(end)
	}
	return ended && s.next(scriptBinary, s.at, end)
}

// ask counts a question mark, unless it makes what stands before it optional.
func (s *scriptSkimmer) ask(end int) {
	rest := bytes.TrimLeft(s.text[end:min(end+64, len(s.text))], " \t\n")
	if top := len(s.open) - 1; top >= 0 && (len(rest) == 0 || bytes.IndexByte([]byte(":),=]"), rest[0]) < 0) {
		s.open[top].asked++
	}
}

func (s *scriptSkimmer) answer() {
	if top := len(s.open) - 1; top >= 0 && s.open[top].asked > 0 {
		s.open[top].asked--
	}
}

// joins says that a byte makes a longer operator of one.
func joins(op []byte, c byte) bool {
	switch first := op[0]; first {
	case ',', ':', '@':
		return false
	case '.':
		return c == '.'
	case '?':
		return len(op) == 1 && (c == '?' || c == '.') || op[len(op)-1] == '?' && len(op) == 2 && c == '='
	case '=':
		return c == '=' || len(op) == 1 && c == '>'
	case '!':
		return c == '='
	default:
		return op[len(op)-1] != '=' && (c == first || c == '=')
	}
}

func lineEnd(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

const (
	letter = 1
	digit  = 2
)

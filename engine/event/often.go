package event

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// often reads the bodies nearly all of a long log is made of, without
// reflection: fields are what follows the type, `,"k":1,…}`. It gives nil for any
// other and for whatever it does not expect in one of these.
func often(name, fields []byte) Body {
	s := scan{rest: fields}
	switch string(name) {
	case "worker.turn":
		var b WorkerTurn
		for s.next() {
			switch string(s.key) {
			case "k":
				b.K = int(s.whole())
			case "turn":
				b.Turn = int(s.whole())
			case "said":
				b.Said = s.whole()
			default:
				s.odd = true
			}
		}
		if !s.odd {
			return b
		}
	case "worker.tool.started":
		var b WorkerToolStarted
		for s.next() {
			switch string(s.key) {
			case "k":
				b.K = int(s.whole())
			case "name":
				b.Name = s.text()
			case "args_preview":
				b.ArgsPreview = s.text()
			default:
				s.odd = true
			}
		}
		if !s.odd {
			return b
		}
	case "worker.tool":
		var b WorkerTool
		for s.next() {
			switch string(s.key) {
			case "k":
				b.K = int(s.whole())
			case "name":
				b.Name = s.text()
			case "args_preview":
				b.ArgsPreview = s.text()
			case "result_bytes":
				b.ResultBytes = s.whole()
			case "ms":
				b.MS = s.whole()
			case "error":
				b.Error = s.text()
			case "said":
				b.Said = s.whole()
			default:
				s.odd = true
			}
		}
		if !s.odd {
			return b
		}
	case "worker.usage":
		var b WorkerUsage
		for s.next() {
			switch string(s.key) {
			case "k":
				b.K = int(s.whole())
			case "in":
				b.In = s.whole()
			case "out":
				b.Out = s.whole()
			case "cached":
				b.Cached = s.whole()
			case "cost":
				b.Cost = s.number()
			case "estimated":
				b.Estimated = s.yes()
			case "context":
				b.Context = s.whole()
			case "window":
				b.Window = s.whole()
			case "said":
				b.Said = s.whole()
			default:
				s.odd = true
			}
		}
		if !s.odd {
			return b
		}
	}
	return nil
}

// decodeItem reads an item; one as our own writer leaves it at a tenth of the
// cost of any other.
func decodeItem(record []byte) (Item, bool) {
	var it Item
	s := scan{rest: record, first: true}
	for s.next() {
		switch string(s.key) {
		case "at":
			it.At = s.time()
		case "kind":
			it.Kind = s.text()
		case "turn":
			it.Turn = int(s.whole())
		case "name":
			it.Name = s.text()
		case "text":
			it.Text = s.text()
		case "args":
			it.Args = s.text()
		case "bytes":
			it.Bytes = s.whole()
		case "ms":
			it.MS = s.whole()
		case "error":
			it.Error = s.text()
		default:
			s.odd = true
		}
	}
	if !s.odd {
		return it, true
	}
	it = Item{}
	return it, json.Unmarshal(record, &it) == nil
}

// scan goes through the fields of an object without blanks and without anything
// nested. It is odd once something else came.
type scan struct {
	rest  []byte
	key   []byte
	first bool // the object's own brace is still there
	odd   bool
}

// next goes to the next field, whose value must then be read.
func (s *scan) next() bool {
	b := s.rest
	if s.odd || !s.first && len(b) == 1 && b[0] == '}' {
		return false
	}
	sep := byte(',')
	if s.first {
		sep = '{'
	}
	s.odd = true
	if len(b) < 2 || b[0] != sep || b[1] != '"' {
		return false
	}
	b = b[2:]
	end := bytes.IndexByte(b, '"')
	if end < 0 || end+2 > len(b) || b[end+1] != ':' {
		return false
	}
	s.key, s.rest, s.first, s.odd = b[:end], b[end+2:], false, false
	return true
}

// text reads a string.
func (s *scan) text() string {
	end := stringEnd(s.rest)
	if end < 0 {
		s.odd = true
		return ""
	}
	value := s.rest[:end]
	s.rest = s.rest[end:]
	inner := value[1 : end-1]
	if plainString(inner) {
		return string(inner)
	}
	var few [256]byte
	if text, ok := unescape(few[:0], inner); ok {
		return string(text)
	}
	var text string
	s.odd = json.Unmarshal(value, &text) != nil
	return text
}

// time reads a moment.
func (s *scan) time() (at time.Time) {
	end := stringEnd(s.rest)
	if end < 0 || !plainString(s.rest[1:end-1]) || at.UnmarshalText(s.rest[1:end-1]) != nil {
		s.odd = true
		return at
	}
	s.rest = s.rest[end:]
	return at
}

// bare cuts off a value that is neither a string nor nested.
func (s *scan) bare() []byte {
	for i, c := range s.rest {
		if c == ',' || c == '}' {
			value := s.rest[:i]
			s.rest = s.rest[i:]
			return value
		}
	}
	s.odd = true
	return nil
}

// whole reads a whole number.
func (s *scan) whole() int64 {
	n, ok := integer(s.bare())
	s.odd = s.odd || !ok
	return n
}

// number reads any number.
func (s *scan) number() float64 {
	value := s.bare()
	if n, ok := integer(value); ok {
		return float64(n)
	}
	var n float64
	s.odd = s.odd || string(value) == "null" || json.Unmarshal(value, &n) != nil
	return n
}

// yes reads true or false.
func (s *scan) yes() bool {
	switch string(s.bare()) {
	case "true":
		return true
	case "false":
	default:
		s.odd = true
	}
	return false
}

// stringEnd is the place after the string b begins with, or -1.
func stringEnd(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return -1
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// plainString tells whether a string's inside stands for itself.
func plainString(b []byte) bool {
	ascii := true
	for _, c := range b {
		if c < 0x20 || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.Valid(b)
}

// unescape appends a string's inside to out, if all its escapes are of one letter.
func unescape(out, b []byte) ([]byte, bool) {
	for from, i := 0, 0; ; i++ {
		if i < len(b) && b[i] >= 0x20 && b[i] != '\\' {
			continue
		}
		if piece := b[from:i]; !utf8.Valid(piece) {
			return nil, false
		}
		if out = append(out, b[from:i]...); i == len(b) {
			return out, true
		}
		if b[i] < 0x20 {
			return nil, false
		}
		i++ // a string ends with no lone backslash
		letter := strings.IndexByte(`"\/bfnrt`, b[i])
		if letter < 0 {
			return nil, false
		}
		out = append(out, "\"\\/\b\f\n\r\t"[letter])
		from = i + 1
	}
}

// integer reads a whole number as JSON writes it, of at most 15 digits.
func integer(b []byte) (n int64, ok bool) {
	digits, negative := bytes.CutPrefix(b, []byte{'-'})
	if len(digits) == 0 || len(digits) > 15 || digits[0] == '0' && (len(digits) > 1 || negative) {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

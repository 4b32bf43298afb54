package symbols

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	bomUTF8    = []byte("\xef\xbb\xbf")
	bomUTF16LE = []byte("\xff\xfe")
	bomUTF16BE = []byte("\xfe\xff")
)

// pythonCookie is the coding declaration of PEP 263, valid on the first two lines.
var pythonCookie = regexp.MustCompile(`^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`)

// decode turns a file's bytes into UTF-8 with LF or CRLF line ends. A nil text
// means there is nothing to parse; the note says why, or which guess was made.
func decode(raw []byte, lang *language) (text []byte, note string) {
	switch {
	case bytes.HasPrefix(raw, bomUTF8):
		raw = raw[len(bomUTF8):]
	case bytes.HasPrefix(raw, bomUTF16LE):
		return lines(fromUTF16(raw[2:], false)), ""
	case bytes.HasPrefix(raw, bomUTF16BE):
		return lines(fromUTF16(raw[2:], true)), ""
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return nil, "binary"
	}
	if !utf8.Valid(raw) {
		if !declaresSingleByte(raw, lang) {
			note = "enc: latin-1?"
		}
		raw = fromSingleByte(raw)
	}
	return lines(raw), note
}

// lines makes a bare CR a line end. The length is kept, so line numbers are
// the ones an editor shows.
func lines(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\r' || (i+1 < len(text) && text[i+1] == '\n') {
			continue
		}
		if out == nil {
			out = bytes.Clone(text)
		}
		out[i] = '\n'
	}
	if out == nil {
		return text
	}
	return out
}

func fromUTF16(raw []byte, big bool) []byte {
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		low, high := raw[i], raw[i+1]
		if big {
			low, high = high, low
		}
		units = append(units, uint16(low)|uint16(high)<<8)
	}
	return []byte(string(utf16.Decode(units)))
}

func declaresSingleByte(raw []byte, lang *language) bool {
	if lang == nil || lang.name != "Python" {
		return false
	}
	for i, line := range bytes.SplitN(raw, []byte("\n"), 3) {
		if i > 1 {
			break
		}
		if m := pythonCookie.FindSubmatch(line); m != nil {
			switch strings.ReplaceAll(strings.ToLower(string(m[1])), "_", "-") {
			case "latin-1", "latin1", "iso-8859-1", "iso-8859-15", "cp1252", "windows-1252", "l1":
				return true
			}
		}
	}
	return false
}

// windows1252 holds the code points of bytes 0x80–0x9F; the five undefined
// ones stand for themselves.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

func fromSingleByte(raw []byte) []byte {
	out := make([]byte, 0, len(raw)+len(raw)/8)
	for _, b := range raw {
		switch {
		case b < 0x80:
			out = append(out, b)
		case b < 0xa0:
			out = utf8.AppendRune(out, windows1252[b-0x80])
		default:
			out = utf8.AppendRune(out, rune(b))
		}
	}
	return out
}

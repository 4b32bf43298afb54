package model

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// joiner puts text together that was cut anywhere, also inside a rune: models
// with byte tokens do that, and servers put each half into a line of its own.
type joiner struct{ held []byte }

// add takes a piece as raw makes it and gives what ends on a whole rune.
func (j *joiner) add(piece []byte) string {
	j.held = append(j.held, piece...)
	cut := len(j.held) - unfinished(j.held)
	text := whole(j.held[:cut])
	j.held = append(j.held[:0], j.held[cut:]...)
	return text
}

// end gives what is left, however it ends.
func (j *joiner) end() string {
	text := whole(j.held)
	j.held = nil
	return text
}

// unfinished counts the bytes at the end that may be the beginning of a rune.
func unfinished(b []byte) int {
	if len(b) >= 3 {
		if high, _ := half(b[len(b)-3:]); high {
			return 3
		}
	}
	for n := 1; n <= min(len(b), utf8.UTFMax); n++ {
		if at := len(b) - n; utf8.RuneStart(b[at]) {
			if utf8.FullRune(b[at:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// half tells whether b begins with a surrogate half in three bytes.
func half(b []byte) (high, low bool) {
	if len(b) < 3 || b[0] != 0xed || b[2]&0xc0 != 0x80 {
		return false, false
	}
	return b[1] >= 0xa0 && b[1] <= 0xaf, b[1] >= 0xb0 && b[1] <= 0xbf
}

// whole is valid text: halves that meet become one rune, what is no text a
// replacement.
func whole(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		high, low := half(b)
		if high && len(b) >= 6 {
			if _, second := half(b[3:]); second {
				out.WriteRune(utf16.DecodeRune(surrogate(b), surrogate(b[3:])))
				b = b[6:]
				continue
			}
		}
		if high || low {
			out.WriteRune(utf8.RuneError)
			b = b[3:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}

func surrogate(b []byte) rune {
	return rune(b[0]&0x0f)<<12 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f)
}

// raw is the bytes of a JSON string as they were meant: the standard decoder
// replaces halves of runes at once, so that they could not be joined later. A
// value that is no string gives nothing.
func raw(value json.RawMessage) []byte {
	value = bytes.TrimSpace(value)
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return nil
	}
	value = value[1 : len(value)-1]
	if bytes.IndexByte(value, '\\') < 0 {
		return value
	}
	out := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' || i+1 == len(value) {
			out = append(out, value[i])
			continue
		}
		i++
		switch value[i] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			if i+5 <= len(value) {
				n, err := strconv.ParseUint(string(value[i+1:i+5]), 16, 16)
				if err == nil {
					out = appendUnit(out, rune(n))
					i += 4
					continue
				}
			}
			out = append(out, '\\', 'u')
		default:
			out = append(out, value[i])
		}
	}
	return out
}

// appendUnit writes a UTF-16 unit, a half of a pair in three bytes as well.
func appendUnit(out []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(out, r)
}

package model

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// plainJSON writes JSON text with every character as itself that needs no
// escape, so that what it will be once decoded can be searched in it.
func plainJSON(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		if text[i+1] == 'u' && i+6 <= len(text) {
			n, err := strconv.ParseUint(text[i+2:i+6], 16, 16)
			if r := rune(n); err == nil && r >= ' ' && r != '"' && r != '\\' && r != 0x7f && !utf16.IsSurrogate(r) {
				out = utf8.AppendRune(out, r)
				i += 5
				continue
			}
		}
		out = append(out, text[i], text[i+1])
		i++
	}
	return string(out)
}

package mapgen

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// textOf decodes a file's bytes for describing it: nil when they are no text.
func textOf(raw []byte) []byte {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		raw = raw[3:]
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return fromUTF16(raw[2:], 0)
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return fromUTF16(raw[2:], 1)
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return nil
	}
	if !utf8.Valid(raw) {
		out := make([]byte, 0, len(raw)+len(raw)/8)
		for _, b := range raw {
			out = utf8.AppendRune(out, rune(b)) // Latin-1, the one guess that never fails
		}
		raw = out
	}
	if bytes.IndexByte(raw, '\r') >= 0 {
		raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
		raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	}
	if raw == nil {
		raw = []byte{}
	}
	return raw
}

// fromUTF16 decodes byte pairs; big is 1 when the high byte comes first.
func fromUTF16(raw []byte, big int) []byte {
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i+big])|uint16(raw[i+1-big])<<8)
	}
	return []byte(string(utf16.Decode(units)))
}

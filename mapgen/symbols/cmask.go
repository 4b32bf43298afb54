package symbols

import (
	"bytes"
	"regexp"
)

var (
	// cLinkage is the frame that lets C++ read a C header. Its brace is opened
	// under one condition and closed under another, which no grammar can pair.
	cLinkage = regexp.MustCompile(`#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t]*\(?[ \t]*__cplusplus[ \t]*\)?)[ \t\r]*\n\s*(?:extern[ \t]+"C"\s*\{|\}[^\n]*)\s*\n\s*#[ \t]*endif[^\n]*`)
	// cFrame are macros that stand alone on a line for the same purpose.
	cFrame = regexp.MustCompile(`(?m)^[ \t]*_*(?:[A-Z]+_)*(?:BEGIN|END)_(?:C_)?DECLS?(?:_*\([^)\n]*\))?;?[ \t\r]*$`)
)

// maskC blanks what the grammar stumbles over and a reader does not miss. The
// length stays, so places in the text do too.
func maskC(text []byte) []byte {
	out := text
	blank := func(from, to int) {
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	if bytes.Contains(text, []byte("__cplusplus")) {
		for _, m := range cLinkage.FindAllIndex(text, -1) {
			blank(m[0], m[1])
		}
	}
	if bytes.Contains(text, []byte("DECL")) {
		for _, m := range cFrame.FindAllIndex(text, -1) {
			blank(m[0], m[1])
		}
	}
	exportMacros(text, blank)
	return out
}

// exportEndings are what names of macros end in that stand before a declaration
// and hold compiler attributes.
var exportEndings = []string{"API", "EXTERN", "EXPORT", "EXPORTS", "PUBLIC", "INLINE", "DLL", "DECL", "VISIBLE", "NODISCARD", "STATIC"}

// exportMacros blanks such a macro at the beginning of a line, or after the
// keyword of a class.
func exportMacros(text []byte, blank func(from, to int)) {
	for at := 0; at < len(text); {
		end := len(text)
		if nl := bytes.IndexByte(text[at:], '\n'); nl >= 0 {
			end = at + nl
		}
		word, from := firstWord(text[at:end], at)
		for i := 0; i < 2 && declares[string(word)]; i++ {
			word, from = firstWord(text[from+len(word):end], from+len(word))
		}
		if len(word) > 3 && isExportMacro(word) {
			// A declaration follows, not a parenthesis or the line's end.
			if next, _ := firstWord(text[from+len(word):end], 0); len(next) > 0 {
				blank(from, from+len(word))
			}
		}
		at = end + 1
	}
}

var declares = map[string]bool{"extern": true, "static": true, "inline": true, "virtual": true, "class": true, "struct": true, "union": true}

func isExportMacro(word []byte) bool {
	for _, ch := range word {
		if (ch < 'A' || ch > 'Z') && ch != '_' && (ch < '0' || ch > '9') {
			return false
		}
	}
	for _, ending := range exportEndings {
		if bytes.HasSuffix(word, []byte(ending)) {
			return true
		}
	}
	return false
}

// firstWord is the identifier a line begins with after blanks, and its place.
func firstWord(line []byte, base int) (word []byte, at int) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	from := i
	for i < len(line) && (line[i] == '_' || line[i] >= 'a' && line[i] <= 'z' || line[i] >= 'A' && line[i] <= 'Z' || i > from && line[i] >= '0' && line[i] <= '9') {
		i++
	}
	return line[from:i], base + from
}

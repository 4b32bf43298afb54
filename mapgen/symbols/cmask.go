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
	// cExport are macros before a declaration that hold compiler attributes.
	cExport = regexp.MustCompile(`(?m)^[ \t]*(?:(?:extern|static|inline|virtual|class|struct|union)[ \t]+)?([A-Z][A-Z0-9_]*(?:API|EXTERN|EXPORTS?|PUBLIC|INLINE|DLL|DECL|VISIBLE|NODISCARD))[ \t]+[A-Za-z_]`)
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
	if hasAny(text, "API", "EXTERN", "EXPORT", "PUBLIC", "INLINE", "DLL", "DECL", "VISIBLE", "NODISCARD") {
		for _, m := range cExport.FindAllSubmatchIndex(text, -1) {
			blank(m[2], m[3])
		}
	}
	return out
}

func hasAny(text []byte, words ...string) bool {
	for _, word := range words {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

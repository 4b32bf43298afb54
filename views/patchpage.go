package views

import (
	"strings"

	"growbench/theme/text"
)

// NewPatch shows a patch: what came and what went in colours of their own.
func NewPatch(look Look, body string) Document {
	sheet := &Sheet{}
	var p patchReader
	for l := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		sheet.lines = append(sheet.lines, line{
			text: text.Visible(strings.ReplaceAll(strings.TrimSuffix(l, "\r"), "\t", "    ")), tone: p.tone(l, toneDim),
		})
	}
	return document(look, sheet)
}

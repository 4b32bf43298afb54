package artifact

import "strings"

// Line is the bullet's text as it stands in a document, without its dash.
func (f File) Line() string { return f.bullet() }

// Line is the bullet's text as it stands in a document, without its dash.
func (s Symbol) Line() string { return s.bullet() }

// Line writes any text as one line that no content of it can leave.
func Line(text string) string {
	return freeText(strings.Join(strings.Fields(text), " "))
}

package script

import (
	"fmt"
	"strings"
)

// hunk words an edit as a unified diff does, from the line it begins at.
func hunk(line int, old, new string) string {
	removed, added := signed("-", old), signed("+", new)
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@\n%s%s", line, strings.Count(removed, "\n"), line, strings.Count(added, "\n"), removed, added)
}

func signed(sign, text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(sign + strings.TrimSuffix(l, "\n") + "\n")
	}
	return b.String()
}

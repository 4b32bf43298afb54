package describe

import "strings"

// commentAbove is the comment that ends right above a line, or the docstring
// right below it.
func commentAbove(lines []string, line int, language string) string {
	if language == "Python" {
		return docstringBelow(lines, line)
	}
	at := line - 2
	for at >= 0 && (strings.HasPrefix(strings.TrimSpace(lines[min(at, len(lines)-1)]), "@") || strings.HasPrefix(strings.TrimSpace(lines[min(at, len(lines)-1)]), "#[")) {
		at--
	}
	var found []string
	for ; at >= 0 && at < len(lines) && len(found) < 40; at-- {
		l := strings.TrimSpace(lines[at])
		if !commentLine(l, language) {
			break
		}
		found = append(found, l)
	}
	var text []string
	for i := len(found) - 1; i >= 0; i-- {
		l := strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(found[i], "/*#!-; \t"), "*/"))
		if strings.HasPrefix(l, "@") || l == "" && len(text) > 0 {
			break
		}
		if l != "" {
			text = append(text, l)
		}
	}
	return strings.Join(text, " ")
}

func commentLine(l, language string) bool {
	if hashComments[language] && language != "Python" {
		return strings.HasPrefix(l, "#")
	}
	return strings.HasPrefix(l, "//") || strings.HasPrefix(l, "*") || strings.HasPrefix(l, "/*") || strings.HasSuffix(l, "*/")
}

func docstringBelow(lines []string, line int) string {
	for at := max(line, 0); at < min(line+12, len(lines)); at++ {
		l := strings.TrimSpace(lines[at])
		for _, q := range []string{`"""`, `'''`, `r"""`} {
			if rest, ok := strings.CutPrefix(l, q); ok {
				text := rest
				for next := at + 1; !strings.Contains(text, q[len(q)-3:]) && next < min(at+6, len(lines)); next++ {
					if strings.TrimSpace(lines[next]) == "" && text != "" {
						break
					}
					text += " " + strings.TrimSpace(lines[next])
				}
				text, _, _ = strings.Cut(text, q[len(q)-3:])
				return text
			}
		}
		if !strings.HasSuffix(l, ")") && !strings.HasSuffix(l, ",") && !strings.HasSuffix(l, ":") && !strings.HasSuffix(l, "(") {
			return ""
		}
	}
	return ""
}

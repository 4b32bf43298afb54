package doc

import (
	"strings"
)

// pathDash are the marks between a signature and its file, the written one
// first.
var pathDash = []string{" — ", " – ", " -- ", " - ", " ― ", " @ ", " // ", " # ", " in ", " from ", " | "}

var pathRemark = lazily(`^(.*\S)\s+[(\[（]\s*(?:in |from |file: ?|see )?([^()\[\]（）\s]+)\s*[)\]）]$`)

// readSignature cuts a line into a signature and the path after it. Without a
// path the whole line is the signature.
func readSignature(s string) Signature {
	s = strings.TrimSpace(oneLine(s))
	for _, dash := range pathDash {
		for end := len(s); end > 0; {
			i := strings.LastIndex(s[:end], dash)
			if i <= 0 {
				break
			}
			if p, ok := wholePath(s[i+len(dash):]); ok {
				return Signature{unspan(s[:i]), p}
			}
			if dash != pathDash[0] || len(s)-i > 2048 {
				break
			}
			end = i
		}
	}
	if strings.HasSuffix(s, "—") || strings.HasSuffix(s, "–") {
		return Signature{Signature: unspan(strings.TrimRight(s, "—– "))}
	}
	for _, dash := range []string{"—", "–"} { // set without blanks
		if i := strings.LastIndex(s, dash); i > 0 {
			if p, ok := wholePath(s[i+len(dash):]); ok {
				return Signature{unspan(s[:i]), p}
			}
		}
	}
	if m := pathRemark.FindStringSubmatch(s); m != nil {
		if p, ok := wholePath(m[2]); ok {
			return Signature{unspan(m[1]), p}
		}
	}
	if head, tail, ok := strings.Cut(s, ": "); ok && strings.TrimSpace(tail) != "" {
		if p, ok := wholePath(head); ok { // size/size.go: Parse(text string) Size
			return Signature{unspan(tail), p}
		}
	}
	return Signature{Signature: unspan(s)}
}

// wholePath reads a string that is a path and at most a remark in brackets.
func wholePath(s string) (string, bool) {
	s = strings.TrimSpace(s)
	p, rest, ok := readPath(s)
	if !ok {
		// Paths a check has to refuse must arrive there: ~/x, C:\x.
		if s != "" && !strings.ContainsAny(s, " \t") && (strings.HasPrefix(s, "~") || drive.MatchString(s) || scheme.MatchString(s)) {
			return s, true
		}
		return "", false
	}
	rest = strings.TrimRight(strings.TrimSpace(rest), ".。")
	return p, rest == "" || (rest[0] == '(' || rest[0] == '[') && !strings.ContainsAny(rest[1:len(rest)-1], "()") && strings.ContainsAny(rest[len(rest)-1:], ")]")
}

// unspan takes code marks or bold off a string they wrap completely.
func unspan(s string) string {
	s = strings.TrimSpace(s)
	if content, rest, ok := readSpan(s); ok && rest == "" {
		return strings.TrimSpace(content)
	}
	if len(s) > 4 && strings.HasPrefix(s, "**") && strings.HasSuffix(s, "**") && !strings.Contains(s[2:len(s)-2], "**") {
		return strings.TrimSpace(s[2 : len(s)-2])
	}
	return s
}

// String writes `signature — path`.
func (s Signature) String() string {
	text := oneLine(strings.TrimSpace(s.Signature))
	if s.Path == "" {
		return text
	}
	return text + pathDash[0] + writePath(s.Path)
}

// writeSignature writes the line of a Signatures section; "" for what reads
// as none.
func (v vocabulary) writeSignature(s Signature) string {
	s = Signature{strings.TrimSpace(oneLine(clean(s.Signature))), tidyPath(oneLine(s.Path))}
	if isNone(s.Signature) && s.Path == "" {
		return ""
	}
	reads := func(text string) bool {
		got, _ := readSignatures(v, split(text, 1))
		return len(got) == 1 && got[0].Signature == s
	}
	if text := v.escape(s.String()); reads(text) {
		return text
	}
	if s.Signature == "" {
		return "— " + writePath(s.Path)
	}
	text := codeSpan(s.Signature)
	if s.Path != "" {
		text += pathDash[0] + writePath(s.Path)
	}
	return v.escape(text)
}

// located is a signature with the line it stands on.
type located struct {
	Signature
	n int
}

// readSignatures reads a Signatures section. Fenced lines count, bodies do
// not; a line that is only a path heads the ones below it. cut tells that a
// body was left out.
func readSignatures(v vocabulary, lines []line) (out []located, cut bool) {
	under := ""
	add := func(l line, text string) {
		s := readSignature(v.unescape(text))
		if s.Path == "" {
			if isNone(s.Signature) {
				return
			}
			s.Path = under
		}
		out = append(out, located{s, l.n})
	}
	lines, cut = dropBodies(lines)
	for i, l := range lines {
		if l.code == fence || l.blank() || l.code == prose && (isRule(l.text) || isTableRule(l.text)) {
			continue
		}
		text := strings.TrimSpace(l.text)
		if l.code == prose {
			text = unlist(text)
			if d := headingDress(text); d.level > 0 {
				text = d.words
			}
		}
		if isNone(text) {
			continue
		}
		if isTableRow(text) && l.code == prose {
			if i+1 < len(lines) && isTableRule(lines[i+1].text) {
				continue
			}
			add(l, rowSignature(cells(text)))
			continue
		}
		if p, rest, ok := readPath(text); ok && (strings.TrimSpace(rest) == ":" || strings.TrimSpace(rest) == "" && headed(lines, i)) {
			under = p
			continue
		}
		add(l, text)
	}
	return out, cut
}

// headed tells whether the lines after i are indented or listed below it.
func headed(lines []line, i int) bool {
	if i+1 >= len(lines) {
		return false
	}
	own, next := undress(lines[i].text), undress(lines[i+1].text)
	return next.indent > own.indent || next.bullet && !own.bullet || lines[i+1].code == fence && lines[i].code == prose
}

// rowSignature puts the cells of a row into one line, its path last.
func rowSignature(row []string) string {
	file := ""
	var rest []string
	for _, c := range row {
		if p, ok := wholePath(c); ok && file == "" {
			file = p
		} else if !isNone(c) {
			rest = append(rest, unspan(c))
		}
	}
	return Signature{strings.Join(rest, " "), file}.String()
}

// dropBodies keeps of every declaration what stands before its body, and
// joins parameter lists that run over several lines.
func dropBodies(lines []line) (kept []line, cut bool) {
	depth := 0 // of braces inside a body
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if l.code == fence {
			depth = 0
			kept = append(kept, l)
			continue
		}
		if depth > 0 {
			depth += braces(l.text)
			cut = true
			continue
		}
		for joined := 0; joined < 12 && i+1 < len(lines) && openBracket(l.text) && lines[i+1].code == l.code && !lines[i+1].blank(); joined++ {
			i++
			l.text = strings.TrimRight(l.text, " ") + gap(l.text, lines[i].text) + strings.TrimSpace(lines[i].text)
		}
		if t := strings.TrimRight(l.text, " \t"); strings.HasSuffix(t, "{") && braces(t) > 0 && len(t) > 1 {
			depth = braces(t)
			l.text, cut = strings.TrimRight(t[:len(t)-1], " \t"), true
		} else if strings.Trim(t, " \t})];") == "" && t != "" {
			continue
		}
		kept = append(kept, l)
	}
	return kept, cut
}

func braces(s string) int { return strings.Count(s, "{") - strings.Count(s, "}") }

func openBracket(s string) bool {
	s = strings.TrimRight(s, " ")
	return (strings.HasSuffix(s, "(") || strings.HasSuffix(s, ",")) && strings.Count(s, "(") > strings.Count(s, ")")
}

func gap(before, after string) string {
	after = strings.TrimSpace(after)
	if strings.HasSuffix(strings.TrimRight(before, " "), "(") || strings.HasPrefix(after, ")") {
		return ""
	}
	return " "
}

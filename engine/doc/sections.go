package doc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary maps every accepted name of a section, folded, to its own name.
// A value "Files/created" opens Files with that group; "" is a label that is
// known to belong to no section of the document.
type vocabulary map[string]string

// label is a line that opens a section.
type label struct {
	name   string // of the vocabulary; "" for a section that is left out
	inline string // content on the same line
	dress  dress
}

// longestLabel bounds how much of a line can be a label, in bytes.
const longestLabel = 48

// match reads a line as a label. Plain lines need a colon, or the label alone
// with a capital; a heading or emphasis is enough by itself.
func (v vocabulary) match(s string) (label, bool) {
	d := undress(s)
	name, size := v.prefix(d.words)
	if size == 0 {
		return label{}, false
	}
	first, _ := utf8.DecodeRuneInString(d.words)
	capital := !unicode.IsLower(first)
	rest := d.words[size:]
	closed := false
	if d.mark != "" && strings.HasPrefix(rest, d.mark) {
		rest, closed = rest[len(d.mark):], true
	}
	rest, noted := dropAnnotation(rest)
	if d.mark != "" && !closed && strings.HasPrefix(rest, d.mark) {
		rest, closed = rest[len(d.mark):], true
	}
	rest = strings.TrimLeftFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || decorative(r) || strings.ContainsRune("】」』〗", r)
	})
	if d.level > 0 {
		if bare := strings.TrimRight(rest, "#"); bare == "" || strings.HasSuffix(bare, " ") {
			rest = strings.TrimSpace(bare)
		}
	}
	if strings.HasPrefix(d.mark, "`") && !closed {
		return label{}, false // `Files: x` in code marks is an item
	}
	l := label{name: name, dress: d}
	switch {
	case rest == "":
		// `Label` alone: a lower-case word alone may end a wrapped sentence,
		// and `code` in emphasis marks alone is an item of a list.
		return l, d.level > 0 || d.mark != "" && d.mark[0] != '`' && closed || capital && d.mark == "" && !noted
	case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "："):
		if noted && !capital {
			return label{}, false
		}
		_, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		if strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "=") {
			return label{}, false // Files::open, summary := x
		}
	case capital || d.formal():
		dash := false
		for _, sep := range []string{"— ", "– ", "- ", "-- "} {
			if strings.HasPrefix(rest, sep) {
				rest, dash = rest[len(sep):], true
				break
			}
		}
		if !dash {
			return label{}, false
		}
	default:
		return label{}, false
	}
	if d.mark != "" && !closed {
		if strings.HasPrefix(rest, d.mark) {
			rest = rest[len(d.mark):]
		} else if strings.HasSuffix(rest, d.mark) {
			rest = rest[:len(rest)-len(d.mark)]
		}
	}
	l.inline = strings.TrimSpace(rest)
	return l, true
}

// prefix finds the longest name the words begin with.
func (v vocabulary) prefix(words string) (name string, size int) {
	head := words
	if len(head) > longestLabel {
		head = head[:longestLabel]
	}
	if head == "" {
		return "", 0
	}
	folded, sizes := foldSizes(head)
	for i := len(sizes) - 1; i > 0; i-- {
		end := sizes[i]
		if end.raw < len(words) {
			if r, _ := utf8.DecodeRuneInString(words[end.raw:]); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' && !strings.HasPrefix(words[end.raw:], "__") && !strings.HasPrefix(words[end.raw:], "_:") {
				continue
			}
		}
		if name, ok := v[folded[:end.folded]]; ok {
			return name, end.raw
		}
	}
	return "", 0
}

type foldEnd struct{ raw, folded int }

// foldSizes folds s and gives the ends of every rune in both forms.
func foldSizes(s string) (string, []foldEnd) {
	var b strings.Builder
	ends := []foldEnd{{}}
	space := false
	for i, r := range s {
		if r == utf8.RuneError {
			break
		}
		f := fold(string(r))
		if f == "_" || f == "-" {
			f = " " // target_files, target-files
		}
		if f == " " && space {
			f = ""
		}
		space = f == " " || f == "" && space
		b.WriteString(f)
		ends = append(ends, foldEnd{i + utf8.RuneLen(r), b.Len()})
	}
	return b.String(), ends
}

// dropAnnotation takes a remark in round brackets off the front, as in
// `Files (3)`. It needs a space before it: `summary(text: string)` is code.
func dropAnnotation(s string) (rest string, found bool) {
	t := strings.TrimLeft(s, " \t")
	open, shut := "(", ")"
	if strings.HasPrefix(t, "（") {
		open, shut = "（", "）"
	} else if t == s {
		return s, false
	}
	if !strings.HasPrefix(t, open) {
		return s, false
	}
	end := strings.Index(t, shut)
	if end < 0 || strings.ContainsAny(t[:end], ":[]<>") {
		return s, false
	}
	return t[end+len(shut):], true
}

// section is one part of a document: the lines after a label, its inline
// content first.
type section struct {
	name   string // "" for what belongs to no section
	line   int    // of the label
	inline bool   // the content began on the label's own line
	dress  dress
	lines  []line
}

// sections cuts lines at the labels of v. What stands before the first label
// comes first, under the name "preamble". Unknown headings that are not below
// the level of the sections open a nameless section.
func (v vocabulary) sections(lines []line) []section {
	all := []section{{name: preamble}}
	level := 0
	open := func(l line, lb label) {
		s := section{name: lb.name, line: l.n, inline: lb.inline != "", dress: lb.dress}
		if lb.inline != "" {
			s.lines = append(s.lines, line{n: l.n, text: lb.inline})
		}
		if lb.dress.level > 0 && lb.name != "" && level == 0 {
			level = lb.dress.level
		}
		all = append(all, s)
	}
	looked := 0 // no table that starts before this line holds sections
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		current := &all[len(all)-1]
		if l.code != prose {
			current.lines = append(current.lines, l)
			continue
		}
		if isTableRow(l.text) && i >= looked {
			if rows, used := v.tableSections(lines[i:]); used > 0 {
				all = append(all, rows...)
				i += used - 1
				continue
			}
			for looked = i; looked < len(lines) && isTableRow(lines[looked].text); looked++ {
			}
		}
		lb, ok := v.match(l.text)
		// A property such as `files: string[]` among signatures is no label.
		if ok && current.name == sigs && !lb.dress.formal() && has(all, lb.name) && unicode.IsLower(firstRune(lb.dress.words)) {
			ok = false
		}
		if ok {
			open(l, lb)
			if lb.inline == "" && i+1 < len(lines) && isRule(lines[i+1].text) {
				i++
			}
			continue
		}
		if d := headingDress(l.text); d.level > 0 && (level == 0 || d.level <= level) {
			open(l, label{dress: d})
			continue
		}
		if current.dress.mark != "" && current.dress.level == 0 && strongTitle(l.text) {
			open(l, label{dress: current.dress})
			continue
		}
		if current.name != preamble && len(trimBlank(current.lines)) == 0 && isRule(l.text) {
			continue
		}
		current.lines = append(current.lines, l)
	}
	return all
}

const (
	preamble = "preamble"
	sigs     = "Signatures"
)

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

func has(all []section, name string) bool {
	for _, s := range all {
		if s.name == name {
			return true
		}
	}
	return false
}

var strongLine = lazily(`^\s*(?:\*\*|__)[\pL][^*_:：]{0,40}[:：]?(?:\*\*|__)[:：]?\s*$`)

// strongTitle tells a line in bold that heads something of its own, where the
// sections are headed in bold as well. A group of files is no such thing.
func strongTitle(s string) bool {
	if !strongLine.MatchString(s) {
		return false
	}
	words := bare(s)
	return groups[fold(words)] == "" && !pathLike(words)
}

// headingDress reads a Markdown heading: marks, then a space, then words.
func headingDress(s string) dress {
	t := strings.TrimLeft(s, " ")
	n := len(t) - len(strings.TrimLeft(t, "#"))
	if n == 0 || n > 6 || len(t) <= n || t[n] != ' ' {
		return dress{}
	}
	return dress{level: n, words: strings.TrimSpace(t[n:])}
}

// tableSections reads a table whose rows, or whose columns, are sections, and
// tells how many lines it used; 0 when the table is something else.
func (v vocabulary) tableSections(lines []line) ([]section, int) {
	var rows []line
	used := 0
	for _, l := range lines {
		if l.code != prose || !isTableRow(l.text) && !isTableRule(l.text) {
			break
		}
		used++
		if !isTableRule(l.text) {
			rows = append(rows, l)
		}
	}
	cell := func(name string, l line, text string) section {
		s := section{name: name, line: l.n, inline: true}
		for _, part := range splitBreaks(text) {
			s.lines = append(s.lines, line{n: l.n, text: part})
		}
		return s
	}
	var out []section
	labelled := 0
	for _, l := range rows {
		if row := cells(l.text); len(row) > 1 {
			if name := v.cell(row[0]); name != "" {
				labelled++
				out = append(out, cell(name, l, strings.Join(row[1:], " | ")))
			}
		}
	}
	if labelled >= 2 {
		return out, used
	}
	if len(rows) < 2 {
		return nil, 0
	}
	head := cells(rows[0].text)
	out = nil
	for i, h := range head {
		name := v.cell(h)
		if name == "" {
			continue
		}
		for _, l := range rows[1:] {
			if row := cells(l.text); i < len(row) {
				out = append(out, cell(name, l, row[i]))
			}
		}
	}
	if len(out) < 3*(len(rows)-1) {
		return nil, 0
	}
	return out, used
}

// cell reads a table cell that holds nothing but a label.
func (v vocabulary) cell(s string) string {
	words := bare(s)
	if name, size := v.prefix(words); size == len(words) {
		return name
	}
	return ""
}

func splitBreaks(s string) []string {
	for _, br := range []string{"<br/>", "<br />", "<BR>"} {
		s = strings.ReplaceAll(s, br, "<br>")
	}
	return strings.Split(s, "<br>")
}

// escape guards a line of free text that would read as structure; unescape
// takes the guard off. Both look at the same words, so they undo each other.
func (v vocabulary) escape(s string) string {
	if v.structural(strings.TrimLeft(s, `\`)) {
		return `\` + s
	}
	return s
}

func (v vocabulary) unescape(s string) string {
	if strings.HasPrefix(s, `\`) && v.structural(strings.TrimLeft(s, `\`)) {
		return s[1:]
	}
	return s
}

func (v vocabulary) structural(s string) bool {
	if _, ok := v.match(s); ok {
		return true
	}
	if headingDress(s).level > 0 {
		return true
	}
	if isTableRow(s) {
		for _, c := range cells(s) {
			if v.cell(c) != "" {
				return true
			}
		}
	}
	return documentHeading(s)
}

// escapeText and unescapeText treat every line outside fences.
func (v vocabulary) escapeText(text string) string   { return mapProse(text, v.escape) }
func (v vocabulary) unescapeText(text string) string { return mapProse(text, v.unescape) }

func mapProse(text string, change func(string) string) string {
	lines := split(text, 1)
	for i, l := range lines {
		if l.code == prose {
			lines[i].text = change(l.text)
		}
	}
	return join(lines)
}

package voice

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestReply bounds what is read of a reply: whatever it says belongs in its
// first lines.
const longestReply = 256 << 10

// read finds the fields of a reply to a prompt; nil when the first of them is
// not there and the model has to be asked again. Fences, marks of emphasis,
// tables, thinking, chatter around the answer and names of fields in other
// languages are all one to it. What stands in the prompt as it is, is no
// answer: an echo.
func read(reply Reply, prompt string, fields []string) map[string][]string {
	text := plainReply(reply.Text)
	first := func(text string) bool {
		return slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
			field, _, ok := label(line)
			return ok && field == fields[0]
		})
	}
	text, ok := withoutThinking(text, first)
	if !ok {
		return nil
	}
	r := &reader{fields: fields, echo: echoes(prompt), found: map[string][]string{}}
	if !r.object(text) {
		for _, fences := range []bool{false, true} {
			r.found, r.last = map[string][]string{}, ""
			r.lines(text, fences)
			if r.whole() {
				break
			}
		}
		if reply.Cut && r.last != "" {
			delete(r.found, r.last) // nobody knows how it goes on
		}
	}
	if !r.whole() {
		return nil
	}
	return r.found
}

// plainReply is a reply without what different systems spell differently:
// line ends, invisible characters, full-width letters and marks.
func plainReply(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), longestReply)], "")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x3000 || r == 0xa0 || r == 0x202f:
			return ' '
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xfee0
		case r == '\n' || r == '\t':
			return r
		case r < 0x20 || r == 0x7f || invisible(r):
			return -1
		}
		return r
	}, text)
}

// echoes are the lines of a prompt that name a field.
func echoes(prompt string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(plainReply(prompt)) {
		if _, _, ok := label(line); ok {
			out[strings.TrimSpace(line)] = true
		}
	}
	return out
}

// reader gathers the fields of one reply.
type reader struct {
	fields []string
	echo   map[string]bool
	found  map[string][]string // lines of text, or items of a list
	last   string              // the field found last
}

func (r *reader) whole() bool { return len(r.found[r.fields[0]]) > 0 }

// lines reads fields that stand on lines; those in fences, or those outside.
func (r *reader) lines(text string, fences bool) {
	field, fence, gap := "", false, false
	var waiting []string // lines behind a gap: they count if another field follows
	var head []string    // the fields that a table's columns hold
	for line := range strings.Lines(split(text)) {
		line = strings.TrimRight(line, " \t\n")
		if isFence(line) {
			fence = !fence
			continue
		}
		if fence != fences || r.echo[strings.TrimSpace(line)] {
			continue
		}
		if cells := cells(line); cells != nil {
			switch row := r.columns(cells); {
			case row != nil:
				head = row
			case head != nil && !isRule(strings.Join(cells, "")):
				for i, f := range head[:min(len(head), len(cells))] {
					r.add(f, cells[i])
				}
				head = nil
			case head == nil && len(cells) > 1:
				if f, rest, ok := label(cells[0] + ":"); ok && rest == "" && slices.Contains(r.fields, f) {
					r.add(f, strings.Join(cells[1:], " "))
				}
			}
			field = ""
			continue
		}
		if f, rest, ok := label(line); ok {
			if f == r.fields[0] && r.whole() {
				return // a second answer
			}
			r.add(field, waiting...)
			field, waiting, gap = "", nil, false
			if slices.Contains(r.fields, f) && !placeholder(rest) {
				field, r.last = f, f
				if rest != "" {
					r.add(f, rest)
				}
			}
			continue
		}
		switch {
		case strings.TrimSpace(line) == "":
			gap = gap || len(r.found[field]) > 0
		case isRule(line) || field == "":
		case gap:
			waiting = append(waiting, line)
		default:
			r.add(field, line)
		}
	}
}

func (r *reader) columns(cells []string) []string {
	var row []string
	for _, c := range cells {
		f, rest, ok := label(c + ":")
		if !ok || rest != "" {
			return nil
		}
		row = append(row, f)
	}
	return row
}

// add gives a field another line.
func (r *reader) add(field string, lines ...string) {
	if field == "" {
		return
	}
	for _, line := range lines {
		if isList(field) {
			r.found[field] = append(r.found[field], items(line)...)
		} else if line = bare(line); !isNone(line) {
			r.found[field] = append(r.found[field], line)
		}
	}
}

// allInOne finds a further field within a line. Only the words asked for, in
// capitals, are looked for there.
var allInOne = regexp.MustCompile(`[ \t;|]+[*_]*((?:PURPOSE|DEPS|DEPENDENCIES|KEY CONCEPTS|CONCEPTS|ROLE|ARCH|ARCHITECTURE)[*_]*:)`)

// split gives every field of a line its own.
func split(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		_, rest, ok := label(line)
		if at := strings.LastIndex(line, rest); ok && rest != "" && at >= 0 && !strings.HasPrefix(strings.TrimLeft(line, " \t>"), "|") {
			line = line[:at] + allInOne.ReplaceAllString(line[at:], "\n$1")
		}
		b.WriteString(line)
	}
	return b.String()
}

var (
	number = regexp.MustCompile(`^\d{1,2}[.)][ \t]`)
	aside  = regexp.MustCompile(`^[ \t]*\([^()\n]{0,60}\)`)
)

// label reads a line that begins with the name of a field.
func label(line string) (field, rest string, ok bool) {
	s := undressed(line)
	size := 0
	for name := range prefixes(s) {
		if f := names[strings.ToLower(name)]; f != "" {
			field, size = f, len(name)
		}
	}
	if size == 0 {
		return "", "", false
	}
	s = strings.TrimLeft(s[size:], "*_`\"'] \t】>)")
	s = strings.TrimLeft(s[len(aside.FindString(s)):], "*_`\"'] \t】>)")
	dressed := strings.HasSuffix(strings.TrimRight(line[:len(line)-len(s)], " \t"), "】") || strings.HasSuffix(line[:len(line)-len(s)], ">")
	switch r, n := utf8.DecodeRuneInString(s); {
	case s == "" || strings.Trim(s, "# \t*_") == "":
		s = ""
	case r == ':' || r == '=':
		s = s[n:]
	case (r == '-' || r == '–' || r == '—' || r == '→') && strings.HasPrefix(s[n:], " "):
		s = s[n:]
	case dressed:
	default:
		return "", "", false
	}
	s = strings.TrimSpace(s)
	if at := strings.Index(s, "</"); at >= 0 && strings.HasSuffix(s, ">") {
		s = s[:at]
	}
	if strings.ContainsAny(line[:len(line)-len(strings.TrimLeft(line, " \t>#0123456789.)-+•*_"))], "*_") || strings.HasPrefix(s, "** ") || strings.HasPrefix(s, "__ ") {
		s = strings.TrimLeft(s, "*_ ")
	}
	return field, strings.TrimSpace(strings.TrimRight(s, "# \t")), true
}

// prefixes are the beginnings of a line that end where a word ends.
func prefixes(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i, r := range s {
			if i > longestName {
				return
			}
			if i > 0 && !unicode.IsLetter(r) && !unicode.IsMark(r) && !yield(s[:i]) {
				return
			}
		}
		if len(s) <= longestName {
			yield(s)
		}
	}
}

// undressed is a line without what stands before its first word.
func undressed(line string) string {
	for {
		s := strings.TrimLeftFunc(line, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(">#*_`\"'[【<(•·–—+-", r) || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) ||
				r == 0xfe0f || r == 0x200d
		})
		s = s[len(number.FindString(s)):]
		if s == line {
			return s
		}
		line = s
	}
}

// cells are those of a table's row; nil for another line.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 3 || line[0] != '|' {
		return nil
	}
	const bar = "\x00"
	line = strings.Trim(strings.ReplaceAll(line, `\|`, bar), "|")
	out := strings.Split(line, "|")
	for i, c := range out {
		out[i] = strings.TrimSpace(strings.ReplaceAll(c, bar, "|"))
	}
	return out
}

// isRule tells a line that draws.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 1 && strings.Trim(line, "-=*_:| ") == ""
}

// placeholder is the form, not filled in.
func placeholder(text string) bool {
	return len(text) > 2 && text[0] == '<' && text[len(text)-1] == '>' && !strings.Contains(text, "</")
}

// object reads a reply that is, or holds, a JSON object.
func (r *reader) object(text string) bool {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return false
	}
	var all map[string]any
	if json.Unmarshal([]byte(text[from:to+1]), &all) != nil {
		return false
	}
	keys := make([]string, 0, len(all))
	for key := range all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		field, value := names[strings.ToLower(key)], all[key]
		if !slices.Contains(r.fields, field) {
			continue
		}
		list, _ := value.([]any)
		if text, ok := value.(string); ok {
			list = []any{text}
		}
		for _, item := range list {
			if text, ok := item.(string); ok {
				r.add(field, strings.Split(text, "\n")...)
			}
		}
	}
	return r.whole()
}

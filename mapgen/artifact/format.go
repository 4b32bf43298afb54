package artifact

import (
	"strings"
)

// The order of sections in each document.
var (
	mapSections   = []string{"role", "files", "arch", "tags", "symbols", "workflows", "dirty"}
	indexSections = []string{"role", "parent", "children", "files", "links", "workflows", "dirty"}
)

const (
	keepOpen  = "<!-- keep -->"
	keepClose = "<!-- /keep -->"
)

// Format writes the document in its one canonical form.
func (m *Map) Format() []byte {
	w := writer{extra: m.Extra}
	w.line("# " + escape(m.Dir, ""))
	w.line("dir: " + escape(m.Dir, ""))
	w.line("index: " + escape(m.Index, ""))
	w.extras("")
	w.section("role", roleLines(m.Role))
	w.section("files", bullets(m.Files, func(f File) string { return f.bullet() }))
	w.section("arch", archLines(m.Arch))
	w.section("tags", nonEmpty(joinWords(m.Tags)))
	w.section("symbols", bullets(m.Symbols, Symbol.bullet))
	w.section("workflows", bullets(m.Workflows, Workflow.bullet))
	w.section("dirty", dirtyLines(m.Dirty))
	return w.bytes()
}

// Format writes the document in its one canonical form.
func (x *Index) Format() []byte {
	w := writer{extra: x.Extra}
	w.line("# " + escape(x.Dir, "") + " (index)")
	w.line("dir: " + escape(x.Dir, ""))
	w.extras("")
	w.section("role", roleLines(x.Role))
	w.section("parent", bullets(x.Parent, Link.bullet))
	w.section("children", bullets(x.Children, Link.bullet))
	w.section("files", bullets(x.Files, func(f File) string { return f.bullet() }))
	w.section("links", []string{"index: " + escape(x.SelfIndex, ""), "map: " + escape(x.SelfMap, "")})
	w.section("workflows", bullets(x.Workflows, Workflow.bullet))
	w.section("dirty", dirtyLines(x.Dirty))
	return w.bytes()
}

type writer struct {
	b     strings.Builder
	extra []Extra
}

func (w *writer) line(s string) {
	w.b.WriteString(s)
	w.b.WriteByte('\n')
}

func (w *writer) section(name string, lines []string) {
	w.line("## " + name)
	if len(lines) == 0 {
		lines = []string{"-"}
	}
	for _, l := range lines {
		w.line(l)
	}
	w.extras(name)
}

// extras writes the unknown sections that follow a known one.
func (w *writer) extras(after string) {
	for _, x := range w.extra {
		if x.After != after {
			continue
		}
		if x.Name != "" {
			w.line("## " + x.Name)
		}
		for _, l := range x.Lines {
			w.line(l)
		}
	}
}

func (w *writer) bytes() []byte { return []byte(w.b.String()) }

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// roleLines keeps a role on one line that cannot be taken for a heading.
func roleLines(role string) []string {
	role = freeText(strings.Join(strings.FieldsFunc(role, func(r rune) bool { return r == '\n' || r == '\r' }), " "))
	if role == "-" {
		role = ""
	}
	return nonEmpty(role)
}

// freeText escapes a line of prose: marks inside it stay readable, since it is
// not split into fields.
func freeText(line string) string {
	line = strings.ReplaceAll(escape(trim(line), ""), `\|`, "|")
	line = strings.ReplaceAll(line, "<!--", `<\!--`)
	if strings.HasPrefix(line, "#") {
		line = `\` + line
	}
	return line
}

// readText is the reverse. Bars need no escape in prose.
func readText(line string) string {
	return unescape(trim(line))
}

func archLines(blocks []Block) []string {
	var out []string
	for _, b := range blocks {
		if b.Keep {
			out = append(out, keepOpen+b.Text+keepClose)
			continue
		}
		for line := range strings.SplitSeq(trimLines(b.Text), "\n") {
			if line = freeText(line); line != "" {
				out = append(out, line)
			}
		}
	}
	return out
}

func bullets[T any](items []T, bullet func(T) string) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		out = append(out, "- "+bullet(item))
	}
	return out
}

func dirtyLines(lines []string) []string {
	var out []string
	for _, l := range lines {
		if l = escape(trim(l), "#"); l != "" && l != "-" {
			out = append(out, l)
		}
	}
	return out
}

func (f File) bullet() string {
	var b strings.Builder
	b.WriteString(escape(f.Name, ""))
	b.WriteString(" | ")
	b.WriteString(purposeText(f.Purpose))
	for _, part := range []struct {
		label string
		text  string
	}{{"exp: ", joinList(f.Exports)}, {"dep: ", joinWords(f.Deps)}, {"note: ", escape(f.Note, "")}} {
		if part.text != "" {
			b.WriteString(" | " + part.label + part.text)
		}
	}
	return b.String()
}

// purposeText is never empty and never reads as one of the labelled fields.
func purposeText(purpose string) string {
	text := escape(purpose, "")
	if text == "" {
		return "-"
	}
	if text == "-" {
		return `\-`
	}
	if label, rest, ok := strings.Cut(text, ":"); ok && isLabel(label) {
		return label + `\:` + rest
	}
	return text
}

func isLabel(s string) bool { return s == "exp" || s == "dep" || s == "note" }

func (s Symbol) bullet() string {
	if s.File == "" {
		return escape(s.Signature, "")
	}
	return escape(s.Signature, "") + " | " + escape(s.File, "")
}

func (f Workflow) bullet() string {
	return escape(f.Task, arrow) + " -> " + orDash(joinWords(f.Files))
}

func (l Link) bullet() string {
	text := escape(l.Dir, arrow) + " -> " + orDash(escape(l.Target, ""))
	if l.Role != "" {
		text += " | " + escape(l.Role, "")
	}
	return text
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

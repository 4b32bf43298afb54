package artifact

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// section is a heading with its lines as they stand.
type section struct {
	name  string // lower case
	title string // as written
	line  int    // of the heading
	lines []string
}

// ParseMap reads a .pi-map.md. It never fails: problems say what was wrong.
func ParseMap(text []byte) (*Map, []Problem) {
	p := split(string(text), mapSections)
	m := &Map{Dir: p.dir(), Index: unescape(p.head["index"]), Extra: p.extra}
	for _, s := range p.known {
		switch s.name {
		case "role":
			m.Role = appendText(m.Role, s.lines)
		case "files":
			m.Files = append(m.Files, p.files(s)...)
		case "arch":
			m.Arch = append(m.Arch, p.arch(s)...)
		case "tags":
			m.Tags = append(m.Tags, words(strings.Join(content(s.lines), ","))...)
		case "symbols":
			for item := range p.items(s) {
				f := fields(item)
				n := len(f) - 1
				sym := Symbol{Signature: unescape(strings.Join(f[:max(n, 1)], " | "))}
				if n > 0 {
					sym.File = unescape(f[n])
				}
				m.Symbols = append(m.Symbols, sym)
			}
		case "workflows":
			m.Workflows = append(m.Workflows, p.workflows(s)...)
		case "dirty":
			m.Dirty = append(m.Dirty, dirty(s.lines)...)
		}
	}
	p.require(mapSections, m.Dir)
	if m.Index == "" {
		p.problem("error", "", 1, "no line `index:`")
	}
	return m, p.problems
}

// ParseIndex reads a .pi-map.index.md. It never fails.
func ParseIndex(text []byte) (*Index, []Problem) {
	p := split(string(text), indexSections)
	x := &Index{Dir: p.dir(), Extra: p.extra}
	for _, s := range p.known {
		switch s.name {
		case "role":
			x.Role = appendText(x.Role, s.lines)
		case "parent":
			x.Parent = append(x.Parent, p.links(s)...)
		case "children":
			x.Children = append(x.Children, p.links(s)...)
		case "files":
			x.Files = append(x.Files, p.files(s)...)
		case "links":
			for _, l := range s.lines {
				if v, ok := strings.CutPrefix(trim(l), "index:"); ok {
					x.SelfIndex = unescape(trim(v))
				} else if v, ok := strings.CutPrefix(trim(l), "map:"); ok {
					x.SelfMap = unescape(trim(v))
				}
			}
		case "workflows":
			x.Workflows = append(x.Workflows, p.workflows(s)...)
		case "dirty":
			x.Dirty = append(x.Dirty, dirty(s.lines)...)
		}
	}
	p.require(indexSections, x.Dir)
	return x, p.problems
}

type parser struct {
	head     map[string]string
	title    string
	known    []section
	extra    []Extra
	problems []Problem
}

func (p *parser) problem(level, section string, line int, text string) {
	p.problems = append(p.problems, Problem{Level: level, Section: section, Line: line, Text: text})
}

// split cuts a document into its sections.
func split(text string, known []string) *parser {
	p := &parser{head: map[string]string{}}
	if !utf8.ValidString(text) {
		p.problem("error", "", 1, "not valid UTF-8")
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	text = strings.TrimPrefix(text, "\ufeff")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var current *section
	var all []section
	keepUntil := -1
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		if name, ok := heading(line); ok && i > keepUntil {
			all = append(all, section{name: strings.ToLower(name), title: name, line: i + 1})
			current = &all[len(all)-1]
			continue
		}
		if current == nil {
			p.headLine(line, i)
			continue
		}
		if current.name == "arch" && i > keepUntil {
			keepUntil = keepEnd(lines, i)
		}
		current.lines = append(current.lines, line)
	}
	p.file(all, known)
	return p
}

// keepEnd is the line on which a kept block that opens on line i ends; it may
// hold headings. Without an end it is no block.
func keepEnd(lines []string, i int) int {
	rest := lines[i]
	for {
		at := strings.Index(rest, keepOpen)
		if at < 0 {
			return -1
		}
		rest = rest[at+len(keepOpen):]
		end := strings.Index(rest, keepClose)
		if end < 0 {
			break
		}
		rest = rest[end+len(keepClose):]
	}
	for j := i + 1; j < len(lines); j++ {
		if strings.Contains(lines[j], keepClose) {
			return j
		}
	}
	return -1
}

func heading(line string) (string, bool) {
	name, ok := strings.CutPrefix(line, "## ")
	if !ok {
		return "", false
	}
	name = trim(name)
	return name, name != ""
}

func (p *parser) headLine(line string, i int) {
	switch {
	case strings.HasPrefix(line, "# ") && p.title == "":
		p.title = trim(line[2:])
	case trim(line) == "":
	default:
		key, value, ok := strings.Cut(line, ":")
		if ok && (key == "dir" || key == "index") && p.head[key] == "" {
			p.head[key] = trim(value)
			return
		}
		p.problem("warning", "", i+1, "a line that belongs to no section")
		if n := len(p.extra); n > 0 && p.extra[n-1].Name == "" {
			p.extra[n-1].Lines = append(p.extra[n-1].Lines, line)
		} else {
			p.extra = append(p.extra, Extra{Lines: []string{line}})
		}
	}
}

// file sorts sections into known ones and extras, each extra behind the last
// known section before it.
func (p *parser) file(all []section, known []string) {
	after := ""
	seen := map[string]bool{}
	for _, s := range all {
		if !slices.Contains(known, s.name) {
			p.extra = append(p.extra, Extra{After: after, Name: s.title, Lines: s.lines})
			continue
		}
		if seen[s.name] {
			p.problem("warning", s.name, s.line, "the section stands here a second time")
		}
		seen[s.name] = true
		after = s.name
		p.known = append(p.known, s)
	}
	// An extra between sections that a writer would reorder keeps its neighbour.
	slices.SortStableFunc(p.extra, func(a, b Extra) int {
		return slices.Index(known, a.After) - slices.Index(known, b.After)
	})
}

func (p *parser) dir() string {
	if dir := p.head["dir"]; dir != "" {
		return unescape(dir)
	}
	p.problem("error", "", 1, "no line `dir:`")
	return cmp.Or(p.titleDir(), ".")
}

func (p *parser) titleDir() string { return unescape(strings.TrimSuffix(p.title, " (index)")) }

func (p *parser) require(sections []string, dir string) {
	for _, name := range sections {
		if !slices.ContainsFunc(p.known, func(s section) bool { return s.name == name }) {
			p.problem("error", name, 1, "the section is missing")
		}
	}
	if p.titleDir() != dir {
		p.problem("warning", "", 1, "title and `dir:` name different directories")
	}
}

// content are the lines of a section that say something.
func content(lines []string) []string {
	var out []string
	for _, l := range lines {
		if l = trim(l); l != "" && l != "-" {
			out = append(out, l)
		}
	}
	return out
}

func appendText(so string, lines []string) string {
	for _, l := range content(lines) {
		if l = readText(l); so != "" {
			so += " "
		}
		so += l
	}
	return trim(strings.NewReplacer("\n", " ", "\r", " ").Replace(so))
}

func dirty(lines []string) []string {
	var out []string
	for _, l := range content(lines) {
		l = strings.TrimPrefix(l, "- ")
		if l = trim(unescape(trim(l))); l != "" && l != "-" {
			out = append(out, l)
		}
	}
	return out
}

// items yields the bullets of a section; other lines are problems.
func (p *parser) items(s section) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i, l := range s.lines {
			t := trim(l)
			if t == "" || t == "-" {
				continue
			}
			item, ok := strings.CutPrefix(t, "- ")
			if !ok {
				p.problem("error", s.name, s.line+1+i, "not a bullet: lost")
				continue
			}
			if item = trim(item); item != "" && !yield(item) {
				return
			}
		}
	}
}

func (p *parser) files(s section) []File {
	var out []File
	for item := range p.items(s) {
		out = append(out, parseFile(item))
	}
	return out
}

func parseFile(item string) File {
	parts := fields(item)
	f := File{Name: unescape(parts[0])}
	var purpose, exports, deps, note []string
	into := &purpose
	for _, part := range parts[1:] {
		label, rest, ok := strings.Cut(part, ":")
		if ok && isLabel(label) {
			into = map[string]*[]string{"exp": &exports, "dep": &deps, "note": &note}[label]
			part = trim(rest)
		}
		// A bar another writer did not escape belongs to the field it stands in.
		*into = append(*into, part)
	}
	f.Purpose = dashEmpty(strings.Join(purpose, " | "))
	f.Exports = list(strings.Join(exports, " | "))
	f.Deps = words(strings.Join(deps, " | "))
	f.Note = unescape(strings.Join(note, " | "))
	return f
}

func dashEmpty(s string) string {
	if s == "-" {
		return ""
	}
	return unescape(s)
}

func (p *parser) links(s section) []Link {
	var out []Link
	for item := range p.items(s) {
		dir, rest, ok := cutArrow(item)
		if !ok {
			p.problem("error", s.name, s.line, "a link without `->`: "+item)
		}
		parts := fields(rest)
		out = append(out, Link{Dir: unescape(dir), Target: dashEmpty(parts[0]), Role: unescape(strings.Join(parts[1:], " | "))})
	}
	return out
}

func (p *parser) workflows(s section) []Workflow {
	var out []Workflow
	for item := range p.items(s) {
		task, files, _ := cutArrow(item)
		out = append(out, Workflow{Task: unescape(task), Files: words(files)})
	}
	return out
}

// arch cuts the section's text at the marks of kept blocks.
func (p *parser) arch(s section) []Block {
	var out []Block
	rest := strings.Join(s.lines, "\n")
	for rest != "" {
		text := rest
		at := strings.Index(rest, keepOpen)
		end := -1
		if at >= 0 {
			end = strings.Index(rest[at:], keepClose)
		}
		if end >= 0 {
			text = rest[:at]
		} else if at >= 0 {
			p.problem("error", s.name, s.line, "a `"+keepOpen+"` without its end keeps nothing")
		}
		var lines []string
		for line := range strings.SplitSeq(text, "\n") {
			if t := trim(line); t != "" && t != "-" {
				lines = append(lines, readText(t))
			}
		}
		if block := trimLines(strings.Join(lines, "\n")); block != "" {
			out = append(out, Block{Text: block})
		}
		if end < 0 {
			break
		}
		out = append(out, Block{Keep: true, Text: rest[at+len(keepOpen) : at+end]})
		rest = rest[at+end+len(keepClose):]
	}
	return out
}

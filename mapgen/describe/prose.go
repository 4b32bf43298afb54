package describe

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// paragraphs is how many of a README are looked at: later ones are on details.
const paragraphs = 4

// readme takes a README's title and its first paragraph of prose.
func readme(in FileInput, t *FileText) {
	about := ""
	looked := 0
	title, _ := prose(string(in.Content[:min(len(in.Content), 32<<10)]), func(p string) bool {
		if len(p) > 40 {
			looked++
		}
		about = statement(p, frontPage, maxRole)
		return about != "" || looked == paragraphs
	})
	t.Kind, t.Quality = Docs, FromInside
	late := looked != 1 // a sentence from further down is on a detail
	main := definition(in.Content, path.Base(path.Dir(in.Path)), title)
	if main == "" && late {
		main = definition(in.Content, anyName(in.Content))
	}
	switch {
	case main != "":
		about = main
	case late && strings.Contains(in.Path, "/") && strings.Count(title, " ") > 1 && !doing.MatchString(title) && describes(title, frontPage):
		about = title
	}
	switch {
	case about != "":
		t.Purpose = "Introduction: " + about
		t.About, t.Rank = upper(about), 80
	case title != "":
		t.Purpose = "Introduction: " + title
		if describes(title, frontPage) {
			t.About, t.Rank = title, 40
		}
	}
}

// doing begins a title that tells how something is done.
var doing = regexp.MustCompile(`^(?:Making|Adding|Updating|Running|Building|Contributing|Working|Developing|Using|Releasing|Installing|Migrating|Getting|How)\b`)

// definition is a sentence in the first paragraphs that says what the thing of
// that name is: it tells more than the one a text opens with.
func definition(content []byte, names ...string) string {
	found, looked := "", 0
	prose(string(content[:min(len(content), 16<<10)]), func(p string) bool {
		looked++
		for rest := p; rest != "" && found == ""; {
			s := firstSentence(rest)
			if s == "" {
				break
			}
			_, after, _ := strings.Cut(rest, s)
			rest = strings.TrimLeft(after, ".!?: ")
			for _, name := range names {
				if isDefinition(s, name) {
					found = statement(s, frontPage, maxRole)
				}
			}
		}
		return found != "" || looked == 4*paragraphs
	})
	return found
}

// definedWord is the one word a sentence that defines something begins with.
var definedWord = regexp.MustCompile(`(?m)(?:^|[.!] )[*_\x60]*([A-Za-z][\w.-]+)[*_\x60]* is (?:an?|the) `)

// anyName is the first name a text defines that it goes on to speak of.
func anyName(content []byte) string {
	text := content[:min(len(content), 16<<10)]
	low := bytes.ToLower(content)
	for _, m := range definedWord.FindAllSubmatch(text, 8) {
		name := string(m[1])
		if !remarkStart[strings.ToLower(name)] && bytes.Count(low, bytes.ToLower(m[1])) > 3 {
			return name
		}
	}
	return ""
}

var defines = regexp.MustCompile(`^(?:,? \([^)]*\),?)?(?: \w+)? (?:is|are) (?:an?|the|one of) `)

func isDefinition(sentence, name string) bool {
	sentence = strings.TrimPrefix(sentence, "The ")
	return len(name) > 1 && len(sentence) > len(name) && strings.EqualFold(sentence[:len(name)], name) && defines.MatchString(sentence[len(name):])
}

// opensTag begins a tag of HTML that does not end on its line.
var opensTag = regexp.MustCompile(`^</?[A-Za-z][^>]*$`)

// linkDefinition is a line of Markdown that says where a link leads.
var linkDefinition = regexp.MustCompile(`^\[[^\]]+\]:\s`)

var underline = regexp.MustCompile(`^[=\-~^*#"]{3,}$`)

// practical are headings of parts that tell how to use a thing, not what it is.
var practical = regexp.MustCompile(`(?i)^(?:\W|\d)*(?:install|licen[sc]e|contribut|usage|getting started|quick ?start|build|requirements|prerequisites|support|thanks|credits|change ?log|authors|faq|table of contents|contents|develop|how to|test|runn?ing|setup|todo|known|links|sponsors?|security)`)

// anyProse takes the first paragraph of some length.
func anyProse(p string) bool { return saysSomething(p) && len(p) > 20 }

// prose finds the title and the first good paragraph of prose in Markdown,
// reStructuredText or plain text.
func prose(text string, good func(paragraph string) bool) (title, paragraph string) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if len(lines) > 0 && strings.TrimSpace(lines[0]) == "---" {
		title, lines = frontMatter(lines[1:])
	}
	fence, barred, directive, tag, remark := false, false, false, false, false
	var cur []string
	flush := func() bool {
		p := plain(strings.Join(cur, " "))
		cur = nil
		if !barred && good(p) {
			paragraph = p
			return true
		}
		return false
	}
	for i, line := range lines {
		l := strings.TrimSpace(line)
		if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
			fence = !fence
			cur = nil
			continue
		}
		if remark = !fence && (remark || strings.HasPrefix(l, "<!--")); remark {
			remark = !strings.Contains(l, "-->")
			continue
		}
		tag = !fence && (tag && l != "" || opensTag.MatchString(l)) // over several lines
		if tag {
			tag = !strings.Contains(l, ">")
			continue
		}
		directive = !fence && (strings.HasPrefix(l, ".. ") || directive && (l == "" || strings.HasPrefix(line, " ")))
		if directive && l != "" {
			continue // what is set in below it belongs to it
		}
		switch {
		case fence:
			continue
		case strings.HasPrefix(l, "#"), strings.HasPrefix(l, "= "):
			if flush() {
				return title, paragraph
			}
			heading := plain(strings.Trim(l, "#= "))
			barred = title != "" && practical.MatchString(heading)
			if title == "" {
				title = heading
			}
			continue
		case i+1 < len(lines) && l != "" && underline.MatchString(strings.TrimSpace(lines[i+1])) && len(cur) == 0:
			barred = title != "" && practical.MatchString(plain(l))
			if title == "" {
				title = plain(l)
			}
			continue
		case l == "":
			if flush() {
				return title, paragraph
			}
			continue
		case underline.MatchString(l), linkDefinition.MatchString(l), strings.HasPrefix(l, "[!"), strings.HasPrefix(l, "<"), strings.HasPrefix(l, ":"),
			strings.HasPrefix(l, "|"), strings.HasPrefix(l, "- "), strings.HasPrefix(l, "* "), strings.HasPrefix(line, "    "), strings.HasPrefix(l, "!["), strings.HasPrefix(l, "{"):
			continue
		}
		cur = append(cur, strings.TrimPrefix(l, "> "))
	}
	flush()
	return title, paragraph
}

func frontMatter(lines []string) (title string, rest []string) {
	for i, l := range lines {
		if strings.TrimSpace(l) == "---" {
			return title, lines[i+1:]
		}
		if v, ok := strings.CutPrefix(l, "title:"); ok {
			title = strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return "", lines
}

var (
	yamlKey  = regexp.MustCompile(`(?m)^([A-Za-z][\w.-]*):`)
	jsonKey  = regexp.MustCompile(`(?m)^[ \t]{1,4}"([^"\n]{1,40})"\s*:`)
	iniPart  = regexp.MustCompile(`(?m)^\s*\[+([^\]\n]+)\]`)
	sqlThing = regexp.MustCompile(`(?i)\b(?:create|alter)\s+(?:or replace\s+)?(?:table|view|index|function|type)\s+(?:if not exists\s+)?["\x60]?([\w.]+)`)
	tfThing  = regexp.MustCompile(`(?m)^(?:resource|module|variable|output|data|provider)\s+"([^"]+)"(?:\s+"([^"]+)")?`)
	htmlHead = regexp.MustCompile(`(?is)<title>\s*([^<]+?)\s*</title>`)
	protoDef = regexp.MustCompile(`(?m)^(?:service|message)\s+(\w+)`)
)

// textFile describes what no extractor reads.
func textFile(in FileInput, name string, t *FileText) {
	ext := strings.ToLower(path.Ext(name))
	what := upper(phrase(strings.TrimSuffix(name, path.Ext(name))))
	t.Quality = FromNames
	if asset := assetExts[ext]; asset != "" {
		t.Purpose = what + " (" + asset + ")"
		return
	}
	if docExts[ext] && in.Content != nil {
		title, text := prose(string(in.Content[:min(len(in.Content), 32<<10)]), anyProse)
		about := sentence(text, maxPurpose)
		switch {
		case title != "" && saysSomething(about):
			t.Purpose, t.Quality = title+": "+about, FromInside
		case title != "":
			t.Purpose, t.Quality = title, FromInside
		case saysSomething(about):
			t.Purpose, t.Quality = about, FromInside
		default:
			t.Purpose = what
		}
		return
	}
	head := in.Content[:min(len(in.Content), 64<<10)]
	found, label := []string(nil), ""
	switch ext {
	case ".json", ".jsonc", ".json5":
		found, label = all(head, jsonKey), "JSON: "
	case ".yml", ".yaml":
		found, label = all(head, yamlKey), "settings: "
	case ".toml", ".ini", ".cfg", ".conf":
		found, label = all(head, iniPart), "settings: "
	case ".sql":
		found, label = all(head, sqlThing), "SQL on "
	case ".tf", ".hcl":
		found, label = all(head, tfThing), "infrastructure: "
	case ".proto":
		found, label = all(head, protoDef), "protocol: "
	case ".html", ".htm", ".xhtml", ".vue", ".svelte":
		if m := htmlHead.FindSubmatch(head); m != nil {
			found, label = []string{plain(string(m[1]))}, "page: "
		}
	}
	switch {
	case len(found) > 0:
		t.Purpose = what + ", " + label + some(found, 4, ", ")
	case ext == ".s" || ext == ".asm":
		in.Language = "Assembly"
		if c := looseComment(in); c != "" {
			t.Purpose, t.Quality = c, FromInside
			return
		}
		t.Purpose = what + " (assembly)"
	default:
		if c := headComment(in.Content); c != "" {
			t.Purpose, t.Quality = c, FromInside
			return
		}
		t.Purpose = what
		if ext != "" {
			t.Purpose += " (" + ext[1:] + ")"
		}
	}
}

func all(text []byte, p *regexp.Regexp) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range p.FindAllSubmatch(text, 60) {
		s := plain(string(m[1]))
		if len(m) > 2 && len(m[2]) > 0 {
			s += " " + string(m[2])
		}
		if s != "" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// headComment is a comment in the first lines of a file of unknown kind.
func headComment(content []byte) string {
	var text []string
	for i, l := range strings.Split(string(content[:min(len(content), 2000)]), "\n") {
		l = strings.TrimSpace(l)
		if i > 20 || strings.HasPrefix(l, "#!") {
			continue
		}
		if l == "" && len(text) > 0 {
			break
		}
		if !strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "//") && !strings.HasPrefix(l, ";") && !strings.HasPrefix(l, "--") {
			break
		}
		text = append(text, strings.Trim(l, "#/;- "))
	}
	if s := sentence(strings.Join(text, " "), maxPurpose); saysSomething(s) {
		return s
	}
	return ""
}

package symbols

import (
	"regexp"
	"strings"
)

// Light languages are read line by line, by a few patterns each: no grammar
// of theirs is built in, since what it would add is not worth its minutes of
// compiling and megabytes. What a line declares at the margin is listed, what
// needs understanding is not; no claim is made about syntax errors.

// LightNote marks a file that was read line by line.
const LightNote = "light: read line by line"

// Light says whether files of a language are read line by line.
func Light(language string) bool {
	for _, lang := range lightLanguages {
		if lang.name == language {
			return lang.native != nil
		}
	}
	return Document(language)
}

// lightLanguages are rows of their own; those of components, whose scripts a
// grammar reads, are here as well.
var lightLanguages = []*language{
	{name: "Kotlin", exts: []string{".kt", ".kts"}, native: lightly(cLike,
		`import\s+(?P<import>[\w.]+\*?)`,
		`(?:(?:public|open|abstract|sealed|data|inner|enum|annotation|value|inline|expect|actual|fun|companion|@\w+(?:\([^)]*\))?)\s+)*(?P<kind>class|interface|object)\s+(?P<name>\w+)`,
		`(?:(?:public|inline|operator|infix|suspend|tailrec|external|expect|actual|@\w+(?:\([^)]*\))?)\s+)*(?P<kind>fun)\s+(?:<[^>]*>\s*)?(?:[\w<>?, ]+\.)?(?P<name>\w+)\s*\(`,
		`(?:(?:public|const|lateinit|@\w+)\s+)*(?P<kind>val|var)\s+(?:[\w<>?]+\.)?(?P<name>\w+)`,
		`(?:public\s+)?(?P<kind>typealias)\s+(?P<name>\w+)`)},
	{name: "Swift", exts: []string{".swift"}, native: lightly(cLike,
		`(?:@\w+\s+)*import\s+(?:(?:struct|class|enum|protocol|func|typealias)\s+)?(?P<import>[\w.]+)`,
		`(?:(?:public|open|internal|package|final|indirect|@\w+(?:\([^)]*\))?)\s+)*(?P<kind>class|struct|enum|protocol|actor|typealias)\s+(?P<name>\w+)`,
		`(?:(?:public|open|internal|package|@\w+(?:\([^)]*\))?)\s+)*(?P<kind>func)\s+(?P<name>\w+)`,
		`(?:(?:public|open|internal|package|@\w+)\s+)*(?P<kind>let|var)\s+(?P<name>\w+)`)},
	{name: "Scala", exts: []string{".scala", ".sc"}, native: lightly(cLike,
		`import\s+(?P<import>[\w.]+[{*]?)`,
		`(?:(?:abstract|final|sealed|implicit|lazy|open|inline|case|@\w+)\s+)*(?P<kind>class|object|trait|enum|type|given)\s+(?P<name>\w+)`,
		`(?:(?:final|implicit|inline|override|@\w+)\s+)*(?P<kind>def)\s+(?P<name>\w+)`,
		`(?:(?:final|implicit|lazy|inline)\s+)*(?P<kind>val|var)\s+(?P<name>\w+)`)},
	{name: "Lua", exts: []string{".lua"}, shebangs: []string{"lua", "luajit"}, native: lightly(comments{line: "--", open: "--[[", end: "]]"},
		`(?:local\s+\w+\s*=\s*)?require\s*\(?\s*["'](?P<import>[^"']+)["']`,
		`(?P<kind>function)\s+(?P<name>[\w.:]+)\s*\(`,
		`(?P<name>[A-Za-z_]\w*\.[\w.]+)\s*=\s*(?P<kind>function)\b`)},
	{name: "SQL", exts: []string{".sql"}, native: lightly(comments{line: "--", open: "/*", end: "*/"},
		`(?i:create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+|unlogged\s+|recursive\s+)*(?P<kind>table|view|index|function|procedure|trigger|type|schema|sequence|domain|extension)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?P<name>"[^"]+"|[\w."\x60\[\]]+))`)},
	{name: "Terraform", exts: []string{".tf", ".tfvars", ".hcl"}, native: lightly(comments{line: "#", line2: "//", open: "/*", end: "*/"},
		`(?P<kind>resource|data|ephemeral)\s+"(?P<name>[^"]+"\s+"[^"]+)"`,
		`(?P<kind>module|variable|output|provider|check)\s+"(?P<name>[^"]+)"`,
		`\s+source\s*=\s*"(?P<import>[^"$]+)"`)},
	{name: "Vue", exts: []string{".vue"}, grammar: "typescript", generics: true, mask: scriptOf, repair: repairScript, extract: extractScript,
		bodies: scriptBodies, leaves: scriptLeaves, late: scriptLate},
	{name: "Svelte", exts: []string{".svelte"}, grammar: "typescript", generics: true, mask: scriptOf, repair: repairScript, extract: extractScript,
		bodies: scriptBodies, leaves: scriptLeaves, late: scriptLate},
}

// comments are how they are told from code.
type comments struct{ line, line2, open, end string }

var cLike = comments{line: "//", open: "/*", end: "*/"}

// kinds translates a language's own words.
var lightKinds = map[string]string{"fun": "function", "func": "function", "def": "function", "val": "const", "let": "const", "var": "variable", "typealias": "alias",
	"object": "module", "protocol": "interface", "actor": "class", "given": "const"}

// lightly reads by patterns, each of a whole line from its margin. A group
// called import is a dependency; name and kind are of an export.
func lightly(s comments, patterns ...string) func(*File, []byte, Limits) {
	var all []*regexp.Regexp
	for _, p := range patterns {
		all = append(all, regexp.MustCompile("^"+p))
	}
	return func(f *File, text []byte, _ Limits) {
		f.addNote(LightNote)
		inside := "" // the end of a comment of several lines
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			line = strings.TrimRight(line, "\r\n")
			code, open := s.code(line, inside)
			inside = open
			if code == "" || len(code) > 2000 {
				continue
			}
			for _, p := range all {
				if m := p.FindStringSubmatch(code); m != nil {
					f.light(p, m, code, number)
					break
				}
			}
		}
	}
}

// code is a line without its comments; open is the end that is waited for.
func (s comments) code(line, inside string) (code, open string) {
	if inside != "" {
		at := strings.Index(line, inside)
		if at < 0 {
			return "", inside
		}
		line = line[at+len(inside):]
	}
	if at := strings.Index(line, s.open); at >= 0 && !inString(line, at) {
		rest := line[at+len(s.open):]
		if end := strings.Index(rest, s.end); end >= 0 {
			return s.code(line[:at]+rest[end+len(s.end):], "")
		}
		line, open = line[:at], s.end
	}
	for _, mark := range []string{s.line, s.line2} {
		if at := strings.Index(line, mark); mark != "" && at >= 0 && !inString(line, at) {
			line = line[:at]
		}
	}
	return strings.TrimRight(line, " \t"), open
}

// inString says whether a place in a line lies in a string.
func inString(line string, at int) bool {
	in := byte(0)
	for i := 0; i < at; i++ {
		switch c := line[i]; {
		case in != 0 && c == '\\':
			i++
		case in == c:
			in = 0
		case in == 0 && (c == '"' || c == '\''):
			in = c
		}
	}
	return in != 0
}

func (f *File) light(p *regexp.Regexp, m []string, code string, number int) {
	group := func(name string) string {
		if at := p.SubexpIndex(name); at >= 0 {
			return m[at]
		}
		return ""
	}
	if to := group("import"); to != "" {
		f.Imports = append(f.Imports, Import{Path: to, Line: number, Relative: strings.HasPrefix(to, ".")})
		return
	}
	kind, name := strings.ToLower(group("kind")), unquoted(group("name"))
	if translated, ok := lightKinds[kind]; ok {
		kind = translated
	}
	f.Exports = append(f.Exports, Export{Name: name, Kind: kind, Signature: lightSignature(code), Line: number})
}

func unquoted(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	return strings.NewReplacer(`" "`, ".", `"`, "", "`", "", "[", "", "]", "").Replace(name)
}

// lightSignature is the line up to what it opens.
func lightSignature(code string) string {
	code = strings.TrimRight(code, " \t")
	for _, end := range []string{"{", " =", "=", "("} {
		if rest, ok := strings.CutSuffix(code, end); ok {
			code = strings.TrimRight(rest, " \t")
			break
		}
	}
	code = strings.Join(strings.Fields(code), " ")
	if len(code) > maxSignature {
		code = strings.ToValidUTF8(code[:maxSignature-3], "") + "…"
	}
	return code
}

var scriptTag = regexp.MustCompile(`(?is)<script\b[^>]*>(.*?)</script\s*>`)

// scriptOf blanks everything of a component but its scripts.
func scriptOf(text []byte) []byte {
	out := make([]byte, len(text))
	for i, c := range text {
		if out[i] = ' '; c == '\n' {
			out[i] = c
		}
	}
	for _, at := range scriptTag.FindAllSubmatchIndex(text, -1) {
		copy(out[at[2]:at[3]], text[at[2]:at[3]])
	}
	return out
}

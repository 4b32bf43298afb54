package describe

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// DescribeFile says what one file is for.
func DescribeFile(in FileInput) FileText {
	name := path.Base(in.Path)
	in.Language = languageOf(name, in.Language)
	t := FileText{Kind: kindOf(in)}
	if known(in, name, &t) {
		return finish(t)
	}
	switch {
	case t.Kind == Test && in.Language != "":
		testFile(in, name, &t)
	case in.Language != "":
		codeFile(in, name, &t)
	default:
		textFile(in, name, &t)
	}
	return finish(t)
}

func finish(t FileText) FileText {
	t.Purpose = clip(strings.TrimRight(t.Purpose, ". "), maxPurpose)
	t.About = clip(strings.TrimRight(t.About, ". "), maxRole)
	return t
}

var (
	testName = regexp.MustCompile(`(?i)[._-](?:test|tests|spec|test-d)\.[a-z]+$|Tests?\.(?:java|cs|php|kt|swift)$|^test_.*\.(?:py|rb|c|cc|cpp|sh)$|^(?:tests?|conftest)\.(?:py|rs)$|\.bats$`)
	testDir  = regexp.MustCompile(`^testing/|(?:^|/)(?:[Tt]ests?|__tests__|spec|specs|e2e|[\w.]+\.Tests?|[A-Za-z]*(?:Unit|Integration|Functional|Acceptance)Tests?|(?:android|android\w*|common|jvm|native|js|ios)Test)/`)
	dataDir  = regexp.MustCompile(`(?:^|/)(?:testdata|TestData|(?:[\w-]*[-_])?[Ff]ixtures?(?:-\w+)?|__fixtures__|test-fixtures|test_data|mocks?|__mocks__|snapshots|__snapshots__|golden)(?:/|$)`)
)

// amongTests says cheaply that a path can be one of tests.
func amongTests(path string) bool {
	return strings.Contains(path, "est") || strings.Contains(path, "pec") || strings.Contains(path, "e2e") || strings.HasSuffix(path, ".bats") || strings.Contains(path, "EST")
}

func kindOf(in FileInput) string {
	name := path.Base(in.Path)
	ext := strings.ToLower(path.Ext(name))
	switch {
	case dataDir.MatchString(path.Dir(in.Path) + "/"):
		return Data
	case in.Language != "" && amongTests(in.Path) && (testName.MatchString(name) || testDir.MatchString(in.Path)):
		return Test
	case in.Language != "":
		return Code
	case docExts[ext]:
		return Docs
	case assetExts[ext] != "":
		return Asset
	case configExts[ext]:
		return Config
	case buildExts[ext] && !testDir.MatchString(in.Path):
		return Build
	}
	return Data
}

var (
	docExts    = map[string]bool{".rdoc": true, ".pod": true, ".md": true, ".mdx": true, ".markdown": true, ".rst": true, ".adoc": true, ".txt": true, ".tex": true, ".org": true}
	configExts = map[string]bool{".json": true, ".json5": true, ".jsonc": true, ".yaml": true, ".yml": true, ".toml": true, ".ini": true,
		".cfg": true, ".conf": true, ".properties": true, ".xml": true, ".hcl": true, ".tf": true, ".tfvars": true, ".plist": true, ".env": true}
	buildExts = map[string]bool{".cmake": true, ".mk": true, ".mak": true, ".gradle": true, ".bzl": true, ".bazel": true, ".m4": true, ".ac": true, ".am": true, ".gn": true,
		".gni": true, ".gyp": true, ".gypi": true, ".nix": true, ".spec": true, ".sln": true, ".props": true, ".targets": true}
	assetExts = map[string]string{".png": "image", ".jpg": "image", ".jpeg": "image", ".gif": "image", ".webp": "image", ".ico": "icon",
		".svg": "vector image", ".woff": "font", ".woff2": "font", ".ttf": "font", ".otf": "font", ".eot": "font", ".mp3": "sound",
		".wav": "sound", ".ogg": "sound", ".mp4": "video", ".webm": "video", ".mov": "video", ".pdf": "PDF document",
		".css": "style sheet", ".scss": "style sheet", ".sass": "style sheet", ".less": "style sheet", ".bmp": "image"}
)

// codeFile describes source: by its own words, by the comment above what it
// exports, by its names.
func codeFile(in FileInput, name string, t *FileText) {
	t.Entry = isEntry(in, name)
	t.Topics = topics(in)
	if doc := ownStatement(in); doc != "" {
		t.Purpose, t.Quality = lead(doc), FromItself
		t.About, t.Rank = t.Purpose, docRank(in, name)
		if in.Language != "Go" && t.Rank > OfReader && saidLate(in.Doc, doc) {
			t.Rank = OfReader - 1 // a package's manifest knows better
		}
	}
	if t.Purpose != "" && (in.Language != "Go" || t.Rank < 90) {
		return
	}
	if p, grade := commentedSymbol(in, name); p != "" {
		t.Purpose, t.Quality = p, max(t.Quality, grade)
	}
	if t.Purpose == "" {
		t.Purpose, t.Quality = byNames(in, name)
	}
}

// saidLate says that a statement comes after much else.
func saidLate(doc, statement string) bool {
	const much = 40
	words := strings.Fields(strings.TrimRight(statement, "…"))
	at := strings.Index(plain(doc), strings.Join(words[min(1, len(words)-1):min(4, len(words))], " "))
	return at > much || at < 0 && doc != ""
}

// ownStatement is what a file says of itself. Where a language has a comment
// that is about the file, that one counts; otherwise what stands at the top.
func ownStatement(in FileInput) string {
	switch in.Language {
	case "Go", "Python", "Java", "Rust":
		if s := statement(in.Doc, ownWords, maxRole); s != "" || in.Language == "Go" {
			return s
		}
	default:
		if in.Content == nil {
			return statement(in.Doc, header, maxRole)
		}
	}
	return headerStatement(in)
}

// docRank says how much a file's own words count for its directory.
func docRank(in FileInput, name string) int {
	stem := strings.TrimSuffix(name, path.Ext(name))
	switch {
	case in.Language == "Go" && in.Package == "main":
		return 70
	case in.Language == "Go" && in.Package != strings.ReplaceAll(path.Base(path.Dir(in.Path)), "-", ""):
		return OfPackage // its name is not the directory's, which therefore has to be told
	case in.Language == "Go" && name == "doc.go":
		return 110
	case in.Language == "Go" && strings.HasPrefix(in.Doc, "Package "+in.Package+" "):
		return 105
	case in.Language == "Go":
		return 100 // a package comment, wherever it stands
	case name == "__init__.py" || name == "package-info.java" || name == "mod.rs" || name == "lib.rs":
		return 95
	case stem == "index":
		return 90
	case name == "main.rs" || stem == "main" || stem == "__main__":
		return 60
	case stem == path.Base(path.Dir(in.Path)):
		return 50
	}
	return 0
}

var mainCall = regexp.MustCompile(`(?m)^(?:func main\(\)|if __name__ == ['"]__main__['"]|(?:pub )?(?:async )?fn main\(|int main\(|\s*public static void main\(|\s*static (?:async )?(?:void|int|Task) Main\()`)

func isEntry(in FileInput, name string) bool {
	if in.Language == "Go" && in.Package != "main" {
		return false
	}
	found := false
	for _, word := range [...]string{"main(", "Main(", "__main__"} {
		lines(in.Content, word, func(line []byte) bool {
			found = mainCall.Match(line)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// commentedSymbol is what stands above the symbol a file is named after, or
// above the first one that has a comment.
func commentedSymbol(in FileInput, name string) (text string, grade int) {
	stem := strings.ToLower(strings.Join(words(strings.TrimSuffix(name, path.Ext(name))), ""))
	var lines []string
	best, bestScore := "", 0
	for i, e := range in.Exports {
		if i > 60 {
			break
		}
		if lines == nil {
			lines = strings.Split(string(in.Content), "\n")
		}
		score := weight(e, stem, in.Language)
		if score <= bestScore {
			continue
		}
		text := statement(commentAbove(lines, e.Line, in.Language), aboveOne, maxPurpose)
		if text == "" || e.Kind == "method" && accessor.MatchString(text) {
			continue
		}
		best, bestScore = text, score
		if !mentions(text, e.Name) {
			best = e.Name + ": " + lower(text)
		}
	}
	if bestScore > aboutFile || bestScore == aboutFile && (in.Language == "Go" || typesOf(in) <= fewFiles) {
		return best, FromSubject
	}
	return best, FromInside
}

// accessor begins what stands above a method that every other type has.
var accessor = regexp.MustCompile(`^[A-Z]\w+ (?:returns|implements|sets|gets|is called) `)

// typesOf counts the types a file exports: the comment on one of many does not
// speak for the file.
func typesOf(in FileInput) int {
	n := 0
	for _, e := range in.Exports {
		if isType(e.Kind) {
			n++
		}
	}
	return n
}

// Weights of an exported symbol for the file it stands in.
const (
	aboutDetail = 1 // a constant, a macro
	aboutPart   = 2
	aboutFile   = 3 // from here on its comment speaks for the file
	aboutName   = 5 // the file is named after it
)

func weight(e Symbol, stem, language string) int {
	n, typed := strings.ToLower(e.Name), isType(e.Kind)
	switch {
	case aside.MatchString(e.Name):
		return 0
	case n == stem:
		return aboutName
	case typed && (strings.Contains(stem, n) || strings.Contains(n, stem)):
		return aboutFile + 1
	case typed && e.Kind != "type" && e.Kind != "enum" && e.Kind != "union" && language != "C":
		return aboutFile
	case e.Kind == "function" && len(stem) > 3 && strings.HasSuffix(n, stem):
		return aboutFile
	case typed:
		return aboutPart
	case e.Kind == "function" || e.Kind == "method":
		return aboutPart
	}
	return aboutDetail
}

// aside are symbols that say little about the file they stand in.
var aside = regexp.MustCompile(`(?:Error|Exception|Option|Options)$|^(?:Err|Test|Mock|Fake|TestingOnly)[A-Z]|^New$|^main$`)

func mentions(text, name string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(name))
}

func isType(kind string) bool {
	switch kind {
	case "class", "interface", "struct", "type", "trait", "enum", "record", "module", "union", "object", "protocol":
		return true
	}
	return false
}

// byNames describes a file whose only words are its names.
func byNames(in FileInput, name string) (text string, grade int) {
	if t := helpText(in); t != "" && (len(in.Exports) < 3 || isEntry(in, name)) {
		return t, FromSubject
	}
	if text := typeDeed(in, name); text != "" {
		return text, FromDeeds
	}
	what := upper(phrase(strings.TrimSuffix(name, path.Ext(name))))
	nothing := !slices.ContainsFunc(in.Exports, func(e Symbol) bool { return !empty[strings.ToLower(e.Name)] })
	if nothing {
		if found := routes(in); len(found) > 0 {
			return what + ": answers " + some(found, 4, ", "), FromInside
		}
	}
	if text := looseComment(in); text != "" {
		if len(in.Exports) > 0 {
			return text, FromNames // it is on one place
		}
		return text, FromInside
	}
	var types, funcs, rest []string
	for _, e := range in.Exports {
		switch {
		case e.Name == "*" || e.Name == "default":
		case isType(e.Kind):
			types = append(types, e.Name)
		case e.Kind == "function" || e.Kind == "method":
			funcs = append(funcs, e.Name)
		default:
			rest = append(rest, e.Name)
		}
	}
	var parts []string
	if len(types) > 0 {
		parts = append(parts, "types "+some(types, 3, ", "))
	}
	if len(funcs) > 0 {
		parts = append(parts, "functions "+some(funcs, 3, ", "))
	}
	if nothing && !isEntry(in, name) && !exampleDir.MatchString(path.Dir(in.Path)) {
		if text := innerDeed(in, name); text != "" {
			return upper(text), FromDeeds
		}
	}
	if isProgram(in, name) {
		if text := programDeed(in); text != "" {
			return upper(text), FromDeeds
		}
	}
	if len(parts) == 0 && len(rest) > 0 {
		parts = append(parts, "values "+some(rest, 3, ", "))
	}
	if len(parts) == 0 {
		if in.Language != "" {
			return what + " (" + in.Language + ", internal)", FromNames
		}
		return what, FromNames
	}
	return what + ": " + strings.Join(parts, "; "), FromNames
}

// looseComment is the first comment of some length at the left margin.
func looseComment(in FileInput) string {
	text := string(in.Content[:min(len(in.Content), 16<<10)])
	var block []string
	for line := range strings.Lines(text) {
		l := strings.TrimRight(line, "\r\n\t ")
		if commentLine(l, in.Language) && !strings.HasPrefix(l, "#!") && (l[0] != ' ' && l[0] != '\t' || strings.HasPrefix(strings.TrimSpace(l), "*")) {
			if c := strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(l, "/*#!-; \t"), "*/")); !strings.HasPrefix(c, "@") {
				block = append(block, c)
			}
			continue
		}
		if s := statement(strings.Join(block, " "), somewhere, maxPurpose); len(s) > 20 && !accessor.MatchString(s) {
			return s
		}
		block = nil
	}
	return ""
}

// topics are the words a file's exports have in common with its name.
func topics(in FileInput) []string {
	stem := strings.TrimSuffix(path.Base(in.Path), path.Ext(in.Path))
	seen := map[string]bool{}
	var out []string
	for _, w := range words(stem) {
		w = strings.ToLower(w)
		if len(w) > 2 && !stopword[w] && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out[:min(len(out), 3)]
}

var stopword = map[string]bool{"the": true, "and": true, "for": true, "index": true, "main": true, "test": true, "tests": true, "spec": true,
	"doc": true, "mod": true, "lib": true, "src": true, "init": true, "util": true, "utils": true, "common": true, "types": true,
	"linux": true, "windows": true, "darwin": true, "amd64": true, "arm64": true, "unix": true, "export": true, "new": true, "get": true,
	"set": true, "with": true, "from": true, "generic": true, "misc": true, "helper": true, "helpers": true, "package": true, "readme": true}

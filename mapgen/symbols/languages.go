package symbols

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// language is one row of the table: how files of a language are known, and how
// they are read. Exactly one of native and extract is set.
type language struct {
	name     string
	exts     []string // with the dot, lower case
	names    []string // whole file names
	shebangs []string // interpreters on a script's first line
	grammar  string   // key into the table of C parsers
	squeezed bool     // files of this language are shipped minified
	generics bool     // angle brackets nest
	native   func(*File, []byte, Limits)
	mask     func([]byte) []byte         // blanks what the grammar always stumbles over; keeps the length
	repair   func([]byte) ([]byte, bool) // blanks more, when the text has errors otherwise
	extract  func(*tree, *collector)
	skim     skimmer // finds function bodies before the parser; may be nil

	// bodies are the node kinds whose "body" field holds statements only: it is
	// not copied out of the parser unless it contains one of the late words (an
	// import can stand there). leaves are kinds never looked into.
	bodies, leaves, late []string
}

var languages = append([]*language{
	{name: "Go", exts: []string{".go"}, native: extractGo},
	{name: "TypeScript", exts: []string{".ts", ".mts", ".cts"}, grammar: "typescript", skim: skimScript, generics: true, repair: repairScript, squeezed: true, extract: extractScript,
		bodies: scriptBodies, leaves: scriptLeaves, late: scriptLate},
	{name: "TSX", exts: []string{".tsx"}, grammar: "tsx", skim: skimJSX, generics: true, repair: repairScript, squeezed: true, extract: extractScript,
		bodies: scriptBodies, leaves: scriptLeaves, late: scriptLate},
	{name: "JavaScript", exts: []string{".js", ".mjs", ".cjs", ".jsx"}, shebangs: []string{"node", "deno", "bun"},
		grammar: "javascript", skim: skimJSX, squeezed: true, extract: extractScript,
		bodies: scriptBodies, leaves: scriptLeaves, late: scriptLate},
	{name: "Python", exts: []string{".py", ".pyi", ".pyw"}, shebangs: []string{"python", "python2", "python3"},
		grammar: "python", extract: extractPython,
		bodies: []string{"function_definition"}, leaves: []string{"string", "dictionary", "list", "set"}, late: []string{"import"}},
	{name: "Rust", exts: []string{".rs"}, grammar: "rust", generics: true, extract: extractRust,
		bodies: []string{"function_item"}, leaves: []string{"token_tree", "string_literal", "array_expression"}, late: []string{"use "}},
	{name: "Java", exts: []string{".java"}, grammar: "java", generics: true, extract: extractJava,
		bodies: []string{"method_declaration", "constructor_declaration", "compact_constructor_declaration"},
		leaves: []string{"array_initializer", "static_initializer", "string_literal"}},
	{name: "C", exts: []string{".c"}, grammar: "c", mask: maskC, repair: repairC, extract: extractC,
		bodies: []string{"function_definition"}, leaves: cLeaves, late: []string{"#include"}},
	{name: "C++", exts: []string{".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp"},
		grammar: "cpp", generics: true, mask: maskC, repair: repairC, extract: extractC,
		bodies: []string{"function_definition"}, leaves: cLeaves, late: []string{"#include"}},
	{name: "C#", exts: []string{".cs"}, grammar: "csharp", generics: true, repair: firstBranches, extract: extractCSharp,
		bodies: []string{"method_declaration", "constructor_declaration", "local_function_statement", "operator_declaration",
			"destructor_declaration", "conversion_operator_declaration", "accessor_declaration"},
		leaves: []string{"initializer_expression", "attribute_list", "string_literal"}},
	{name: "Ruby", exts: []string{".rb", ".rake", ".gemspec", ".ru"}, names: []string{"Rakefile", "Gemfile"}, shebangs: []string{"ruby"},
		grammar: "ruby", extract: extractRuby,
		bodies: []string{"method", "singleton_method"}, leaves: []string{"hash", "array", "string_array", "symbol_array"}, late: []string{"require"}},
	{name: "PHP", exts: []string{".php", ".phtml", ".inc"}, shebangs: []string{"php"}, grammar: "php", extract: extractPHP,
		bodies: []string{"function_definition", "method_declaration", "anonymous_function"},
		leaves: []string{"array_creation_expression", "text", "attribute_list"}, late: []string{"require", "include"}},
	{name: "Bash", exts: []string{".sh", ".bash", ".ksh"}, names: []string{".bashrc", ".bash_profile", ".profile"},
		shebangs: []string{"sh", "bash", "dash", "ksh"}, grammar: "bash", extract: extractBash,
		leaves: []string{"array", "heredoc_body"}},
}, append(lightLanguages, documentLanguages...)...)

// Endings are how the names of a language's files end, those of languages that
// use each other's files included.
func Endings(language string) []string {
	family := []string{language}
	switch language {
	case "TypeScript", "TSX", "JavaScript", "Vue", "Svelte":
		family = []string{"TypeScript", "TSX", "JavaScript", "Vue", "Svelte"}
	case "C", "C++":
		family = []string{"C", "C++"}
	}
	var endings []string
	for _, lang := range languages {
		if slices.Contains(family, lang.name) {
			endings = append(endings, lang.exts...)
		}
	}
	if family[0] == "C" {
		endings = append(endings, ".h")
	}
	return endings
}

var byExt, byName, byShebang = indexLanguages()

func indexLanguages() (exts, names, shebangs map[string]*language) {
	exts, names, shebangs = map[string]*language{}, map[string]*language{}, map[string]*language{}
	for _, lang := range languages {
		for _, ext := range lang.exts {
			exts[ext] = lang
		}
		for _, name := range lang.names {
			names[name] = lang
		}
		for _, name := range lang.shebangs {
			shebangs[name] = lang
		}
	}
	return exts, names, shebangs
}

// Languages are the names of all languages, and of those this build leaves out
// because it has no C parsers.
func Languages() (all, leftOut []string) {
	for _, lang := range languages {
		all = append(all, lang.name)
		if lang.native == nil && !haveGrammars {
			leftOut = append(leftOut, lang.name)
		}
	}
	return all, leftOut
}

func detect(name string, head []byte) *language {
	name = base(name)
	if lang := byName[name]; lang != nil {
		return lang
	}
	if strings.HasPrefix(name, "Dockerfile.") {
		return byName["Dockerfile"]
	}
	ext := path.Ext(name)
	if ext == ".h" {
		return byExt[headerExt(head)]
	}
	if ext == ".C" || ext == ".H" {
		return byExt[".cpp"]
	}
	if lang := byExt[strings.ToLower(ext)]; lang != nil {
		return lang
	}
	if ext == "" || ext == name {
		return byShebang[interpreter(head)]
	}
	return nil
}

// headerExt decides whether a .h file is C or C++ by words only C++ has.
func headerExt(head []byte) string {
	head = head[:min(len(head), 64<<10)]
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		for _, word := range []string{"class ", "namespace ", "template<", "template <", "using ", "public:", "private:", "protected:"} {
			if bytes.HasPrefix(line, []byte(word)) {
				return ".hpp"
			}
		}
	}
	if bytes.Contains(head, []byte("std::")) {
		return ".hpp"
	}
	return ".c"
}

// interpreter is the program a script's first line names.
func interpreter(head []byte) string {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(head[2:min(len(head), 256)], []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return ""
	}
	program := path.Base(words[0])
	if program == "env" {
		words = slices.DeleteFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") || strings.Contains(w, "=") })
		if len(words) == 0 {
			return ""
		}
		program = path.Base(words[0])
	}
	return program
}

package describe

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	programBytes = 24 << 10
	ofOneLibrary = 3 // different functions with the same first word
	fewestCalls  = 2
)

var (
	plainCall     = regexp.MustCompile(`\b([A-Za-z]\w{4,50})\(`)
	qualifiedCall = regexp.MustCompile(`\b([A-Za-z_]\w*)(?:\.|::|->)([A-Za-z]\w{2,40})(?:::<[^>(]*>)?\(`)
	printed       = regexp.MustCompile(`\b(?:printf|puts|println!?|print|echo|console\.(?:log|info)|WriteLine|fprintf\(\s*stderr\s*,|Println|Printf|p)\s*\(?\s*["'` + "`" + `]([A-Z][^"'` + "`" + `%\\{$]{14,90})`)
)

// failure is in what programs print when something went wrong.
var failure = regexp.MustCompile(`(?i)error|fail|cannot|could not|unable|invalid|unknown|missing|not found|exception|usage|expected|warning|unexpected|must|\b(?:no|not)\b`)

// everyday are functions that tell nothing of the program that calls them.
var everyday = wordSet(`expand_path realpath dirname basename getcwd push pop map filter for each foreach log error warn info debug join split trim println printf print format to string unwrap
	expect clone iter collect into from some none ok err len append slice splice concat keys values entries then catch finally require
	assert equal equals assert_eq new default call apply bind sort reduce find index of indexof includes starts with ends startswith endswith get
	set has add put test describe it only skip parse stringify next length strip replace lower upper tolowercase touppercase as_str
	to_string tostring fprintf errorf sprintf exit main max min size begin end empty front back c_str str push_back emplace_back at data
	resolve reject now floor ceil round random isarray is array as ref unwrap_or map_err and or else string write line writeline read
	getelementbyid createelement createroot addeventlistener queryselector defineproperty hasownproperty isfile isdirectory existssync
	debug_struct is_none is_some fatal fatalf use load arg args add_argument value option unref next tick bytes repeat lock unlock defer done`)

// programDeed tells a small program or example by what it calls and prints.
func programDeed(in FileInput) string {
	text := in.Content[:min(len(in.Content), programBytes)]
	if at := bytes.Index(text, []byte("main(")); at > 0 {
		text = append(slices.Clone(text[at:]), text[:at]...) // what it does from its start on
	}
	var called []string
	if in.Language == "C" || in.Language == "C++" {
		called = libraryCalls(text)
	}
	if len(called) < fewestCalls && in.Language != "C" {
		called = append(called, methodCalls(text)...)
	}
	var parts []string
	if len(called) >= fewestCalls || len(called) == 1 && strings.Contains(called[0], " ") {
		parts = append(parts, "calls "+strings.Join(called[:min(len(called), 5)], ", "))
	}
	if m := printed.FindSubmatch(text); m != nil && len(called) < 4 {
		if said := strings.TrimRight(string(m[1]), " .:!"); strings.Count(said, " ") > 1 && saysSomething(said) && !failure.MatchString(said) {
			parts = append(parts, "prints “"+said+"”")
		}
	}
	return strings.Join(parts, "; ")
}

// libraryCalls are the functions a program of C calls of libraries: those that
// share a first word with a header, or with several others.
func libraryCalls(text []byte) []string {
	var names [][]string
	different := map[string]int{}
	for _, m := range plainCall.FindAllSubmatch(text, 300) {
		all := words(string(m[1]))
		if len(all) < 2 || strings.ToUpper(string(m[1])) == string(m[1]) || slices.ContainsFunc(names, func(other []string) bool { return slices.Equal(all, other) }) {
			continue
		}
		names = append(names, all)
		different[strings.ToLower(all[0])]++
	}
	var out []string
	for _, all := range names {
		prefix := strings.ToLower(all[0])
		if different[prefix] < ofOneLibrary && !bytes.Contains(text, []byte(prefix+".h")) || verbs[prefix] || prefix == "on" {
			continue
		}
		rest := all[1:]
		if len(rest) == 1 && (len(rest[0]) < 4 || everyday[strings.ToLower(rest[0])]) {
			continue
		}
		if name := strings.Join(rest, " "); !slices.Contains(out, name) && !containsAny(name, lookups) {
			out = append(out, name)
		}
	}
	return out
}

// lookups are parts of calls every program of a library makes.
var lookups = []string{"default loop", "strerror", "err name", "buf init", "cleanup", "perror", "free", "close"}

func methodCalls(text []byte) []string {
	var out []string
	for _, m := range qualifiedCall.FindAllSubmatch(text, 300) {
		name := string(m[2])
		said := phrase(name)
		first, _, more := strings.Cut(strings.ToLower(said), " ")
		if everyday[strings.ToLower(name)] || everyday[strings.ToLower(said)] || !verbs[first] || !more && len(first) < 5 || len(out) == 5 {
			continue
		}
		if !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}

// exampleDir are directories of code that shows how to use something.
var exampleDir = regexp.MustCompile(`(?i)(?:^|/)(?:[\w.-]*[._-])?(?:examples?|samples?|demos?|tutorials?|docs?/code|docs?[-_]src|snippets?|recipes)(?:/|$)`)

// isProgram says that a file is best told by what it does when it is run.
func isProgram(in FileInput, name string) bool {
	return len(in.Content) <= 2*programBytes && in.Language != "TSX" &&
		(len(in.Exports) == 0 || isEntry(in, name) || exampleDir.MatchString(path.Dir(in.Path)) && len(in.Exports) < 3)
}

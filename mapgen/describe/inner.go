package describe

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	innerType     = regexp.MustCompile(`(?m)^[ \t]*(?:(?:export|internal|private|protected|public|static|sealed|abstract|final|open|data|inline|partial|unsafe|readonly|pub(?:\([^)]*\))?)[ \t]+)*(?:class|struct|interface|object|trait|enum|record|type)[ \t]+([A-Z]\w{2,50})`)
	innerFunction = regexp.MustCompile(`(?m)^[ \t]*(?:(?:export|internal|private|protected|public|static|override|open|final|async|suspend|inline|operator|unsafe|const|default|pub(?:\([^)]*\))?)[ \t]+)*(?:fn|def|func|fun|function)[ \t]+(?:\([^)\n]*\)[ \t]*)?(?:<[^>\n]*>[ \t]*)?(?:\w+\.)?([A-Za-z]\w{2,50})[ \t]*[(<]`)
)

// innerFunctions are the functions a file declares, public or not.
func innerFunctions(in FileInput) []string {
	var out []string
	for _, m := range innerFunction.FindAllSubmatch(in.Content[:min(len(in.Content), programBytes)], 40) {
		out = append(out, string(m[1]))
	}
	return out
}

// innerDeed tells a file that exports nothing by what it declares for itself.
func innerDeed(in FileInput, name string) string {
	var types, does, rest []string
	for _, m := range innerType.FindAllSubmatch(in.Content[:min(len(in.Content), programBytes)], 8) {
		if t := string(m[1]); !slices.Contains(types, t) && !aside.MatchString(t) {
			types = append(types, t)
		}
	}
	for _, f := range innerFunctions(in) {
		words := memberWords(f)
		first, _, more := strings.Cut(strings.ToLower(words), " ")
		switch {
		case words == "" || everyday[strings.ToLower(f)]:
		case verbs[first] && (more || len(first) > 4):
			addWords(&does, words)
		default:
			addWords(&rest, words)
		}
	}
	stem := strings.Join(words(strings.TrimSuffix(name, path.Ext(name))), "")
	at := slices.IndexFunc(types, func(t string) bool { return strings.EqualFold(strings.Join(words(t), ""), stem) })
	switch {
	case at >= 0:
		types = types[at : at+1]
	case len(types) > manyTypes:
		types = types[:manyTypes]
	}
	deed := ""
	switch {
	case len(does) > 0:
		deed = "can " + strings.Join(does, ", ")
	case len(rest) > 0:
		deed = "offers " + strings.Join(rest, ", ")
	}
	switch {
	case len(types) > 0 && deed != "":
		return listClip(strings.Join(types, ", ")+": "+deed, maxPurpose)
	case len(types) > 0:
		return "types " + strings.Join(types, ", ")
	}
	return deed
}

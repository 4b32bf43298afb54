package workspace

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// slugLimit is the length of a branch's description in bytes.
const slugLimit = 40

// fillers carry nothing in a branch name.
var fillers = strings.Fields("a an the this that these to of for in on at by with and or so is are be it its " +
	"as from into our we i you should must can will please")

// BranchName is giver/<kind>/<short description of goal>. An empty kind is
// "task"; a goal without Latin letters or digits is described as "run".
func BranchName(kind, goal string) string {
	slug := joinWords(words(kind), slugLimit)
	if slug == "" {
		slug = "task"
	}
	description := joinWords(meaningful(words(firstClause(goal))), slugLimit)
	if description == "" {
		description = joinWords(words(goal), slugLimit)
	}
	if description == "" {
		description = "run"
	}
	return "giver/" + slug + "/" + description
}

// firstClause ends a goal before its reasons.
func firstClause(goal string) string {
	goal = strings.TrimSpace(goal)
	lower := strings.ToLower(goal)
	if len(lower) != len(goal) {
		lower = goal // letters whose case changes the length: keep positions true
	}
	end := len(goal)
	for _, mark := range []string{". ", "; ", ": ", ", ", " — ", " – ", " (", "\n", " so that ", " because ", " in order to "} {
		// A clause that ends at once says too little.
		if i := strings.Index(lower, mark); i >= 12 && i < end {
			end = i
		}
	}
	return goal[:end]
}

// words splits text into runs of ASCII letters and digits, in lower case and
// without accents.
func words(text string) []string {
	var plain strings.Builder
	for _, char := range norm.NFKD.String(text) {
		switch {
		case char == 'ß':
			plain.WriteString("ss")
		case char < unicode.MaxASCII && (unicode.IsLetter(char) || unicode.IsDigit(char)):
			plain.WriteRune(unicode.ToLower(char))
		case unicode.Is(unicode.Mn, char) || char == '\'' || char == '’':
			// an accent, or the apostrophe inside a word
		default:
			plain.WriteByte(' ')
		}
	}
	return strings.Fields(plain.String())
}

func meaningful(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(word string) bool { return slices.Contains(fillers, word) })
}

// joinWords joins as many whole words as fit; one that is longer is cut.
func joinWords(all []string, limit int) string {
	slug := ""
	for _, word := range all {
		switch {
		case slug == "":
			slug = word[:min(len(word), limit)]
		case len(slug)+1+len(word) > limit:
			return slug
		default:
			slug += "-" + word
		}
	}
	return slug
}

// ValidBranch says why a name cannot be a branch, by git's rules.
func ValidBranch(name string) error {
	switch {
	case name == "HEAD" || name == "@":
		return fmt.Errorf("branch name %q: git keeps this name for itself", name)
	case strings.HasPrefix(name, "-"):
		return fmt.Errorf("branch name %q: it may not begin with a dash", name)
	}
	if err := validRef(name); err != nil {
		return fmt.Errorf("branch name %q: %w", name, err)
	}
	return nil
}

func validRef(name string) error {
	if name == "" {
		return fmt.Errorf("it is empty")
	}
	for _, char := range []byte(name) {
		if char <= ' ' || char == 0x7f || strings.IndexByte(`~^:?*[\`, char) >= 0 {
			return fmt.Errorf("git allows no %q in it", char)
		}
	}
	for _, part := range []string{"..", "@{"} {
		if strings.Contains(name, part) {
			return fmt.Errorf("git allows no %q in it", part)
		}
	}
	if strings.HasSuffix(name, ".") {
		return fmt.Errorf("it may not end with a dot")
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "":
			return fmt.Errorf("a part between its slashes is empty")
		case strings.HasPrefix(part, "."):
			return fmt.Errorf("no part of it may begin with a dot")
		case strings.HasSuffix(part, ".lock"):
			return fmt.Errorf("no part of it may end with .lock")
		}
	}
	return nil
}

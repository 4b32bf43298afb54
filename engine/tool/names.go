package tool

import (
	"slices"
	"strings"
	"unicode"
)

// find is the tool a call means: by its name, or by a name that is the same
// but for how it is dressed.
func (s *Set) find(name string) (t Tool, mended string, err error) {
	for _, t := range s.tools {
		if t.Name == name {
			return t, "", nil
		}
	}
	plain := undressed(name)
	for _, t := range s.tools {
		if t.Name == plain {
			return t, "called as " + clip(name), nil
		}
	}
	hint := ""
	if near := s.near(plain); near != "" {
		hint = ", did you mean " + near + "?"
	}
	return Tool{}, "", errWords("there is no tool %q%s The tools are %s", clip(name), orStop(hint), strings.Join(s.Names(), ", "))
}

func orStop(hint string) string {
	if hint == "" {
		return "."
	}
	return hint
}

// undressed takes from a name what models put around it: a namespace before,
// control tokens and brackets behind, other spellings of the space.
func undressed(name string) string {
	name, _, _ = strings.Cut(strings.TrimSpace(name), "<")
	name, _, _ = strings.Cut(name, "(")
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 && i < len(name)-1 {
		name = name[i+1:]
	}
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	var b strings.Builder
	low := false
	for _, r := range name {
		switch {
		case unicode.IsUpper(r):
			if low {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			b.WriteRune(r)
		case r == '-' || r == ' ':
			b.WriteByte('_')
		}
		low = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	return strings.Trim(b.String(), "_")
}

// others are names that such tools have elsewhere.
var others = map[string][]string{
	ReadFile:     {"read", "cat", "open", "view", "open_file", "get_file", "view_file"},
	ListFiles:    {"list", "ls", "glob", "list_dir", "list_directory", "find_files"},
	Search:       {"grep", "find", "rg", "search_files", "grep_search"},
	WriteFile:    {"write", "create", "create_file", "save_file"},
	EditFile:     {"edit", "replace", "str_replace", "apply_patch", "patch", "multi_edit"},
	DeleteFile:   {"delete", "remove", "rm", "remove_file"},
	RunCommand:   {"run", "bash", "shell", "exec", "execute", "terminal", "run_shell", "execute_command"},
	CheckTool:    {"test", "build", "run_tests", "verify", "lint"},
	SubmitResult: {"submit", "done", "finish", "result", "complete", "final_answer"},
	SubmitPlan:   {"plan", "submit", "done"},
	Report:       {"answer", "submit", "done", "submit_report"},
}

// near is the tool of this set that a name is most like, or "".
func (s *Set) near(name string) string {
	best, least := "", 3
	for _, t := range s.tools {
		if slices.Contains(others[t.Name], name) {
			return t.Name
		}
		if d := distance(name, t.Name); d < least && name != "" {
			best, least = t.Name, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out or changed.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

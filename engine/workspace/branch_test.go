package workspace

import (
	"os/exec"
	"strings"
	"testing"
)

func TestBranchNameDescribesTheGoal(t *testing.T) {
	for _, test := range []struct{ kind, goal, want string }{
		{"", "Parse sizes such as 10MB so that the CLI accepts them.", "giver/task/parse-sizes-such-10mb"},
		{"fix", "Fix the crash in `parser.go` when a file is empty", "giver/fix/fix-crash-parser-go-when-file-empty"},
		{"task", "Añadir la función café à l'été", "giver/task/anadir-la-funcion-cafe-lete"},
		{"task", "解析大小", "giver/task/run"},
		{"task", "", "giver/task/run"},
		{"task", "to the", "giver/task/to-the"},
		{"My Type!", "Don't panic", "giver/my-type/dont-panic"},
		{"..", "a/../b.lock", "giver/task/b-lock"},
		{"task", strings.Repeat("x", 90), "giver/task/" + strings.Repeat("x", 40)},
		{"task", "Add sizes, because users asked", "giver/task/add-sizes-because-users-asked"},
		{"task", "Add human readable sizes, because users asked", "giver/task/add-human-readable-sizes"},
		{"task", "解析 size 模块", "giver/task/size"},
	} {
		if got := BranchName(test.kind, test.goal); got != test.want {
			t.Errorf("BranchName(%q, %q) = %q, want %q", test.kind, test.goal, got, test.want)
		}
	}
}

// names that git allows and refuses; which is which is git's to say.
var branchNames = []string{
	"main", "a/b/c", "", "/", "a/", "/a", "a//b", ".a", "a/.b", "a.", "a.b", "a..b", "a.lock", "a.lock/b", "a.locks",
	"-a", "a-", "a@b", "a@{b", "HEAD", "a/HEAD", "a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a]b", `a\b`,
	"a\tb", "a\x7fb", "é", "日本", "a\"b", "a'b", "$(x)", "a;b", "a|b", "a&b", "a{b}", "@{-1}", "\xff",
}

func TestValidBranchAgreesWithGit(t *testing.T) {
	for _, name := range branchNames {
		// The -- form of a name is no option: git must see even a dash.
		err := exec.Command("git", "-C", "/", "check-ref-format", "--branch", name).Run()
		if got := ValidBranch(name); (got == nil) != (err == nil) {
			t.Errorf("ValidBranch(%q) = %v, git says %v", name, got, err)
		}
	}
}

func TestTheShortFormOfHeadIsNoBranch(t *testing.T) {
	// Git could make it, but reads it as HEAD everywhere.
	if ValidBranch("@") == nil {
		t.Error("@ was accepted")
	}
}

func FuzzBranchNameIsAlwaysValid(f *testing.F) {
	for _, name := range branchNames {
		f.Add(name, name)
	}
	f.Add("fix", "Parse sizes so that 10MB İ works — now")
	f.Fuzz(func(t *testing.T, kind, goal string) {
		name := BranchName(kind, goal)
		if err := ValidBranch(name); err != nil {
			t.Errorf("BranchName(%q, %q) = %q: %v", kind, goal, name, err)
		}
		description := name[strings.LastIndexByte(name, '/')+1:]
		if len(description) > slugLimit || description == "" || strings.Count(name, "/") != 2 {
			t.Errorf("BranchName(%q, %q) = %q", kind, goal, name)
		}
	})
}

package tool

import (
	"context"
	"strings"
	"testing"

	"growbench/engine/workspace"
)

var goProject = map[string]string{
	"go.mod":            "module example.test/p\n\ngo 1.24\n",
	"size/size.go":      "package size\n\nfunc Double(n int) int { return n * 2 }\n",
	"size/size_test.go": "package size\n\nimport \"testing\"\n\nfunc TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Errorf(\"got %d\", Double(2))\n\t}\n}\n",
	"broken/broken.go":  "package broken\n\nfunc F() { return 1 }\n",
	"cmd/x/main.go":     "package main\n\nfunc main() {}\n",
}

func TestCheckIsOfTheTargetsPackagesAlone(t *testing.T) {
	dir := project(t, goProject)
	s := worker(t, Kit{Dir: dir, Each: []string{"false"}, Trusted: true}, "size/size.go", "cmd/x/main.go")
	ok(t, do(t, s, CheckTool), "passed: `go build -o /dev/null ./size ./cmd/x`, `go vet ./size ./cmd/x`, `go test ./size ./cmd/x`")
	do(t, s, EditFile, "path", "size/size.go", "old", "n * 2", "new", "n * 3")
	r := do(t, s, CheckTool)
	refused(t, r, "`go test ./size ./cmd/x` fails (exit code 1)", "passed before it", "size/size_test.go:7: TestDouble: got 6")
	if len(r.Text) > 600 {
		t.Errorf("%d bytes: %s", len(r.Text), r.Text)
	}
	do(t, s, EditFile, "path", "size/size.go", "old", "n * 3", "new", "m * 3")
	refused(t, do(t, s, CheckTool), "go build", "size/size.go:3: undefined: m")
}

func TestWhatIsCheckedOfOtherTargets(t *testing.T) {
	dir := project(t, map[string]string{"a.py": "x", "go.mod": "module m\n", "p/a.go": "package p\n", "sub/go.mod": "module s\n", "sub/q/it's/b.go": "package b\n", "new/keep": ""})
	for name, c := range map[string]struct {
		targets []string
		want    string
	}{
		"another language":       {[]string{"a.py"}, "echo each"},
		"both":                   {[]string{"p/a.go", "a.py"}, "go build -o /dev/null ./p|go vet ./p|go test ./p|echo each"},
		"Go alone":               {[]string{"p/a.go", "p/b.go"}, "go build -o /dev/null ./p|go vet ./p|go test ./p"},
		"a module of its own":    {[]string{"sub/q/it's/b.go"}, `go build -o /dev/null './q/it'\''s'|go vet './q/it'\''s'|go test './q/it'\''s'`},
		"a folder":               {[]string{"p/"}, "go build -o /dev/null ./p/...|go vet ./p/...|go test ./p/..."},
		"a folder without Go":    {[]string{"new/"}, "echo each"},
		"a package not there":    {[]string{"none/a.go"}, ""},
		"the root, not there":    {[]string{"main.go"}, ""},
		"nothing that is theirs": {nil, "echo each"},
	} {
		w, err := Kit{Dir: dir, Each: []string{"echo each"}}.open(scopeOf(c.targets))
		if err != nil {
			t.Fatal(err)
		}
		w.Scope = scopeOf(c.targets)
		var lines []string
		for _, todo := range w.checks() {
			lines = append(lines, todo.line)
		}
		w.files.Close()
		want := c.want
		if want == "" {
			want = "echo each"
		}
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestChecksOfTheProject(t *testing.T) {
	dir := project(t, map[string]string{"a.py": "x\n"})
	ok(t, do(t, worker(t, Kit{Dir: dir}, "a.py"), CheckTool), "nothing to check here")
	s := worker(t, Kit{Dir: dir, Each: []string{"true", "echo 'a.py:1: bad words'; exit 2", "touch never"}}, "a.py")
	r := do(t, s, CheckTool)
	refused(t, r, "exit code 2", "passed before it: `true`", "a.py:1: bad words")
	refused(t, do(t, worker(t, Kit{Dir: dir, Each: []string{"echo nothing known; exit 1"}}, "a.py"), CheckTool), "nothing known")
}

// Tests are code of the project: where no sandbox holds them and nobody has
// trusted them, they are commands like any other.
func TestUntrustedTestsRunOnlyInASandboxOrByPermission(t *testing.T) {
	const passed, left = "passed: `go build -o /dev/null ./size`, `go vet ./size`", "not run"
	dir := project(t, goProject)
	r := do(t, worker(t, Kit{Dir: dir}, "size/size.go"), CheckTool)
	ok(t, r, passed, left, "`go test ./size`")
	for name, kit := range map[string]Kit{
		"allowed":   {Allow: []string{"go test *"}},
		"asked":     {Permit: func(context.Context, string) (bool, error) { return true, nil }},
		"sandboxed": {Confine: func(c workspace.Command) workspace.Command { return c }},
	} {
		kit.Dir = dir
		if r := do(t, worker(t, kit, "size/size.go"), CheckTool); strings.Contains(r.Text, left) || !strings.Contains(r.Text, "`go test ./size`") {
			t.Errorf("%s: %s", name, r.Text)
		}
	}
}

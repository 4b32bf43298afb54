package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
)

// planted is what must not be seen anywhere but in the user's own shell.
const planted = "hush-7f3a-planted"

// shellAgent gives the user an agent that is a shell script beside the
// configuration.
func (p *place) shellAgent(lines string) {
	p.t.Helper()
	dir := filepath.Join(p.base, "config", "growbench")
	put(p.t, filepath.Join(dir, "agent.sh"), lines)
	putJSON(p.t, filepath.Join(dir, "config.json"), map[string]any{
		"agents":    map[string]any{"mine": map[string]any{"kind": "command", "argv": []string{"sh", "agent.sh"}, "prompt": "stdin", "decode": "text"}},
		"providers": map[string]any{"lab": map[string]any{"kind": "openai", "url": "http://127.0.0.1:1/v1", "key_env": "LAB_ACCESS"}},
	})
}

// lookUp prints the environment of the process it runs in and of all above it,
// up to the test's own.
const lookUp = `p=$$; while [ "$p" -gt 1 ] && [ "$p" != "$1" ]; do
  echo "process $p: $(tr '\0' ' ' < /proc/$p/cmdline)"; tr '\0' '\n' < /proc/$p/environ
  p=$(sed -n 's/^PPid:[^0-9]*//p' /proc/$p/status)
done
env`

// A key in the user's environment is in nothing that a run keeps or shows,
// whatever its agent prints: not even without a sandbox and as root.
func TestKeysAreNowhereInARun(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.more = []string{"PLANTED_TOKEN=" + planted, "LAB_ACCESS=" + planted, "OPENAI_API_KEY=" + planted, "Anything=" + planted}
	self, err := json.Marshal(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	p.shellAgent("cat > /dev/null\nset -- " + string(self) + "\n" + lookUp + "\necho A > a.txt\n(" + lookUp + ") > sub/c.txt\n" + `
printf '# RESULT #1 (by Worker 1)\n\n## Files\n- modified: a.txt, sub/c.txt\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\nDone.\n'`)
	args := append([]string{"run"}, p.order(doc.Plan{Tasks: []doc.PlanTask{task("first", 0, "a.txt", "sub/c.txt")}})...)
	got := p.do(append(args, "--worker", "mine", "--headless", "--json")...).ends(exitOK).silent(planted)
	run := got.end().Run
	for _, args := range [][]string{{"show", run}, {"show", run, "--json"}, {"attach", run, "--headless"}, {"diff", run}, {"doctor"}, {"doctor", "--json"}, {"config"}, {"agents"}} {
		if s := p.do(args...).silent(planted); s.code != exitOK {
			t.Errorf("growbench %v ended with %d\n%s", args, s.code, s.all())
		}
	}
	seen := map[string]bool{}
	err = filepath.WalkDir(p.base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), planted) {
			t.Errorf("%s holds a key", path)
		}
		for _, process := range []string{"__owner", "__keeper", "--headless"} {
			if strings.Contains(string(data), "process ") && strings.Contains(string(data), process) {
				seen[process] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 3 {
		t.Errorf("the agent looked at %v only: owner, keeper and the command that began the run were meant", seen)
	}
}

// A script that is the user's own needs no trust; the same one in the project
// does, and again when it was edited.
func TestShellScriptAsAnAgent(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	script := `cat > /dev/null; echo A > a.txt
printf '# RESULT #1 (by Worker 1)\n\n## Files\n- modified: a.txt\n\n## Signatures\nA — a.txt\n\n## Breaking\n- none\n\n## Summary\nBy a script.\n'
`
	p.shellAgent(script)
	run := append(append([]string{"run"}, p.order(doc.Plan{Tasks: []doc.PlanTask{task("first", 0, "a.txt")}})...), "--worker", "mine", "--headless", "--json")
	end := p.do(run...).ends(exitOK).end()
	s := p.shown(end.Run)
	if len(s.Results) != 1 || s.Results[0].Summary != "By a script." || s.Results[0].Signatures[0].Path != "a.txt" {
		t.Errorf("RESULTs %+v", s.Results)
	}
	if got := p.git(p.repo, "show", s.Branch+":a.txt"); got != "A" {
		t.Errorf("a.txt on the branch: %q", got)
	}

	// Now in the project.
	putJSON(t, filepath.Join(p.base, "config", "growbench", "config.json"), map[string]any{})
	put(t, filepath.Join(p.repo, "agent.sh"), script)
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{
		"agents": map[string]any{"mine": map[string]any{"kind": "command", "argv": []string{"sh", "agent.sh"}, "decode": "text"}},
	})
	p.git(p.repo, "add", "-A")
	p.git(p.repo, "commit", "-qm", "an agent of the project's")
	before := len(p.runDirs())
	p.do(run...).ends(exitEnvironment, "growbench trust")
	p.do("trust", "--yes").ends(exitOK, "agent.sh")
	p.do(run...).ends(exitOK)
	put(t, filepath.Join(p.repo, "agent.sh"), script+"# edited\n")
	p.do(run...).ends(exitEnvironment, "agent.sh", "growbench trust")
	if got := len(p.runDirs()); got != before+1 {
		t.Errorf("%d runs, want %d", got, before+1)
	}
}

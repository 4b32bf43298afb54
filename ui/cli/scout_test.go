package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"growbench/engine"
)

// scouts configures shell scripts as agents, each by its name.
func (p *place) scouts(lines map[string]string) {
	p.t.Helper()
	p.configure(twoWorkers(), func(config map[string]any) {
		config["sandbox"] = "off"
		for name, text := range lines {
			put(p.t, filepath.Join(p.base, "config", "growbench", name+".sh"), text)
			config["agents"].(map[string]any)[name] = map[string]any{"kind": "command", "argv": []string{"sh", name + ".sh"}}
			config["roles"].(map[string]any)["scout"] = name
		}
	})
}

func TestScoutAnswers(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.scouts(map[string]string{"mine": "grep -q 'Where is it' && printf '## Files\\n- a.txt — 1 line — it\\n\\033[31m'\n"})
	var answer engine.ScoutAnswer
	p.do("scout", "Where", "is", "it?", "--json").ends(exitOK).json(&answer)
	if answer.Question != "Where is it?" || answer.Agent != "mine" || len(answer.Files) != 1 || answer.Files[0].Path != "a.txt" || answer.Files[0].Lines < 1 {
		t.Errorf("%+v", answer)
	}
	got := p.do("scout", "Where is it?").ends(exitOK)
	if strings.Contains(got.out, "\x1b") || !strings.Contains(got.out, "a.txt: ") {
		t.Errorf("%q", got.out)
	}
	for _, name := range []string{"prompts/scout.md", "transcripts/scout.jsonl", "answer.md"} {
		if _, err := os.Stat(filepath.Join(answer.Dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestScoutExitCodes(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.scouts(map[string]string{"bad": "exit 7\n"})
	p.do("scout").ends(exitUsage, "growbench scout --help")
	p.do("scout", " ").ends(exitUsage, "ask something")
	p.do("scout", "x", "--agent", "nobody").ends(exitUsage, "nobody")
	p.do("scout", "x", "--agent", "scripted").ends(exitEnvironment, "cannot scout")
	p.do("scout", "x", "--json").ends(exitProblems, "exit code 7")
}

func TestScoutIsInterrupted(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	up := filepath.Join(p.base, "up")
	if err := syscall.Mkfifo(up, 0o600); err != nil {
		t.Fatal(err)
	}
	p.scouts(map[string]string{"slow": "echo up > " + up + "\nsleep 1000\n"})
	r := p.start("scout", "x")
	if _, err := os.ReadFile(up); err != nil {
		t.Fatal(err)
	}
	r.signal(syscall.SIGINT)
	r.wait().ends(exitInterrupted, "Interrupted")
	if left, _ := filepath.Glob(filepath.Join(p.state(), "*", "trees", "*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

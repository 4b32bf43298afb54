package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commands are those a user may type.
var commands = []string{
	"demo", "run", "attach", "replay", "watch", "stop", "answer", "resume", "retry", "runs", "show", "lint", "ledger", "config", "trust",
}

func TestWrongUsageEndsInTwoWithANextStep(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	full := filepath.Join(p.base, "full")
	put(t, filepath.Join(full, "x"), "x")
	run := p.runTwo()
	for _, test := range []struct {
		args  string
		words []string
	}{
		{"--nonsense", []string{"--nonsense", "growbench --help"}},
		{"nonsense", []string{"nonsense", "growbench --help"}},
		{"one two", []string{"growbench --help"}},
		{"run", []string{"--task0", "growbench run --help"}},
		{"run --nonsense", []string{"--nonsense", "growbench run --help"}},
		{"run extra", []string{"growbench run --help"}},
		{"run --task0", []string{"--task0", "growbench run --help"}},
		{"run --task0 no-such-file", []string{"no-such-file"}},
		{"demo extra", []string{"growbench demo --help"}},
		{"demo --speed 0", []string{"--speed 0", "above 0"}},
		{"demo --speed -1", []string{"--speed -1", "above 0"}},
		{"demo --speed NaN", []string{"--speed NaN", "above 0"}},
		{"demo --speed x", []string{"--speed", "growbench demo --help"}},
		{"demo --dir " + full, []string{"not empty", "name a directory"}},
		{"demo --dir " + full + "/x", []string{full + "/x"}},
		{"demo --dir " + p.base + "/no/such/parent", []string{"no/such/parent"}},
		{"attach", []string{"growbench attach --help"}},
		{"attach a b", []string{"growbench attach --help"}},
		{"attach 2026-none", []string{"2026-none", "no such run", "runs --all"}},
		{"attach latest", []string{"latest", "no such run"}},
		{"stop", []string{"growbench stop --help"}},
		{"stop none", []string{"none", "no such run"}},
		{"show none", []string{"none", "no such run"}},
		{"show ./none", []string{"none", "no such run"}},
		{"ledger none", []string{"none", "no such run"}},
		{"resume none", []string{"none", "no such run"}},
		{"answer none x y", []string{"none", "no such run"}},
		{"answer none", []string{"growbench answer --help"}},
		{"retry none 1", []string{"none", "no such run"}},
		{"retry none zero", []string{`"zero"`, "Worker's number"}},
		{"retry none 0", []string{`"0"`, "Worker's number"}},
		{"lint", []string{"growbench lint --help"}},
		{"lint no-such-file", []string{"no-such-file"}},
		{"lint --kind poem plan.json", []string{"poem", "task0"}},
		{"show", []string{"growbench show --help"}},
		{"runs extra", []string{"growbench runs --help"}},
		{"trust extra", []string{"growbench trust --help"}},
		{"config extra", []string{"growbench config --help"}},
		{"-C " + p.base + "/nowhere run --task0 " + p.base + "/task0.md", []string{"nowhere"}},
		{"-C " + full + "/x runs", []string{"not a directory"}},
		{strings.Join(run, " ") + " --base x", []string{"--base", "head", "snapshot"}},
		{strings.Join(run, " ") + " --branch a..b", []string{"--branch", "a..b"}},
		{strings.Join(run, " ") + " --branch x.lock", []string{"--branch", "x.lock"}},
	} {
		t.Run(test.args, func(t *testing.T) {
			got := p.do(strings.Fields(test.args)...)
			got.t = t
			got.ends(exitUsage, test.words...)
			if got.out != "" {
				t.Errorf("standard output: %q", got.out)
			}
		})
	}
	p.nothingKept()
}

func TestUnknownAgentsAreRefusedBeforeARunIsMade(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	for _, flags := range [][]string{{"--agent", "nobody"}, {"--worker", "nobody"}} {
		got := p.do(p.runTwo(flags...)...)
		if got.code != exitUsage && got.code != exitEnvironment {
			t.Errorf("%v ended with %d", flags, got.code)
		}
		got.ends(got.code, "nobody", flags[0])
	}
	p.nothingKept()
}

func TestHelpOfEveryCommand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	root := p.do("--help").ends(exitOK, "Exit codes").silent("__owner")
	for _, name := range commands {
		if !strings.Contains(root.out, "\n  "+name+" ") {
			t.Errorf("--help does not list %s", name)
		}
		got := p.do(name, "--help").ends(exitOK, "Usage:", "growbench "+name)
		if got.err != "" || strings.Contains(got.out, "%!") {
			t.Errorf("%s --help:\n%s", name, got.all())
		}
	}
	p.nothingKept()
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := newPlace(t).do("--version").ends(exitOK)
	if !strings.HasPrefix(got.out, "growbench ") || strings.Count(got.out, "\n") != 1 || len(strings.Fields(got.out)) != 2 {
		t.Errorf("--version prints %q", got.out)
	}
}

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for shell, word := range map[string]string{"bash": "complete ", "zsh": "#compdef growbench", "fish": "complete -c growbench"} {
		got := p.do("completion", shell).ends(exitOK, word)
		if got.err != "" {
			t.Errorf("completion %s says %q", shell, got.err)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue // the shell itself cannot be asked here
		}
		script := filepath.Join(p.base, "completion."+shell)
		put(t, script, got.out)
		if out, err := exec.Command(path, "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s does not read its completion script: %v\n%s", shell, err, out)
		}
	}
	p.do("completion", "ksh").ends(exitUsage, `"ksh"`)
	p.do("completion").ends(exitOK, "bash", "fish", "zsh")
	p.do("__complete", "").ends(exitOK, "run\t", "attach\t").silent("__owner")
	p.do("__complete", "show", "").ends(exitOK, "latest")
	p.nothingKept()
}

func TestNoHomeIsSaid(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	cmd := p.command("runs")
	cmd.Env = append(cmd.Env, "HOME=", "XDG_STATE_HOME=")
	p.finish(cmd).ends(exitEnvironment, "HOME", "XDG_STATE_HOME")
}

func TestWithoutGitIsSaid(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	cmd := p.command(p.runTwo("--headless")...)
	cmd.Env = append(cmd.Env, "PATH="+filepath.Join(p.base, "home"))
	p.finish(cmd).ends(exitEnvironment, "git was not found")
	p.nothingKept()
}

func TestWithoutAnyRunItSaysHowToBegin(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.do().ends(exitOK, "No runs in", "demo", "run --task0")
	var list []any
	p.do("runs", "--json").ends(exitOK).json(&list)
	if list == nil {
		t.Error("runs --json prints null")
	}
	p.do("runs").ends(exitOK, "No runs here yet")
	if _, err := os.Stat(p.state()); err == nil {
		t.Error("looking made a state folder")
	}
}

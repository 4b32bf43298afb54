package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/event"
)

// What a project's own file would run counts only once it is trusted.
func TestProjectIsAskedAboutBeforeAnythingOfItRuns(t *testing.T) {
	t.Parallel()
	ran := "ran-marker"
	for name, config := range map[string]map[string]any{
		"agent":  {"agents": map[string]any{"own": map[string]any{"kind": "script", "file": "agent.json"}}, "roles": map[string]any{"worker": "own", "planner": "own"}},
		"verify": {"checks": map[string]any{"verify": []string{"sh check.sh"}}},
		"check":  {"checks": map[string]any{"each": []string{"sh check.sh"}}},
		"setup":  {"workspace": map[string]any{"setup": []string{"sh check.sh"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			if name != "agent" {
				p.configure(twoWorkers())
			}
			marker := filepath.Join(p.base, ran)
			script := steps([]step{{"run": "echo x >> " + marker}, {"write": "a.txt", "content": "A\n"}, done("a.txt")}, write("b.txt", "B\n"))
			putJSON(t, filepath.Join(p.repo, "agent.json"), script)
			put(t, filepath.Join(p.repo, "check.sh"), "echo x >> "+marker+"\n")
			putJSON(t, filepath.Join(p.repo, ".growbench.json"), config)
			p.git(p.repo, "add", "-A")
			p.git(p.repo, "commit", "-qm", "configuration")
			run := p.runTwo("--headless")

			refused := func(words ...string) {
				t.Helper()
				p.do(run...).ends(exitEnvironment, append(words, "growbench trust", "nothing was run")...)
				if _, err := os.Stat(marker); err == nil {
					t.Fatal("something of the project was run without trust")
				}
				if len(p.runDirs()) > 0 {
					t.Fatal("a run was made without trust")
				}
			}
			refused(".growbench.json:")
			p.do("trust").ends(exitEnvironment, ".growbench.json:", "--yes")
			p.feed("y\n", "trust").ends(exitEnvironment, "--yes")
			refused()
			p.do("trust", "--yes").ends(exitOK, ".growbench.json:", "Trusted")
			p.do("trust", "--revoke").ends(exitOK, "Nothing of")
			refused()
			p.do("trust", "-y").ends(exitOK)

			file := "check.sh"
			if name == "agent" {
				file = "agent.json"
			}
			whole := get(t, filepath.Join(p.repo, file))
			put(t, filepath.Join(p.repo, file), whole+"\n")
			refused(file, "changed since you trusted it")
			put(t, filepath.Join(p.repo, file), whole)

			p.do(run...).ends(exitOK)
			if _, err := os.Stat(marker); err != nil {
				t.Error("what was trusted did not run")
			}
			text := get(t, filepath.Join(p.repo, ".growbench.json"))
			put(t, filepath.Join(p.repo, ".growbench.json"), strings.Replace(strings.Replace(text, "check.sh", "./check.sh", 1), "agent.json", "./agent.json", 1))
			p.do(run...).ends(exitEnvironment, "./"+file, "growbench trust")
		})
	}
}

func TestTrustInJSON(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var got trustState
	p.do("trust", "--json").ends(exitOK).json(&got)
	if got.Items == nil || !got.Trusted {
		t.Errorf("nothing to trust: %+v", got)
	}
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"checks": map[string]any{"verify": []string{"true", "sh \x1b]0;x\x07"}}})
	p.do("trust", "--json").ends(exitEnvironment)
	p.do("trust", "--json", "--yes").ends(exitOK).json(&got)
	if !got.Trusted || len(got.Items) != 2 || got.Items[0].Kind != "verify" || got.Items[0].Value != "true" || got.Project != p.repo {
		t.Errorf("trusted: %+v", got)
	}
	p.do("trust", "--revoke", "--json").ends(exitOK).json(&got)
	if got.Trusted {
		t.Errorf("revoked: %+v", got)
	}
	p.do("trust", "-y").ends(exitOK, "sh ").silent("\x1b", "\x07")
}

func TestARunGoesOnOnlyWhereTrustStands(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"checks": map[string]any{"verify": []string{"false"}}})
	p.git(p.repo, "add", "-A")
	p.git(p.repo, "commit", "-qm", "configuration")
	p.do("trust", "-y").ends(exitOK)
	p.do("trust").ends(exitOK, "Trusted already")
	p.do(p.runTwo("--headless")...).ends(exitProblems)
	run := filepath.Base(p.runDirs()[0])
	p.do("trust", "--revoke").ends(exitOK)
	p.do("resume", run, "--headless").ends(exitEnvironment, "growbench trust")
	p.do("retry", run, "2", "--headless").ends(exitEnvironment, "growbench trust")
	p.do("bisect", run).ends(exitEnvironment, "growbench trust")
	p.do("trust", "-y").ends(exitOK)
	p.do("bisect", run).ends(exitProblems, "the base")
}

func TestTrustAsksOnATerminal(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"checks": map[string]any{"verify": []string{"true"}}})
	for _, test := range []struct {
		answer string
		code   int
		word   string
	}{{"n\n", exitProblems, "Nothing was trusted"}, {"\n", exitProblems, "Nothing was trusted"}, {"\x04", exitProblems, "Nothing was trusted"}, {"y\n", exitOK, "Trusted"}} {
		c := p.onTerminal("trust")
		c.shows("Trust this? [y/N]")
		c.types(test.answer)
		if code := c.wait(); code != test.code {
			t.Errorf("%q ended with %d, want %d", test.answer, code, test.code)
		}
		c.shows(test.word)
	}
}

func TestFoundChecksAreListedAndNotRun(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	marker := filepath.Join(p.base, "found-ran")
	put(t, filepath.Join(p.repo, "Makefile"), "test:\n\techo x >> "+marker+"\n")
	p.git(p.repo, "add", "-A")
	p.git(p.repo, "commit", "-qm", "Makefile")
	p.do("trust").ends(exitOK, "defines nothing", "found, not run: make test", "Makefile")
	got := p.do(p.runTwo("--headless")...).ends(exitOK)
	last := got.events()
	if end, ok := last[len(last)-1].Body.(event.RunEnded); !ok || end.Verified != event.VerifiedNone || end.Status != event.StatusPassed {
		t.Errorf("the last event is %+v", last[len(last)-1])
	}
	var state struct {
		Verified string
		Verify   struct {
			Ran   []any
			Found []string
		}
	}
	p.do("show", "latest", "--json").ends(exitOK).json(&state)
	if state.Verified != "none" || len(state.Verify.Ran) != 0 || len(state.Verify.Found) != 1 || state.Verify.Found[0] != "make test" {
		t.Errorf("state %+v", state)
	}
	p.do("show", "latest").ends(exitOK, "verified: none", "found, not run", "make test")
	p.do("runs").ends(exitOK, "verified: none")
	if _, err := os.Stat(marker); err == nil {
		t.Fatal("a command that was merely found was run")
	}

	p.do("trust", "--found", "--yes").ends(exitOK, "make test")
	run := p.do(p.runTwo("--headless")...).ends(exitOK).end().Run
	p.do("show", run).ends(exitOK, "verification passed")
	if _, err := os.Stat(marker); err != nil {
		t.Error("trusted as a verify command, it was not run")
	}
}

func TestUsersOwnAgentsNeedNoTrust(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers(), func(c map[string]any) {
		c["checks"] = map[string]any{"verify": []string{"grep -q A a.txt"}}
	})
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"roles": map[string]any{"worker": "scripted"}, "theme": "dark"})
	got := p.do(p.runTwo("--headless")...).ends(exitOK)
	events := got.events()
	if end := events[len(events)-1].Body.(event.RunEnded); end.Verified != event.VerifiedPassed {
		t.Errorf("ended %+v", end)
	}
	p.do("config").ends(exitOK, "roles.worker", "scripted", ".growbench.json", "checks.verify")
}

func TestBrokenConfigurationIsNamedByFileLineAndKey(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	run := p.runTwo("--headless")
	user := filepath.Join(p.base, "config", "growbench", "config.json")
	whole := get(t, user)
	for _, test := range []struct{ file, text, place, key string }{
		{user, "{\n  \"limits\": {\n    \"wall\": 7\n  }\n}\n", "config.json:3", "limits.wall"},
		{user, "{\n  \"nonsense\": 1\n}\n", "config.json:2", "nonsense"},
		{user, "{\n  \"theme\": \"pink\",\n", "config.json:", ""},
		{filepath.Join(p.repo, ".growbench.json"), "{\n\n  \"scope\": \"wide\"\n}\n", ".growbench.json:3", "scope"},
		{filepath.Join(p.repo, ".growbench.json"), "{\n  \"roles\": {\"worker\": \"nobody\"}\n}\n", ".growbench.json:2", "roles.worker"},
	} {
		put(t, test.file, test.text)
		for _, args := range [][]string{run, {"config"}, {"config", "--json"}, {"trust", "--yes"}} {
			got := p.do(args...).ends(exitUsage, test.place, test.key)
			if got.out != "" {
				t.Errorf("%v: standard output %q", args, got.out)
			}
		}
		put(t, user, whole)
	}
	p.nothingKept()
}

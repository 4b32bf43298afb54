package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

func TestDetachedRunIsShownStoppedAndTakenUpAgain(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	run := filepath.Base(dir)
	p.held(dir, 2)

	s := p.shown(run)
	if s.Owner != "alive" || s.Status != "running" || s.Phase != "working" || s.Workers[1].State != "running" || s.Workers[1].Tool != "run_command" {
		t.Errorf("%s, %s, %s, Worker 2 %s with %q", s.Owner, s.Status, s.Phase, s.Workers[1].State, s.Workers[1].Tool)
	}
	p.do("show", run[len(run)-6:]).ends(exitOK, "**running**", "| 2 | second | scripted | running |", dir)
	p.do("show", dir).ends(exitOK, "**running**")
	p.do("resume", run, "--headless").ends(exitProblems, "has an owner already", "attach "+run)
	p.do("retry", run, "2", "--headless").ends(exitProblems, "has an owner already")
	p.do("answer", run, "blocked-1-1", "widen").ends(exitUsage, "does not wait for")

	watcher := p.start("attach", run, "--headless")
	var stopped struct{ Run, Status string }
	p.do("stop", run, "--json").ends(exitOK).json(&stopped)
	if stopped.Run != run || stopped.Status != "stopped" {
		t.Errorf("stop says %+v", stopped)
	}
	p.nobody(dir)
	if end := watcher.wait().ends(exitProblems).end(); end.Status != "stopped" {
		t.Errorf("the watcher saw %+v", end)
	}
	s = p.shown(run)
	if s.Owner != "gone" || s.Status != "stopped" || s.Workers[1].State != "stopped" || s.Workers[1].Partial == "" {
		t.Errorf("%s, %s, Worker 2 %s, kept %q", s.Owner, s.Status, s.Workers[1].State, s.Workers[1].Partial)
	}
	if half := p.git(p.repo, "show", s.Workers[1].Partial+":b.txt"); half != "half" {
		t.Errorf("unfinished work: %q", half)
	}
	p.do("show", run).ends(exitOK, "**stopped**", "growbench resume "+run)
	p.do("stop", run).ends(exitUsage, "nothing left to do", "show "+run)
	p.do("answer", run, "x", "y").ends(exitUsage, "nobody is running it")

	g.open()
	p.do("resume", run, "--detach").ends(exitOK, run, "attach "+run)
	p.ended(dir)
	if end := p.do("attach", run, "--headless").ends(exitOK).end(); end.Status != "passed" {
		t.Errorf("resumed, ended %+v", end)
	}
	p.do("resume", run, "--headless").ends(exitProblems, "nothing left to do", "it passed")
	if b := p.git(p.repo, "show", p.shown(run).Branch+":b.txt"); b != "B" {
		t.Errorf("the branch holds %q", b)
	}
}

// broken is a RESULT that breaks an export.
func broken() []step {
	return []step{{"turn": 1}, {"usage": map[string]any{"in": 10, "out": 5, "cached": 2, "cost": 0.5}},
		{"write": "a.txt", "content": "A\n"}, {"run": "echo x > outside.txt"},
		{"result": map[string]any{"status": "done", "files": map[string]any{"modified": []string{"a.txt"}, "created": []string{"outside.txt"}},
			"signatures": []any{map[string]any{"signature": "Parse(text string) Size", "path": "a.txt"}},
			"breaking":   []string{"Parse → ParseSize (renamed) — a.txt"}, "summary": "Renamed."}}}
}

func TestEveryKeyOfShow(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(map[string]any{
		"planner": map[string]any{"steps": []step{{"turn": 1}, {"usage": map[string]any{"in": 3, "out": 4}}, {"plan": plansOwn()}}},
		"workers": steps(broken(), write("b.txt", "B\n"))["workers"],
	}, func(c map[string]any) {
		c["checks"] = map[string]any{"each": []string{"true"}, "verify": []string{"echo 'a.txt:1: wrong' && false"}}
		c["workspace"] = map[string]any{"setup": []string{"true"}}
	})
	args := p.runTwo()
	got := p.do("run", args[1], args[2], "--headless").ends(exitProblems)
	run := got.end().Run
	var v map[string]any
	p.do("show", run, "--json").ends(exitOK).json(&v)
	want := map[string]any{
		"run": "", "project": "", "branch": "", "phase": "", "status": "", "verified": "", "owner": "",
		"base": "", "base_detail": map[string]any{"kind": "", "commit": "", "uncommitted": true, "notes": []any{}},
		"task0":     taskKeys(),
		"plan":      map[string]any{"n": 0., "layers": []any{[]any{0.}}},
		"workers":   []any{workerKeys()},
		"results":   []any{map[string]any{"k": 0., "files": fileKeys(), "signatures": []any{}, "breaking": []any{}, "summary": ""}},
		"ledger":    []any{ledgerKeys()},
		"isolation": map[string]any{"g_p": nil, "p_w": []any{0.}, "w_g": []any{0.}},
		"verify": map[string]any{"found": []any{}, "ran": []any{map[string]any{"when": "", "command": "", "passed": true, "exit": 0.,
			"ms": 0., "failures": []any{map[string]any{"file": "", "line": 0., "text": ""}}}}},
		"waiting": []any{}, "usage": map[string]any{"in": 0., "out": 0., "cached": 0., "cost": 0., "estimated": true},
	}
	sameShape(t, "show", want, v)
	if g := v["isolation"].(map[string]any); g["g_p"] == nil { // not measured: no conversation led to this Task #0
		delete(g, "g_p")
	}
	noNull(t, "show", v)
	if v["project"] != p.repo || v["status"] != "failed" || v["verified"] != "failed" || v["owner"] != "gone" || v["phase"] != "ended" {
		t.Errorf("%v %v %v %v %v", v["project"], v["status"], v["verified"], v["owner"], v["phase"])
	}
	s := p.shown(run)
	if w := s.Workers[0]; w.Tokens.In != 10 || w.Cost != 0.5 || w.Turns != 1 || len(w.Flagged) != 1 || w.Flagged[0].Path != "outside.txt" || len(w.Checks) != 1 {
		t.Errorf("Worker 1: %+v", w)
	}
	if w := s.Workers[1]; len(w.Affected) != 1 || w.Affected[0].By != 1 {
		t.Errorf("Worker 2 is affected: %+v", w.Affected)
	}
	if f := s.Verify.Ran[0].Failures; len(f) != 1 || f[0] != (event.Failure{File: "a.txt", Line: 1, Text: "wrong"}) {
		t.Errorf("failures %+v", f)
	}

	var ledger []map[string]any
	p.do("ledger", run, "--json").ends(exitOK).json(&ledger)
	if len(ledger) != 1 || ledger[0]["symbol"] != "Parse" || ledger[0]["kind"] != "renamed" || ledger[0]["source"] != "claimed" {
		t.Errorf("ledger %v", ledger)
	}
	p.do("ledger", run).ends(exitOK, "Parse", "renamed", "a.txt", "Worker 1", "affects Worker 2")
	p.do("show", run).ends(exitOK, "verification failed", "`a.txt:1` wrong", "| `Parse` | renamed |", "outside.txt")

	var runs []map[string]any
	p.do("runs", "--json").ends(exitOK).json(&runs)
	sameShape(t, "runs", []any{map[string]any{"run": "", "project": "", "goal": "", "phase": "", "status": "", "verified": "",
		"done": 0., "n": 0., "started": "", "ended": "", "owner": "", "waiting": 0., "dir": ""}}, list(runs))
	p.do("runs").ends(exitOK, run, "failed", "2/2", "verified: failed", "Make both letters large.")
	elsewhere := p.do("-C", p.base, "runs", "--json").ends(exitOK)
	if strings.TrimSpace(elsewhere.out) != "[]" {
		t.Errorf("runs of another project: %s", elsewhere.out)
	}
	p.do("-C", p.base, "runs", "--all").ends(exitOK, run, p.repo)
	p.do("-C", p.base, "show", run).ends(exitOK, run)
}

// plansOwn is the usual plan with a second task that names what the first
// breaks.
func plansOwn() any {
	plan := twoTasks()
	plan.Tasks[1].Signatures = []string{"Parse(text string) (Size, error) — a.txt"}
	var v any
	json.Unmarshal([]byte(doc.FormatPlan(plan)), &v)
	return v
}

func list(maps []map[string]any) []any {
	out := []any{}
	for _, m := range maps {
		out = append(out, m)
	}
	return out
}

func taskKeys() any {
	return map[string]any{"k": 0., "goal": "", "background": "", "past_failures": "", "constraints": []any{""}, "target_files": []any{""}, "signatures": []any{}}
}

func fileKeys() any {
	return map[string]any{"created": []any{}, "modified": []any{}, "deleted": []any{}}
}

func workerKeys() any {
	return map[string]any{"k": 0., "title": "", "layer": 0., "state": "", "agent": "", "sandboxed": true, "affected": []any{},
		"started": "", "ended": "", "turns": 0., "tokens": map[string]any{"in": 0., "out": 0., "cached": 0., "estimated": true},
		"cost": 0., "tool": "", "silence_s": 0., "files": []any{""}, "flagged": []any{}, "commit": ""}
}

func ledgerKeys() any {
	return map[string]any{"symbol": "", "kind": "", "class": "", "file": "", "worker": 0., "source": "", "affected": []any{}, "unowned": []any{}}
}

// sameShape fails where a key of want is missing or of another type; lists
// are judged by their first element.
func sameShape(t *testing.T, at string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		m, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %T, want an object", at, got)
			return
		}
		for _, k := range sorted(want) {
			if _, ok := m[k]; !ok {
				t.Errorf("%s.%s is missing", at, k)
				continue
			}
			sameShape(t, at+"."+k, want[k], m[k])
		}
	case []any:
		l, ok := got.([]any)
		if !ok {
			t.Errorf("%s is %T, want a list", at, got)
			return
		}
		if len(want) > 0 && len(l) == 0 {
			t.Errorf("%s is empty", at)
			return
		}
		for _, e := range l {
			if len(want) > 0 {
				sameShape(t, at+"[]", want[0], e)
			}
		}
	case string:
		if _, ok := got.(string); !ok {
			t.Errorf("%s is %T, want a text", at, got)
		}
	case float64:
		if _, ok := got.(float64); !ok {
			t.Errorf("%s is %T, want a number", at, got)
		}
	case bool:
		if _, ok := got.(bool); !ok {
			t.Errorf("%s is %T, want true or false", at, got)
		}
	}
}

// A run that was just started is no list of nulls either.
func TestShowOfARunThatHasNoPlanYet(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(map[string]any{"planner": map[string]any{"steps": []step{g.pass(), {"plan": plansOwn()}}}, "workers": twoWorkers()["workers"]})
	args := p.runTwo()
	dir := p.detached("run", args[1], args[2])
	p.until(dir, "the Planner", func(s *event.State, _ bool) bool { return s.Planner.State == event.Running })
	var v map[string]any
	p.do("show", "latest", "--json").ends(exitOK).json(&v)
	delete(v["isolation"].(map[string]any), "g_p") // not measured before the plan
	noNull(t, "show", v)
	for _, k := range []string{"workers", "results", "ledger", "waiting"} {
		if l, ok := v[k].([]any); !ok || len(l) != 0 {
			t.Errorf("%s is %v", k, v[k])
		}
	}
	out := p.do("ledger", "latest", "--json").ends(exitOK)
	if strings.TrimSpace(out.out) != "[]" {
		t.Errorf("ledger: %s", out.out)
	}
	p.do("retry", "latest", "1").ends(exitProblems, "has an owner already")
	p.do("stop", "latest").ends(exitOK, "stopped", "resume")
	p.nobody(dir)
	p.do("retry", "latest", "1").ends(exitUsage, "no plan yet")
	g.open()
	p.do("resume", "latest", "--headless").ends(exitOK)
}

func TestRetryWithAnotherAgent(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(steps(write("a.txt", "A\n"), []step{{"fail": "no ideas"}}),
		p.another("other", steps(write("a.txt", "other A\n"), write("b.txt", "other B\n"))))
	run := p.do(p.runTwo("--headless")...).ends(exitProblems).end().Run
	p.do("retry", run, "3", "--headless").ends(exitUsage, "Workers 1 to 2")
	p.do("retry", run, "2", "--agent", "nobody", "--headless").ends(exitUsage, `"nobody"`)
	if end := p.do("retry", run, "2", "--agent", "other", "--headless").ends(exitOK).end(); end.Status != "passed" {
		t.Errorf("ended %+v", end)
	}
	s := p.shown(run)
	if s.Workers[0].Agent != "scripted" || s.Workers[1].Agent != "other" || s.Workers[1].Attempts != 2 {
		t.Errorf("agents %s and %s, attempt %d", s.Workers[0].Agent, s.Workers[1].Agent, s.Workers[1].Attempts)
	}
	if a, b := p.git(p.repo, "show", s.Branch+":a.txt"), p.git(p.repo, "show", s.Branch+":b.txt"); a != "A" || b != "other B" {
		t.Errorf("the branch holds %q and %q", a, b)
	}
	// What passed can be done again from any Worker; the branch follows.
	p.do("retry", run, "1", "--agent", "other", "--headless").ends(exitOK)
	s = p.shown(run)
	if a := p.git(p.repo, "show", s.Branch+":a.txt"); a != "other A" || len(s.Results) != 2 {
		t.Errorf("%d RESULTs, the branch %s holds %q", len(s.Results), s.Branch, a)
	}
}

func TestAnswerOfABlockedWorker(t *testing.T) {
	t.Parallel()
	for _, choice := range []string{"widen", "fail"} {
		t.Run(choice, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.configure(steps([]step{{"result": map[string]any{"status": "blocked", "needs": []string{"sub/c.txt"}, "summary": "x"}}}, write("b.txt", "B\n")))
			dir := p.detached(p.runTwo()...)
			run := filepath.Base(dir)
			w := p.waits(dir)
			s := p.shown(run)
			if len(s.Waits) != 1 || s.Waits[0].Kind != "blocked" || !strings.Contains(s.Waits[0].Text, "sub/c.txt") || s.Workers[0].State != "waiting" {
				t.Fatalf("waits %+v, Worker 1 %s", s.Waits, s.Workers[0].State)
			}
			shown := p.do("show", run).ends(exitOK, "Run "+run+" waits: ", "sub/c.txt", "answer "+run+" "+w.ID+" widen|fail")
			if !strings.HasPrefix(shown.out, "Run "+run+" waits: ") {
				t.Errorf("what it waits for does not stand first:\n%s", shown.out)
			}
			p.do("runs").ends(exitOK, "waiting for you")
			p.do("answer", run, "no-such-id", choice).ends(exitUsage, "no-such-id")
			p.do("answer", run, w.ID, "perhaps").ends(exitUsage, "perhaps", "widen", "fail")
			if choice == "widen" {
				// An agent's script is read anew each time it starts.
				p.configure(steps([]step{{"write": "a.txt", "content": "A\n"}, {"write": "sub/c.txt", "content": "C\n"}, done("a.txt", "sub/c.txt")}, write("b.txt", "B\n")))
			}
			var got map[string]string
			p.do("answer", run, w.ID, choice, "--json").ends(exitOK).json(&got)
			if got["run"] != run || got["id"] != w.ID || got["choice"] != choice {
				t.Errorf("answer says %v", got)
			}
			p.ended(dir)
			s = p.shown(run)
			if choice == "fail" {
				if s.Status != "failed" || s.Workers[0].State != "failed" || !strings.Contains(s.Workers[0].Reason, "blocked: needs sub/c.txt") {
					t.Errorf("%s, Worker 1 %s: %s", s.Status, s.Workers[0].State, s.Workers[0].Reason)
				}
				return
			}
			if s.Status != "passed" || s.Workers[0].Attempts != 2 {
				t.Fatalf("%s: %s, attempt %d", s.Status, s.Reason, s.Workers[0].Attempts)
			}
			if !strings.Contains(get(t, filepath.Join(dir, "task1.md")), "\nsub/c.txt\n") || !strings.Contains(get(t, filepath.Join(dir, s.Workers[0].Prompt.Path)), "\nsub/c.txt\n") {
				t.Error("the wider task is not what the Worker was given")
			}
			if c := p.git(p.repo, "show", s.Branch+":sub/c.txt"); c != "C" {
				t.Errorf("the branch holds %q", c)
			}
		})
	}
}

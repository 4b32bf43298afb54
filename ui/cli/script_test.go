package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
	"growbench/engine/doc"
)

type step = map[string]any

// steps is a script: a list of steps for each Worker.
func steps(workers ...[]step) map[string]any {
	list := []any{}
	for i, w := range workers {
		list = append(list, map[string]any{"task": i + 1, "steps": w})
	}
	return map[string]any{"workers": list}
}

// write is a Worker that writes one file and hands in its RESULT.
func write(path, content string) []step {
	return []step{{"turn": 1}, {"write": path, "content": content}, done(path)}
}

func done(paths ...string) step {
	return step{"result": map[string]any{
		"status": "done", "files": map[string]any{"modified": paths}, "breaking": []string{}, "summary": "Done.",
	}}
}

// twoWorkers is the chain most tests use: Worker 1 writes a.txt, Worker 2
// b.txt.
func twoWorkers() map[string]any { return steps(write("a.txt", "A\n"), write("b.txt", "B\n")) }

// configure gives the user a scripted agent for every role, and more.
func (p *place) configure(script map[string]any, more ...func(config map[string]any)) {
	p.t.Helper()
	dir := filepath.Join(p.base, "config", "growbench")
	putJSON(p.t, filepath.Join(dir, "script.json"), script)
	config := map[string]any{
		"agents": map[string]any{"scripted": map[string]any{"kind": "script", "file": "script.json"}},
		"roles":  map[string]any{"planner": "scripted", "worker": "scripted"},
	}
	for _, m := range more {
		m(config)
	}
	putJSON(p.t, filepath.Join(dir, "config.json"), config)
}

// another adds a second scripted agent.
func (p *place) another(name string, script map[string]any) func(map[string]any) {
	putJSON(p.t, filepath.Join(p.base, "config", "growbench", name+".json"), script)
	return func(config map[string]any) {
		config["agents"].(map[string]any)[name] = map[string]any{"kind": "script", "file": name + ".json"}
	}
}

func task(title string, layer int, targets ...string) doc.PlanTask {
	return doc.PlanTask{
		Title: title, Layer: layer, Goal: "Do " + title + ".", Background: "Decided.", PastFailures: doc.None,
		Constraints: []string{"Stay small."}, TargetFiles: targets, Signatures: []string{},
	}
}

func twoTasks() doc.Plan {
	return doc.Plan{Tasks: []doc.PlanTask{task("first", 0, "a.txt"), task("second", 1, "b.txt")}}
}

// brief is a Task #0 with these targets.
func brief(targets ...string) string {
	return doc.FormatTask(doc.Task{
		Goal: "Make both letters large.", Background: "Decided.", PastFailures: doc.None,
		Constraints: []string{"Stay small."}, TargetFiles: targets,
	})
}

// order writes Task #0 and a plan for it, and returns the flags that name them.
func (p *place) order(plan doc.Plan) []string {
	p.t.Helper()
	var targets []string
	for _, t := range plan.Tasks {
		targets = append(targets, t.TargetFiles...)
	}
	t0, file := filepath.Join(p.base, "task0.md"), filepath.Join(p.base, "plan.json")
	put(p.t, t0, brief(targets...))
	put(p.t, file, doc.FormatPlan(plan))
	return []string{"--task0", t0, "--plan", file}
}

// runTwo are the arguments of a run of the two usual Workers.
func (p *place) runTwo(more ...string) []string {
	p.t.Helper()
	return append(append([]string{"run"}, p.order(twoTasks())...), more...)
}

// gate holds an agent up until the test opens it, for good.
type gate struct {
	p    *place
	path string
	file *os.File
}

func (p *place) gate(name string) *gate {
	p.t.Helper()
	g := &gate{p: p, path: filepath.Join(p.base, name)}
	if err := syscall.Mkfifo(g.path, 0o600); err != nil {
		p.t.Fatal(err)
	}
	// A reader waits until somebody holds the other end, so that nothing the
	// agent's shell does can get past the gate before it is opened.
	p.t.Cleanup(func() {
		if g.file != nil {
			g.file.Close()
		}
	})
	return g
}

// pass is the step that waits at the gate.
func (g *gate) pass() step { return step{"run": "read line < " + g.path} }

// open lets everybody through, now and later.
func (g *gate) open() {
	g.p.t.Helper()
	fd, err := unix.Open(g.path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		g.p.t.Fatal(err)
	}
	g.file = os.NewFile(uintptr(fd), g.path)
	if _, err := g.file.WriteString(strings.Repeat("go\n", 100)); err != nil {
		g.p.t.Fatal(err)
	}
}

// gated is the usual chain with Worker 2 held up at a gate.
func (g *gate) gated() map[string]any {
	return steps(write("a.txt", "A\n"), append([]step{{"turn": 1}, {"write": "b.txt", "content": "half\n"}, g.pass()}, write("b.txt", "B\n")[1:]...))
}

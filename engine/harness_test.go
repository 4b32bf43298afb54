package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/mapgen/symbols"
)

// killAt makes an owner that this test binary plays kill itself, as kill -9
// would, right after the event with that number is in its log.
const killAt = "GROWBENCH_TEST_KILL_AT"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case OwnerCommand:
			if err := RunOwner(os.Args[2:], ownerOptions()); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		case KeeperCommand:
			if err := RunKeeper(os.Args[2:], KeeperOptions{Grace: 500 * time.Millisecond}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		case workspace.ConfineCommand:
			fmt.Fprintln(os.Stderr, workspace.Confine(os.Args[2:]))
			os.Exit(126)
		case "dial":
			os.Exit(connectTo(os.Args[2]))
		case "ask-owner": // what an agent would do to approve itself
			if err := Send(context.Background(), os.Args[2], Command{Do: "stop"}); err != nil {
				fmt.Println(err)
				os.Exit(3)
			}
			os.Exit(0)
		case "ask":
			if err := ask(os.Args[2], os.Args[3]); err != nil {
				fmt.Println(err)
				os.Exit(3)
			}
			fmt.Println("it said yes")
			os.Exit(0)
		case "say-and-leave":
			if err := sayAndLeave(os.Args[2], os.Args[3]); err != nil {
				fmt.Println(err)
				os.Exit(3)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

type unable struct{}

func (unable) Extract(context.Context, []symbols.Source) ([]symbols.File, error) {
	return nil, symbols.ErrNoWorker
}

// noSymbols gives an owner an extractor that cannot read anything.
const noSymbols = "GROWBENCH_TEST_NO_SYMBOLS"

func ownerOptions() OwnerOptions {
	opt := OwnerOptions{Grace: 500 * time.Millisecond}
	if os.Getenv(noSymbols) != "" {
		opt.Symbols = unable{}
	}
	if at, err := strconv.ParseUint(os.Getenv(killAt), 10, 64); err == nil {
		opt.AfterAppend = func(e event.Event) {
			if e.Seq == at {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
	}
	return opt
}

// bench is a place for runs: a user's project and a state folder.
type bench struct {
	t       testing.TB
	state   string
	project workspace.Project
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=U", "-c", "user.email=u@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// newBench makes a project of files, committed when it has any.
func newBench(t testing.TB, files map[string]string) *bench {
	t.Helper()
	root := filepath.Join(t.TempDir(), "project")
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, root, "init", "-q", "-b", "main")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-qm", "base")
	return benchOn(t, root)
}

func benchOn(t testing.TB, root string) *bench {
	t.Helper()
	project, err := workspace.FindProject(root)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t: t, state: filepath.Join(t.TempDir(), "state"), project: project}
}

// order is a run to be made.
type order struct {
	plan     doc.Plan
	planner  bool // ask the script's planner for the plan
	script   any  // the script's content
	attach   fs.FS
	attended bool
	verify   []string
	each     []string
	setup    []string
	limits   config.Limits
	task0    string
	speed    float64
	sandbox  string // off when empty
	scope    string // flag when empty
	single   bool
	affected string
	delay    time.Duration
	bisect   bool
	review   bool
	keepMap  string // map.run
	base     string // head when empty
	lineage  []workspace.Ancestor
}

func task(title string, layer int, targets ...string) doc.PlanTask {
	return doc.PlanTask{
		Title: title, Layer: layer, Goal: "do " + title, Background: "decided", PastFailures: doc.None,
		Constraints: []string{"stay small"}, TargetFiles: targets, Signatures: []string{},
	}
}

// task0For is a Task #0 that owns every target of a plan.
func task0For(plan doc.Plan) string {
	t := doc.Task{Goal: "Make it work.", Background: "decided", PastFailures: doc.None, Constraints: []string{"stay small"}}
	seen := map[string]bool{}
	for _, p := range plan.Tasks {
		for _, f := range p.TargetFiles {
			if !seen[f] {
				t.TargetFiles, seen[f] = append(t.TargetFiles, f), true
			}
		}
	}
	return doc.FormatTask(t)
}

// create makes the run's directory.
func (b *bench) create(o order) Dirs {
	b.t.Helper()
	if o.attach == nil {
		data, err := json.Marshal(o.script)
		if err != nil {
			b.t.Fatal(err)
		}
		o.attach = fstest.MapFS{"script.json": {Data: data, Mode: 0o600}}
	}
	c := config.Defaults()
	c.Sandbox = cmp.Or(o.sandbox, "off")
	c.Agents = map[string]config.Agent{
		"scripted": {Kind: "script", File: "script.json"},
		"other":    {Kind: "script", File: "other.json"},
	}
	c.Checks = config.Checks{Each: o.each, Verify: o.verify}
	c.Workspace.Setup = o.setup
	c.Map.Run = o.keepMap
	c.Affected, c.AffectedDelay = o.affected, config.Duration(o.delay)
	c.Scope = cmp.Or(o.scope, c.Scope)
	if o.limits != (config.Limits{}) {
		c.Limits = o.limits
	}
	spec := Spec{Base: cmp.Or(o.base, "head"), Planner: "scripted", Worker: "scripted", Config: c, Attended: o.attended, Bisect: o.bisect, Review: o.review, Single: o.single, Speed: max(o.speed, 1e6)}
	if o.lineage != nil {
		spec.RestOn(o.lineage)
	}
	if !o.planner {
		spec.Plan = doc.FormatPlan(o.plan)
	}
	if o.task0 == "" {
		o.task0 = task0For(o.plan)
	}
	dirs, err := Create(NewRun{
		StateRoot: b.state, Project: b.project, Task0: o.task0, Spec: spec, Attach: o.attach, Now: time.Now(),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return dirs
}

// spawn gives a run an owner; env is added to its environment.
func (b *bench) spawn(dirs Dirs, resume *event.RunResumed, env ...string) error {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	s := Spawner{Argv: []string{self}, Env: append(os.Environ(), env...)}
	err = s.Spawn(context.Background(), dirs.Run, resume)
	b.t.Cleanup(func() { b.endAll(dirs) })
	return err
}

// endAll leaves no process of a run behind, whatever the test did.
func (b *bench) endAll(dirs Dirs) {
	if o, err := readOwner(dirs.Run); err == nil && OwnerAlive(dirs.Run) {
		syscall.Kill(o.PID, syscall.SIGKILL)
	}
	workspace.EndMarked(context.Background(), marker(filepath.Base(dirs.Run)), 100*time.Millisecond)
}

// finish follows a run until its owner is gone.
func (b *bench) finish(dirs Dirs) *event.State {
	b.t.Helper()
	return b.until(dirs, func(s *event.State, alive bool) bool { return !alive })
}

// until follows a run until it is as wanted.
func (b *bench) until(dirs Dirs, want func(s *event.State, alive bool) bool) *event.State {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	w := Watch(dirs.Run)
	defer w.Close()
	s := event.NewState()
	for {
		u, err := w.Next(ctx)
		if err != nil {
			b.t.Fatalf("the run did not come to what was wanted: %v; phase %s, status %s, reason %q\n%s",
				err, s.Phase, s.Status, s.Reason, ownerLog(dirs))
		}
		for _, e := range u.Events {
			s.Apply(e)
		}
		if want(s, u.OwnerAlive) {
			return s
		}
	}
}

// run does a whole run and returns its end.
func (b *bench) run(o order) (*event.State, Dirs) {
	b.t.Helper()
	dirs := b.create(o)
	if err := b.spawn(dirs, nil); err != nil {
		b.t.Fatalf("%v\n%s", err, ownerLog(dirs))
	}
	return b.finish(dirs), dirs
}

func ownerLog(dirs Dirs) string {
	data, _ := os.ReadFile(filepath.Join(dirs.Run, fileLog))
	return string(data)
}

func (b *bench) read(dirs Dirs, name string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(dirs.Run, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// steps is a script: one list of steps a Worker.
func steps(workers ...[]map[string]any) map[string]any {
	list := []map[string]any{}
	for i, w := range workers {
		list = append(list, map[string]any{"task": i + 1, "steps": w})
	}
	return map[string]any{"workers": list}
}

type step = map[string]any

// result is a step that hands in a RESULT.
func result(modified []string, breaking ...string) step {
	return step{"result": map[string]any{
		"status": "done", "files": map[string]any{"modified": modified}, "breaking": breaking, "summary": "Done.",
	}}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

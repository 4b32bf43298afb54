package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"growbench/engine/event"
)

// place is a project with runs of its own state and configuration.
type place struct {
	program, dir string
	env          []string
}

// mixedSteps is the script of the agent "mixed", beside the configuration.
const mixedSteps = "mixed.json"

// makePlace makes a project of some files, whose Workers are this program.
func makePlace(work, program string, files int) (*place, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &place{program: program, dir: filepath.Join(work, "project")}
	config := filepath.Join(work, "config")
	p.env = []string{"XDG_STATE_HOME=" + filepath.Join(work, "state"), "XDG_CONFIG_HOME=" + config, "TMPDIR=" + work}
	agents := map[string]any{}
	for name, argv := range map[string][]string{
		"stream": {self, "agent", "stream"}, "quiet": {self, "agent", "quiet"}, "calls": {self, "agent", "calls"},
	} {
		decode := "text"
		if name == "calls" {
			decode = "claude"
		}
		agents[name] = map[string]any{"kind": "command", "argv": argv, "decode": decode}
	}
	agents["mixed"] = map[string]any{"kind": "script", "file": mixedSteps}
	// Without a sandbox, which would hide this program where it was built, and
	// without limits that end what is meant to last.
	settings, err := json.Marshal(map[string]any{"agents": agents, "sandbox": "off", "limits": map[string]any{
		"turns": 0, "tokens": 0, "cost": 0, "wall": "0s", "chain": "0s", "output": 1 << 40,
	}})
	if err != nil {
		return nil, err
	}
	task := map[string]any{
		"title": "print lines", "layer": 0, "agent": "", "goal": "Print lines, so that there is something to watch.",
		"background": "The file is of no interest.", "past_failures": "None — first attempt", "constraints": []string{"Nothing else."},
		"target_files": []string{"a.txt"}, "signatures": []string{},
	}
	plan, err := json.Marshal(map[string]any{"tasks": []any{task}})
	if err != nil {
		return nil, err
	}
	texts := map[string]string{
		filepath.Join(config, "growbench", "config.json"): string(settings),
		filepath.Join(work, "plan.json"):                  string(plan),
		filepath.Join(work, "task0.md"): "# Task #0 (for Planner)\n\n### Goal\nPrint lines, so that there is something to watch.\n\n" +
			"### Background\n- The file is of no interest.\n\n### Past failures\nNone — first attempt\n\n### Constraints\n- Nothing else.\n\n" +
			"### Target Files\na.txt\n\n### Signatures\nNone\n",
		filepath.Join(p.dir, "a.txt"): "one line\n",
	}
	for i := range files {
		texts[filepath.Join(p.dir, fmt.Sprintf("part%d", i/100), fmt.Sprintf("file%d.go", i))] = fmt.Sprintf("package part\n\nfunc F%d() {}\n", i)
	}
	for path, body := range texts {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "commit", "-qm", "start"}} {
		if out, err := exec.Command("git", append([]string{"-C", p.dir}, args...)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git %v: %w: %s", args, err, out)
		}
	}
	return p, nil
}

func (p *place) growbench(args ...string) (string, error) {
	cmd := exec.Command(p.program, append([]string{"-C", p.dir}, args...)...)
	cmd.Env = append(os.Environ(), p.env...)
	out, err := cmd.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("growbench %v: %w: %s", args, err, failed.Stderr)
	}
	return string(out), err
}

// run is one that was begun without a screen.
type run struct {
	place    *place
	name, at string
}

func (p *place) begin(worker string) (*run, error) {
	work := filepath.Dir(p.dir)
	out, err := p.growbench("run", "--json", "--detach", "--task0", filepath.Join(work, "task0.md"), "--plan", filepath.Join(work, "plan.json"), "--worker", worker)
	if err != nil {
		return nil, err
	}
	var begun struct{ Run, Dir string }
	if err := json.Unmarshal([]byte(out), &begun); err != nil {
		return nil, fmt.Errorf("begin a run: %w: %s", err, out)
	}
	return &run{p, begun.Run, begun.Dir}, nil
}

func (r *run) attach(width, height int, verb string, env ...string) (*console, error) {
	return open(width, height, append(r.place.env[:len(r.place.env):len(r.place.env)], env...), r.place.program, "-C", r.place.dir, verb, r.name)
}

// stop ends the run; one that has ended is fine.
func (r *run) stop() { _, _ = r.place.growbench("stop", r.name) }

func (r *run) transcript() string { return event.TranscriptPath(r.at, 1) }

// whole says what is missing of the run's log and of the lines its agent printed.
func (r *run) whole() (events, lines int, err error) {
	all, report, err := event.Read(filepath.Join(r.at, "events.jsonl"))
	if err != nil {
		return 0, 0, err
	}
	if !report.Clean() {
		return 0, 0, fmt.Errorf("the log has damage: %+v", report)
	}
	for i, e := range all {
		if e.Seq != uint64(i+1) {
			return 0, 0, fmt.Errorf("event %d has the number %d", i+1, e.Seq)
		}
	}
	text, err := r.spoken()
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(text) {
		if want := fmt.Sprintf("line %d ", lines); !strings.HasPrefix(line, want) {
			return 0, 0, fmt.Errorf("after line %d the transcript goes on with %q", lines-1, line)
		}
		lines++
	}
	return len(all), lines, nil
}

// spoken is all text in a transcript and all that tools have printed, without a
// last line that is not whole.
func (r *run) spoken() (string, error) {
	var text strings.Builder
	err := r.items(func(it event.Item) error {
		if it.Kind == event.ItemText || it.Kind == event.ItemOutput {
			text.WriteString(it.Text)
		}
		return nil
	})
	whole := text.String()
	return whole[:strings.LastIndexByte(whole, '\n')+1], err
}

// until waits for what a run does by itself.
func (r *run) until(what string, ok func() bool) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	late := time.After(5 * time.Minute)
	for !ok() {
		select {
		case <-tick.C:
			if out, _ := r.place.growbench("show", r.name, "--json"); strings.Contains(out, `"status": "failed"`) {
				return fmt.Errorf("%s did not come, the run failed: %s", what, out)
			}
		case <-late:
			return fmt.Errorf("%s did not come", what)
		}
	}
	return nil
}

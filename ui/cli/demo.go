package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/workspace"
)

// maxSpeed is as fast as no pause at all.
const maxSpeed = 1e6

// demoFile is demo.json, what the sample says of itself.
type demoFile struct {
	Title      string   `json:"title"`
	Verify     []string `json:"verify"`
	BranchType string   `json:"branch_type"`
}

func (a *App) demoCommand() *cobra.Command {
	var dir string
	var headless bool
	speed := 1.0
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch a real pipeline on an embedded sample project (scripted agents)",
		Long: `Puts a small Go project into a fresh directory and runs a recorded pipeline on
it. The agents' thoughts are recorded; the files, the commits and the tests they
run are real. Needs Go and git, no model and no account.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.demo(cmd.Context(), dir, headless, speed)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "put the sample into `DIR`, which must be empty or not exist")
	c.Flags().BoolVar(&headless, "headless", false, "no screen: follow the run on standard output")
	c.Flags().Float64Var(&speed, "speed", 1, "play the recorded pauses `F` times as fast")
	return c
}

func (a *App) demo(ctx ctx, dir string, headless bool, speed float64) error {
	if !(speed > 0 && speed <= maxSpeed) { // not a number is neither
		return usage(fmt.Errorf("--speed %g: give a number above 0, at most %.0f", speed, float64(maxSpeed)))
	}
	stateRoot, err := config.StateRoot()
	if err != nil {
		return err
	}
	d, task0, err := a.readDemo()
	if err != nil {
		return err
	}
	if dir, err = freshDir(dir); err != nil {
		return err
	}
	if err := a.unpackSample(dir); err != nil {
		return fmt.Errorf("put the sample into %s: %w", dir, err)
	}
	if err := workspace.InitRepository(ctx, dir, "Sample project", time.Now()); err != nil {
		return environment(fmt.Errorf("make the sample a repository: %w", err))
	}
	project, err := workspace.FindProject(dir)
	if err != nil {
		return err
	}
	a.say("Sample project in %s; the agents are scripted, everything else is real.", dir)
	return a.start(ctx, engine.NewRun{
		StateRoot: stateRoot, Project: project, Task0: task0, Attach: a.Demo, Now: time.Now(),
		Spec: demoSpec(d, speed, a.attended(headless, false)),
	}, headless, false)
}

// demoSpec is the run of the demo: its own configuration, whatever the user's.
func demoSpec(d demoFile, speed float64, attended bool) engine.Spec {
	const name = "scripted"
	c := config.Defaults()
	c.Agents = map[string]config.Agent{name: {Kind: "script", File: "script.json"}}
	c.Checks.Verify = d.Verify
	return engine.Spec{
		Base: "head", BranchType: d.BranchType, Planner: name, Worker: name,
		Attended: attended, Speed: speed, Config: c, Back: self(),
	}
}

func (a *App) readDemo() (demoFile, string, error) {
	var d demoFile
	data, err := fs.ReadFile(a.Demo, "demo.json")
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		return d, "", fmt.Errorf("read the embedded demo: %w", err)
	}
	task0, err := fs.ReadFile(a.Demo, "task0.md")
	if err != nil {
		return d, "", fmt.Errorf("read the embedded demo: %w", err)
	}
	if _, problems := doc.LintTaskText(string(task0), doc.LintOptions{}); doc.HasErrors(problems) {
		return d, "", fmt.Errorf("the embedded demo's Task #0 is not sound: %s", problems[0].Text)
	}
	return d, string(task0), nil
}

// freshDir is a directory that is there and empty.
func freshDir(dir string) (string, error) {
	if dir == "" {
		return os.MkdirTemp("", "growbench-demo-")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", usage(err)
	}
	if err := os.Mkdir(dir, 0o755); err == nil {
		return dir, nil
	} else if !errors.Is(err, fs.ErrExist) {
		return "", usage(fmt.Errorf("make the demo's directory: %w", err))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", usage(fmt.Errorf("look into the demo's directory: %w", err))
	}
	if len(entries) > 0 {
		return "", usage(fmt.Errorf("%s is not empty; name a directory that is, or one that does not exist", dir))
	}
	return dir, nil
}

// unpackSample writes sample/ to dir. A name that ends in .txt loses that end
// where it only keeps Go's tools from taking the embedded file for their own.
func (a *App) unpackSample(dir string) error {
	sample, err := fs.Sub(a.Demo, "sample")
	if err != nil {
		return err
	}
	return fs.WalkDir(sample, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		data, err := fs.ReadFile(sample, path)
		if err != nil {
			return err
		}
		if base := strings.TrimSuffix(to, ".txt"); filepath.Base(base) == "go.mod" {
			to = base
		}
		return os.WriteFile(to, data, 0o644)
	})
}

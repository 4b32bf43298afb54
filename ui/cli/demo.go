package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/workspace"
)

// affectedPause is how long the demo waits for an answer before it goes on by
// itself; like every pause of it, --speed shortens it.
const affectedPause = 20 * time.Second

// maxSpeed is as fast as no pause at all.
const maxSpeed = 1e6

// demoFile is demo.json, what the sample says of itself.
type demoFile struct {
	Title      string   `json:"title"`
	Verify     []string `json:"verify"`
	BranchType string   `json:"branch_type"`
}

func (a *App) demoCommand() *cobra.Command {
	var dir, affected string
	var headless bool
	speed := 1.0
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch a real pipeline on an embedded sample project (scripted agents)",
		Long: `Puts a small Go project into a fresh directory and runs a recorded pipeline on
it. The agents' thoughts are recorded; the files, the commits and the tests they
run are real. Needs Go and git, no model and no account.

Worker 3's task relies on what Worker 1 broke: on a screen the run waits for you
there, and goes on as it is after 20 s (divided by --speed). With --headless it goes
on at once and says so. --affected replan has the Planner plan the rest anew instead,
as the answer replan does.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if allowed := config.Choices("affected"); !slices.Contains(allowed, affected) {
				return usage(fmt.Errorf("--affected %q: give one of%s", affected, strings.Join(allowed, " ")))
			}
			return a.demo(cmd.Context(), dir, affected, headless, speed)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "put the sample into `DIR`, which must be empty or not exist")
	c.Flags().StringVar(&affected, "affected", "", "what is done about Worker 3's task: `WORD` ask, continue or replan")
	c.Flags().BoolVar(&headless, "headless", false, "no screen: follow the run on standard output")
	c.Flags().Float64Var(&speed, "speed", 1, "play the recorded pauses `F` times as fast")
	return c
}

func (a *App) demo(ctx ctx, dir, affected string, headless bool, speed float64) error {
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
	if err := d.programs(); err != nil {
		return environment(err)
	}
	making, stop := interruptible(ctx)
	defer stop()
	site, err := a.makeSample(making, dir)
	if err != nil {
		return err
	}
	run, err := a.startDemo(making, site, engine.NewRun{
		StateRoot: stateRoot, Task0: task0, Attach: a.Demo, Now: time.Now(),
		Spec: demoSpec(d, affected, speed, a.attended(headless, false)),
	})
	if err != nil {
		site.discard()
		return err
	}
	if making.Err() != nil {
		return a.stopAtOnce(ctx, run)
	}
	stop()
	return a.show(ctx, run, view{headless: headless})
}

// programs refuses a demo that lacks a program: git, or one that checks its end.
func (d demoFile) programs() error {
	install := map[string]string{"git": "git (2.34 or newer)", "go": "Go"}
	needed := []string{"git"}
	for _, command := range d.Verify {
		needed = append(needed, strings.Fields(command)[:1]...)
	}
	for _, name := range needed {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		what, ok := install[name]
		if !ok {
			what = name
		}
		return fmt.Errorf("the demo needs %s, which was not found in PATH: install %s and type it again", name, what)
	}
	return nil
}

// makeSample puts the sample, a repository, into dir: all of it or nothing.
func (a *App) makeSample(ctx ctx, dir string) (*site, error) {
	s, err := newSite(dir)
	if err != nil {
		return nil, err
	}
	if err = a.unpackSample(s.aside); err != nil {
		err = fmt.Errorf("put the sample into %s: %w", s.dir, err)
	} else if err = workspace.InitRepository(ctx, s.aside, "Sample project", time.Now()); err != nil {
		err = environment(fmt.Errorf("make the sample a repository: %w", err))
	} else {
		err = s.finish()
	}
	if ctx.Err() != nil {
		err = &coded{exitInterrupted, errors.New("interrupted; nothing of the demo was kept")}
	}
	if err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

// startDemo returns the directory of a run that has an owner.
func (a *App) startDemo(ctx ctx, s *site, n engine.NewRun) (run string, err error) {
	if n.Project, err = workspace.FindProject(s.dir); err != nil {
		return "", err
	}
	dirs, err := engine.Create(n)
	if err != nil {
		return "", environment(err)
	}
	a.say("Sample project in %s; the agents are scripted, everything else is real.", s.dir)
	// An owner that is about to listen is not left behind: it is stopped after.
	if err := a.Spawner.Spawn(context.WithoutCancel(ctx), dirs.Run, nil); err != nil {
		return "", environment(err)
	}
	return dirs.Run, nil
}

// stopAtOnce ends a run that was interrupted before it could be shown.
func (a *App) stopAtOnce(ctx ctx, run string) error {
	_, err := engine.Stop(ctx, run, engine.StopOptions{Interrupt: true})
	if err != nil && !errors.Is(err, engine.ErrNothingToDo) {
		return err
	}
	a.say("Run %s is stopped; to go on: %s resume %s", filepath.Base(run), self(), filepath.Base(run))
	return exit(exitInterrupted)
}

// interruptible is a context that Ctrl-C and SIGTERM end.
func interruptible(parent ctx) (ctx, func()) {
	ctx, cancel := context.WithCancel(parent)
	stops := make(chan os.Signal, 1)
	hear(stops, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		select {
		case <-stops:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(stops); cancel() }
}

// demoSpec is the run of the demo: its own configuration, whatever the user's.
func demoSpec(d demoFile, affected string, speed float64, attended bool) engine.Spec {
	const name = "scripted"
	c := config.Defaults()
	c.Agents = map[string]config.Agent{name: {Kind: "script", File: "script.json"}}
	c.Checks.Verify = d.Verify
	c.Affected = affected
	c.AffectedDelay = config.Duration(float64(affectedPause) / speed)
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

package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"growbench/engine/config"
	"growbench/engine/event"
)

// Errors of going on with a run.
var (
	ErrNothingToDo = errors.New("it has nothing left to do")
	ErrCannotRetry = errors.New("it cannot be")
)

// PrepareResume makes ready to go on after the last finished Worker. The run
// must have no owner; the caller then spawns one with what is returned.
func PrepareResume(runDir string, attended bool) (*event.RunResumed, error) {
	s, err := idle(runDir)
	if err != nil {
		return nil, err
	}
	if s.Status == event.StatusPassed {
		return nil, fmt.Errorf("resume run %s: %w: it passed", s.Run, ErrNothingToDo)
	}
	if err := stillTrusted(runDir, "resume"); err != nil {
		return nil, err
	}
	r := &event.RunResumed{Reason: "resume"}
	return r, setAttended(runDir, attended)
}

// PrepareRetry makes ready to run Worker k and what follows again, with
// another agent when one is named.
func PrepareRetry(runDir string, k int, agent string, attended bool) (*event.RunResumed, error) {
	s, err := idle(runDir)
	if err != nil {
		return nil, err
	}
	refuse := func(why string) error {
		return fmt.Errorf("retry Worker %d of run %s: %w: %s", k, s.Run, ErrCannotRetry, why)
	}
	switch {
	case s.Plan.N == 0:
		return nil, refuse("the run has no plan yet; resume it")
	case k < 1 || k > s.Plan.N:
		return nil, refuse(fmt.Sprintf("the chain has Workers 1 to %d", s.Plan.N))
	}
	for i := 1; i < k; i++ {
		if s.Worker(i).State != event.Done {
			return nil, refuse(fmt.Sprintf("Worker %d before it is not done", i))
		}
	}
	if err := stillTrusted(runDir, "retry"); err != nil {
		return nil, err
	}
	if agent != "" {
		spec, err := LoadSpec(runDir)
		if err != nil {
			return nil, err
		}
		if _, known := spec.Config.Agents[agent]; !known && slices.Contains(Presets(), agent) {
			spec.Config.Agents[agent] = config.Agent{Kind: "command", Preset: agent}
			if err := saveSpec(runDir, spec); err != nil {
				return nil, err
			}
		}
		if err := CanRun(spec.Config, agent); err != nil {
			return nil, refuse(err.Error())
		}
	}
	return &event.RunResumed{From: k, Reason: "retry", Agent: agent}, setAttended(runDir, attended)
}

func idle(runDir string) (*event.State, error) {
	s, _, err := Load(runDir, time.Now())
	if errors.Is(err, fs.ErrNotExist) {
		// Its owner died before the first event; everything is still to do.
		s = event.NewState()
		s.Run = filepath.Base(runDir)
		s.Look(OwnerAlive(runDir), time.Now())
		_, err = LoadSpec(runDir)
	}
	if err != nil {
		return nil, err
	}
	if s.Owner == "alive" {
		return nil, fmt.Errorf("go on with run %s: %w; `growbench attach %s` shows it", s.Run, ErrOwned, s.Run)
	}
	return s, nil
}

func setAttended(runDir string, attended bool) error {
	spec, err := LoadSpec(runDir)
	if err != nil || spec.Attended == attended {
		return err
	}
	spec.Attended = attended
	return saveSpec(runDir, spec)
}

// stillTrusted refuses to run anything more for a project whose trust was
// taken back, or whose file has changed since: a run keeps the configuration
// it began with, not the trust.
func stillTrusted(runDir, act string) error {
	spec, err := LoadSpec(runDir)
	if err != nil {
		return err
	}
	loaded, err := config.Load(config.Options{ProjectRoot: spec.Root, Presets: Presets()})
	if err == nil {
		err = loaded.RequireTrust()
	}
	if err != nil {
		return fmt.Errorf("%s run %s of %s: %w", act, spec.Run, spec.Root, err)
	}
	return nil
}

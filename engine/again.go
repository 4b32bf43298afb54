package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"growbench/engine/config"
	"growbench/engine/event"
)

// Errors of going on with a run.
var (
	ErrNothingToDo = errors.New("it has nothing left to do")
	ErrCannotRetry = errors.New("it cannot be")
)

// Standing is a run that nobody owns, read once: it can be gone on with, and
// shown meanwhile.
type Standing struct {
	Dir   string
	State *event.State
	read  int64 // bytes of the log that State holds
}

// Stand reads a run that must have no owner.
func Stand(runDir string) (Standing, error) {
	if OwnerAlive(runDir) {
		run := filepath.Base(runDir)
		return Standing{}, fmt.Errorf("go on with run %s: %w; `growbench attach %s` shows it", run, ErrOwned, run)
	}
	s, report, err := event.ReadState(filepath.Join(runDir, fileEvents))
	if errors.Is(err, fs.ErrNotExist) {
		// Its owner died before the first event; everything is still to do.
		s = event.NewState()
		s.Run = filepath.Base(runDir)
		_, err = LoadSpec(runDir)
	}
	if err != nil {
		return Standing{}, fmt.Errorf("go on with run %s: %w", filepath.Base(runDir), err)
	}
	return Standing{runDir, s, report.Lines}, nil
}

// Watch follows the run from where it stands.
func (r Standing) Watch() *Watcher { return watchFrom(r.Dir, r.read) }

// Resume makes ready to go on after the last finished Worker. The caller then
// spawns an owner with what is returned.
func (r Standing) Resume(attended bool) (*event.RunResumed, error) {
	if r.State.Status == event.StatusPassed {
		return nil, fmt.Errorf("resume run %s: %w: it passed", r.State.Run, ErrNothingToDo)
	}
	if err := stillTrusted(r.Dir, "resume"); err != nil {
		return nil, err
	}
	return &event.RunResumed{Reason: "resume"}, setAttended(r.Dir, attended)
}

// Retry makes ready to run Worker k and what follows again, with another agent
// when one is named.
func (r Standing) Retry(k int, agent string, attended bool) (*event.RunResumed, error) {
	s := r.State
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
	if err := stillTrusted(r.Dir, "retry"); err != nil {
		return nil, err
	}
	if agent != "" {
		spec, err := LoadSpec(r.Dir)
		if err != nil {
			return nil, err
		}
		if _, known := spec.Config.Agents[agent]; !known && slices.Contains(Presets(), agent) {
			spec.Config.Agents[agent] = config.Agent{Kind: "command", Preset: agent}
			if err := saveSpec(r.Dir, spec); err != nil {
				return nil, err
			}
		}
		if err := CanRun(spec.Config, agent); err != nil {
			return nil, refuse(err.Error())
		}
	}
	return &event.RunResumed{From: k, Reason: "retry", Agent: agent}, setAttended(r.Dir, attended)
}

// PrepareResume is Resume of the run in runDir.
func PrepareResume(runDir string, attended bool) (*event.RunResumed, error) {
	r, err := Stand(runDir)
	if err != nil {
		return nil, err
	}
	return r.Resume(attended)
}

// PrepareRetry is Retry of the run in runDir.
func PrepareRetry(runDir string, k int, agent string, attended bool) (*event.RunResumed, error) {
	r, err := Stand(runDir)
	if err != nil {
		return nil, err
	}
	return r.Retry(k, agent, attended)
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

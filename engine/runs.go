package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
)

// ErrNoRun means that no run answers to a name.
var ErrNoRun = errors.New("no such run")

// Summary is one line of the list of runs.
type Summary struct {
	Run      string    `json:"run"`
	Project  string    `json:"project"`
	Goal     string    `json:"goal"`
	Phase    string    `json:"phase"`
	Status   string    `json:"status"` // running, passed, failed, stopped, orphaned
	Verified string    `json:"verified"`
	Done     int       `json:"done"`
	N        int       `json:"n"`
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended,omitzero"`
	Owner    string    `json:"owner"`
	Waiting  int       `json:"waiting"`
	Dir      string    `json:"dir"`
}

// Load folds the run in runDir and says whether its owner lives.
func Load(runDir string, now time.Time) (*event.State, event.Report, error) {
	events, report, err := event.Read(filepath.Join(runDir, fileEvents))
	if err != nil {
		return nil, report, fmt.Errorf("open run %s: %w", filepath.Base(runDir), err)
	}
	s := event.Fold(events)
	s.Look(OwnerAlive(runDir), now)
	return s, report, nil
}

// Summarize is the run in runDir in one line.
func Summarize(runDir string, now time.Time) (Summary, error) {
	sum := Summary{Run: filepath.Base(runDir), Dir: runDir, Owner: "gone", Verified: event.VerifiedNone}
	s, _, err := Load(runDir, now)
	if errors.Is(err, fs.ErrNotExist) {
		sum.Phase, sum.Status = event.PhaseStarting, event.Orphaned // its owner never began
		if OwnerAlive(runDir) {
			sum.Status, sum.Owner = event.StatusRunning, "alive"
		}
		return sum, nil
	}
	if err != nil {
		return sum, err
	}
	sum.Project, sum.Goal, sum.Phase, sum.Status = s.Project, s.Task0.Goal, s.Phase, s.Status
	sum.Verified, sum.Done, sum.N = s.Verified, s.DoneWorkers(), s.Plan.N
	sum.Started, sum.Ended, sum.Owner, sum.Waiting = s.Started, s.Ended, s.Owner, len(s.Waits)
	if !s.IsEnded() && s.Owner == "gone" {
		sum.Status = event.Orphaned
	}
	return sum, nil
}

// Runs lists the run directories of a project, oldest first; of every project
// when project is empty.
func Runs(stateRoot, project string) ([]string, error) {
	if project == "" {
		project = "*"
	}
	dirs, err := filepath.Glob(filepath.Join(escapeGlob(stateRoot), project, "runs", "*"))
	if err != nil {
		return nil, fmt.Errorf("list the runs in %s: %w", stateRoot, err)
	}
	dirs = slices.DeleteFunc(dirs, func(d string) bool {
		info, err := os.Stat(d)
		return err != nil || !info.IsDir() || !runID.MatchString(filepath.Base(d))
	})
	slices.SortFunc(dirs, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return dirs, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Latest names a project's newest run in place of an id.
const Latest = "latest"

// FindRun returns the directory of the run that name means: its id, a
// beginning or an end of it that only one run has, "latest", or the path of
// its directory. The project's own runs come first, then all.
func FindRun(stateRoot, project, name string) (string, error) {
	if strings.ContainsRune(name, os.PathSeparator) {
		if _, err := os.Stat(filepath.Join(name, fileEvents)); err == nil {
			return filepath.Abs(name)
		}
		return "", fmt.Errorf("find run %s: %w in that directory", name, ErrNoRun)
	}
	for _, where := range []string{project, ""} {
		dirs, err := Runs(stateRoot, where)
		if err != nil {
			return "", err
		}
		if name == Latest && len(dirs) > 0 {
			return dirs[len(dirs)-1], nil
		}
		dirs = slices.DeleteFunc(dirs, func(d string) bool { return !answersTo(filepath.Base(d), name) })
		switch {
		case len(dirs) == 1:
			return dirs[0], nil
		case len(dirs) > 1:
			return "", fmt.Errorf("find run %q: %d runs are called so (%s, %s, …); give more of the name",
				name, len(dirs), filepath.Base(dirs[0]), filepath.Base(dirs[1]))
		}
		if where == "" {
			break
		}
	}
	return "", fmt.Errorf("find run %q: %w; `growbench runs --all` lists them", name, ErrNoRun)
}

func answersTo(id, name string) bool {
	return name != "" && name != Latest && (strings.HasPrefix(id, name) || strings.HasSuffix(id, name))
}

package engine

import (
	"encoding/json"
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
	Branch   string    `json:"branch"`
	Agents   []string  `json:"agents"`
	Cost     float64   `json:"cost"`
	Dir      string    `json:"dir"`
	// State is the whole of it; nil when its owner never began.
	State *event.State `json:"-"`
}

// Load folds the run in runDir and says whether its owner lives.
func Load(runDir string, now time.Time) (*event.State, event.Report, error) {
	s, report, err := event.ReadState(filepath.Join(runDir, fileEvents))
	if err != nil {
		return nil, report, fmt.Errorf("open run %s: %w", filepath.Base(runDir), err)
	}
	s.Look(OwnerAlive(runDir), now)
	return s, report, nil
}

// Summarize is the run in runDir in one line.
func Summarize(runDir string, now time.Time) (Summary, error) {
	s, _, err := Load(runDir, now)
	if errors.Is(err, fs.ErrNotExist) {
		return summaryOf(runDir, nil, OwnerAlive(runDir)), nil
	}
	if err != nil {
		return Summary{Run: filepath.Base(runDir), Dir: runDir, Owner: "gone", Verified: event.VerifiedNone}, err
	}
	return summaryOf(runDir, s, s.Owner == "alive"), nil
}

// summaryOf is a run's state in one line; without a state its owner never
// began.
func summaryOf(runDir string, s *event.State, alive bool) Summary {
	sum := Summary{
		Run: filepath.Base(runDir), Dir: runDir, Owner: "gone", Verified: event.VerifiedNone,
		Phase: event.PhaseStarting, Status: event.StatusRunning, Agents: []string{},
	}
	if alive {
		sum.Owner = "alive"
	}
	if s != nil {
		sum.State = s
		sum.Project, sum.Goal, sum.Phase, sum.Status = s.Project, s.Task0.Goal, s.Phase, s.Status
		sum.Verified, sum.Done, sum.N = s.Verified, s.DoneWorkers(), s.Plan.N
		sum.Started, sum.Ended, sum.Waiting = s.Started, s.Ended, len(s.Waits)
		sum.Branch, sum.Cost, sum.Agents = s.Branch, s.Usage.Cost, agentsOf(s)
	}
	if sum.Status == event.StatusRunning && !alive {
		sum.Status = event.Orphaned
	}
	return sum
}

// agentsOf names who worked or will, in order, each once; before the plan, who
// makes it.
func agentsOf(s *event.State) []string {
	names := []string{}
	for _, w := range s.Workers {
		if w.Agent != "" && !slices.Contains(names, w.Agent) {
			names = append(names, w.Agent)
		}
	}
	if len(names) == 0 && s.Planner.Agent != "" {
		names = append(names, s.Planner.Agent)
	}
	return names
}

// RunTime is when the run of that id was made, as its name tells it.
func RunTime(id string) time.Time {
	if len(id) < 15 {
		return time.Time{}
	}
	at, _ := time.Parse("20060102-150405", id[:15])
	return at
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

// IsRun tells whether dir is the directory of a run of ours: it holds what a
// run is made with, or a log that begins as ours do.
func IsRun(dir string) bool {
	if _, err := LoadSpec(dir); err == nil {
		return true
	}
	tail := event.NewTail(filepath.Join(dir, fileEvents), 0)
	defer tail.Close()
	ours := false
	err := tail.Next(func(line []byte) bool {
		var e event.Event
		if json.Unmarshal(line, &e) == nil {
			_, ours = e.Body.(event.RunStarted)
		}
		return false
	})
	return err == nil && ours
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Latest names a project's newest run in place of an id.
const Latest = "latest"

// FindRun returns the directory of the run that name means: its id, a
// beginning or an end of it that only one run has, "latest", or the path of
// its directory. The project's own runs come first, then all. "latest" never
// leaves a project that is named: who stops or resumes it means this one's.
func FindRun(stateRoot, project, name string) (string, error) {
	if strings.ContainsRune(name, os.PathSeparator) {
		if _, err := os.Stat(filepath.Join(name, fileEvents)); err == nil {
			return filepath.Abs(name)
		}
		return "", fmt.Errorf("find run %s: %w in that directory", name, ErrNoRun)
	}
	for _, where := range places(project) {
		dirs, err := Runs(stateRoot, where)
		if err != nil {
			return "", err
		}
		if name == Latest && len(dirs) == 0 {
			return "", fmt.Errorf("find the latest run: %w in this project; `growbench runs --all` lists every project's", ErrNoRun)
		}
		if name == Latest {
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
	}
	return "", fmt.Errorf("find run %q: %w; `growbench runs --all` lists them", name, ErrNoRun)
}

// places are where a run is looked for, nearest first.
func places(project string) []string {
	if project == "" {
		return []string{""}
	}
	return []string{project, ""}
}

func answersTo(id, name string) bool {
	return name != "" && name != Latest && (strings.HasPrefix(id, name) || strings.HasSuffix(id, name))
}

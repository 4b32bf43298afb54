package engine

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"growbench/engine/config"
	"growbench/engine/workspace"
)

// Spec is everything a run was asked to be. It is frozen in the run
// directory, so that a run goes on as it began whatever changes outside.
type Spec struct {
	Run     string `json:"run"`
	Project string `json:"project"` // name of the project's state folder
	Root    string `json:"root"`    // the user's project
	Base    string `json:"base"`    // head, snapshot or run
	// Lineage is what a run of base "run" rests on.
	Lineage []workspace.Ancestor `json:"lineage,omitempty"`
	// Chosen says how the base was chosen, where that was not by the operator.
	Chosen []string `json:"chosen,omitempty"`
	Branch string   `json:"branch"` // wanted name; empty = made from the Goal
	// BranchType is the middle of giver/<type>/<description>.
	BranchType string `json:"branch_type"`
	Plan       string `json:"plan"`   // the plan's text; empty = ask the Planner
	Single     bool   `json:"single"` // the plan is Task #0 as one task
	Planner    string `json:"planner"`
	Worker     string `json:"worker"`
	// Attended is true when somebody can answer what the run waits for.
	Attended bool `json:"attended"`
	// Review has the operator approve the plan before the first Worker.
	Review bool `json:"review"`
	// Bisect finds, when verification fails, the Worker whose commit first does.
	Bisect bool `json:"bisect"`
	// Conversation is how many bytes Task #0 was made from; 0 is not known.
	Conversation int64 `json:"conversation,omitempty"`
	// Speed divides recorded pauses.
	Speed float64 `json:"speed"`
	// Config is the configuration in force, trust decided.
	Config config.Config `json:"config"`
	// Found are verify commands that nobody trusted: listed, never run.
	Found []string `json:"found"`
	// Back is how this growbench was started, for lines that say what to type.
	Back string `json:"back"`
}

// agentName is who does task k: the task's own choice, else the run's Worker.
func (s Spec) agentName(own string) string {
	if own != "" {
		return own
	}
	return s.Worker
}

func (s Spec) speed() float64 {
	if s.Speed <= 0 {
		return 1
	}
	return s.Speed
}

// NewRun is what a run is made from.
type NewRun struct {
	StateRoot string
	Project   workspace.Project
	Task0     string // text of Task #0
	Spec      Spec
	// Attach is copied to attached/ in the run directory.
	Attach fs.FS
	Now    time.Time
}

// Create makes the run's directory with all its owner needs. Nothing else is
// touched. The caller has linted Task #0 and the plan, and may have named the
// run: whoever logs what it is about to do needs the name before.
func Create(n NewRun) (dirs Dirs, err error) {
	if n.Spec.Run == "" {
		n.Spec.Run = NewRunID(n.Now)
	}
	n.Spec.Project = n.Project.Name
	n.Spec.Root = n.Project.Root
	dirs = RunDirs(n.StateRoot, n.Project.Name, n.Spec.Run)
	doing := func(err error) error {
		return fmt.Errorf("make the run's directory %s: %w", dirs.Run, err)
	}
	if err := os.MkdirAll(filepath.Dir(dirs.Run), 0o700); err != nil {
		return dirs, doing(err)
	}
	if err := os.Mkdir(dirs.Run, 0o700); err != nil {
		return dirs, doing(err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dirs.Run)
		}
	}()
	if err := os.MkdirAll(filepath.Dir(dirs.Tree), 0o700); err != nil {
		return dirs, doing(err)
	}
	if n.Attach != nil {
		if err := os.CopyFS(filepath.Join(dirs.Run, dirAttached), n.Attach); err != nil {
			return dirs, doing(err)
		}
	}
	if err := writeFile(filepath.Join(dirs.Run, fileTask0), []byte(n.Task0)); err != nil {
		return dirs, doing(err)
	}
	return dirs, saveSpec(dirs.Run, n.Spec)
}

func saveSpec(runDir string, s Spec) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("write the run's settings: %w", err)
	}
	return writeFile(filepath.Join(runDir, fileSpec), append(data, '\n'))
}

// LoadSpec reads the settings a run was made with.
func LoadSpec(runDir string) (Spec, error) {
	var s Spec
	data, err := os.ReadFile(filepath.Join(runDir, fileSpec))
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, fmt.Errorf("read the settings of run %s: %w", filepath.Base(runDir), err)
	}
	return s, nil
}

// writeFile replaces a file of a run as a whole, readable by its user alone.
func writeFile(path string, data []byte) error {
	return workspace.AtomicWrite(path, data, 0o600)
}

func wallLimit(s Spec) time.Duration { return time.Duration(s.Config.Limits.Wall) }

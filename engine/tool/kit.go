package tool

import (
	"context"

	"growbench/engine/doc"
	"growbench/engine/workspace"
)

// Kit is what an agent's tools work on and within.
type Kit struct {
	Dir   string // the project in the run's clone
	Scope workspace.Scope
	// Reads are further files that may be read: a path, or a folder with a
	// slash at its end.
	Reads []string
	Env   []string // the whole environment of commands
	// Output is the file, without its ending, that takes what commands print.
	Output string
	// Confine puts a command into the sandbox; nil is none.
	Confine func(workspace.Command) workspace.Command
	// Allow are patterns of commands that need no question.
	Allow []string
	// Permit asks somebody about a command; nil: nobody is there.
	Permit func(ctx context.Context, command string) (bool, error)
	// Each are the project's own checks, for what is checked in no other way.
	Each []string
	// Trusted says that the user lets this project's tests run. Without it, and
	// without a sandbox, they are commands like any other.
	Trusted bool
	// Hide takes what is secret out of a text, Secrets from what commands print.
	Hide    func(string) string
	Secrets []string
	// Live is given what a command prints while it runs.
	Live func(text string)
	// Files lists the project's files.
	Files func(ctx context.Context) ([]string, error)
	// Exports are the exported signatures of a file.
	Exports func(ctx context.Context, path string, data []byte) ([]string, error)
	// Plan judges a plan.
	Plan func(plan string) []doc.Problem
}

// work is the tools' common ground.
type work struct {
	Kit
	set   *Set
	files *workspace.Files
	runs  int
}

func (k Kit) open(scope workspace.Scope) (*work, error) {
	files, err := workspace.OpenFiles(k.Dir, scope)
	if err != nil {
		return nil, err
	}
	if k.Confine != nil {
		k.Trusted = true // whatever the tests do, they are held
	} else {
		k.Confine = func(c workspace.Command) workspace.Command { return c }
	}
	if k.Live == nil {
		k.Live = func(string) {}
	}
	return &work{Kit: k, files: files, set: &Set{hide: k.Hide, close: files.Close}}, nil
}

// Worker is the tools of Worker number: it reads what its task names, and
// writes its targets.
func Worker(k Kit, number int) (*Set, error) {
	w, err := k.open(k.Scope)
	if err != nil {
		return nil, err
	}
	r := taskReach(w.files, k.Scope, k.Reads)
	w.set.tools = []Tool{
		w.readFile(r, workerRead), w.listReach(r), w.search(r),
		w.writeFile(), w.editFile(), w.deleteFile(),
		w.check(), w.runCommand(), w.submitResult(number),
	}
	w.set.said = saidResult(number)
	return w.set, nil
}

// Planner is the tools of a Planner: it looks for a pattern in large targets,
// where there are any, and hands in its plan.
func Planner(k Kit, targets []string) (*Set, error) {
	w, err := k.open(workspace.Scope{})
	if err != nil {
		return nil, err
	}
	if large := w.large(targets); len(large) > 0 {
		r := largeReach(w.files, large)
		w.set.tools = []Tool{w.readFile(r, plannerRead), w.search(r)}
	}
	w.set.tools = append(w.set.tools, w.submitPlan())
	w.set.said = w.saidPlan
	return w.set, nil
}

// Scout is the tools of a Scout: it looks at everything and reports.
func Scout(k Kit) (*Set, error) {
	w, err := k.open(workspace.Scope{})
	if err != nil {
		return nil, err
	}
	r := everything(w.files)
	w.set.tools = []Tool{w.listAll(), w.search(r), w.readFile(r, scoutRead)}
	if k.Exports != nil {
		w.set.tools = append(w.set.tools, w.signatures(r))
	}
	w.set.tools = append(w.set.tools, w.report())
	w.set.said = saidReport
	return w.set, nil
}

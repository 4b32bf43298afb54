package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"growbench/engine/doc"
)

// writeTasks projects the plan in force onto task1.md … taskN.md and plan.md,
// and every plan there was, whole, onto plan.1.md, plan.2.md and so on.
func (o *owner) writeTasks() error {
	plan := o.state.Plan.Tasks
	for k := 1; k <= len(plan.Tasks); k++ {
		if err := writeFile(filepath.Join(o.dirs.Run, taskFile(k)), []byte(doc.FormatTask(plan.Task(k)))); err != nil {
			return fmt.Errorf("write Task #%d: %w", k, err)
		}
	}
	if err := o.removeTasks(len(plan.Tasks) + 1); err != nil {
		return err
	}
	earlier := o.state.Plan.Earlier
	for i, p := range earlier {
		if err := o.writeRevision(i+1, p); err != nil {
			return err
		}
	}
	if err := o.writeRevision(len(earlier)+1, plan); err != nil {
		return err
	}
	return writeFile(filepath.Join(o.dirs.Run, filePlan), []byte(planText(plan, len(earlier))))
}

// removeTasks takes away the files of tasks a longer plan had.
func (o *owner) removeTasks(from int) error {
	for k := from; ; k++ {
		err := os.Remove(filepath.Join(o.dirs.Run, taskFile(k)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("remove Task #%d, which the plan has no more: %w", k, err)
		}
	}
}

// writeRevision keeps a plan whole: the files of its tasks are those of the
// plan in force.
func (o *owner) writeRevision(n int, plan doc.Plan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan, revision %d: %s\n", n, tasksOf(len(plan.Tasks)))
	for k, t := range plan.Tasks {
		fmt.Fprintf(&b, "\n## Task %d: %s\n\nlayer: %d\n", k+1, t.Title, t.Layer)
		if t.Agent != "" {
			fmt.Fprintf(&b, "agent: %s\n", t.Agent)
		}
		_, sections, _ := strings.Cut(doc.FormatTask(plan.Task(k+1)), "\n")
		b.WriteString(sections)
	}
	path := filepath.Join(o.dirs.Run, fmt.Sprintf("plan.%d.md", n))
	if err := writeFile(path, []byte(b.String())); err != nil {
		return fmt.Errorf("keep revision %d of the plan: %w", n, err)
	}
	return nil
}

// planText is the plan for people.
func planText(plan doc.Plan, revised int) string {
	text := fmt.Sprintf("# Plan: %s (whole in plan.%d.md)", tasksOf(len(plan.Tasks)), revised+1)
	if revised > 0 {
		text += fmt.Sprintf("; revision %d, the earlier ones are in plan.1.md to plan.%d.md", revised+1, revised)
	}
	text += "\n"
	for i, t := range plan.Tasks {
		text += fmt.Sprintf("\n## Task %d: %s\n\nlayer: %d\n", i+1, t.Title, t.Layer)
		if t.Agent != "" {
			text += "agent: " + t.Agent + "\n"
		}
		text += "file: " + taskFile(i+1) + "\n"
	}
	return text
}

package doc

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// LintPlan judges a plan against the T0 it was made from. Lines are those of
// the plan's canonical form.
func LintPlan(t0 Task, p Plan) []Problem {
	_, src, _ := parsePlan(FormatPlan(p))
	return lintPlan(&t0, p, src)
}

// LintPlanText reads and judges a plan; t0 may be nil, then nothing is said
// about targets. Lines are those of text.
func LintPlanText(text string, t0 *Task) (Plan, []Problem) {
	p, src, problems := parsePlan(text)
	if len(p.Tasks) == 0 && HasErrors(problems) {
		return p, problems
	}
	return p, append(problems, lintPlan(t0, p, src)...)
}

// LintAgents names the tasks of a plan whose agent nobody knows. Lines are
// those of text.
func LintAgents(text string, knows func(name string) bool) (problems []Problem) {
	p, src, _ := parsePlan(text)
	for i, t := range p.Tasks {
		if t.Agent == "" || knows(t.Agent) {
			continue
		}
		s := src.task(i)
		line := s.part["agent"]
		if line == 0 {
			line = s.line
		}
		problems = append(problems, Problem{Error, fmt.Sprintf("Task #%d", i+1), line, fmt.Sprintf("agent %q is not configured", visible(t.Agent))})
	}
	return problems
}

func lintPlan(t0 *Task, p Plan, src planSource) (problems []Problem) {
	if len(p.Tasks) == 0 {
		return []Problem{{Error, "", 1, "the plan has no tasks; N is at least 1"}}
	}
	for i := range p.Tasks {
		s := src.task(i)
		who := fmt.Sprintf("Task #%d", i+1)
		problems = append(problems, lintPlace(t0, p, i, src)...)
		for _, q := range lintTask(p.Task(i+1), s.asTask(p.Task(i+1)), LintOptions{Generated: true}) {
			if q.Line == 0 {
				q.Line = s.lineOf(q.Section)
			}
			q.Section = strings.TrimSpace(who + " " + q.Section)
			problems = append(problems, q)
		}
	}
	if t0 == nil {
		return problems
	}
	return append(problems, lintUnassigned(*t0, p)...)
}

// LintPlaces judges how the tasks from number from to number to stand in a
// plan: their order, and their targets against Task #0's and those of also.
// Tasks outside of that are taken as they are. It gives no lines.
func LintPlaces(t0 Task, also []string, p Plan, from, to int) (problems []Problem) {
	allowed := Task{TargetFiles: slices.Concat(t0.TargetFiles, also)}
	for i := from - 1; i < min(to, len(p.Tasks)); i++ {
		problems = append(problems, lintPlace(&allowed, p, i, planSource{})...)
	}
	if to < len(p.Tasks) {
		problems = append(problems, lintPlace(nil, p, to, planSource{})...)
	}
	problems = append(problems, lintUnassigned(t0, p)...)
	for i := range problems {
		problems[i].Line = 0
	}
	return problems
}

func (s planTaskSource) lineOf(part string) int {
	if n := s.part[part]; n > 0 {
		return n
	}
	return s.line
}

// lintPlace judges one task by its place in the plan.
func lintPlace(t0 *Task, p Plan, i int, src planSource) (problems []Problem) {
	t, s, who := p.Tasks[i], src.task(i), fmt.Sprintf("Task #%d", i+1)
	if t.Layer < 0 {
		problems = append(problems, Problem{Error, who, s.lineOf("layer"), fmt.Sprintf("layer %d: layers count from 0", t.Layer)})
	}
	if i > 0 && t.Layer < p.Tasks[i-1].Layer {
		problems = append(problems, Problem{Error, who, s.lineOf("layer"), fmt.Sprintf("layer %d comes after layer %d; layers never decrease along the order", t.Layer, p.Tasks[i-1].Layer)})
	}
	if t0 == nil {
		return problems
	}
	for j, target := range t.TargetFiles {
		if !within(t0.TargetFiles, target) {
			n := at(s.task.targets, j)
			if n == 0 {
				n = s.lineOf(secTargets)
			}
			problems = append(problems, Problem{Error, who + " " + secTargets, n, fmt.Sprintf("%q is not among the target files of Task #0", visible(target))})
		}
	}
	return problems
}

func lintUnassigned(t0 Task, p Plan) (problems []Problem) {
	for _, target := range t0.TargetFiles {
		if !assigned(p, target) {
			problems = append(problems, Problem{Error, secTargets, 1, fmt.Sprintf("%q of Task #0 is assigned to no task", visible(target))})
		}
	}
	return problems
}

// asTask gives the lint of a single task what it needs to place its findings.
// The prose of a task in JSON stands on the line of its key.
func (s planTaskSource) asTask(t Task) taskSource {
	src := s.task
	src.heading = s.line
	src.section, src.filled, src.lines = map[string]int{}, map[string]bool{}, map[string][]line{}
	for _, name := range taskSections {
		if src.section[name] = s.part[name]; src.section[name] == 0 {
			src.section[name] = s.line
		}
	}
	src.bytes = len(FormatTask(t))
	// `[]` says that there are none, as `None` does in a document.
	src.filled[secConstraints], src.filled[secSignatures] = true, true
	place := func(name, text string, n int) {
		for _, l := range split(text, 1) {
			l.n = n
			src.lines[name] = append(src.lines[name], l)
		}
	}
	place(secGoal, t.Goal, src.section[secGoal])
	place(secBackground, t.Background, src.section[secBackground])
	place(secFailures, t.PastFailures, src.section[secFailures])
	for i, c := range t.Constraints {
		n := at(src.constraints, i)
		if n == 0 {
			n = src.section[secConstraints]
		}
		place(secConstraints, c, n)
	}
	return src
}

// within tells whether a target of T0 names the path or a folder it is in.
func within(targets []string, p string) bool {
	for _, t := range targets {
		if covers(t, p) {
			return true
		}
	}
	return false
}

func covers(target, p string) bool {
	a, b := path.Clean(target), path.Clean(p)
	if strings.HasSuffix(target, "/") {
		return a == b && strings.HasSuffix(p, "/") || strings.HasPrefix(b, a+"/")
	}
	return a == b && !strings.HasSuffix(p, "/")
}

// assigned tells whether a task works on a target of T0, or inside it.
func assigned(p Plan, target string) bool {
	for _, t := range p.Tasks {
		for _, own := range t.TargetFiles {
			if covers(target, own) {
				return true
			}
		}
	}
	return false
}

package doc

import (
	"fmt"
	"path"
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

func lintPlan(t0 *Task, p Plan, src planSource) (problems []Problem) {
	if len(p.Tasks) == 0 {
		return []Problem{{Error, "", 1, "the plan has no tasks; N is at least 1"}}
	}
	for i, t := range p.Tasks {
		s := src.task(i)
		who := fmt.Sprintf("Task #%d", i+1)
		line := func(part string) int {
			if n := s.part[part]; n > 0 {
				return n
			}
			return s.line
		}
		if t.Layer < 0 {
			problems = append(problems, Problem{Error, who, line("layer"), fmt.Sprintf("layer %d: layers count from 0", t.Layer)})
		}
		if i > 0 && t.Layer < p.Tasks[i-1].Layer {
			problems = append(problems, Problem{Error, who, line("layer"), fmt.Sprintf("layer %d comes after layer %d; layers never decrease along the order", t.Layer, p.Tasks[i-1].Layer)})
		}
		for _, q := range lintTask(p.Task(i+1), s.asTask(p.Task(i+1)), LintOptions{Generated: true}) {
			if q.Line == 0 {
				q.Line = line(q.Section)
			}
			q.Section = strings.TrimSpace(who + " " + q.Section)
			problems = append(problems, q)
		}
		if t0 != nil {
			for j, target := range t.TargetFiles {
				if !within(t0.TargetFiles, target) {
					n := at(s.task.targets, j)
					if n == 0 {
						n = line(secTargets)
					}
					problems = append(problems, Problem{Error, who + " " + secTargets, n, fmt.Sprintf("%q is not among the target files of Task #0", visible(target))})
				}
			}
		}
	}
	if t0 == nil {
		return problems
	}
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

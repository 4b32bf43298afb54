package doc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// planSource remembers where the tasks of a plan and their parts stand.
type planSource struct {
	tasks []planTaskSource
}

type planTaskSource struct {
	line int
	part map[string]int // section → line
	task taskSource
}

func (s planSource) task(i int) planTaskSource {
	if i < len(s.tasks) {
		return s.tasks[i]
	}
	return planTaskSource{}
}

// ParsePlan reads a plan: JSON, bare or in a fence or amid other text, or
// `## Task k: title` headings with the six sections. Problems are what could
// not be read, with the line and, in JSON, the key.
func ParsePlan(text string) (Plan, []Problem) {
	p, _, problems := parsePlan(text)
	return p, problems
}

func parsePlan(text string) (Plan, planSource, []Problem) {
	empty := Plan{Tasks: []PlanTask{}}
	lines, ok := readable(text)
	if !ok {
		return empty, planSource{}, []Problem{unfinished}
	}
	if body, ok := unwrapFence(lines); ok {
		lines = body
	}
	lines = trimBlank(lines)
	if len(lines) == 0 {
		return empty, planSource{}, []Problem{{Error, "", 1, "the plan is empty"}}
	}
	n, jsonErr := planNode(lines)
	if n != nil {
		return readPlanJSON(n)
	}
	if p, src, problems := readPlanHeadings(lines); len(p.Tasks) > 0 {
		return p, src, problems
	}
	why := "no plan found: neither JSON with \"tasks\" nor `## Task k: title` headings; it begins " + firstLines(text)
	if jsonErr != nil {
		why = "the plan's JSON cannot be read: " + jsonErr.Error()
	}
	return empty, planSource{}, []Problem{{Error, "", lines[0].n, why}}
}

var planStart = lazily(`(?m)^[ \t]*[{\[]|\{\s*"tasks"`)

// planNode finds the JSON of a plan in the lines. A start that cannot be read
// is passed over; the error is that of the first one that looked like a plan.
func planNode(lines []line) (*node, error) {
	raw := make([]string, len(lines))
	for i, l := range lines {
		raw[i] = l.text
	}
	text := strings.Join(raw, "\n")
	var first error
	const most = 24 // starts tried: a reply holds one plan
	past, row, counted := 0, 0, 0
	for tries, loc := range planStart.FindAllStringIndex(text, most) {
		if tries == most {
			break
		}
		open := loc[0] + strings.IndexAny(text[loc[0]:], "{[")
		if open < past {
			continue
		}
		row += strings.Count(text[counted:open], "\n")
		counted = open
		n, used, err := readJSON(text[open:], lines[row].n)
		if err != nil {
			if first == nil && (open == 0 || strings.Contains(text[open:min(len(text), open+400)], `"tasks"`)) {
				first = err
			}
			continue
		}
		past = open + used
		if found := tasksOf(n); found != nil {
			return found, nil
		}
	}
	return nil, first
}

// tasksOf returns the object with the tasks inside what models wrap around it.
func tasksOf(n *node) *node {
	for range 4 {
		switch {
		case n.kind == isList && len(n.list) > 0 && n.list[0].kind == isObject && (n.list[0].get("goal") != nil || n.list[0].get("target_files") != nil):
			return &node{kind: isObject, line: n.line, keys: []string{"tasks"}, list: []*node{n}}
		case n.kind != isObject:
			return nil
		case n.get("tasks") != nil:
			return n
		}
		inner := n.get("plan", "arguments", "parameters", "input")
		if inner == nil {
			return nil
		}
		if inner.kind == isString {
			parsed, _, err := readJSON(inner.text, inner.line)
			if err != nil {
				return nil
			}
			inner = parsed
		}
		n = inner
	}
	return nil
}

var planKeys = map[string]bool{"title": true, "name": true, "layer": true, "agent": true, "goal": true, "background": true, "pastfailures": true, "constraints": true, "targetfiles": true, "targets": true, "files": true, "signatures": true, "k": true, "id": true, "number": true}

func readPlanJSON(n *node) (Plan, planSource, []Problem) {
	p := Plan{Tasks: []PlanTask{}}
	src := planSource{}
	f := &fields{}
	tasks := n.get("tasks")
	if tasks.kind != isList {
		f.wrong(tasks, "tasks", "a list")
		return p, src, f.problems
	}
	for i, v := range tasks.list {
		f.where, f.section = fmt.Sprintf("tasks[%d].", i), fmt.Sprintf("Task #%d", i+1)
		if v.kind != isObject {
			f.where = ""
			f.wrong(v, fmt.Sprintf("tasks[%d]", i), "an object")
			continue
		}
		t, s := readPlanTask(f, v)
		p.Tasks = append(p.Tasks, t)
		src.tasks = append(src.tasks, s)
	}
	f.where, f.section = "", ""
	if count := n.get("n", "count", "workers"); count != nil && count.kind == isNumber {
		if said := f.number(count, "n"); said != len(p.Tasks) {
			f.problems = append(f.problems, Problem{Error, "", count.line, fmt.Sprintf("the plan says %d tasks and has %d; N must be exact", said, len(p.Tasks))})
		}
	}
	return p, src, f.problems
}

func readPlanTask(f *fields, v *node) (PlanTask, planTaskSource) {
	s := planTaskSource{line: v.line, part: map[string]int{}}
	for i, key := range v.keys {
		if !planKeys[plainKey(key)] {
			f.problems = append(f.problems, Problem{Warning, f.section, v.list[i].line, "unknown key " + f.where + visible(key)})
		}
	}
	part := func(section string, keys ...string) *node {
		n := v.get(keys...)
		if n != nil {
			s.part[section] = n.line
		}
		return n
	}
	var t PlanTask
	t.Title = oneLine(f.str(part("title", "title", "name"), "title"))
	t.Layer = f.number(part("layer", "layer"), "layer")
	t.Agent = f.str(part("agent", "agent"), "agent")
	t.Goal = f.str(part(secGoal, "goal"), "goal")
	t.Background = f.str(part(secBackground, "background"), "background")
	t.PastFailures = f.str(part(secFailures, "past_failures"), "past_failures")
	if t.PastFailures != "" && isFirstAttempt(t.PastFailures) {
		t.PastFailures = None
	}
	var constraints, targets, signatures []string
	constraints, s.task.constraints = f.strs(part(secConstraints, "constraints"), "constraints")
	targets, s.task.targets = f.strs(part(secTargets, "target_files", "targets", "files"), "target_files")
	signatures, s.task.signatures = f.strs(part(secSignatures, "signatures"), "signatures")
	t.Constraints, s.task.constraints = someOf(constraints, s.task.constraints, isNoItem, false)
	t.TargetFiles, s.task.targets = someOf(targets, s.task.targets, isNone, true)
	t.Signatures, s.task.signatures = someOf(signatures, s.task.signatures, isNone, false)
	s.task.section = s.part
	return t, s
}

// someOf leaves out what stands for nothing and tidies paths.
func someOf(list []string, at []int, none func(string) bool, paths bool) ([]string, []int) {
	kept, lines := []string{}, []int{}
	for i, s := range list {
		if none(s) {
			continue
		}
		if paths {
			s = exactPath(s)
		}
		kept, lines = append(kept, s), append(lines, at[i])
	}
	return kept, lines
}

var actionRemark = lazily(`(?i)^(\S.*?)\s+[(\[](?:new|new file|create|created|edit|edited|modify|modified|existing|delete|deleted|update|updated)[)\]]$`)

// exactPath reads a path that stands in a string of its own: only code marks
// and a remark such as "(new)" come off.
func exactPath(s string) string {
	for {
		before := s
		s = tidyPath(oneLine(unspan(s)))
		if m := actionRemark.FindStringSubmatch(s); m != nil {
			s = m[1]
		}
		if s == before {
			return s
		}
	}
}

// FormatPlan writes the canonical form: indented JSON and a newline.
func FormatPlan(p Plan) string {
	own := Plan{Tasks: make([]PlanTask, len(p.Tasks))}
	for i, t := range p.Tasks {
		t.Constraints, t.TargetFiles, t.Signatures = listed(t.Constraints), listed(t.TargetFiles), listed(t.Signatures)
		own.Tasks[i] = t
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(own); err != nil {
		panic(fmt.Sprintf("a plan of strings cannot fail to encode: %v", err))
	}
	return b.String()
}

// listed turns a nil list into an empty one, which JSON writes as [].
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Task returns Task #k, k from 1 to N. Past failures that the plan leaves out
// read as a first attempt.
func (p Plan) Task(k int) Task {
	t := p.Tasks[k-1]
	task := Task{
		K: k, Goal: t.Goal, Background: t.Background, PastFailures: t.PastFailures,
		Constraints: listed(t.Constraints), TargetFiles: listed(t.TargetFiles), Signatures: []Signature{},
	}
	if task.PastFailures == "" {
		task.PastFailures = None
	}
	for _, s := range t.Signatures {
		task.Signatures = append(task.Signatures, readSignature(s))
	}
	return task
}

package doc

import "strings"

// Fields are the six sections of a task, each as the text that stands in it.
type Fields [6]string

// SectionNames are the sections of a task, in the order of Fields.
func SectionNames() [6]string { return [6]string(taskSections) }

// SectionWants says what belongs into a section.
func SectionWants(name string) string { return fill[name] }

// TaskFields are the sections of a task's text. The problems are those of
// reading: what stands outside the sections is in none of them.
func TaskFields(text string) (Fields, []Problem) {
	t, src, problems := parseTask(text)
	f := t.fields()
	for i, name := range taskSections {
		if i > 2 && f[i] == "" && src.filled[name] {
			f[i] = "None"
		}
	}
	return f, problems
}

func (t Task) fields() Fields {
	var constraints, signatures []string
	for _, c := range t.Constraints {
		constraints = append(constraints, "- "+strings.ReplaceAll(c, "\n", "\n  "))
	}
	for _, s := range t.Signatures {
		signatures = append(signatures, taskWords.writeSignature(s))
	}
	return Fields{t.Goal, t.Background, t.PastFailures, strings.Join(constraints, "\n"), strings.Join(t.TargetFiles, "\n"), strings.Join(signatures, "\n")}
}

// Task reads the sections as Task #k: nothing that stands in one opens another.
func (f Fields) Task(k int) Task {
	t := Task{
		K: k, Goal: sectionProse(f[0]), Background: sectionProse(f[1]), PastFailures: sectionProse(f[2]),
		Constraints: []string{}, TargetFiles: []string{}, Signatures: []Signature{},
	}
	if t.PastFailures != "" && isFirstAttempt(t.PastFailures) {
		t.PastFailures = None
	}
	for _, it := range readItems(taskWords, split(clean(f[3]), 1)) {
		t.Constraints = append(t.Constraints, it.text)
	}
	for _, it := range readTargets(split(clean(f[4]), 1)) {
		t.TargetFiles = append(t.TargetFiles, it.text)
	}
	found, _ := readSignatures(taskWords, split(clean(f[5]), 1))
	for _, it := range found {
		t.Signatures = append(t.Signatures, it.Signature)
	}
	return t
}

func sectionProse(s string) string { return strings.TrimSpace(clean(s)) }

// Text is Task #0 in its canonical form; a section without text stays empty,
// which its lint will say.
func (f Fields) Text() string {
	none := func(s string) string {
		if strings.TrimSpace(s) == "" {
			return ""
		}
		return "None"
	}
	return formatTask(f.Task(0), none(f[3]), none(f[5]))
}

// Fields are the sections of one task of a plan.
func (t PlanTask) Fields() Fields { return Plan{Tasks: []PlanTask{t}}.Task(1).fields() }

// WithFields is the task with these sections.
func (t PlanTask) WithFields(f Fields) PlanTask {
	task := f.Task(0)
	t.Goal, t.Background, t.PastFailures = task.Goal, task.Background, task.PastFailures
	t.Constraints, t.TargetFiles, t.Signatures = task.Constraints, task.TargetFiles, []string{}
	for _, s := range task.Signatures {
		t.Signatures = append(t.Signatures, taskWords.writeSignature(s))
	}
	return t
}

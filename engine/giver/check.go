package giver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/workspace"
)

// Check judges a draft: the lint's rules, and its signatures against the code.
// What a model wrote is held to more.
func (s *Session) Check(ctx context.Context, text string, generated bool) (doc.Task, []doc.Problem) {
	code, err := s.openCode()
	if err != nil {
		task, problems := doc.LintTaskText(text, doc.LintOptions{Generated: generated})
		return task, append(problems, doc.Problem{Level: doc.Warning, Text: "signatures were not checked: " + err.Error()})
	}
	defer code.close()
	task, problems := doc.LintTaskText(text, doc.LintOptions{Generated: generated, FileLines: code.lines})
	if task.K != 0 {
		problems = append(problems, doc.Problem{Level: doc.Error, Line: 1, Text: fmt.Sprintf("this is Task #%d, not Task #0", task.K)})
	}
	level := doc.Warning
	if generated {
		level = doc.Error
	}
	if _, missing := s.withFailures(task); missing {
		problems = append(problems, doc.Problem{Level: doc.Warning, Section: "Past failures", Text: "a run has failed since one passed, and it is not named; memory.md tells of it"})
	}
	for _, wrong := range code.check(ctx, task) {
		problems = append(problems, doc.Problem{Level: level, Section: "Signatures", Text: wrong})
	}
	return task, problems
}

// withSizes names every long file with its size among the constraints.
func (s *Session) withSizes(task doc.Task) doc.Task {
	code, err := s.openCode()
	if err != nil {
		return task
	}
	defer code.close()
	task.Constraints = slices.Clone(task.Constraints)
	paths := slices.Clone(task.TargetFiles)
	for _, sig := range task.Signatures {
		paths = append(paths, sig.Path)
	}
	for i, p := range paths {
		if p == "" || strings.HasSuffix(p, "/") || slices.Contains(paths[:i], p) {
			continue
		}
		lines, _ := code.lines(p)
		named := slices.ContainsFunc(task.Constraints, func(c string) bool { return strings.Contains(c, p) && strings.Contains(c, fmt.Sprint(lines)) })
		if lines > longFile && !named {
			task.Constraints = append(task.Constraints, fmt.Sprintf("%s has %d lines: read only the part that matters", p, lines))
		}
	}
	return task
}

// longFile is how many lines a file may have without being named.
const longFile = 500

// withFailures puts what failed since a run passed into Past failures, where
// the draft does not name it.
func (s *Session) withFailures(task doc.Task) (doc.Task, bool) {
	s.mu.Lock()
	failed, memory := s.state.Failed, s.memory
	s.mu.Unlock()
	var missing []string
	for _, run := range failed {
		f, ok := memory.Failure(run)
		if ok && !strings.Contains(task.PastFailures, run) {
			missing = append(missing, f.entry())
		}
	}
	if len(missing) == 0 {
		return task, false
	}
	text := strings.Join(missing, "\n\n")
	if own := strings.TrimSpace(task.PastFailures); own != "" && own != doc.None && !strings.HasPrefix(strings.ToLower(own), "none") {
		text = own + "\n\n" + text
	}
	task.PastFailures = text
	return task, true
}

// entry is a failure as Task #0 tells it. What checks were run is left out: a
// Worker has its own.
func (f Failure) entry() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Run %s", f.Run)
	if f.Class != "" {
		fmt.Fprintf(&b, " (%s)", f.Class)
	}
	said := ": "
	for _, field := range f.fields() {
		if *field.value != "" {
			fmt.Fprintf(&b, "%s%s: %s", said, field.label, withoutCommands(*field.value))
			said = ". "
		}
	}
	return b.String()
}

var inBackticks = regexp.MustCompile("`[^`]*`")

// withoutCommands takes build and test commands out of a text: its lint would
// refuse them.
func withoutCommands(text string) string {
	task := doc.Task{Goal: "x", Background: "x", PastFailures: text, Constraints: []string{"x"}, TargetFiles: []string{"x"}, Signatures: []doc.Signature{{Signature: "x()", Path: "x"}}}
	if !doc.HasErrors(doc.LintTask(task, doc.LintOptions{Generated: true})) {
		return text
	}
	task.PastFailures = inBackticks.ReplaceAllString(text, "a check")
	if doc.HasErrors(doc.LintTask(task, doc.LintOptions{Generated: true})) {
		return "a check failed; the run's report tells which"
	}
	return task.PastFailures
}

// code is the project's files as they are where the next run begins.
type code struct {
	s     *Session
	files *workspace.Files // the operator's
	base  base
	read  map[string]found // where the run begins elsewhere
}

// found is a file of the base.
type found struct {
	text  string
	there bool
}

func (s *Session) openCode() (*code, error) {
	files, err := workspace.OpenReader(s.Project.Root)
	if err != nil {
		return nil, err
	}
	return &code{s, files, s.loopBase(s.ctx), map[string]found{}}, nil
}

func (c *code) close() { c.files.Close() }

func (c *code) text(path string) (string, bool) {
	if len(c.base.lineage) == 0 {
		return c.own(path)
	}
	f, known := c.read[path]
	if !known {
		var err error
		if f.text, f.there, err = c.s.readBase(c.s.ctx, c.base, path); err != nil {
			return c.own(path)
		}
		c.read[path] = f
	}
	return f.text, f.there
}

// own is a file as it stands in the operator's tree.
func (c *code) own(path string) (string, bool) {
	content, err := c.files.Read(path)
	if err != nil {
		return "", !errors.Is(err, fs.ErrNotExist)
	}
	return string(content.Data), true
}

func (c *code) lines(path string) (int, bool) {
	text, exists := c.text(path)
	return strings.Count(text, "\n"), exists
}

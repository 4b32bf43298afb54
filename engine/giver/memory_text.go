package giver

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"growbench/engine"
)

// The sections of memory.md, in the order they are written.
const (
	headDecisions   = "Decisions"
	headConstraints = "Constraints"
	headFailures    = "Failures"
	headQuestions   = "Open questions"
)

var headNames = map[string]string{
	"decisions": headDecisions, "decision": headDecisions,
	"constraints": headConstraints, "constraint": headConstraints,
	"failures": headFailures, "failure": headFailures, "past failures": headFailures,
	"open questions": headQuestions, "open question": headQuestions, "questions": headQuestions,
}

const (
	memoryTitle = "Memory"
	noRun       = "no run"
)

// String is the canonical form.
func (m Memory) String() string {
	var b strings.Builder
	b.WriteString("# " + memoryTitle + "\n")
	if m.Preamble != "" {
		b.WriteString("\n" + m.Preamble + "\n")
	}
	list := func(head string, items []string) {
		b.WriteString("\n## " + head + "\n")
		for _, it := range items {
			b.WriteString("- " + it + "\n")
		}
	}
	list(headDecisions, m.Decisions)
	list(headConstraints, m.Constraints)
	list(headFailures, nil)
	for _, f := range m.Failures {
		b.WriteString("\n### " + f.heading() + "\n")
		for _, field := range f.fields() {
			if *field.value != "" {
				fmt.Fprintf(&b, "- %s: %s\n", field.label, *field.value)
			}
		}
	}
	list(headQuestions, m.Questions)
	for _, s := range m.Other {
		b.WriteString("\n## " + s.Heading + "\n")
		if s.Text != "" {
			b.WriteString("\n" + s.Text + "\n")
		}
	}
	return b.String()
}

func (f Failure) heading() string {
	text := f.Run
	if text == "" {
		text = noRun
	}
	if f.Class != "" {
		text += " (" + f.Class + ")"
	}
	return text
}

var (
	heading = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*)$`)
	bullet  = regexp.MustCompile(`^[ \t]*(?:[-*+•]|\d{1,3}[.)])(?:[ \t]+|$)`)
)

// ParseMemory reads what an operator, a model or we have written: sections in
// any order, more than once, with or without bullets.
func ParseMemory(text string) Memory {
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	r := memoryReader{m: &Memory{}, titleDue: true}
	for line := range strings.SplitSeq(text, "\n") {
		r.line(strings.TrimRight(line, " \t"))
	}
	r.end()
	return *r.m
}

type memoryReader struct {
	m        *Memory
	titleDue bool     // the title has not been seen, nor anything else
	section  string   // one of ours, or ""
	other    *Section // else this one
	text     []string // of the preamble or of other
	items    []string // of the section at hand
	failure  *Failure
}

func (r *memoryReader) line(line string) {
	if h := heading.FindStringSubmatch(line); h != nil && r.head(len(h[1]), strings.TrimSpace(strings.TrimRight(h[2], "# \t"))) {
		return
	}
	if r.section == "" {
		if strings.TrimSpace(line) != "" {
			r.titleDue = false
		}
		r.text = append(r.text, line)
		return
	}
	loc := bullet.FindStringIndex(line)
	item := oneLine(line)
	if loc != nil {
		item = oneLine(line[loc[1]:])
	}
	switch {
	case item == "" || item == "-":
	case loc == nil && line[0] <= ' ' && len(r.items) > 0:
		r.items[len(r.items)-1] += " " + item
	default:
		r.items = append(r.items, item)
	}
}

// head takes a heading; false: it is text of the section at hand.
func (r *memoryReader) head(level int, words string) bool {
	if words = oneLine(words); words == "" {
		return false
	}
	name := headNames[strings.ToLower(strings.Trim(words, "*_: "))]
	switch {
	case r.titleDue && level == 1 && strings.EqualFold(words, memoryTitle):
		r.titleDue = false
		return true
	case r.section == headFailures && level > 2:
		r.flush()
		r.failure = readFailure(words)
		return true
	case level > 2 && (name == "" || r.other != nil):
		return false
	}
	r.flush()
	r.titleDue = false
	r.section, r.other = name, nil
	if name == "" {
		r.other = &Section{Heading: words}
	}
	return true
}

// flush puts what was read since the last heading in its place.
func (r *memoryReader) flush() {
	body := strings.Trim(strings.Join(r.text, "\n"), "\n")
	switch {
	case r.section == headFailures:
		r.keepFailure()
	case r.section != "":
		kind := map[string]string{headDecisions: Decision, headConstraints: Constraint, headQuestions: Question}[r.section]
		for _, it := range r.items {
			r.m.Remember(kind, it)
		}
	case r.other != nil:
		r.m.Other = append(r.m.Other, Section{r.other.Heading, body})
	case body != "":
		r.m.Preamble = body
	}
	r.text, r.items, r.failure = nil, nil, nil
}

func (r *memoryReader) end() { r.flush() }

func (r *memoryReader) keepFailure() {
	f := r.failure
	if f == nil {
		if len(r.items) == 0 {
			return
		}
		f = &Failure{}
	}
	for _, it := range r.items {
		at, value := &f.What, it
		label, rest, ok := strings.Cut(it, ":")
		label = strings.ToLower(strings.Trim(label, "*_` "))
		for _, field := range f.fields() {
			if ok && (label == field.label || slices.Contains(field.names, label)) {
				at, value = field.value, oneLine(strings.TrimLeft(rest, "*_ "))
			}
		}
		*at = oneLine(*at + " " + value)
	}
	r.m.Failures = append(r.m.Failures, *f)
}

// readFailure reads a failure's heading: the run, and its class in brackets.
func readFailure(words string) *Failure {
	f := &Failure{Run: words}
	if at := strings.LastIndex(words, "("); at >= 0 && strings.HasSuffix(words, ")") {
		if c := class(words[at+1 : len(words)-1]); c != "" {
			f.Run, f.Class = strings.TrimSpace(words[:at]), c
		}
	}
	if strings.EqualFold(f.Run, noRun) {
		f.Run = ""
	}
	return f
}

// class is one of the three classes of a failure, or "".
func class(word string) string {
	for _, c := range []string{engine.Strategic, engine.Tactical, engine.Operational} {
		if strings.EqualFold(strings.TrimSpace(word), c) {
			return c
		}
	}
	return ""
}

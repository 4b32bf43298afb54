package engine

import (
	"fmt"
	"regexp"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// The contracts are all of our own words an agent is given; each at most
// maxContract bytes. What a model must not do is made impossible elsewhere:
// these only say how to hand in.
const maxContract = 1200

const workerContract = `You are Worker %d of %d. You start fresh: your task below is all you know, and nobody can be asked.

Change only the task's Target Files. If you cannot go on without another file, change nothing more and end with the line "blocked: needs <path>".
Check your own package, not the whole project. Earlier Workers' RESULTs, if given, describe the code as it now is: where they differ from your task's Signatures, they are right.

End with one RESULT and nothing after it. No code, no output of tools, at most 4 KB:

# RESULT #%d (by Worker %d)

## Files
- created: path, path
- modified: path
- deleted: path

## Signatures
exported signature others may use — path

## Breaking
- what was removed, renamed or changed for users of the code — path

## Summary
One or two sentences.

Write "- none" in a section that has nothing. Name every exported thing you removed, renamed, moved or changed under Breaking: those who come after you rely on it.
`

const plannerContract = `You are the Planner. You start fresh: Task #0 below is all you know, and nobody can be asked. You plan; you change nothing.

Split Task #0 into exactly as many tasks as it needs, one for each group of changes that belong together; one task is a good plan. They are done one after the other, each by a Worker who sees only its own task and the RESULTs before it. Order them in layers: what others build on first. Each task carries all its Worker must know: goal, background, constraints, its target files (from Task #0's), and signatures, each with its file.
Name no command that builds or tests the project.
`

const plannerByText = `
Answer with JSON alone:
{"tasks": [{"title": "", "layer": 0, "goal": "", "background": "", "past_failures": "None — first attempt", "constraints": [""], "target_files": [""], "signatures": ["signature — path"]}]}
`

const againContract = `You are Worker %d. Your work is done and kept; only its RESULT is missing: %s
Change nothing. Answer with the RESULT alone, in the form asked for before: sections Files (created, modified, deleted), Signatures, Breaking, Summary; "- none" where there is nothing.
`

// maxInjected is how much of results.md a Worker is given whole, in bytes.
const maxInjected = 8 << 10

// workerPrompt is all that Worker k is given: the contract, its task, and from
// the second Worker on what the earlier ones handed on.
// byTool is for an agent that has tools of ours.
func workerPrompt(byTool bool, k, n int, task doc.Task, results []doc.Result) string {
	var b strings.Builder
	if byTool {
		fmt.Fprintf(&b, workerByTool, k, n)
	} else {
		fmt.Fprintf(&b, workerContract, k, n, k, k)
	}
	name := taskFile(k)
	if len(results) == 0 {
		fmt.Fprintf(&b, "\n[Read from: %s]\n\n", name)
		b.WriteString(fileBlock(name, doc.FormatTask(task)))
		return b.String()
	}
	fmt.Fprintf(&b, "\n[Read from: %s, %s]\n\n", name, fileResults)
	b.WriteString(fileBlock(name, doc.FormatTask(task)))
	b.WriteString(fileBlock(fileResults, injectedResults(task, results)))
	return b.String()
}

// plannerPrompt is all the Planner is given. returned is a plan the operator
// sent back; again holds what was wrong with its last plan.
func plannerPrompt(byTool bool, task0 string, returned *event.Returned, again []doc.Problem) string {
	var b strings.Builder
	b.WriteString(plannerContract)
	if byTool {
		b.WriteString(plannerByTool)
	} else {
		b.WriteString(plannerByText)
	}
	b.WriteString(refusedBefore(again))
	if returned == nil {
		fmt.Fprintf(&b, "\n[Read from: %s]\n\n", fileTask0)
		b.WriteString(fileBlock(fileTask0, task0))
		return b.String()
	}
	fmt.Fprintf(&b, "\nA plan was made before (plan.json). The operator sent it back; review.md says what to change. Keep the rest of it.\n")
	fmt.Fprintf(&b, "\n[Read from: %s, plan.json, review.md]\n\n", fileTask0)
	b.WriteString(fileBlock(fileTask0, task0))
	b.WriteString(fileBlock("plan.json", doc.FormatPlan(returned.Plan)))
	b.WriteString(fileBlock("review.md", returned.Text))
	return b.String()
}

// refusedBefore tells a Planner what was wrong with its last plan.
func refusedBefore(problems []doc.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	text := "\nYour last plan was refused:\n"
	for _, p := range problems {
		text += "- " + p.Text + "\n"
	}
	return text
}

var blockTag = regexp.MustCompile(`(?i)<(/?\s*file\b)`)
var readFrom = regexp.MustCompile(`(?im)^(\s*)\[(read from:)`)

// FileBlock fences a document as data, for whoever writes a prompt.
func FileBlock(path, text string) string { return fileBlock(path, text) }

// fileBlock fences a document as data. Nothing in it can end the fence, begin
// another, or pass for the line that names what was read.
func fileBlock(path, text string) string {
	text = blockTag.ReplaceAllString(text, "&lt;$1")
	text = readFrom.ReplaceAllString(text, "$1&#91;$2")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fmt.Sprintf("<file path=%q>\n%s</file>\n", path, text)
}

// injectedResults is results.md as a Worker sees it: whole while it is small,
// then every Breaking line, the Signatures this task has to do with, and one
// line for each older RESULT, the newest RESULTs whole as far as they fit.
func injectedResults(task doc.Task, results []doc.Result) string {
	whole := doc.FormatResults(results)
	if len(whole) <= maxInjected {
		return whole
	}
	var b strings.Builder
	b.WriteString("# RESULTs so far, shortened: every Breaking line, the Signatures your task touches, a line for each RESULT.\n\n## Breaking\n")
	lines := 0
	for _, r := range results {
		for _, br := range r.Breaking {
			fmt.Fprintf(&b, "- #%d: %s\n", r.K, br.Text)
			lines++
		}
	}
	if lines == 0 {
		b.WriteString("- none\n")
	}
	b.WriteString("\n## Signatures\n")
	lines = 0
	for _, r := range results {
		for _, s := range r.Signatures {
			if touches(task, s) {
				fmt.Fprintf(&b, "%s — %s\n", s.Signature, s.Path)
				lines++
			}
		}
	}
	if lines == 0 {
		b.WriteString("- none\n")
	}
	b.WriteString("\n## RESULTs\n")
	room := max(maxInjected-b.Len(), maxInjected/4)
	for _, r := range results {
		b.WriteString(oneLine(r, room/len(results)))
	}
	return b.String()
}

// oneLine is a RESULT in about size bytes.
func oneLine(r doc.Result, size int) string {
	line := fmt.Sprintf("- #%d: %d files", r.K, len(r.Files.All()))
	summary := []rune(strings.Join(strings.Fields(r.Summary), " "))
	room := min(size-len(line)-4, 120)
	switch {
	case len(summary) == 0 || room < 8:
	case len(summary) <= room:
		line += ". " + string(summary)
	default:
		line += ". " + string(summary[:room]) + "…"
	}
	return line + "\n"
}

// touches tells whether a signature belongs to a file the task changes or
// relies on, or names something the task's own signatures name.
func touches(task doc.Task, s doc.Signature) bool {
	for _, t := range task.TargetFiles {
		if t == s.Path || strings.HasSuffix(t, "/") && strings.HasPrefix(s.Path, t) {
			return true
		}
	}
	for _, have := range task.Signatures {
		if have.Path == s.Path {
			return true
		}
	}
	return false
}

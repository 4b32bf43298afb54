package doc

import (
	"fmt"
	"strings"
)

// The kinds of documents a lint knows. Map and index are recognised, and left
// to the map's own validation.
const (
	KindTask0   = "task0"
	KindTask    = "task"
	KindPlan    = "plan"
	KindResult  = "result"
	KindResults = "results"
	KindMap     = "map"
	KindIndex   = "index"
)

// LintReport is what a lint says about a document. Value is a Task, a Plan, a
// Result or a list of Results; nil when nothing could be read.
type LintReport struct {
	Kind     string    `json:"kind"`
	OK       bool      `json:"ok"`
	Value    any       `json:"value"`
	Problems []Problem `json:"problems"`
}

// Lint reads and judges a document or a model's reply. An empty kind is found
// out from the text.
func Lint(kind, text string) LintReport {
	r := LintReport{Kind: kind}
	if kind == "" {
		r.Kind = detect(text)
	}
	fail := func(format string, args ...any) {
		r.Problems = append(r.Problems, Problem{Error, "", 1, fmt.Sprintf(format, args...)})
	}
	switch r.Kind {
	case KindTask0, KindTask:
		t, problems := LintTaskText(text, LintOptions{Generated: r.Kind == KindTask})
		r.Value, r.Problems = t, problems
		if r.Kind == KindTask0 && t.K != 0 {
			fail("this is Task #%d, not Task #0", t.K)
		}
		if r.Kind == KindTask && t.K == 0 {
			fail("this is no Task #k: its heading must be `# Task #k (for Worker k)` with k from 1")
		}
	case KindPlan:
		p, problems := LintPlanText(text, nil)
		r.Value, r.Problems = p, problems
	case KindResult:
		v, problems, err := ParseResult(text, 0)
		r.Problems = problems
		if err != nil {
			fail("%v", err)
		} else {
			r.Value = v
		}
	case KindResults:
		r.Value, r.Problems = asLint(ParseResults(text))
	case KindMap, KindIndex:
		fail("project map artifacts are checked by `map validate`")
	case "":
		fail("no task, plan or RESULT recognised; name the kind. It begins %s", firstLines(text))
	default:
		fail("unknown kind %q; kinds are task0, task, plan, result, results, map, index", visible(r.Kind))
	}
	r.Problems = listed(r.Problems)
	r.OK = !HasErrors(r.Problems)
	return r
}

func asLint(v []Result, problems []Problem) (any, []Problem) { return v, problems }

var (
	artifactDir   = lazily(`(?m)^dir: \S`)
	artifactIndex = lazily(`^#\s.*\(index\)\s*$`)
)

// detect finds the kind of a document: by its first heading, then by what it
// holds.
func detect(text string) string {
	lines, ok := readable(text)
	if !ok {
		return KindResult // unfinished reasoning: a reply
	}
	if body, ok := unwrapFence(lines); ok {
		lines = body
	}
	lines = trimBlank(lines)
	if len(lines) == 0 {
		return ""
	}
	first := lines[0].text
	if artifactDir.MatchString(join(lines[:min(len(lines), 4)])) && strings.HasPrefix(first, "# ") {
		if artifactIndex.MatchString(first) {
			return KindIndex
		}
		return KindMap
	}
	if n, _ := planNode(lines); n != nil {
		return KindPlan
	}
	tasks, number := 0, 0
	for _, l := range lines {
		if h, ok := readTaskHeading(l.text); ok && l.code == prose && (h.strong || tasks == 0 && l.n == lines[0].n) {
			if tasks == 0 {
				number = h.k
			}
			tasks++
		}
	}
	results := resultBlocks(lines)
	if len(results) > 0 && (tasks == 0 || results[0].n < taskLine(lines)) {
		if len(results) > 1 && results[0].n == lines[0].n {
			return KindResults
		}
		return KindResult
	}
	switch {
	case tasks > 1 && !(number == 0 && strings.Contains(fold(first), "planner")):
		return KindPlan
	case tasks > 0 && number == 0:
		return KindTask0
	case tasks > 0:
		return KindTask
	}
	if all := taskWords.sections(lines); hasBase(all, secGoal) && (hasBase(all, secTargets) || hasBase(all, secConstraints)) {
		return KindTask0
	}
	if _, _, err := ParseResult(text, 0); err == nil {
		return KindResult
	}
	return ""
}

func taskLine(lines []line) int {
	for _, l := range lines {
		if _, ok := readTaskHeading(l.text); ok && l.code == prose {
			return l.n
		}
	}
	return 0
}

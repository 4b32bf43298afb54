package doc

import (
	"fmt"
	"strconv"
	"strings"
)

var (
	layerLine  = lazily(`(?i)^\W*layer\W*[:：]?\W*(\d{1,4})\W*$`)
	agentLine  = lazily(`(?i)^\W*agent\W*[:：]\W*([\w./:@-]+)\W*$`)
	titleLine  = lazily(`(?i)^\W*title\W*[:：]\s*(.+)$`)
	titleLayer = lazily(`(?i)\s*[(\[]\s*layer\s*:?\s*(\d{1,4})\s*[)\]]`)
	forWorker  = lazily(`(?i)^\(?for worker\s*#?\s*\d+\)?\s*[:—–-]?\s*`)
)

// readPlanHeadings reads a plan written as one document a task.
func readPlanHeadings(lines []line) (Plan, planSource, []Problem) {
	p := Plan{Tasks: []PlanTask{}}
	var src planSource
	var problems []Problem
	type block struct {
		head heading
		at   int
	}
	var blocks []block
	for i, l := range lines {
		if l.code != prose {
			continue
		}
		h, ok := readTaskHeading(l.text)
		if !ok || h.k == 0 && len(blocks) == 0 && strings.Contains(fold(h.tail), "planner") {
			continue
		}
		// A sentence that begins "Task 2 needs …" is no heading.
		if h.strong || h.tail == "" || strings.ContainsRune(":：—–-(.", firstRune(strings.TrimLeft(l.text[min(len(l.text), lastNumber(l.text)):], " "))) {
			if labelWithin(lines[i+1:]) {
				blocks = append(blocks, block{h, i})
			}
		}
	}
	layer := 0
	readLayer := func(l line) bool {
		m := layerLine.FindStringSubmatch(l.text)
		if m == nil || len(l.text) > 60 {
			return false
		}
		layer, _ = strconv.Atoi(m[1])
		return true
	}
	if len(blocks) > 0 {
		for _, l := range lines[:blocks[0].at] {
			if l.code == prose {
				readLayer(l)
			}
		}
	}
	for j, b := range blocks {
		end := len(lines)
		if j+1 < len(blocks) {
			end = blocks[j+1].at
		}
		if b.head.k != j+1 {
			problems = append(problems, Problem{Warning, fmt.Sprintf("Task #%d", j+1), lines[b.at].n, fmt.Sprintf("the heading says Task %d; read as Task #%d, by its place", b.head.k, j+1)})
		}
		title := forWorker.ReplaceAllString(b.head.tail, "")
		pt := PlanTask{Layer: layer}
		if m := titleLayer.FindStringSubmatch(title); m != nil {
			pt.Layer, _ = strconv.Atoi(m[1])
			title = titleLayer.ReplaceAllString(title, "")
		}
		pt.Title = strings.TrimSpace(title)
		// Layer and agent may stand anywhere: a layer line at the end of the
		// block belongs to the tasks that follow.
		var body []line
		sectioned := false
		for _, l := range lines[b.at+1 : end] {
			if l.code == prose {
				if _, ok := taskWords.match(l.text); ok {
					sectioned = true
				}
				if m := agentLine.FindStringSubmatch(l.text); m != nil && len(l.text) < 80 {
					if pt.Agent = m[1]; isNone(pt.Agent) || fold(pt.Agent) == "default" {
						pt.Agent = ""
					}
					continue
				}
				if m := titleLine.FindStringSubmatch(l.text); m != nil && !sectioned {
					pt.Title = unspan(m[1])
					continue
				}
				if readLayer(l) {
					if !sectioned || headingDress(l.text).level == 0 {
						pt.Layer = layer
					}
					continue
				}
			}
			body = append(body, l)
		}
		t := Task{Constraints: []string{}, TargetFiles: []string{}, Signatures: []Signature{}}
		ts := taskSource{section: map[string]int{}, filled: map[string]bool{}, lines: map[string][]line{}}
		for _, q := range readTaskSections(&t, &ts, body) {
			q.Section = strings.TrimSpace(fmt.Sprintf("Task #%d %s", j+1, q.Section))
			problems = append(problems, q)
		}
		pt.Goal, pt.Background, pt.PastFailures = t.Goal, t.Background, t.PastFailures
		pt.Constraints, pt.Signatures = t.Constraints, []string{}
		pt.TargetFiles, ts.targets = someOf(t.TargetFiles, ts.targets, isNone, true)
		for _, s := range t.Signatures {
			pt.Signatures = append(pt.Signatures, s.String())
		}
		p.Tasks = append(p.Tasks, pt)
		src.tasks = append(src.tasks, planTaskSource{line: lines[b.at].n, part: ts.section, task: ts})
	}
	return p, src, problems
}

// labelWithin tells whether a section of a task begins soon.
func labelWithin(lines []line) bool {
	for i, l := range lines {
		if i > 30 {
			return false
		}
		if l.code != prose {
			continue
		}
		if _, ok := taskWords.match(l.text); ok {
			return true
		}
		if h, ok := readTaskHeading(l.text); ok && h.strong {
			return false
		}
	}
	return false
}

func lastNumber(s string) int {
	i := strings.IndexAny(s, "0123456789")
	if i < 0 {
		return len(s)
	}
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

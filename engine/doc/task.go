package doc

import (
	"fmt"
	"strings"
)

// The six sections of a task, in their order.
const (
	secGoal        = "Goal"
	secBackground  = "Background"
	secFailures    = "Past failures"
	secConstraints = "Constraints"
	secTargets     = "Target Files"
	secSignatures  = sigs
)

var taskSections = []string{secGoal, secBackground, secFailures, secConstraints, secTargets, secSignatures}

var taskWords = names(map[string]string{
	secGoal:        "goal, goals, objective, the goal, 목표, 目标, 目標, ziel, objectif, objetivo",
	secBackground:  "background, context, background (decisions only), decisions, 배경, 背景, hintergrund, contexte, contexto",
	secFailures:    "past failures, past failure, previous failures, known failures, failures, failed attempts, past attempts, 과거 실패, 过去的失败, 過去の失敗, bisherige fehlschläge",
	secConstraints: "constraints, constraint, rules, requirements, 제약, 제약 조건, 约束, 制約, einschränkungen, contraintes, restricciones",
	secTargets:     "target files, target file, targets, files to change, files to touch, files, 대상 파일, 目标文件, 対象ファイル, zieldateien, fichiers cibles, archivos objetivo",
	secSignatures:  "signatures, signature, dependency signatures, signatures of dependencies, dependencies, 시그니처, 签名, シグネチャ, signaturen, firmas",
})

func names(lists map[string]string) vocabulary {
	v := vocabulary{}
	for name, list := range lists {
		for w := range strings.SplitSeq(list, ",") {
			v[fold(strings.TrimSpace(w))] = name
		}
	}
	return v
}

// taskSource remembers where the parts of a task stand. Numbers count from 1;
// 0 means the part is not there.
type taskSource struct {
	heading     int
	bytes       int
	section     map[string]int
	filled      map[string]bool
	targets     []int
	signatures  []int
	constraints []int
	lines       map[string][]line // the text of the free sections
}

func at(lines []int, i int) int {
	if i < len(lines) {
		return lines[i]
	}
	return 0
}

// ParseTask reads Task #0 or Task #k. The problems are those of reading: a
// missing heading, a section twice, text outside every section. What the task
// says is judged by the lints.
func ParseTask(text string) (Task, []Problem) {
	t, _, problems := parseTask(text)
	return t, problems
}

func parseTask(text string) (Task, taskSource, []Problem) {
	var problems []Problem
	lines, ok := readable(text)
	if !ok {
		problems = append(problems, unfinished)
	}
	if body, ok := unwrapFence(lines); ok && len(body) > 0 {
		lines = body
	}
	src := taskSource{bytes: len(text), section: map[string]int{}, filled: map[string]bool{}, lines: map[string][]line{}}
	t := Task{Constraints: []string{}, TargetFiles: []string{}, Signatures: []Signature{}}
	i := 0
	for ; i < len(lines); i++ {
		if lines[i].code != prose || lines[i].blank() {
			continue
		}
		if h, ok := readTaskHeading(lines[i].text); ok {
			t.K, src.heading = h.k, lines[i].n
			i++
			if i < len(lines) && isRule(lines[i].text) {
				i++
			}
			break
		}
		if _, ok := taskWords.match(lines[i].text); ok {
			break
		}
	}
	if src.heading == 0 {
		problems = append(problems, Problem{Warning, "", 1, "no heading `# Task #0 (for Planner)` or `# Task #k (for Worker k)`; read as Task #0"})
		if i == len(lines) {
			i = 0
		}
	}
	problems = append(problems, readTaskSections(&t, &src, lines[i:])...)
	return t, src, problems
}

func readTaskSections(t *Task, src *taskSource, lines []line) (problems []Problem) {
	for _, s := range taskWords.sections(lines) {
		if s.name == "" || s.name == preamble {
			if text := join(s.lines); s.name == "" || text != "" && !isRule(text) {
				problems = append(problems, Problem{Warning, "", firstLine(s), "text outside the six sections is left out: " + excerpt(s, lines)})
			}
			continue
		}
		if src.section[s.name] > 0 {
			problems = append(problems, Problem{Warning, s.name, s.line, s.name + " twice"})
		} else {
			src.section[s.name] = s.line
		}
		if join(s.lines) != "" {
			src.filled[s.name] = true
		}
		src.lines[s.name] = append(src.lines[s.name], s.lines...)
		t.read(src, s)
	}
	return problems
}

func (t *Task) read(src *taskSource, s section) {
	switch s.name {
	case secGoal:
		t.Goal = paragraph(t.Goal, freeText(taskWords, s.lines))
	case secBackground:
		t.Background = paragraph(t.Background, freeText(taskWords, s.lines))
	case secFailures:
		text := freeText(taskWords, s.lines)
		if text != "" && isFirstAttempt(text) {
			text = None
		}
		if t.PastFailures == None && text != "" && text != None {
			t.PastFailures = "" // the other half of a section given twice
		}
		if text != None || t.PastFailures == "" {
			t.PastFailures = paragraph(t.PastFailures, text)
		}
	case secConstraints:
		for _, it := range readItems(taskWords, s.lines) {
			t.Constraints = append(t.Constraints, it.text)
			src.constraints = append(src.constraints, it.n)
		}
	case secTargets:
		for _, it := range readTargets(s.lines) {
			t.TargetFiles = append(t.TargetFiles, it.text)
			src.targets = append(src.targets, it.n)
		}
	case secSignatures:
		found, _ := readSignatures(taskWords, s.lines)
		for _, f := range found {
			t.Signatures = append(t.Signatures, f.Signature)
			src.signatures = append(src.signatures, f.n)
		}
	}
}

func firstLine(s section) int {
	if s.line > 0 {
		return s.line
	}
	for _, l := range s.lines {
		if !l.blank() {
			return l.n
		}
	}
	return 0
}

func excerpt(s section, lines []line) string {
	n := firstLine(s)
	for _, l := range lines {
		if l.n == n {
			return visible(strings.TrimSpace(l.text))
		}
	}
	return ""
}

// freeText joins the lines of a section of prose.
func freeText(v vocabulary, lines []line) string {
	return v.unescapeText(closeFences(dropLeadingRules(join(lines))))
}

func dropLeadingRules(text string) string {
	for {
		first, rest, _ := strings.Cut(text, "\n")
		if text == "" || !isRule(first) {
			return text
		}
		text = strings.TrimSpace(rest)
	}
}

func paragraph(before, text string) string {
	if before == "" || text == "" {
		return before + text
	}
	return before + "\n\n" + text
}

// isFirstAttempt tells the ways to say that nothing failed before.
func isFirstAttempt(text string) bool {
	if strings.Contains(text, "\n") || len(text) > 200 {
		return false
	}
	folded := bareNone(text)
	for _, sep := range []string{"—", "–", "--", "-", ":", ";", ",", ".", "("} {
		if head, tail, ok := strings.Cut(folded, sep); ok && nones[bareNone(head)] {
			tail = bareNone(tail)
			return strings.HasSuffix(tail, "first attempt") || tail == "first try" || tail == ""
		}
	}
	return nones[folded] || folded == "first attempt" || folded == "this is the first attempt" || noNoun.MatchString(folded)
}

// item is a piece of a list with the line it starts on.
type item struct {
	text string
	n    int
}

// readItems reads a list: one item a bullet, or one a line where there are no
// bullets. Indented lines and fences belong to the item above them.
func readItems(v vocabulary, lines []line) []item {
	base := -1
	for _, l := range lines {
		if d := undress(l.text); l.code == prose && isBullet(l.text) && (base < 0 || d.indent < base) {
			base = d.indent
		}
	}
	type raw struct {
		lines []line
		n     int
	}
	var items []raw
	gap := true
	for _, l := range lines {
		if l.code == prose && (l.blank() || isRule(l.text)) {
			gap = true
			continue
		}
		indent := len(l.text) - len(strings.TrimLeft(l.text, " \t"))
		more := len(items) > 0 && (l.code != prose ||
			base >= 0 && indent > base ||
			base >= 0 && !isBullet(l.text) && !gap)
		gap = false
		if more {
			cut := 0
			for cut < len(l.text) && cut < max(base, 0)+2 && l.text[cut] == ' ' {
				cut++
			}
			l.text = l.text[cut:]
			last := &items[len(items)-1]
			last.lines = append(last.lines, l)
			continue
		}
		if l.code == prose {
			l.text, _ = unbullet(l.text)
		}
		items = append(items, raw{[]line{l}, l.n})
	}
	var out []item
	for _, r := range items {
		text := v.unescapeText(closeFences(join(r.lines)))
		if text == "" || isNoItem(text) {
			continue
		}
		out = append(out, item{text, r.n})
	}
	return out
}

func isBullet(s string) bool { _, ok := unbullet(s); return ok }

// readTargets reads one path a line. Everything counts as a path here, so that
// the lint can name what is none.
func readTargets(lines []line) []item {
	var out []item
	for _, l := range lines {
		if l.code == fence || l.blank() || isRule(l.text) || isTableRule(l.text) {
			continue
		}
		text := unlist(l.text)
		text = checkbox.ReplaceAllString(text, "")
		if isNone(text) {
			continue
		}
		if isTableRow(text) {
			text = cells(text)[0]
			if pathHeads[fold(bare(text))] {
				continue
			}
		}
		pieces := splitItems(text)
		for i, p := range pieces {
			if _, _, ok := readPath(p); !ok && i > 0 {
				pieces = []string{text} // commas inside a remark
				break
			}
		}
		for _, piece := range pieces {
			if p := targetPath(piece); !isNone(p) {
				out = append(out, item{p, l.n})
			}
		}
	}
	return out
}

func targetPath(s string) string {
	if got, _, ok := readFilePiece(s, ""); ok {
		return got[len(got)-1].path
	}
	if content, rest, ok := readSpan(s); ok && (strings.TrimSpace(rest) == "" || remarkStart.MatchString(rest)) {
		return strings.TrimSpace(content)
	}
	if loc := remarkStart.FindStringIndex(s); loc != nil && loc[0] > 0 {
		return strings.TrimSpace(s[:loc[0]])
	}
	return strings.TrimSpace(s)
}

// FormatTask writes the canonical form.
func FormatTask(t Task) string { return formatTask(t, "None", "None") }

// formatTask writes what is given for no constraint and no signature.
func formatTask(t Task, noConstraint, noSignature string) string {
	var b strings.Builder
	if t.K == 0 {
		b.WriteString("# Task #0 (for Planner)\n")
	} else {
		fmt.Fprintf(&b, "# Task #%d (for Worker %d)\n", t.K, t.K)
	}
	put := func(name, body string) {
		b.WriteString("\n### " + name + "\n")
		if body != "" {
			b.WriteString(body + "\n")
		}
	}
	prose := func(s string) string { return taskWords.escapeText(closeFences(clean(s))) }
	put(secGoal, prose(t.Goal))
	put(secBackground, prose(t.Background))
	put(secFailures, prose(t.PastFailures))
	items := make([]string, 0, len(t.Constraints))
	for _, c := range t.Constraints {
		if text := prose(c); text != "" {
			items = append(items, "- "+strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	put(secConstraints, orElse(noConstraint, items))
	items = items[:0]
	for _, p := range t.TargetFiles {
		if p = writePath(p); p != "" {
			items = append(items, p)
		}
	}
	put(secTargets, strings.Join(items, "\n"))
	items = items[:0]
	for _, s := range t.Signatures {
		if text := taskWords.writeSignature(s); text != "" {
			items = append(items, text)
		}
	}
	put(secSignatures, orElse(noSignature, items))
	return b.String()
}

func orElse(none string, items []string) string {
	if len(items) == 0 {
		return none
	}
	return strings.Join(items, "\n")
}

// readable cleans a text, takes reasoning off and numbers the lines as they
// stand in the text given. ok is false for reasoning that never ends.
func readable(text string) (lines []line, ok bool) {
	whole := clean(text)
	answer, ok := StripThinking(whole)
	if !ok {
		return nil, false
	}
	first := 1
	if strings.HasSuffix(whole, answer) {
		first += strings.Count(whole[:len(whole)-len(answer)], "\n")
	}
	return split(answer, first), true
}

var unfinished = Problem{Error, "", 1, "the text is unfinished reasoning: its thinking tag is never closed"}

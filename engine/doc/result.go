package doc

import (
	"errors"
	"fmt"
	"strings"
)

// The four sections of a RESULT, in their order.
const (
	secFiles    = "Files"
	secBreaking = "Breaking"
	secSummary  = "Summary"
)

var resultWords = names(map[string]string{
	secFiles:               "files, file, changed files, files changed, touched files, files touched, file changes, file list, affected files, files affected, 파일, 변경 파일, 文件, 檔案, ファイル, dateien, fichiers, archivos",
	secFiles + "/created":  "files created, created files, files added, new files",
	secFiles + "/modified": "files modified, modified files, files edited, edited files, files updated, updated files",
	secFiles + "/deleted":  "files deleted, deleted files, files removed, removed files",
	secSignatures:          "signatures, signature, exported signatures, public signatures, new signatures, key signatures, api signatures, exports, public api, 시그니처, 서명, 签名, 簽名, シグネチャ, signaturen, firmas",
	secBreaking:            "breaking, breaking changes, breaking change, breaking api changes, breaks, api breaks, 호환성 깨짐, 파괴적 변경, 破壊的変更, 破坏性变更, 破坏性更改, 不兼容变更, inkompatible änderungen, changements cassants, ruptures, cambios incompatibles",
	secSummary:             "summary, short summary, summary of changes, summary of work, 요약, 摘要, 总结, 總結, 概要, 要約, zusammenfassung, résumé, resumen",
	"":                     "tests, testing, test results, test output, verification, next steps, status, needs, output",
})

// ErrNoResult tells that a reply holds no RESULT. ErrUnclosedThinking wraps
// it: the reply is reasoning alone.
var (
	ErrNoResult         = errors.New("no RESULT block found")
	ErrUnclosedThinking = fmt.Errorf("%w: the reasoning never ends", ErrNoResult)
)

func noResult(cause error, reply string, k int) error {
	who := "the Worker"
	if k > 0 {
		who = fmt.Sprintf("Worker %d", k)
	}
	if cause == ErrUnclosedThinking {
		return fmt.Errorf("%w, so there is no answer in the reply of %s; it begins %s", cause, who, firstLines(reply))
	}
	if strings.TrimSpace(reply) == "" {
		return fmt.Errorf("%w in the reply of %s: the reply is empty", cause, who)
	}
	return fmt.Errorf("%w in the reply of %s; it begins %s", cause, who, firstLines(reply))
}

// firstLines quotes the start of a reply for a message.
func firstLines(reply string) string {
	var parts []string
	for s := range strings.SplitSeq(clean(reply), "\n") {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, visible(s))
		}
		if len(parts) == 3 {
			break
		}
	}
	return `"` + strings.Join(parts, " / ") + `"`
}

// ParseResult finds the RESULT of Worker k in its last message; k ≤ 0 takes
// the number from the heading. The error wraps ErrNoResult when there is
// none. A missing Files or Breaking section is a problem of level Error.
func ParseResult(reply string, k int) (Result, []Problem, error) {
	lines, ok := readable(reply)
	if !ok {
		return Result{}, nil, noResult(ErrUnclosedThinking, reply, k)
	}
	for range 2 { // a fence or a quote around the whole reply
		if body, ok := unwrapFence(lines); ok {
			lines = body
		}
		if body, ok := unwrapQuote(lines); ok {
			lines = body
		}
	}
	if strings.HasPrefix(join(lines), "{") {
		if s, problems, err := parseSubmitted(join(lines), k, trimBlank(lines)[0].n); err == nil && s.worded {
			return s.Result, problems, nil
		}
	}
	block, found := chooseResult(lines, k)
	if !found {
		block, found = enclosedResult(lines, k)
	}
	if !found {
		if s, problems, ok := enclosedJSON(lines, k); ok {
			return s.Result, problems, nil
		}
		block, found = headlessResult(lines)
	}
	if !found {
		return Result{}, nil, noResult(ErrNoResult, reply, k)
	}
	r, problems := readResult(block, k)
	return r, problems, nil
}

// resultBlock is a RESULT as it stands in a text.
type resultBlock struct {
	head     heading
	n        int // line of the heading
	sections []section
	named    int // sections that are known, counted once
}

var tagLine = lazily(`(?i)^\s*</?(?:result|answer|output|response|final|final_answer|report)>\s*$`)

// resultBlocks finds every RESULT outside fences and quotes.
func resultBlocks(lines []line) []resultBlock {
	end := len(lines)
	for i, l := range lines { // an unclosed fence runs to the end here
		if _, n, _ := fenceMark(l.text); n > 0 && l.code == prose {
			end = i
			break
		}
	}
	var starts []int
	var heads []heading
	for i, l := range lines[:end] {
		if l.code != prose {
			continue
		}
		h, ok := readResultHeading(l.text)
		if !ok || !h.strong && h.k < 0 && !labelFollows(lines[i+1:]) {
			continue
		}
		starts, heads = append(starts, i), append(heads, h)
	}
	var blocks []resultBlock
	for j, i := range starts {
		stop := len(lines)
		if j+1 < len(starts) {
			stop = starts[j+1]
		}
		body := lines[i+1 : stop]
		if len(body) > 0 && isRule(body[0].text) {
			body = body[1:]
		}
		if flat := flattened(lines[i]); flat != nil {
			body = append(flat, body...)
		}
		b := resultBlock{head: heads[j], n: lines[i].n}
		b.sections, b.named = resultSections(body)
		if b.named > 0 {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

func resultSections(lines []line) ([]section, int) {
	kept := make([]line, 0, len(lines))
	for _, l := range lines {
		if l.code != prose || !tagLine.MatchString(l.text) {
			kept = append(kept, l)
		}
	}
	all := resultWords.sections(kept)
	seen := map[string]bool{}
	for _, s := range all {
		if s.name != "" && s.name != preamble {
			seen[baseName(s.name)] = true
		}
	}
	return all, len(seen)
}

func baseName(name string) string { base, _, _ := strings.Cut(name, "/"); return base }

func labelFollows(lines []line) bool {
	for i, l := range lines {
		if i > 4 {
			return false
		}
		if l.code == prose && !l.blank() && !isRule(l.text) {
			lb, ok := resultWords.match(l.text)
			return ok && lb.name != "" || isTableRow(l.text)
		}
	}
	return false
}

var flatLabel = lazily(`(?:^|[\s;|.])\**(Files|Signatures|Breaking|Summary)\**[:：]`)

// flattened cuts a RESULT written on one line into its sections.
func flattened(l line) []line {
	found := flatLabel.FindAllStringSubmatchIndex(l.text, -1)
	if len(found) < 2 {
		return nil
	}
	var out []line
	for i, m := range found {
		end := len(l.text)
		if i+1 < len(found) {
			end = found[i+1][2]
		}
		out = append(out, line{n: l.n, text: strings.TrimRight(l.text[m[2]:end], " ;|*")})
	}
	return out
}

// chooseResult takes the block with the Worker's number, else one without a
// number, else another one; of several the fullest, of equals the last.
func chooseResult(lines []line, k int) (resultBlock, bool) {
	rank := func(b resultBlock) int {
		switch {
		case k <= 0 && b.head.k >= 0, k > 0 && b.head.k == k:
			return 20 + b.named
		case b.head.k < 0:
			return 10 + b.named
		}
		return b.named
	}
	var best resultBlock
	found := false
	for _, b := range resultBlocks(lines) {
		if !found || rank(b) >= rank(best) {
			best, found = b, true
		}
	}
	return best, found
}

var (
	presents = lazily(`(?i)\b(?:result|report|here|below|following|final|summary|done|finished)\b`)
	recounts = lazily(`(?i)\b(?:output|ran|run|running|cat|printed|prints|logs?|results\.md|earlier|previous|before|example|template|format|said|says|wrote|shows|file contains|worker \d+ |expected|stdout|command)\b|[$>]\s`)
)

// enclosedResult reads a RESULT that is the only one, stands in a quote or a
// plain fence, carries the right number and is presented as the answer. A
// fence with tool output is none of that.
func enclosedResult(lines []line, k int) (resultBlock, bool) {
	if k <= 0 {
		return resultBlock{}, false
	}
	for i := len(lines) - 1; i >= 0; i-- {
		var body []line
		switch {
		case lines[i].code == fence:
			open := i - 1
			for open >= 0 && lines[open].code != fence {
				open--
			}
			if open < 0 {
				return resultBlock{}, false
			}
			if _, _, info := fenceMark(lines[open].text); presented(lines, open) && (info == "" || info == "md" || info == "markdown" || info == "text") {
				body = remark(lines[open+1 : i])
			}
			i = open
		case lines[i].code == prose && isQuote(lines[i].text):
			open := i
			for open > 0 && isQuote(lines[open-1].text) {
				open--
			}
			if presented(lines, open) {
				body, _ = unwrapQuote(lines[open : i+1])
			}
			i = open
		default:
			continue
		}
		body = trimBlank(body)
		if len(body) == 0 {
			continue
		}
		if h, ok := readResultHeading(body[0].text); ok && h.k == k {
			return chooseResult(body, k)
		}
	}
	return resultBlock{}, false
}

// presented tells whether the line before lines[i] hands something over.
func presented(lines []line, i int) bool {
	for i--; i >= 0; i-- {
		if !lines[i].blank() {
			return lines[i].code == prose && presents.MatchString(lines[i].text) && !recounts.MatchString(lines[i].text)
		}
	}
	return true
}

func isQuote(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, " "), ">") }

// unwrapQuote takes the quote marks off a text that is one quote.
func unwrapQuote(lines []line) ([]line, bool) {
	body := trimBlank(lines)
	if len(body) == 0 {
		return lines, false
	}
	out := make([]line, len(body))
	for i, l := range body {
		t := strings.TrimLeft(l.text, " ")
		if !strings.HasPrefix(t, ">") && t != "" {
			return lines, false
		}
		t = strings.TrimPrefix(t, ">")
		out[i] = line{n: l.n, text: strings.TrimPrefix(t, " ")}
	}
	markFences(out)
	return out, true
}

// headlessResult reads the sections alone, when at least Files, Breaking and
// one more are there.
func headlessResult(lines []line) (resultBlock, bool) {
	for _, l := range lines {
		if _, n, _ := fenceMark(l.text); n > 0 && l.code == prose {
			return resultBlock{}, false
		}
	}
	all, named := resultSections(lines)
	if named < 3 || !hasBase(all, secFiles) || !hasBase(all, secBreaking) {
		return resultBlock{}, false
	}
	return resultBlock{head: heading{k: -1}, sections: all, named: named}, true
}

func hasBase(all []section, name string) bool {
	for _, s := range all {
		if baseName(s.name) == name {
			return true
		}
	}
	return false
}

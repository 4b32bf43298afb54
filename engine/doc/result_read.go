package doc

import (
	"fmt"
	"strings"
)

// readResult turns a block into a Result.
func readResult(b resultBlock, k int) (Result, []Problem) {
	r := Result{K: k, Files: noFiles(), Signatures: []Signature{}, Breaking: []Breaking{}}
	var problems []Problem
	warn := func(section string, n int, format string, args ...any) {
		problems = append(problems, Problem{Warning, section, n, fmt.Sprintf(format, args...)})
	}
	switch {
	case b.n == 0:
		warn("", 0, "no RESULT heading; the sections were read without it")
	case k > 0 && b.head.k >= 0 && b.head.k != k:
		warn("", b.n, "the heading says RESULT #%d; read as RESULT #%d", b.head.k, k)
	case b.head.k < 0:
		warn("", b.n, "the RESULT heading has no number")
	}
	if k <= 0 {
		r.K = max(0, b.head.k)
	}
	var entries []fileEntry
	lineOf := map[string]int{}
	for _, s := range b.sections {
		name, group, _ := strings.Cut(s.name, "/")
		if name == "" || name == preamble {
			if join(s.lines) != "" && name == "" {
				warn("", s.line, "text outside the four sections is left out")
			}
			continue
		}
		if _, twice := lineOf[name]; twice && group == "" {
			warn(name, s.line, "%s twice", name)
		} else if !twice {
			lineOf[name] = s.line
		}
		if rest := s.trimTail(); rest > 0 {
			warn(name, rest, "text after %s is left out", name)
		}
		switch name {
		case secFiles:
			found, unread := readFiles(s.lines, group)
			entries = append(entries, found...)
			for _, l := range unread {
				warn(name, l.n, "not read as a path: %s", visible(strings.TrimSpace(l.text)))
			}
		case secSignatures:
			found, cut := readSignatures(resultWords, s.lines)
			for _, f := range found {
				r.Signatures = append(r.Signatures, f.Signature)
			}
			if cut {
				warn(name, s.line, "code bodies were removed from Signatures")
			}
		case secBreaking:
			found, cut := readBreaking(resultWords, s.lines)
			r.Breaking = append(r.Breaking, found...)
			if cut {
				warn(name, s.line, "code bodies were removed from Breaking")
			}
		case secSummary:
			text, cut := readSummary(s.lines)
			r.Summary = paragraph(r.Summary, text)
			if cut {
				warn(name, s.line, "code was removed from Summary")
			}
		}
	}
	problems = append(problems, r.takeFiles(entries)...)
	for _, name := range []string{secFiles, secBreaking} {
		if _, ok := lineOf[name]; !ok {
			problems = append(problems, Problem{Error, name, b.n, name + " missing"})
		}
	}
	for _, name := range []string{secSignatures, secSummary} {
		if _, ok := lineOf[name]; !ok {
			warn(name, b.n, "%s missing; read as empty", name)
		}
	}
	if n, ok := lineOf[secFiles]; ok && len(r.Files.All()) == 0 {
		warn(secFiles, n, "Files empty")
	}
	bounded, cuts := r.bound(lineOf)
	return bounded, append(problems, cuts...)
}

func noFiles() Files {
	return Files{Created: []string{}, Modified: []string{}, Deleted: []string{}}
}

// takeFiles sorts entries into their lists, each path once: the first action
// that is said counts, a file without one was modified.
func (r *Result) takeFiles(entries []fileEntry) (problems []Problem) {
	action := map[string]string{}
	for _, e := range entries {
		if action[e.path] == "" {
			action[e.path] = e.action
		}
	}
	done := map[string]bool{}
	seen := map[string]bool{}
	for _, e := range entries {
		if done[e.path] {
			continue
		}
		done[e.path], seen[e.path] = true, e.observed
		switch action[e.path] {
		case created:
			r.Files.Created = append(r.Files.Created, e.path)
		case deleted:
			r.Files.Deleted = append(r.Files.Deleted, e.path)
		default:
			r.Files.Modified = append(r.Files.Modified, e.path)
		}
		if _, why := checkPath(e.path, false); why != "" {
			problems = append(problems, Problem{Warning, secFiles, e.n, why})
		}
	}
	for _, p := range r.Files.All() {
		if seen[p] {
			r.Files.Observed = append(r.Files.Observed, p)
		}
	}
	return problems
}

// farewell matches what models say after their work is done.
var farewell = lazily(`(?i)^(?:please )?(?:let me know|feel free|happy to|glad to|i(?:'d| would) be (?:happy|glad)|i(?:'m| am) (?:happy|ready|glad)|is there anything|anything else|would you like|do you want|shall i|should i|if you(?:'d| would| need| want| have| like)|i hope|hope (?:this|that)|thanks?\b|thank you|don'?t hesitate|ready for|that'?s (?:it|all)|all done|done[.!]*$|the task is (?:now )?(?:complete|done)|task (?:is )?(?:complete|done)|i(?:'ve| have) (?:completed|finished)|(?:and )?we'?re done|good luck|cheers|next steps?:)`)

var farewellSentence = lazily(`(?i)[ \t]+(?:please )?(?:let me know (?:if|whether|what)|feel free to|don'?t hesitate to|would you like me to|is there anything else)[^.!?\n]*[.!?]*\s*$`)

// trimTail cuts off what follows a section without belonging to it and
// returns the line of the first text lost, 0 for none worth a word.
func (s *section) trimTail() (lost int) {
	seen, gap := false, false
	for i, l := range s.lines {
		if l.code != prose {
			seen, gap = true, false
			continue
		}
		if l.blank() {
			gap = seen
			continue
		}
		text := strings.TrimSpace(l.text)
		bye := seen && farewell.MatchString(strings.TrimLeftFunc(text, decorative))
		// After content on the label's own line a new paragraph is not part
		// of the section any more; a list or a table may be.
		loose := s.inline && gap && !isBullet(l.text) && !isTableRow(l.text) && l.text[0] != ' ' && l.text[0] != '\t'
		if (isRule(l.text) && seen && gapOrRule(s.lines[i+1:])) || bye && (gap || allFarewell(s.lines[i:])) || loose {
			rest := s.lines[i:]
			s.lines = s.lines[:i]
			for _, r := range rest {
				if !r.blank() && !isRule(r.text) && !farewell.MatchString(strings.TrimLeftFunc(strings.TrimSpace(r.text), decorative)) && !bye {
					return r.n
				}
			}
			return 0
		}
		seen, gap = true, false
	}
	return 0
}

// gapOrRule tells that a rule really ends the section: a table rule or an
// underline has its rows right below.
func gapOrRule(after []line) bool { return len(after) == 0 || !isTableRow(after[0].text) }

func allFarewell(lines []line) bool {
	for i, l := range lines {
		if i > 8 || !l.blank() && !farewell.MatchString(strings.TrimSpace(l.text)) {
			return false
		}
	}
	return true
}

// readSummary reads the Summary: prose without code. cut tells that code was
// left out.
func readSummary(lines []line) (text string, cut bool) {
	var kept []line
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if l.code != prose {
			cut = true
			continue
		}
		run := i
		for run < len(lines) && lines[run].code == prose && looksLikeCode(lines[run].text) {
			run++
		}
		if run-i >= 3 {
			cut = true
			i = run - 1
			continue
		}
		for ; i < run; i++ {
			kept = append(kept, lines[i])
		}
		if run < len(lines) && lines[run].code == prose {
			kept = append(kept, lines[run])
		} else {
			i = run - 1
		}
	}
	for i := range kept { // an opener that is never closed carries no words
		if _, n, _ := fenceMark(kept[i].text); n > 0 {
			kept[i].text = ""
			cut = true
		}
		kept[i].text = strings.TrimSpace(kept[i].text)
	}
	text = squeeze(dropLeadingRules(join(kept)))
	for {
		before := text
		if !strings.Contains(text, "\n") {
			text = unlist(text)
		}
		text = strings.TrimSpace(farewellSentence.ReplaceAllString(text, ""))
		if text == before {
			break
		}
	}
	if isNone(text) {
		return "", cut
	}
	return resultWords.unescapeText(text), cut
}

// squeeze leaves at most one blank line in a row.
func squeeze(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}

var codeLine = lazily(`[{};]\s*$|^\s*(?:return|func|import|const|let|var|def|class|if|for|while|else|package|public|private|#include)\b.*[({:=;]|^\s*[\w.]+\s*(?::=|=|\+=)\s*\S|^\s*[\w.]+\(.*\)\s*;?$`)

func looksLikeCode(s string) bool { return len(s) < 1000 && codeLine.MatchString(s) }

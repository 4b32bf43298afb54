package model

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// thinkTag matches the tags that models put around their reasoning.
var thinkTag = regexp.MustCompile(`(?i)^(?:<(/?)(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)(?:\s[^<>\n]{0,200})?>|\[(/?)THINK\]|◁(/?)think▷)`)

// longestTag bounds what is held back while it may become a tag.
const longestTag = 240

// thinkSplitter tells reasoning from answer in a stream: a block counts where
// it opens at the start of a line, outside of fences, in an answer that is not
// JSON; blocks nest. What may yet become a tag is held back, so that no part
// of one is ever shown.
type thinkSplitter struct {
	held  string // not yet decided
	depth int    // of open blocks
	json  bool   // the answer is JSON: tags in it are text
	fence bool   // inside a fence
	begun bool   // something visible was said
	after bool   // a block has just closed: an opener may follow directly
	line  string // what is known of the line at hand, up to its first 16 bytes
	mark  byte   // the last byte decided, for tags in quotes
}

// add gives what is certain after a piece: the answer's part and the
// reasoning's.
func (s *thinkSplitter) add(piece string) (answer, thought string) {
	s.held += piece
	return s.run(false)
}

// end gives what is left.
func (s *thinkSplitter) end() (answer, thought string) { return s.run(true) }

func (s *thinkSplitter) run(last bool) (string, string) {
	var answer, thought strings.Builder
	for s.held != "" {
		take := strings.IndexAny(s.held, "<[◁\n")
		if take != 0 {
			if take < 0 {
				take = len(s.held)
			}
			s.pass(s.held[:take], &answer, &thought)
			s.held = s.held[take:]
			continue
		}
		if s.held[0] == '\n' {
			s.pass("\n", &answer, &thought)
			s.held = s.held[1:]
			continue
		}
		m := thinkTag.FindStringSubmatchIndex(s.held)
		if m == nil && !last && maybeTag(s.held) {
			break
		}
		if m != nil && m[1] == len(s.held) && !last {
			break // what follows tells whether it stands in quotes
		}
		_, size := utf8.DecodeRuneInString(s.held)
		if m == nil || !s.turns(m) {
			if m != nil {
				size = m[1]
			}
			s.pass(s.held[:size], &answer, &thought)
			s.held = s.held[size:]
			continue
		}
		s.held = s.held[m[1]:]
		if s.after = s.depth == 0; s.after {
			s.line = ""
		}
	}
	return answer.String(), thought.String()
}

// pass hands decided text on.
func (s *thinkSplitter) pass(text string, answer, thought *strings.Builder) {
	s.mark = text[len(text)-1]
	if s.depth > 0 {
		thought.WriteString(text)
	} else {
		answer.WriteString(text)
		if trimmed := strings.TrimLeft(text, " \t\r\n"); !s.begun && trimmed != "" {
			s.begun, s.json = true, trimmed[0] == '{' || trimmed[0] == '['
		}
	}
	if text == "\n" {
		if line := strings.TrimLeft(s.line, " "); s.depth == 0 && (strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")) {
			s.fence = !s.fence
		}
		s.line = ""
		return
	}
	if s.after = s.after && strings.TrimSpace(text) == ""; s.after {
		return
	}
	if room := 16 - len(s.line); room > 0 {
		s.line += text[:min(room, len(text))]
	}
}

// turns tells whether the tag at the front is one, and counts it.
func (s *thinkSplitter) turns(m []int) bool {
	closer := m[3] > m[2] || m[5] > m[4] || m[7] > m[6]
	rest := s.held[m[1]:]
	if rest != "" && strings.IndexByte("\"'`", s.mark) >= 0 && rest[0] == s.mark {
		return false
	}
	lineStart := strings.TrimSpace(s.line) == ""
	switch {
	case s.depth > 0 && closer:
		s.depth--
		return true
	case s.depth > 0:
		if lineStart {
			s.depth++
		}
		return lineStart
	case closer, s.json, s.fence, !lineStart:
		return false
	}
	s.depth, s.line = 1, ""
	return true
}

// maybeTag tells whether more text could make a tag of this beginning.
func maybeTag(text string) bool {
	if len(text) >= longestTag {
		return false
	}
	low := strings.ToLower(text)
	for _, open := range []string{"<", "</", "<seed:", "</seed:"} {
		for _, name := range []string{"think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad"} {
			tag := open + name
			if strings.HasPrefix(tag, low) {
				return true
			}
			if rest, ok := strings.CutPrefix(low, tag); ok && !strings.ContainsAny(rest, "<>\n") &&
				(rest == "" || strings.ContainsAny(rest[:1], " \t")) {
				return true
			}
		}
	}
	for _, tag := range []string{"[think]", "[/think]", "◁think▷", "◁/think▷"} {
		if strings.HasPrefix(tag, low) {
			return true
		}
	}
	return false
}

// splitThinking tells the two apart in a whole text. Reasoning whose opener
// was lost (some templates write it for the model) ends at a closer that ends
// a line or stands at the start of one: what precedes it is reasoning too.
func splitThinking(text string) (answer, thought string) {
	var s thinkSplitter
	answer, thought = s.add(text)
	a, t := s.end()
	answer, thought = answer+a, thought+t
	before, after, stray := strayCloser(answer)
	if stray {
		if thought != "" && !strings.HasSuffix(thought, "\n") {
			thought += "\n"
		}
		answer, thought = after, thought+before
	}
	if thought != "" {
		answer = strings.TrimLeft(answer, " \t\r\n")
	}
	return answer, thought
}

var closerTag = regexp.MustCompile(`(?i)</(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\s*>|\[/THINK\]|◁/think▷`)

// strayCloser finds the last closer that no opener belongs to and that is no
// part of code or quotes.
func strayCloser(text string) (before, after string, found bool) {
	if head := strings.TrimLeft(text, " \t\r\n"); head == "" || head[0] == '{' {
		return "", "", false
	}
	if !strings.Contains(text, "</") && !strings.Contains(text, "[/") && !strings.Contains(text, "◁/") {
		return "", "", false
	}
	fence, end := false, -1
	start := -1
	pos := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fence = !fence
		}
		if !fence {
			for _, m := range closerTag.FindAllStringIndex(line, -1) {
				leads, ends := strings.TrimSpace(line[:m[0]]) == "", strings.TrimSpace(line[m[1]:]) == ""
				if (leads || ends) && strings.Count(line[:m[0]], "`")%2 == 0 {
					start, end = pos+m[0], pos+m[1]
				}
			}
		}
		pos += len(line)
	}
	if end < 0 {
		return "", "", false
	}
	return text[:start], text[end:], true
}

package voice

import (
	"regexp"
	"strings"
)

var thinkTag = regexp.MustCompile(`(?i)<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)(?:\s[^<>\n]{0,200})?>|\[(/?)THINK\]|◁(/?)think▷`)

// withoutThinking takes out what a model thought before it answered. It answers
// false when the thinking never ends: then there is no answer. Tags in quotes,
// in fences and within a line are text.
func withoutThinking(reply string, answers func(rest string) bool) (string, bool) {
	var kept strings.Builder
	depth, at := 0, 0
	for _, m := range thinkTag.FindAllStringSubmatchIndex(reply, -1) {
		if quoted(reply, m[0], m[1]) || depth == 0 && inFence(reply[:m[0]]) {
			continue
		}
		closer := m[3] > m[2] || m[5] > m[4] || m[7] > m[6]
		begins := strings.TrimSpace(reply[strings.LastIndexByte(reply[:m[0]], '\n')+1:m[0]]) == "" || at == m[0]
		switch {
		case depth > 0 && closer:
			if depth--; depth == 0 {
				at = m[1]
			}
		case depth > 0:
			if begins {
				depth++
			}
		case !closer && begins:
			kept.WriteString(reply[at:m[0]])
			depth = 1
		case closer && answers(reply[m[1]:]):
			// Its opener was lost: all before it was thought.
			kept.Reset()
			at = m[1]
		}
	}
	if depth > 0 {
		return "", false
	}
	kept.WriteString(reply[at:])
	return kept.String(), true
}

func quoted(text string, from, to int) bool {
	if from == 0 || to == len(text) {
		return false
	}
	return text[from-1] == text[to] && strings.IndexByte("\"'`", text[to]) >= 0
}

// inFence tells whether a text ends within a fence.
func inFence(text string) bool {
	open := false
	for line := range strings.Lines(text) {
		if isFence(line) {
			open = !open
		}
	}
	return open
}

func isFence(line string) bool {
	line = strings.TrimLeft(line, " \t>")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

package giver

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"growbench/engine/doc"
	"growbench/mapgen/scan"
)

var (
	assigned = regexp.MustCompile(`(?i)\b(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|credentials?)\b["']?\s*[:=]\s*["']?[^\s"']{6,}`)
	longWord = regexp.MustCompile(`[0-9A-Za-z+/_=-]{20,}`)
)

// leaks are the things in a draft that must not leave the conversation: what
// looks like a secret, and lines copied from what a tool returned. Signatures
// are there to be copied.
func (s *Session) leaks(text string, task doc.Task) (found []string) {
	for _, rule := range scan.SecretRules {
		if rule.Pattern.MatchString(text) {
			found = append(found, "it holds a secret ("+rule.Name+"); leave it out")
		}
	}
	if assigned.MatchString(text) {
		found = append(found, "it gives the value of a password, key or token; leave it out")
	}
	for _, word := range longWord.FindAllString(text, -1) {
		if random(word) {
			found = append(found, fmt.Sprintf("%q looks like a key; leave it out", word[:4]+"…"))
		}
	}
	prose := append([]string{task.Goal, task.Background, task.PastFailures}, task.Constraints...)
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(strings.Join(prose, "\n")) {
		if line = strings.TrimSpace(line); s.state.Copied(line) && !s.known(line) {
			found = append(found, fmt.Sprintf("the line %q is copied from what a tool returned; say what was decided, in your own words", clip(line, 60)))
		}
	}
	return found
}

// known tells whether a line is the host's own: a failure's entry.
func (s *Session) known(line string) bool {
	for _, f := range s.memory.Failures {
		if f.entry() == line {
			return true
		}
	}
	return false
}

// random tells whether a word has the look of a key: letters of both cases and
// digits, without the order of a name or path.
func random(word string) bool {
	var count [256]int
	digits, upper, lower, turns := 0, 0, 0, 0
	for i := range len(word) {
		c := word[i]
		count[c]++
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
		if i > 0 && kind(c) != kind(word[i-1]) {
			turns++
		}
	}
	if digits < 3 || upper < 3 || lower < 3 || strings.Contains(word, "/") {
		return false
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(word))
			bits -= p * math.Log2(p)
		}
	}
	return bits > 3.8 && turns*3 > len(word)
}

func kind(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return 0
	case c >= 'A' && c <= 'Z':
		return 1
	}
	return 2
}

func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

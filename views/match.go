package views

import (
	"strings"
	"unicode"
)

// Match tells whether every word of a query is in s, and how well: letters in
// their order with others between them will do, letters next to each other and
// at the starts of words count more. An empty query matches everything.
func Match(query, s string) (score int, ok bool) {
	target := []rune(strings.ToLower(s))
	for _, word := range strings.Fields(strings.ToLower(query)) {
		n, found := matchWord([]rune(word), target)
		if !found {
			return 0, false
		}
		score += n
	}
	return score, true
}

// matchWord finds the best of the places where a match can begin.
func matchWord(word, target []rune) (best int, ok bool) {
	for start, r := range target {
		if r != word[0] {
			continue
		}
		if n, found := matchFrom(word, target, start); found && (!ok || n > best) {
			best, ok = n, true
		}
	}
	return best, ok
}

func matchFrom(word, target []rune, start int) (score int, ok bool) {
	at, run := 0, 0
	// Letters strewn over the whole of a text are no match worth showing.
	end := min(len(target), start+2*len(word)+2)
	for i := start; i < end && at < len(word); i++ {
		if target[i] != word[at] {
			run = 0
			score--
			continue
		}
		at++
		run++
		score += 4 * run
		if i == 0 || !unicode.IsLetter(target[i-1]) && !unicode.IsDigit(target[i-1]) {
			score += 8
		}
	}
	return score, at == len(word)
}

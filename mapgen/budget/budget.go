// Package budget says how many tokens of a language model a text takes at
// most, without knowing the model.
//
// Tokenizers differ, so this counts as the greedier of them do: a digit, a
// mark, a line's end, a byte beyond ASCII is a token each, words are cut at
// their humps and every four letters. The count of whole lines is the sum of
// the lines' counts.
package budget

import "strings"

// Tokens is the estimate for a text.
func Tokens(text string) int {
	n := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isLower(c) || isUpper(c):
			end := i
			for end < len(text) && isUpper(text[end]) {
				end++
			}
			capitals := end - i
			for end < len(text) && isLower(text[end]) {
				end++
			}
			n += word(capitals, end-i-capitals)
			i = end
		case c == ' ':
			end := i
			for end < len(text) && text[end] == ' ' {
				end++
			}
			// One blank belongs to the word behind it.
			if end-i > 1 {
				n += 1 + (end-i)/16
			}
			i = end
		default:
			n++
			i++
		}
	}
	return n
}

// word is the cost of letters that follow each other: capitals, then small ones.
func word(capitals, small int) int {
	n := 0
	if capitals > 1 {
		n = (capitals + 1) / 2
		capitals = 0
	}
	if letters := capitals + small; letters > 16 {
		n += (letters + 1) / 2 // no word of any language
	} else if letters > 0 {
		n += (letters + 3) / 4
	}
	return n
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// Lines is as many of a text's first lines as fit, and whether that is all of
// them.
func Lines(text string, tokens int) (fits string, whole bool) {
	at := 0
	for line := range strings.Lines(text) {
		if tokens -= Tokens(line); tokens < 0 {
			return text[:at], false
		}
		at += len(line)
	}
	return text, true
}

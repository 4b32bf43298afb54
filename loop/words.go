package loop

import (
	"regexp"
	"strings"
	"unicode"
)

// sentence is a sentence's clauses in small letters.
type sentence struct {
	clauses  [][]string
	question bool
}

// quotes are pairs of marks between which somebody else speaks. The closing
// mark of a straight quote must end a word and the opening one begin it, so
// that an apostrophe is none.
var quotes = regexp.MustCompile("(?s)```.*?(?:```|$)|~~~.*?(?:~~~|$)|`[^`\n]*`" +
	`|"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|‹[^›\n]*›|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’` +
	`|(?:^|[\s(])'[^'\n]*'(?:[\s).,;:!?]|$)`)

// quotedLine is a line of an e-mail's or Markdown's quotation, or of code set
// off by its indent.
var quotedLine = regexp.MustCompile(`(?m)^(?: {0,3}>.*| {4,}.*|\t.*)$`)

// unquoted replaces what is quoted or code by a mark that no phrase spans.
func unquoted(input string) string {
	const gap = " \ufffc "
	return quotedLine.ReplaceAllString(quotes.ReplaceAllString(input, gap), gap)
}

// sentences splits text at the marks of many languages' writing.
func sentences(text string) []sentence {
	var all []sentence
	var now sentence
	var words []string
	var word strings.Builder
	endWord := func() {
		if word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	endClause := func() {
		endWord()
		if len(words) > 0 {
			now.clauses = append(now.clauses, words)
			words = nil
		}
	}
	endSentence := func(question bool) {
		endClause()
		if len(now.clauses) > 0 {
			now.question = now.question || question
			all = append(all, now)
		}
		now = sentence{}
	}
	for _, r := range text {
		switch {
		case r == '?' || r == '？' || r == '؟' || r == '⸮':
			endSentence(true)
		case r == '¿':
			endSentence(false)
			now.question = true
		case strings.ContainsRune(".!。！।؛…\n", r):
			endSentence(false)
		case strings.ContainsRune(",;:、，；：—–()[]（）【】\ufffc", r):
			endClause()
		case r == '|' || r == '｜':
			endWord()
			words = append(words, "|")
		case r == '’':
			word.WriteByte('\'')
		case unicode.IsLetter(r) && r > 0x2e80 != lastIsWide(word.String()) && word.Len() > 0:
			endWord() // writing without spaces beside writing with them
			word.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'':
			word.WriteRune(unicode.ToLower(r))
		default:
			endWord()
		}
	}
	endSentence(false)
	return all
}

func lastIsWide(word string) bool {
	last := rune(0)
	for _, r := range word {
		last = r
	}
	return last > 0x2e80
}

package describe

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxPurpose = 140
	maxRole    = 220
)

var (
	htmlTag   = regexp.MustCompile(`<[^<>\n]{1,300}>`)
	image     = regexp.MustCompile(`!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])`)
	linkTo    = regexp.MustCompile(`\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])?`)
	urls      = regexp.MustCompile(`\bhttps?://\S+`)
	emphasis  = regexp.MustCompile(`[*_]{2,3}([^*_]+)[*_]{2,3}|(?:^|\s)\*([^*\s][^*]*)\*`)
	docTag    = regexp.MustCompile(`(?s)(?:^|\s)[@\\](?:author|param|return|returns|since|see|version|throws|deprecated|license|copyright|internal|public|private)\b.*`)
	inlineTag = regexp.MustCompile(`\{@\w+\s+([^}\s]*)[^}]*\}`)
	rstRole   = regexp.MustCompile(":[a-z]+:`~?\\.?([^`<]*)[^`]*`")
	shortener = regexp.MustCompile(`(?i)(?:\b(?:e\.g|i\.e|vs|cf|approx|resp|incl|no|fig|sec|st|mr|dr|inc|ltd|viz)|(?:^|[^/\w])[a-z])$`)
)

// plain takes the marks of Markdown, HTML and reStructuredText out of prose.
func plain(s string) string {
	if strings.Contains(s, "{@") {
		s = inlineTag.ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, ":`") {
		s = rstRole.ReplaceAllString(s, "$1")
	}
	s = strings.TrimLeftFunc(strings.TrimLeft(s, "> "), pictured)
	if strings.Contains(s, "@") {
		s = docTag.ReplaceAllString(s, "")
	}
	if strings.Contains(s, "[") {
		s = image.ReplaceAllString(s, "")
		s = linkTo.ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "<") {
		s = htmlTag.ReplaceAllString(s, " ")
	}
	if strings.Contains(s, "://") {
		s = urls.ReplaceAllString(s, "")
	}
	if strings.ContainsAny(s, "*_") {
		s = emphasis.ReplaceAllString(s, " $1$2")
	}
	if strings.ContainsAny(s, "`&") {
		s = marks.Replace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// pictured are signs a text is adorned with.
func pictured(r rune) bool { return r == ' ' || r > 0x7f && unicode.Is(unicode.So, r) || r == '\uFE0F' }

var marks = strings.NewReplacer("``", "", "`", "", "&nbsp;", " ", "&amp;", "&", "&lt;", "<", "&gt;", ">")

// sentence is the first sentence of a text, at most limit bytes long.
func sentence(s string, limit int) string { return clip(firstSentence(plain(s)), limit) }

// firstSentence is that of a text without marks.
func firstSentence(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '.' && c != '!' && c != '?' && c != ':' {
			continue
		}
		end := i+1 == len(s)
		if s[i] == ':' {
			// A heading that runs into a list.
			if end {
				s = s[:i]
				break
			}
			continue
		}
		if end || s[i+1] == ' ' && i+2 < len(s) && !unicode.IsLower(firstRune(s[i+2:])) && !shortener.MatchString(s[max(i-8, 0):i]) {
			s = s[:i]
			break
		}
	}
	return strings.TrimSpace(s)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// clip cuts a text at a word, so that it fits.
func clip(s string, limit int) string {
	limit = max(limit, 4)
	if len(s) <= limit {
		return s
	}
	cut := strings.LastIndexByte(s[:limit-2], ' ')
	if cut < limit/2 {
		cut = limit - 3
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
	}
	return strings.TrimRight(s[:cut], " ,;:(") + "…"
}

var packageHead = regexp.MustCompile(`^(?:Package|package|Module|Crate) ([\w./-]+) `)

// lead turns "Package x does y" into "Does y".
func lead(s string) string {
	if m := packageHead.FindString(s); m != "" {
		rest := s[len(m):]
		for _, filler := range []string{"is a package that ", "is a package for ", "is an ", "is a ", "is the ", "is "} {
			if after, ok := strings.CutPrefix(rest, filler); ok {
				rest = after
				break
			}
		}
		s = rest
	}
	return upper(s)
}

func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	// An identifier keeps its case.
	word, _, _ := strings.Cut(s, " ")
	if n == 0 || strings.ContainsAny(word, "_./(){}[]0123456789") || hasInnerUpper(word) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

func lower(s string) string {
	word, _, _ := strings.Cut(s, " ")
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || hasInnerUpper(word) || len(word) == n {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

func hasInnerUpper(word string) bool {
	for i, r := range word {
		if i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// words splits an identifier or file name into lower-case words; words in
// capitals stay.
func words(name string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) == 0 {
			return
		}
		w := string(cur)
		if len(cur) < 2 || strings.ToUpper(w) != w || strings.ToLower(w) == w {
			w = strings.ToLower(w)
		}
		out = append(out, w)
		cur = nil
	}
	rs := []rune(name)
	for i, r := range rs {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(rs[i-1]),
			unicode.IsUpper(r) && i+1 < len(rs) && unicode.IsLower(rs[i+1]) && (len(cur) > 1 || len(cur) == 1 && cur[0] == 'A'):
			flush()
		}
		cur = append(cur, r)
	}
	flush()
	return out
}

// phrase is a name in words.
func phrase(name string) string { return strings.Join(words(name), " ") }

// saysSomething tells prose from a line of marks, a licence or a lone word.
func saysSomething(s string) bool {
	if len(s) < 8 || strings.Count(s, " ") < 2 || !utf8.ValidString(s) {
		return false
	}
	low := strings.ToLower(s)
	for _, noise := range []string{"copyright", "licensed under", "spdx-", "all rights reserved", "eslint", "do not edit", "@ts-",
		"use of this source code", "permission is hereby granted", "mozilla public", "furnished to do so", "obtain a copy", "obtain one at", "source code form", "apache license", "eclipse public", "without warranties", "this file is part of", "for the full copyright", "biome-ignore", "export const ", "=> {", "http-equiv", "$schema", "prettier-ignore", "vim:", "coding:", "todo", "fixme", "xxx", "nolint", "+build", "go:build", "go:generate",
		"generated from", "generated by", "modified from", "copied from", "based on code", "istanbul ignore", "@flow", "type: ignore", "-----", "====="} {
		if strings.Contains(low, noise) {
			return false
		}
	}
	if strings.HasPrefix(low, "import ") && strings.Contains(low, " from ") {
		return false // code that was put in a comment
	}
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters*2 > utf8.RuneCountInString(s)
}

// some lists at most n items and says how many are left out.
func some(items []string, n int, sep string) string {
	if len(items) <= n {
		return strings.Join(items, sep)
	}
	return strings.Join(items[:n], sep) + sep + "+" + itoa(len(items)-n)
}

package voice

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// How much a model may say, in characters: the map is read by programs with
// little room.
const (
	longestPurpose = 320
	longestRole    = 200
	longestArch    = 800
	longestItem    = 60
	mostDeps       = 12
	mostConcepts   = 8
)

var (
	comment = regexp.MustCompile(`(?s)<!--.*?-->|<!--|-->`)
	linked  = regexp.MustCompile(`!?\[([^\[\]\n]{0,200})\]\([^()\n]*\)`)
	address = regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)[^\s<>"')\]]*`)
	strong  = regexp.MustCompile(`\*\*([^*\n]+)\*\*`)
	within  = regexp.MustCompile(`\([^()]*\)`)
	spaces  = regexp.MustCompile(`\s+`)
	remark  = regexp.MustCompile(`(?:^|\s)[–—-]\s.*$|:\s.*$`)
)

// prose is text for one line of a document: without markup, addresses and what
// changes how text is shown, and no longer than it may be.
func prose(lines []string, limit int) string {
	// Each step may bring together what the next one looks for.
	text := oneLine(strings.Join(lines, " "))
	text = linked.ReplaceAllString(text, "$1")
	text = strong.ReplaceAllString(text, "$1")
	text = comment.ReplaceAllString(text, " ")
	text = address.ReplaceAllString(text, " ")
	return shorten(oneLine(text), limit)
}

// oneLine is text on one line.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || invisible(r) {
			return -1
		}
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	return strings.TrimSpace(spaces.ReplaceAllString(text, " "))
}

// shorten ends a text at the last sentence, or else word, that fits.
func shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	text = string(runes[:limit-1])
	if at := strings.LastIndex(text, ". "); at > len(text)/2 {
		return text[:at+1]
	}
	if at := strings.LastIndexByte(text, ' '); at > len(text)/2 {
		text = text[:at]
	}
	return strings.TrimRight(text, " ,;:") + "…"
}

// bare is a line without the marks of a list or a quotation.
func bare(line string) string {
	line = strings.TrimLeft(line, "> \t")
	line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "- "), "* "), "• ")
	line = strings.TrimSpace(line[len(number.FindString(line)):])
	for _, mark := range []string{`"`, "**", "__"} {
		if len(line) > 2*len(mark) && strings.HasPrefix(line, mark) && strings.HasSuffix(line, mark) {
			line = line[len(mark) : len(line)-len(mark)]
		}
	}
	return line
}

// items are those of a list on a line. A bullet is one item, with or without
// words about it.
func items(line string) []string {
	s := strings.TrimLeft(line, "> \t")
	bullet := strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "* ") || strings.HasPrefix(s, "• ") || number.MatchString(s)
	s = within.ReplaceAllString(bare(line), "")
	if isNone(s) {
		return nil
	}
	var out []string
	for _, item := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",;、\n", r) }) {
		if bullet {
			item = remark.ReplaceAllString(item, "")
		}
		item = strings.TrimFunc(oneLine(item), func(r rune) bool { return unicode.Is(unicode.So, r) || strings.ContainsRune(" *_`\"'[]{}\ufe0f", r) })
		item = strings.TrimRight(item, ". \t。")
		item = strings.TrimSpace(strings.TrimPrefix(item, "and "))
		if !isNone(item) && !placeholder(item) {
			out = append(out, item)
		}
	}
	return out
}

// bounded are the items that fit a document, each once.
func bounded(list []string, most int) []string {
	var out []string
	for _, item := range list {
		item = prose([]string{item}, 4*longestItem)
		if item == "" || len([]rune(item)) > longestItem || len(out) == most ||
			slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, item) }) {
			continue
		}
		out = append(out, item)
	}
	return out
}

// invisible are characters that show nothing, or change how others are shown.
func invisible(r rune) bool {
	return r >= 0x80 && r <= 0x9f || r >= 0x200b && r <= 0x200f && r != 0x200d || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r == 0xfeff || r == 0x61c || r >= 0xe0000 && r <= 0xe007f
}

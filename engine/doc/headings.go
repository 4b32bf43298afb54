package doc

import (
	"strconv"
	"strings"
)

// heading is the first line of a document: `# RESULT #2 (by Worker 2)`.
type heading struct {
	k      int    // -1 when it names no number
	tail   string // what follows the number, such as a title
	strong bool   // it cannot be an ordinary sentence
	level  int
}

var (
	resultHead = lazily(`^(?:(?:the|my|final|here is the|here's the)\s+)*(?:(?:worker|task)\s*#?\s*(\d{1,6})(?:'s)?\s*[:—–-]?\s*)?(?:result|results|結果|结果|결과)(?:$|[^a-z_])`)
	taskHead   = lazily(`^(?:task|t)\s*(?:#|№|no\.?|nr\.?)?\s*(\d{1,6})(?:$|[^\pL\d_/.])`)
	resultNum  = lazily(`^\s*[:：—–-]?\s*(?:(?:of|for|from|by)\s+)?(?:(?:the\s+)?(?:worker|task)\s*)?[(\[]?\s*(?:#|№|no\.?|nr\.?|number)?\s*(\d{1,6})(?:\s*(?:/|of)\s*\d{1,6})?(?:\s*[)\]])?`)
)

// longestHeading bounds a heading in bytes; a RESULT on one line is one, too.
const longestHeading = 2048

// readResultHeading reads a line as the heading of a RESULT.
func readResultHeading(s string) (heading, bool) {
	if len(s) > longestHeading {
		return heading{}, false
	}
	d := undress(s)
	folded := strings.TrimSpace(fold(d.words))
	m := resultHead.FindStringSubmatch(folded)
	if m == nil {
		return heading{}, false
	}
	h := heading{k: -1, level: d.level, strong: d.level > 0}
	if m[1] != "" {
		h.k, _ = strconv.Atoi(m[1])
	}
	end := strings.Index(folded, "result")
	word := "result"
	if end < 0 {
		for _, w := range []string{"結果", "结果", "결과"} {
			if i := strings.Index(folded, w); i >= 0 {
				end, word = i, w
			}
		}
	}
	rest := folded[end+len(word):]
	plural := strings.HasPrefix(rest, "s")
	rest = strings.TrimPrefix(rest, "s")
	if d.mark != "" && strings.HasPrefix(rest, d.mark) {
		rest, h.strong = rest[len(d.mark):], true
	}
	if n := resultNum.FindStringSubmatch(rest); n != nil && h.k < 0 {
		after := rest[len(n[0]):]
		if after == "" || !isWord(after[0]) && !strings.HasPrefix(after, ".") {
			h.k, _ = strconv.Atoi(n[1])
			rest = after
		}
	}
	if d.mark != "" && strings.Contains(rest, d.mark) {
		h.strong = true
		rest = strings.Replace(rest, d.mark, "", 1)
	}
	if d.level > 0 {
		rest = strings.TrimRight(rest, "# ")
	}
	h.tail = strings.TrimSpace(rest)
	trimmed := bare(h.tail)
	switch {
	case plural && h.k < 0:
		return heading{}, false
	case trimmed == "":
		// A number, capitals or the bare word alone on its line.
		h.strong = h.strong || h.k >= 0 || strings.HasPrefix(d.words, "RESULT")
		return h, true
	case strings.HasPrefix(trimmed, "by worker") || strings.HasPrefix(trimmed, "observed"):
		h.strong = true
		return h, true
	case d.level > 0 || h.strong:
		return h, true
	}
	if h.k >= 0 && len(flatLabel.FindAllStringIndex(s, 2)) == 2 {
		return h, true // all of it on one line
	}
	// A title may follow after punctuation, not as part of a sentence.
	first := firstRune(h.tail)
	if strings.ContainsRune(":：-—–(（[|=", first) || decorative(first) || strings.HasPrefix(h.tail, "】") {
		return h, true
	}
	return heading{}, false
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// readTaskHeading reads `# Task #2: title`, `**Task 2**`, `T0`.
func readTaskHeading(s string) (heading, bool) {
	if len(s) > 400 {
		return heading{}, false
	}
	d := undress(s)
	folded := fold(d.words)
	m := taskHead.FindStringSubmatchIndex(folded)
	if m == nil || len(folded) > len(d.words)+8 {
		return heading{}, false
	}
	h := heading{level: d.level, strong: d.formal()}
	h.k, _ = strconv.Atoi(folded[m[2]:m[3]])
	rest := d.words
	if i := lastDigit(d.words, folded[m[2]:m[3]]); i > 0 {
		rest = d.words[i:]
	}
	if d.mark != "" {
		rest = strings.Replace(rest, d.mark, "", 1)
	}
	if d.level > 0 {
		rest = strings.TrimRight(rest, "# ")
	}
	h.tail = strings.TrimSpace(strings.TrimLeft(rest, " \t:：—–-.)|"))
	return h, true
}

// lastDigit returns the end of the number in the unfolded words.
func lastDigit(words, number string) int {
	if i := strings.Index(words, number); i >= 0 {
		return i + len(number)
	}
	for i, r := range words {
		if r >= '₀' && r <= '₉' || r >= '０' && r <= '９' {
			return i + len(string(r))
		}
	}
	return 0
}

// documentHeading tells a line that opens a document of its own.
func documentHeading(s string) bool {
	if h, ok := readResultHeading(s); ok && (h.strong || h.k >= 0) {
		return true
	}
	h, ok := readTaskHeading(s)
	return ok && h.strong
}

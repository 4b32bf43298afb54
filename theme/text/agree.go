package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// agreed rewrites one cluster that a terminal without mode 2027 and one with
// it count differently, into text that both count alike. It keeps every letter
// and gives up what only refines the look: glyph selectors, skin tones, the
// joining of emoji.
func agreed(cluster string) string {
	plain := strings.Map(plainer, composeHangul(cluster))
	if agrees(plain) {
		return plain
	}
	// Letters that merge (an Indic conjunct, a vowel sign with a width of its
	// own): kept apart by a character that always ends a cluster.
	var b strings.Builder
	start := 0
	apart := func(end int) {
		part := plain[start:end]
		if part == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteString(guard)
		}
		if !agrees(part) {
			part = string(replacement)
		}
		b.WriteString(part)
		start = end
	}
	for i, r := range plain {
		if i > 0 && runeWidth(r) > 0 {
			apart(i)
		}
	}
	apart(len(plain))
	return b.String()
}

func agrees(s string) bool {
	return ansi.WcWidth.StringWidth(s) == ansi.GraphemeWidth.StringWidth(s)
}

// plainer drops what the rules disagree on for emoji, and spells a letter that
// is half a flag.
func plainer(r rune) rune {
	const regionalA, regionalZ = '\U0001f1e6', '\U0001f1ff'
	switch {
	case r == zeroWidthJoiner || classOf(r) == variation:
		return -1
	case r >= '\U0001f3fb' && r <= '\U0001f3ff': // skin tones
		return -1
	case r >= regionalA && r <= regionalZ:
		return 'A' + r - regionalA
	}
	return r
}

// composeHangul puts leading consonant, vowel and final consonant together, as
// file names from macOS need it.
func composeHangul(s string) string {
	const (
		syllables, leads, vowels, finals = 0xac00, 0x1100, 0x1161, 0x11a7
		leadCount, vowelCount            = 19, 21
		finalCount                       = 28
	)
	within := func(r rune, first, count int) bool {
		return int(r) >= first && int(r) < first+count
	}
	var out []rune
	for _, r := range s {
		var last rune
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		switch {
		case within(r, vowels, vowelCount) && within(last, leads, leadCount):
			lead, vowel := int(last)-leads, int(r)-vowels
			out[len(out)-1] = rune(syllables + (lead*vowelCount+vowel)*finalCount)
		case within(r, finals+1, finalCount-1) && within(last, syllables, leadCount*vowelCount*finalCount) &&
			(int(last)-syllables)%finalCount == 0:
			out[len(out)-1] = last + r - finals
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks plain text, at its newlines and then between words, into lines
// no wider than cells. A word longer than a line is broken where the line is
// full; a wide character that does not fit the last cell begins the next line
// (Pad fills the cell left over). One wider than the whole line is shown as
// "…". Spaces at a break are dropped, those that begin a paragraph stay. There
// is no line for cells < 1; an empty text is one empty line.
func (m Measure) Wrap(s string, cells int) []string {
	if cells < 1 {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(s, "\n") {
		if isVisible(paragraph) && len(paragraph) <= cells {
			lines = append(lines, paragraph)
			continue
		}
		lines = m.wrapParagraph(lines, paragraph, cells)
	}
	return lines
}

func (m Measure) wrapParagraph(lines []string, s string, cells int) []string {
	// Styles do not survive a break, and what they parted moves together.
	pieces, _ := m.pieces(ansi.Strip(drawable(s)))
	fit(pieces, cells)
	for len(pieces) > 0 {
		end, next := breakAt(pieces, cells)
		// What was inside a line is now at an edge, so it is guarded anew.
		line := m.Steady(join(pieces[:end]))
		lines = append(lines, line)
		pieces = pieces[next:]
		if len(pieces) == 0 {
			return lines
		}
	}
	return append(lines, "")
}

// fit replaces what no line of this width can hold.
func fit(pieces []piece, cells int) {
	for i, p := range pieces {
		if p.width > cells {
			pieces[i] = piece{text: "…", width: 1}
		}
	}
}

// breakAt returns where the first line of pieces ends and the next begins.
func breakAt(pieces []piece, cells int) (end, next int) {
	width := 0
	word := 0     // where the word at hand began, if the line may end before it
	text := false // something else than spaces was seen
	for i, p := range pieces {
		space, wide := p.text == " ", p.width > 1
		if width+p.width > cells {
			switch {
			case space:
				return i, skipSpaces(pieces, i)
			case wide || word == 0:
				return i, i // ideographs may be parted anywhere
			}
			return trimSpaces(pieces, word), word
		}
		width += p.width
		if space && text || wide {
			word = i + 1
		}
		text = text || !space
	}
	return len(pieces), len(pieces)
}

// trimSpaces returns end without the spaces before it.
func trimSpaces(pieces []piece, end int) int {
	for end > 0 && pieces[end-1].text == " " {
		end--
	}
	return end
}

func skipSpaces(pieces []piece, i int) int {
	for i < len(pieces) && pieces[i].text == " " {
		i++
	}
	return i
}

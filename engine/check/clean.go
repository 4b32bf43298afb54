package check

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

const (
	maxOutput = 1 << 20 // bytes looked at
	maxLine   = 2000    // bytes of one line looked at
)

// control are the sequences a terminal would act on: colours, cursor
// movements, titles and links.
var control = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]`)

// wiped is a line that was emptied to be written anew, as progress bars do.
var wiped = regexp.MustCompile(`\r\x1b\[[02]?K|\x1b\[2K\r?`)

// cleanLines are the lines of an output as a terminal would show them last:
// without control sequences, and a line that was written over is what it was
// written over with.
func cleanLines(text string) []string {
	if len(text) > maxOutput {
		text = text[len(text)-maxOutput:]
	}
	text = wiped.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "\r\x00") // what it holds now, if only nothing
	text = control.ReplaceAllString(text, "")
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if at := strings.LastIndexByte(line, '\r'); at >= 0 {
			line = line[at+1:]
		}
		if len(line) > maxLine {
			line = strings.ToValidUTF8(line[:maxLine], "")
		}
		lines = append(lines, strings.Map(plain, line))
	}
	return lines
}

// plain drops the control characters that are left, but for tabs.
func plain(r rune) rune {
	if r != '\t' && unicode.IsControl(r) {
		return -1
	}
	return r
}

// shorten brings words onto one line of bounded length.
func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText-len("…")], "") + "…"
}

// number reads a line number; what is none is 0.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// indent is how many blanks a line begins with; a tab counts as one.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// named puts the name of a test before what is said of it.
func named(name, text string) string {
	switch {
	case name == "":
		return text
	case text == "":
		return name
	}
	return name + ": " + text
}

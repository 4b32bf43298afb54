package tool

import (
	"context"
	"fmt"
	"strings"
)

// ReadFile is the name of the tool that reads files.
const ReadFile = "read_file"

// readRule bounds what is read at once, and of one file altogether.
type readRule struct {
	about      string
	lines      int // a call
	altogether int // a file; 0 is no bound
	ranged     bool
}

var (
	workerRead  = readRule{about: "Read a file you may use, whole or from one line to another.", lines: 400}
	scoutRead   = readRule{about: "Read a part of a file.", lines: 200}
	plannerRead = readRule{
		about: fmt.Sprintf("Read at most 10 lines of a target file of more than %d lines, to see a pattern.", largeFile),
		lines: 10, altogether: 40, ranged: true,
	}
)

// maxRead bounds what one call reads, in bytes.
const maxRead = 16 << 10

// readFile gives lines without numbers: what was read can be handed to
// edit_file as it is. The first line says which they are, and nothing of ours
// follows them, so there is no mark that a file's text could imitate.
func (w *work) readFile(r reach, rule readRule) Tool {
	read := map[string]int{}
	return Tool{
		Name: ReadFile, Description: rule.about,
		Params: []Param{
			{Name: "path", Type: "string", About: "relative to the project"},
			{Name: "from", Type: "integer", About: "first line, from 1", Optional: !rule.ranged},
			{Name: "to", Type: "integer", About: "last line", Optional: !rule.ranged},
		},
		run: func(_ context.Context, a args) (string, error) {
			text, path, err := r.read(a.str("path"))
			if err != nil {
				return "", err
			}
			lines := strings.SplitAfter(text, "\n")
			if lines[len(lines)-1] == "" {
				lines = lines[:len(lines)-1]
			}
			if len(lines) == 0 {
				return path + " is empty\n", nil
			}
			from, to := max(a.number("from"), 1), a.number("to")
			if to == 0 || to > len(lines) {
				to = len(lines)
			}
			if from > to {
				return "", errWords("%s has %d lines; from %d to %d is none of them", path, len(lines), from, to)
			}
			if rule.ranged && to-from+1 > rule.lines {
				return "", errWords("%d lines are too many: a pattern is 3 to %d lines", to-from+1, rule.lines)
			}
			to = min(to, from+rule.lines-1)
			if read[path] += to - from + 1; rule.altogether > 0 && read[path] > rule.altogether {
				return "", errWords("you have seen %d lines of %s, which is enough for a pattern; plan with what you know", rule.altogether, path)
			}
			return window(path, lines, from, to), nil
		},
	}
}

// window is lines from to to, as many of them as fit.
func window(path string, lines []string, from, to int) string {
	size, last := 0, from-1
	for last < to && size+len(lines[last]) <= maxRead {
		size += len(lines[last])
		last++
	}
	if last < from { // one line that is too long by itself
		cut := strings.ToValidUTF8(lines[from-1][:maxRead], "")
		return fmt.Sprintf("%s, line %d of %d, its first %d of %d bytes:\n%s", path, from, len(lines), len(cut), len(lines[from-1]), cut)
	}
	more := ""
	if last < len(lines) {
		more = fmt.Sprintf(" (read on from %d)", last+1)
	}
	return fmt.Sprintf("%s, lines %d to %d of %d%s:\n%s", path, from, last, len(lines), more, strings.Join(lines[from-1:last], ""))
}

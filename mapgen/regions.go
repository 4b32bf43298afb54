package mapgen

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"growbench/mapgen/budget"
)

// Of a big file only what is new is described again. Its parts are found by how
// its lines are indented, which holds in every language: a part begins at the
// margin, and a long one falls into those within it.
const (
	bigFile   = 1500 // tokens
	longPart  = 120  // lines
	mostParts = 1500
)

// partsOf are hashes of a big file's parts; none for another file.
func partsOf(text string) []string {
	if _, small := budget.Lines(text, bigFile); small {
		return nil
	}
	parts := regions(text)
	if len(parts) > mostParts {
		return nil
	}
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = partHash(p)
	}
	return out
}

func partHash(part string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(part)))
	return hex.EncodeToString(sum[:6])
}

// newParts are the parts of a text that are not among those, and how many of
// those are still there.
func newParts(text string, before []string) (changed []string, kept int) {
	left := map[string]int{}
	for _, h := range before {
		left[h]++
	}
	for _, part := range regions(text) {
		if h := partHash(part); left[h] > 0 {
			left[h]--
			kept++
		} else if strings.TrimSpace(part) != "" {
			changed = append(changed, part)
		}
	}
	return changed, kept
}

// regions cuts a text into parts; together they are the text.
func regions(text string) []string {
	var out []string
	for _, part := range pieces(strings.SplitAfter(text, "\n"), 0) {
		if len(part) > longPart {
			for _, inner := range pieces(part, inset(part)) {
				out = append(out, strings.Join(inner, ""))
			}
			continue
		}
		out = append(out, strings.Join(part, ""))
	}
	return out
}

// pieces cuts lines where one begins at that indent after an empty line, or
// after one that lies deeper or closes something.
func pieces(lines []string, indent int) [][]string {
	var out [][]string
	from := 0
	for i := 1; i < len(lines); i++ {
		if opens(lines[i], indent) && (blank(lines[i-1]) || indentOf(lines[i-1]) > indent || closes(lines[i-1])) {
			out = append(out, lines[from:i])
			from = i
		}
	}
	return append(out, lines[from:])
}

func opens(line string, indent int) bool {
	return !blank(line) && indentOf(line) == indent && !closes(line) && !strings.HasPrefix(strings.TrimSpace(line), "{")
}

func closes(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && strings.IndexByte("})]", line[0]) >= 0
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func indentOf(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// inset is the least indent of what lies within a part.
func inset(lines []string) int {
	least := 0
	for _, l := range lines[1:] {
		if n := indentOf(l); !blank(l) && n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

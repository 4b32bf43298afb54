package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

var (
	ErrNoMatch   = errors.New("no match for the text to replace")
	ErrNotUnique = errors.New("the text to replace is not unique; give more of the lines around it")
	ErrNoChange  = errors.New("old and new text are the same")
)

// Edit replaces the one occurrence of old in a file by replacement and leaves
// every other byte alone: byte order mark, line ends, the end of the last
// line, encoding, mode, owner. A "\n" in old matches the file's line ends, and
// new lines get them. If stamp is not empty, it must be the one of the content
// the caller saw; otherwise the edit is refused with ErrChanged.
func (f *Files) Edit(name, old, replacement, stamp string) (Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rel, warning, err := f.locate(name, true)
	if err != nil {
		return Change{}, fmt.Errorf("edit: %w", err)
	}
	if err := f.mayChange(rel); err != nil {
		return Change{}, fmt.Errorf("edit: %w", err)
	}
	before, info, err := f.load(rel, MaxEditSize)
	if errors.Is(err, fs.ErrNotExist) {
		return Change{}, fmt.Errorf("edit %s: %w; write the file to create it", rel, err)
	}
	if err != nil {
		return Change{}, fmt.Errorf("edit %s: %w", rel, err)
	}
	if stamp != "" && stamp != Stamp(before) {
		return Change{}, fmt.Errorf("edit %s: %w", rel, ErrChanged)
	}
	after, line, err := splice(before, old, replacement)
	if err != nil {
		return Change{}, fmt.Errorf("edit %s: %w", rel, err)
	}
	if err := f.replace(rel, after, info); err != nil {
		return Change{}, err
	}
	return Change{Path: rel, Before: before, After: after, Stamp: Stamp(after), Warning: warning, Line: line}, nil
}

// splice replaces old in data and tells the line it stood in.
func splice(data []byte, old, replacement string) (after []byte, line int, err error) {
	if old == "" {
		return nil, 0, errors.New("the text to replace is empty; give the text that stands there now, or write the whole file")
	}
	if err := editable(data, old, replacement); err != nil {
		return nil, 0, err
	}
	if bytes.HasPrefix(data, byteOrderMark) {
		// The mark belongs to the file, not to its text: an agent may have
		// seen it or not, and it stays either way.
		text, line, err := splice(data[len(byteOrderMark):], strings.TrimPrefix(old, string(byteOrderMark)), strings.TrimPrefix(replacement, string(byteOrderMark)))
		if err != nil {
			return nil, 0, err
		}
		return append(bytes.Clone(byteOrderMark), text...), line, nil
	}
	if strings.Contains(old, "\r") {
		// Line ends spelled out mean just those, if they are there.
		if found := occurrences(data, []byte(old)); len(found) == 1 && old != replacement {
			return join(data[:found[0]], replacement, data[found[0]+len(old):]), 1 + bytes.Count(flatten(data[:found[0]]).flat, []byte("\n")), nil
		}
	}
	text := flatten(data)
	return text.splice(newlines(old), newlines(replacement))
}

// splice is the same for texts whose line ends are "\n".
func (l lines) splice(old, replacement string) (after []byte, line int, err error) {
	found := occurrences(l.flat, []byte(old))
	if shorter, ok := strings.CutSuffix(old, "\n"); ok && len(found) == 0 && shorter != "" && bytes.HasSuffix(l.flat, []byte(shorter)) {
		// The last line has no end in this file; agents tend to give it one.
		old, replacement = shorter, strings.TrimSuffix(replacement, "\n")
		found = []int{len(l.flat) - len(old)}
	}
	switch {
	case len(found) == 0:
		return nil, 0, l.noMatch(old)
	case len(found) > 1:
		return nil, 0, l.notUnique(found)
	case old == replacement:
		return nil, 0, ErrNoChange
	}
	// Lines that old and replacement have in common are left as they are, so
	// that they keep their line ends in a file that mixes them.
	start, end := found[0], found[0]+len(old)
	head := commonPrefix(old, replacement)
	tail := commonSuffix(old[head:], replacement[head:])
	inserted := replacement[head : len(replacement)-tail]
	start, end = start+head, end-tail
	if lineEnd := l.endNear(start); lineEnd != "\n" {
		inserted = strings.ReplaceAll(inserted, "\n", lineEnd)
	}
	return join(l.data[:l.origin(start)], inserted, l.data[l.origin(end):]), l.lineOf(start), nil
}

func (l lines) notUnique(found []int) error {
	const shown = 10
	var numbers []string
	for _, at := range found[:min(len(found), shown)] {
		numbers = append(numbers, fmt.Sprint(l.lineOf(at)))
	}
	more := ""
	if len(found) > shown {
		more = ", …"
	}
	return fmt.Errorf("%w: it is found %d times, at lines %s%s", ErrNotUnique, len(found), strings.Join(numbers, ", "), more)
}

// noMatch names the line that looks most like the first one searched for.
func (l lines) noMatch(old string) error {
	wanted := ""
	for line := range strings.SplitSeq(old, "\n") {
		if wanted = strings.TrimSpace(line); wanted != "" {
			break
		}
	}
	best, bestLine, bestScore, number := "", 0, 0.3, 0
	for line := range bytes.SplitSeq(l.flat, []byte("\n")) {
		number++
		trimmed := strings.TrimSpace(string(line[:min(len(line), 1000)]))
		if score := likeness(wanted, trimmed); score > bestScore {
			best, bestLine, bestScore = trimmed, number, score
		}
	}
	switch {
	case bestLine == 0:
		return fmt.Errorf("%w; no line looks like it, read the file again", ErrNoMatch)
	case bestScore == 1:
		return fmt.Errorf("%w; line %d has its first line, so white space or a line after it differs: read the file again from there", ErrNoMatch, bestLine)
	}
	return fmt.Errorf("%w; the nearest is line %d: %.120q", ErrNoMatch, bestLine, best)
}

// likeness is the share of a and b that is the same at their beginning and
// end, from 0 to 1. Crude, but linear: files may have 100,000 lines.
func likeness(a, b string) float64 {
	longer := max(len(a), len(b))
	if longer == 0 {
		return 0
	}
	head := commonPrefix(a, b)
	return float64(head+commonSuffix(a[head:], b[head:])) / float64(longer)
}

// occurrences finds needle at every position, overlapping ones too: an edit
// of "aa" in "aaa" is as ambiguous as any.
func occurrences(data, needle []byte) []int {
	var found []int
	for from := 0; ; {
		at := bytes.Index(data[from:], needle)
		if at < 0 {
			return found
		}
		found = append(found, from+at)
		from += at + 1
	}
}

func newlines(text string) string {
	return strings.ReplaceAll(text, "\r\n", "\n")
}

func join(before []byte, middle string, after []byte) []byte {
	joined := make([]byte, 0, len(before)+len(middle)+len(after))
	joined = append(joined, before...)
	joined = append(joined, middle...)
	return append(joined, after...)
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

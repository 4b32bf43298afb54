package views

import "strings"

// maxCopied bounds how many lines of one call are gathered to be copied.
const maxCopied = 20_000

// Copies are the tool call at hand, with and without what it gave back, and
// the lines in the window.
func (t *Transcript) Copies() []Copy {
	var all []Copy
	if at, ok := t.atHand(); ok {
		head, _ := t.pager.line(at)
		all = append(all, Copy{"tool call at hand", head.text})
		lines := []string{head.text}
		for n := at; len(lines) < maxCopied; {
			next, ok := t.pager.seek(n, 1, func(line) bool { return true })
			l, here := t.pager.line(next)
			if !ok || !here || l.call != head.call {
				break
			}
			lines, n = append(lines, l.text), next
		}
		if len(lines) > 1 {
			all = append(all, Copy{"the call and what it gave back", strings.Join(lines, "\n")})
		}
	}
	var window []string
	t.pager.window(func(at place, row int, _ string) {
		if l, ok := t.pager.line(at); ok && (row == 0 || len(window) == 0) {
			window = append(window, l.text)
		}
	})
	if s := strings.Join(window, "\n"); strings.TrimSpace(s) != "" {
		all = append(all, Copy{"the lines on the screen", s})
	}
	return all
}

// Click takes the call at a row of the window in hand; its head unfolds or
// folds it.
func (t *Transcript) Click(row int) bool {
	rows, found, head := 0, place{}, false
	t.pager.window(func(at place, _ int, _ string) {
		l, _ := t.pager.line(at)
		if rows == row && l.call != 0 {
			found, head = at, l.head
		}
		rows++
	})
	if !head {
		return false
	}
	t.cursor = &found
	return t.Toggle()
}

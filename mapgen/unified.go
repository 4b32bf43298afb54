package mapgen

import (
	"fmt"
	"strings"
)

const (
	// diffContext is how many lines stand around a change.
	diffContext = 3
	// diffEdits bounds the search for the shortest way from one text to the
	// other; beyond it the part in question is told as gone and come anew.
	diffEdits = 2000
)

// Diff is the change of a document as a unified diff; nil is a document that
// is not there, "" is no change.
func Diff(path string, old, new []byte) string {
	a, b := linesOf(old), linesOf(new)
	ops := edits(a, b)
	var out strings.Builder
	from, to := "a/"+path, "b/"+path
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	i, j := 0, 0 // lines of a and b before ops[at]
	for at := 0; at < len(ops); {
		if ops[at] == ' ' {
			at, i, j = at+1, i+1, j+1
			continue
		}
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
		}
		lead := min(diffContext, i, j)
		end := hunkEnd(ops, at)
		var hunk strings.Builder
		x, y := i-lead, j-lead
		for _, op := range ops[at-lead : end] {
			switch op {
			case ' ':
				hunk.WriteString(" " + a[x] + "\n")
				x, y = x+1, y+1
			case '-':
				hunk.WriteString("-" + a[x] + "\n")
				x++
			case '+':
				hunk.WriteString("+" + b[y] + "\n")
				y++
			}
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n%s", span(i-lead, x), span(j-lead, y), hunk.String())
		at, i, j = end, x, y
	}
	return out.String()
}

// hunkEnd is where a hunk that begins at a change ends: its context follows
// the last change that has no more than two contexts of quiet before it.
func hunkEnd(ops []byte, at int) int {
	last := at
	for k := at; k < len(ops) && k-last <= 2*diffContext; k++ {
		if ops[k] != ' ' {
			last = k
		}
	}
	return min(last+1+diffContext, len(ops))
}

func span(from, to int) string {
	if to == from {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func linesOf(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// edits are the steps from a to b: ' ' a line of both, '-' one of a, '+' one
// of b.
func edits(a, b []string) []byte {
	lead, tail := 0, 0
	for lead < len(a) && lead < len(b) && a[lead] == b[lead] {
		lead++
	}
	for tail < len(a)-lead && tail < len(b)-lead && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	ops := []byte(strings.Repeat(" ", lead))
	ops = append(ops, shortest(a[lead:len(a)-tail], b[lead:len(b)-tail])...)
	return append(ops, strings.Repeat(" ", tail)...)
}

// shortest finds the fewest edits (Myers): v[k] is how far down a one gets on
// the diagonal k with d edits.
func shortest(a, b []string) []byte {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return []byte(strings.Repeat("-", n) + strings.Repeat("+", m))
	}
	most := min(n+m, diffEdits)
	v := make([]int, 2*most+2)
	var trace [][]int
	for d := 0; d <= most; d++ {
		trace = append(trace, append([]int(nil), v[most-d:most+d+1]...))
		for k := -d; k <= d; k += 2 {
			x := 0
			if k == -d || k != d && at(v, most, k-1) < at(v, most, k+1) {
				x = at(v, most, k+1)
			} else {
				x = at(v, most, k-1) + 1
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			v[most+k] = x
			if x >= n && x-k >= m {
				return walkBack(trace, n, m)
			}
		}
	}
	return []byte(strings.Repeat("-", n) + strings.Repeat("+", m))
}

func at(v []int, middle, k int) int {
	if i := middle + k; i >= 0 && i < len(v) {
		return v[i]
	}
	return 0
}

// walkBack reads the steps off the search, from the end.
func walkBack(trace [][]int, n, m int) []byte {
	var ops []byte
	x, y := n, m
	for d := len(trace) - 1; d > 0; d-- {
		before := trace[d] // what was reached with d-1 edits, diagonals -d … d
		k := x - y
		down := k == -d || k != d && at(before, d, k-1) < at(before, d, k+1)
		from := k - 1
		if down {
			from = k + 1
		}
		px := at(before, d, from)
		py := px - from
		for x > px && y > py && (down && y > py+1 || !down && x > px+1) {
			ops, x, y = append(ops, ' '), x-1, y-1
		}
		if down {
			ops, y = append(ops, '+'), y-1
		} else {
			ops, x = append(ops, '-'), x-1
		}
	}
	for x > 0 && y > 0 {
		ops, x, y = append(ops, ' '), x-1, y-1
	}
	for i, j := 0, len(ops)-1; i < j; i, j = i+1, j-1 {
		ops[i], ops[j] = ops[j], ops[i]
	}
	return ops
}

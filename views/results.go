package views

import (
	"fmt"
	"strings"

	"growbench/theme/text"
)

// Results shows results.md, RESULT by RESULT: plain text at once, rendered
// Markdown as soon as whoever renders it hands that in. One of them is at
// hand; any can be folded to its head.
type Results struct {
	look          Look
	width, height int
	sections      []section
	folded        map[int]bool // by the number of the RESULT
	at            int          // the section at hand
	top           int
	flat          []resultRow // all rows, nil when they must be made again
}

// section is one RESULT.
type section struct {
	Result
	plain    []string
	rendered []string
}

// Result is one RESULT as text. Summary is what stands beside its head while
// it is folded.
type Result struct {
	K       int
	Source  string
	Summary string
}

type resultRow struct {
	section int
	head    bool
	text    string
}

// NewResults returns an empty pane.
func NewResults(t Look) Results { return Results{look: t, folded: map[int]bool{}} }

// SetLook changes the colours; older renderings are dropped.
func (r *Results) SetLook(t Look) {
	r.look, r.flat = t, nil
	for i := range r.sections {
		r.sections[i].rendered = nil
	}
}

// SetSize sets the pane's size in cells; older renderings are dropped when
// the width changes.
func (r *Results) SetSize(width, height int) {
	if width != r.width {
		for i := range r.sections {
			r.sections[i].rendered, r.sections[i].plain = nil, nil
		}
		r.flat = nil
	}
	r.width, r.height = width, height
}

// Width is the width a rendering must be made for, in cells.
func (r *Results) Width() int { return r.width }

// SetResults shows RESULTs in order; renderings of those that have changed
// are dropped.
func (r *Results) SetResults(results []Result) {
	same := len(results) == len(r.sections)
	for i := range results {
		same = same && results[i] == r.sections[i].Result
	}
	if same {
		return
	}
	sections := make([]section, len(results))
	for i, one := range results {
		sections[i].Result = one
		if i < len(r.sections) && r.sections[i].Result == one {
			sections[i] = r.sections[i]
		}
	}
	r.sections, r.flat = sections, nil
	r.at = max(min(r.at, len(sections)-1), 0)
}

// Unrendered are the texts that are shown plain, those in the window first.
func (r *Results) Unrendered() []string {
	var near, far []string
	for i := range r.sections {
		s := &r.sections[i]
		if s.rendered != nil {
			continue
		}
		if i >= r.at {
			near = append(near, s.Source)
		} else {
			far = append(far, s.Source)
		}
	}
	return append(near, far...)
}

// SetRendered hands in the rendering of a text for this width.
func (r *Results) SetRendered(source string, lines []string) {
	for i := range r.sections {
		if r.sections[i].Source == source {
			r.sections[i].rendered, r.flat = lines, nil
		}
	}
}

// Step goes to the next (1) or the previous (-1) RESULT.
func (r *Results) Step(direction int) bool {
	at := r.at + direction
	if at < 0 || at >= len(r.sections) {
		return false
	}
	r.goTo(at)
	return true
}

// GoTo shows RESULT #k, unfolded.
func (r *Results) GoTo(k int) {
	for i := range r.sections {
		if r.sections[i].K == k {
			delete(r.folded, k)
			r.flat = nil
			r.goTo(i)
		}
	}
}

func (r *Results) goTo(at int) {
	r.at = at
	for i, row := range r.rows() {
		if row.section == at {
			r.top = i
			return
		}
	}
}

// Current is the number of the RESULT at hand, 0 for none.
func (r *Results) Current() int {
	if len(r.sections) == 0 {
		return 0
	}
	return r.sections[r.at].K
}

// Toggle folds or unfolds the RESULT at hand.
func (r *Results) Toggle() bool {
	k := r.Current()
	if k == 0 {
		return false
	}
	if r.folded[k] = !r.folded[k]; !r.folded[k] {
		delete(r.folded, k)
	}
	r.flat = nil
	if r.top = min(r.top, r.headOf(r.at)); r.top < r.headOf(r.at)-r.height+1 {
		r.top = r.headOf(r.at)
	}
	return true
}

func (r *Results) headOf(at int) int {
	for i, row := range r.rows() {
		if row.section == at && row.head {
			return i
		}
	}
	return 0
}

// ToggleAll folds all of them, or unfolds all when all are folded.
func (r *Results) ToggleAll() {
	fold := len(r.folded) < len(r.sections)
	clear(r.folded)
	if fold {
		for _, s := range r.sections {
			r.folded[s.K] = true
		}
	}
	r.flat = nil
	r.top = r.headOf(r.at)
}

// Click takes the RESULT at a row of the window in hand; its head folds.
func (r *Results) Click(row int) bool {
	rows := r.rows()
	if row += r.top; row < 0 || row >= len(rows) {
		return false
	}
	r.at = rows[row].section
	return !rows[row].head || r.Toggle()
}

// Scroll moves by rows.
func (r *Results) Scroll(rows int) { r.move(r.top + rows) }

// Page moves by windows.
func (r *Results) Page(pages int) { r.move(r.top + pages*max(r.height-1, 1)) }

// Home goes to the start.
func (r *Results) Home() { r.move(0) }

// End goes to the end.
func (r *Results) End() { r.move(1 << 30) }

// move puts the window somewhere; the RESULT at hand is one that is in it.
func (r *Results) move(top int) {
	rows := r.rows()
	r.top = max(0, min(top, len(rows)-r.height))
	if len(rows) == 0 {
		return
	}
	first := rows[r.top].section
	last := rows[min(r.top+max(r.height, 1), len(rows))-1].section
	if r.at < first || r.at > last {
		r.at = first
	}
}

// View draws the pane.
func (r *Results) View() []string {
	if len(r.sections) == 0 {
		return exactly([]string{NewRow(r.width).Add(r.look.Muted, "no RESULT yet").String()}, r.width, r.height)
	}
	rows := r.rows()
	r.top = max(0, min(r.top, len(rows)-r.height))
	lines := make([]string, 0, max(r.height, 0))
	for _, row := range rows[r.top:min(len(rows), r.top+max(r.height, 0))] {
		if !row.head {
			lines = append(lines, measure.Pad(row.text, r.width))
			continue
		}
		lines = append(lines, r.head(row))
	}
	return exactly(lines, r.width, r.height)
}

// head is a RESULT's first line.
func (r *Results) head(row resultRow) string {
	s, pen := r.sections[row.section], r.look.Accent
	if row.section == r.at {
		pen = r.look.Selection
	}
	line := NewRow(r.width).Add(pen, row.text)
	if r.folded[s.K] {
		line.Add(r.look.Muted, " "+s.Summary)
	}
	return line.String()
}

func (r *Results) rows() []resultRow {
	if r.flat != nil {
		return r.flat
	}
	r.flat = []resultRow{}
	for i := range r.sections {
		s := &r.sections[i]
		if i > 0 && !r.folded[r.sections[i-1].K] {
			r.flat = append(r.flat, resultRow{section: i - 1})
		}
		// The head is drawn here, so that it can be set off.
		r.flat = append(r.flat, resultRow{section: i, head: true, text: fmt.Sprintf("# RESULT #%d (by Worker %d)", s.K, s.K)})
		if r.folded[s.K] {
			continue
		}
		r.flat = append(r.flat, resultRow{section: i})
		lines := s.rendered
		if lines == nil {
			if s.plain == nil {
				s.plain = measure.Wrap(strings.TrimRight(text.Clean(s.Source), "\n"), r.width)
			}
			lines = s.plain
		}
		for _, l := range lines {
			r.flat = append(r.flat, resultRow{section: i, text: l})
		}
	}
	return r.flat
}

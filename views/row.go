// Package views holds the panes of the workbench as plain structs: they are
// told their size and what to show, and give back lines. They do no input or
// output, read no clock and know nothing of each other.
//
// Every pane's View returns exactly as many lines as it is high, each exactly
// as wide as it is, in terminal cells.
package views

import (
	"strings"

	"growbench/theme/text"
)

// measure is how cells are counted everywhere in the workbench: as the
// renderer counts them.
const measure = text.WcWidth

// Row builds one line of a fixed width from styled pieces. What does not fit
// is cut; whatever it is given is made safe to draw.
type Row struct {
	out  strings.Builder
	left int // cells
}

// NewRow begins a line of width cells.
func NewRow(width int) *Row { return &Row{left: max(width, 0)} }

// Add appends a piece of one line.
func (r *Row) Add(pen Pen, s string) *Row {
	if r.left <= 0 || s == "" {
		return r
	}
	return r.safe(pen, text.Line(s))
}

// safe appends text that has been cleaned already.
func (r *Row) safe(pen Pen, s string) *Row {
	if r.left <= 0 || s == "" {
		return r
	}
	s = measure.Truncate(s, r.left, "…")
	r.left -= measure.Width(s)
	// Spaces at the edges are no part of the word: an underline or a
	// background would show on them.
	word := strings.Trim(s, " ")
	before, after, _ := strings.Cut(s, word)
	r.out.WriteString(before)
	if word != "" {
		r.out.WriteString(pen.Write(word))
	}
	r.out.WriteString(after)
	return r
}

// Plain appends unstyled text.
func (r *Row) Plain(s string) *Row { return r.Add(Pen{}, s) }

// To fills up so that only left cells remain, for what is set on the right.
func (r *Row) To(left int) *Row {
	if gap := r.left - max(left, 0); gap > 0 {
		r.out.WriteString(strings.Repeat(" ", gap))
		r.left -= gap
	}
	return r
}

// Rule fills up with a sign of one cell, leaving one cell for an end piece.
func (r *Row) Rule(pen Pen, sign string) *Row {
	if r.left > 1 {
		r.out.WriteString(pen.Write(strings.Repeat(sign, r.left-1)))
		r.left = 1
	}
	return r
}

// End sets the last piece at the right edge.
func (r *Row) End(pen Pen, s string) *Row {
	return r.To(measure.Width(s)).Add(pen, s)
}

// String is the finished line, filled up to its width.
func (r *Row) String() string {
	r.To(0)
	return r.out.String()
}

// Blank is an empty line.
func Blank(width int) string { return strings.Repeat(" ", max(width, 0)) }

// exactly cuts or fills lines to height lines of width.
func exactly(lines []string, width, height int) []string {
	height = max(height, 0)
	if len(lines) > height {
		return lines[:height]
	}
	for len(lines) < height {
		lines = append(lines, Blank(width))
	}
	return lines
}

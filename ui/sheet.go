package ui

import (
	"strings"

	"growbench/theme/text"
	"growbench/views"
)

// sheet is a text in an overlay that is scrolled when it is longer than its
// window. Controls in it are spelled out, so that it can be judged.
type sheet struct {
	body        string
	width       int
	rows        []string
	top, height int
}

// view wraps the text to width and returns the rows of its window, at most
// height.
func (s *sheet) view(width, height int) []string {
	if width != s.width || s.rows == nil {
		s.width, s.rows = width, nil
		for line := range strings.SplitSeq(strings.TrimRight(s.body, "\n"), "\n") {
			s.rows = append(s.rows, text.Wrap(text.Visible(strings.TrimSuffix(line, "\r")), width)...)
		}
	}
	s.height = max(min(height, len(s.rows)), 0)
	s.Scroll(0)
	return s.rows[s.top : s.top+s.height]
}

// Scroll moves the window by rows, Page by whole windows.
func (s *sheet) Scroll(rows int) { s.top = max(0, min(s.top+rows, len(s.rows)-s.height)) }
func (s *sheet) Page(pages int)  { s.Scroll(pages * max(s.height-1, 1)) }

// Home and End go to the first and to the last row.
func (s *sheet) Home() { s.top = 0 }
func (s *sheet) End()  { s.Scroll(len(s.rows)) }

// place tells which part is in the window.
func (s *sheet) place() views.Place {
	shown := s.top + s.height
	return views.Place{Shown: shown, All: len(s.rows), Above: s.top > 0, Below: shown < len(s.rows)}
}

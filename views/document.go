package views

import (
	"strings"

	"growbench/theme/text"
)

// Document shows one text of any length: a prompt, a task.
type Document struct {
	look  Look
	pager pager
}

// NewDocument shows body with its controls spelled out, line by line, so that
// the exact text can be judged.
func NewDocument(t Look, body string) Document {
	sheet := &Sheet{}
	for l := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		sheet.lines = append(sheet.lines, line{text: text.Visible(strings.TrimSuffix(l, "\r"))})
	}
	return document(t, sheet)
}

func document(t Look, sheet *Sheet) Document {
	d := Document{look: t, pager: newPager()}
	d.pager.count, d.pager.follow = 1, false
	d.pager.put(sheet)
	return d
}

// SetSize sets the size in cells.
func (d *Document) SetSize(width, height int) {
	if width != d.pager.width || height != d.pager.height {
		d.pager.setSize(width, height)
		d.pager.follow = false
	}
}

// Scroll moves the window by rows.
func (d *Document) Scroll(rows int) { d.pager.scroll(rows); d.pager.follow = false }

// Page moves the window by a number of windows.
func (d *Document) Page(pages int) { d.Scroll(pages * max(d.pager.height-1, 1)) }

// Home goes to the start.
func (d *Document) Home() { d.pager.home(); d.pager.follow = false }

// End goes to the end.
func (d *Document) End() { d.pager.toEnd(); d.pager.follow = false }

// Place tells which part of the document is in the window.
func (d *Document) Place() Place { return d.pager.place() }

// View draws the document.
func (d *Document) View() []string { return d.pager.view(d.look, marker{}) }

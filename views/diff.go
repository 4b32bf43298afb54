package views

import (
	"fmt"
	"sort"
	"strings"

	"growbench/theme/text"
)

// ChangedFile is one file of a patch. Added and Deleted count lines and are
// negative where there are none to count.
type ChangedFile struct {
	Path, OldPath, Kind string
	Added, Deleted      int
}

// Diff shows a patch beside the list of its files.
type Diff struct {
	document Document
	look     Look
	width    int
	height   int
	files    []ChangedFile
	starts   []int // line at which each file begins
	note     string
}

// wideDiff is from where the files stand beside the patch, in cells.
const wideDiff = 90

// NewDiff shows a patch as git writes it. Note stands above it, when there is
// something to say. Making one takes time in proportion to the patch.
func NewDiff(t Look, files []ChangedFile, patch, note string) Diff {
	d := Diff{look: t, files: files, note: note}
	sheet := &Sheet{}
	var reader patchReader
	inHunk := false
	for l := range strings.SplitSeq(strings.TrimSuffix(text.Clean(patch), "\n"), "\n") {
		tone := reader.tone(l, toneDim)
		if inHunk = reader.old > 0 || reader.new > 0; !inHunk && strings.HasPrefix(l, "diff --git ") {
			d.starts = append(d.starts, len(sheet.lines))
			tone = toneFile
		}
		sheet.lines = append(sheet.lines, line{text: l, tone: tone})
	}
	d.document = document(t, sheet)
	if len(d.starts) != len(files) { // a list that does not fit would mislead
		d.files = d.files[:0:0]
		for _, at := range d.starts {
			name := strings.TrimPrefix(sheet.lines[at].text, "diff --git ")
			d.files = append(d.files, ChangedFile{Path: name, Added: -1, Deleted: -1})
		}
	}
	return d
}

// SetSize sets the size in cells.
func (d *Diff) SetSize(width, height int) {
	d.width, d.height = width, height
	d.document.SetSize(width-d.listWidth(), max(height-d.lead(), 0))
}

func (d *Diff) listWidth() int {
	if d.width < wideDiff || len(d.files) == 0 {
		return 0
	}
	return d.width*3/10 + 1
}

// lead is how many lines stand above the patch.
func (d *Diff) lead() int {
	n := 0
	if d.note != "" {
		n++
	}
	if d.listWidth() == 0 && len(d.files) > 0 {
		n++
	}
	return n
}

// current is the file the window begins in.
func (d *Diff) current() int {
	top := d.document.pager.top.line
	return max(sort.SearchInts(d.starts, top+1)-1, 0)
}

// Step goes to the next (1) or the previous (-1) file.
func (d *Diff) Step(direction int) bool {
	at := d.current() + direction
	if direction < 0 && len(d.starts) > 0 && d.document.pager.top.line > d.starts[d.current()] {
		at++ // to the start of the one at hand first
	}
	if at < 0 || at >= len(d.starts) {
		return false
	}
	d.goTo(at)
	return true
}

// GoTo goes to a file by its path.
func (d *Diff) GoTo(path string) {
	for i, f := range d.files {
		if i < len(d.starts) && (f.Path == path || f.OldPath == path) {
			d.goTo(i)
			return
		}
	}
}

func (d *Diff) goTo(file int) {
	p := &d.document.pager
	p.top, p.sub, p.follow = place{0, d.starts[file]}, 0, false
	if p.height > 0 {
		p.settle()
		p.follow = false
	}
}

// Scroll moves the window by rows, Page by whole windows.
func (d *Diff) Scroll(rows int) { d.document.Scroll(rows) }

// Page moves the window by a number of windows.
func (d *Diff) Page(pages int) { d.document.Page(pages) }

// Home goes to the start.
func (d *Diff) Home() { d.document.Home() }

// End goes to the end.
func (d *Diff) End() { d.document.End() }

// Place tells which part of the patch is in the window.
func (d *Diff) Place() Place { return d.document.Place() }

// View draws the patch and its files.
func (d *Diff) View() []string {
	var out []string
	if d.note != "" {
		out = append(out, NewRow(d.width).Add(d.look.Warn, d.note).String())
	}
	body := d.document.View()
	list := d.listWidth()
	if list == 0 {
		if len(d.files) > 0 {
			at := d.current()
			out = append(out, NewRow(d.width).Add(d.look.Accent, fmt.Sprintf("%d of %s ", at+1, plural(len(d.files), "file"))).
				Add(d.look.Title, d.files[at].name()).Add(d.look.Muted, " "+d.files[at].amount()).String())
		}
		return exactly(append(out, body...), d.width, d.height)
	}
	files := d.list(list-1, len(body))
	bar := d.look.Border.Write(d.look.Symbols.Frame.Left)
	for i := range body {
		out = append(out, files[i]+bar+body[i])
	}
	return exactly(out, d.width, d.height)
}

// list draws the files so that the one at hand can be seen.
func (d *Diff) list(width, height int) []string {
	at := d.current()
	first := max(0, min(at-height/2, len(d.files)-height))
	var lines []string
	for i := first; i < len(d.files) && len(lines) < height; i++ {
		f, pen, cursor := d.files[i], d.look.Text, "  "
		if i == at {
			pen, cursor = d.look.Selection, d.look.Symbols.Cursor+" "
		}
		amount := f.amount()
		name := measure.Truncate(text.Visible(f.name()), max(width-len([]rune(amount))-4, 1), d.look.Symbols.Ellipsis)
		lines = append(lines, NewRow(width).Add(d.look.Accent, cursor).Add(pen, name).End(d.look.Muted, amount+" ").String())
	}
	return exactly(lines, width, height)
}

func (f ChangedFile) name() string {
	if f.OldPath != "" {
		return f.OldPath + " → " + f.Path
	}
	return f.Path
}

func (f ChangedFile) amount() string {
	switch {
	case f.Added < 0 && f.Kind == "":
		return ""
	case f.Added < 0:
		return "binary"
	}
	return fmt.Sprintf("+%d −%d", f.Added, f.Deleted)
}

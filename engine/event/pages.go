package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// A transcript of any length is read in pages: page n holds the items that
// begin in the n-th PageBytes of its file. Where a page lies is known without
// an index, so the end of a gigabyte is as near as its start.
const (
	PageBytes = 64 << 10
	// reach is how far around a page is looked for what its items belong to:
	// further than what one call may print while it runs.
	reach = 1 << 20
	// nearby is how far back the turn and an unfinished line are mostly found.
	nearby = 8 << 10
)

// PlacedItem is an item and where its line begins in the file, in bytes.
type PlacedItem struct {
	Item
	At int64
}

// Page is the items of one page, with what they need of those around them.
type Page struct {
	Number int
	// Turn is the turn under way where the page begins.
	Turn int
	// Torn is the kind of stream whose line the page before left unfinished;
	// the first piece of the page, up to its newline, belongs there.
	Torn string
	// Called are calls that began before the page and had not returned there,
	// the latest last; only those something in the page belongs to.
	Called []PlacedItem
	Items  []PlacedItem
	// Rest finishes the line the page leaves unfinished.
	Rest string
	// Returned are the returns of its calls that stand after the page.
	Returned []PlacedItem
	// Open tells that what is still to be written may change the page.
	Open bool
	// Size is the size of the file it was read from, in bytes.
	Size int64
}

// PageCount is how many pages a transcript of size bytes has.
func PageCount(size int64) int { return int((size + PageBytes - 1) / PageBytes) }

// Pages reads the pages of a transcript that may still be written.
type Pages struct {
	path  string
	bound *bound // nil shows all of it
}

// TranscriptPages gives access to agent k's transcript.
func TranscriptPages(runDir string, k int) Pages { return Pages{path: TranscriptPath(runDir, k)} }

// Size is the transcript's size in bytes; none has none.
func (p Pages) Size() (int64, error) {
	info, err := os.Stat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look at a transcript: %w", err)
	}
	if p.bound == nil || info.Size() == 0 {
		return info.Size(), nil
	}
	f, err := openRegular(p.path, os.O_RDONLY)
	if err != nil {
		return 0, fmt.Errorf("open a transcript: %w", err)
	}
	defer f.Close()
	return p.bound.size(f, info.Size())
}

// Read returns one page, or several in the order asked for.
func (p Pages) Read(numbers ...int) ([]Page, error) {
	f, err := openRegular(p.path, os.O_RDONLY)
	if err != nil {
		return nil, fmt.Errorf("open a transcript: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("look at a transcript: %w", err)
	}
	size := info.Size()
	if p.bound != nil {
		if size, err = p.bound.size(f, size); err != nil {
			return nil, err
		}
	}
	pages := make([]Page, 0, len(numbers))
	for _, n := range numbers {
		page, err := ReadPage(f, size, n)
		if err != nil {
			return pages, fmt.Errorf("read a page of %s: %w", p.path, err)
		}
		pages = append(pages, page)
	}
	return pages, nil
}

// ReadPage reads page n of a transcript of size bytes.
func ReadPage(r io.ReaderAt, size int64, n int) (Page, error) {
	p := Page{Number: n, Size: size}
	from, to := int64(n)*PageBytes, int64(n+1)*PageBytes
	start, end := int64(-1), from
	whole, err := records(r, from, size, func(at int64, record []byte) bool {
		if at >= to {
			return false
		}
		if start < 0 {
			start = at
		}
		end = at + int64(len(record)) + 1
		if it, ok := decodeItem(record); ok {
			p.Items = append(p.Items, PlacedItem{it, at})
		}
		return true
	})
	if err != nil {
		return p, err
	}
	// A page that the file does not fill, or whose last record is not whole.
	p.Open = whole < to
	if len(p.Items) == 0 {
		return p, nil
	}
	if err := p.lookBack(r, start); err != nil {
		return p, err
	}
	return p, p.lookAhead(r, end, size)
}

// lookBack finds what the page's first items go on with.
func (p *Page) lookBack(r io.ReaderAt, start int64) error {
	if start == 0 {
		return nil
	}
	before, at, err := backwards(r, start, nearby)
	if err != nil {
		return err
	}
	output, orphans := p.belongings()
	if known := p.goesOn(before); !known || output || len(orphans) > 0 {
		if before, at, err = backwards(r, start, reach); err != nil {
			return err
		}
		p.goesOn(before)
	}
	var returned []Item
	for i := len(before) - 1; i >= 0 && (output || len(orphans) > 0); i-- {
		if !bytes.Contains(before[i], tagCall) && !bytes.Contains(before[i], tagReturn) {
			continue
		}
		it, ok := decodeItem(before[i])
		switch {
		case !ok:
		case it.Kind == ItemReturn:
			returned = append(returned, it)
		case it.Kind == ItemCall:
			if j := answering(it, returned); j >= 0 {
				returned = slices.Delete(returned, j, j+1)
				continue
			}
			p.Called = slices.Insert(p.Called, 0, PlacedItem{it, at[i]})
			output = false
			if j := answering(it, orphans); j >= 0 {
				orphans = slices.Delete(orphans, j, j+1)
			}
		}
	}
	return nil
}

// goesOn learns the turn and the unfinished line from the items before; known
// is false when they do not tell.
func (p *Page) goesOn(before [][]byte) (known bool) {
	first := p.Items[0]
	for i, near := len(before)-1, true; i >= 0 && (near || p.Turn == 0); i-- {
		it, ok := decodeItem(before[i])
		if !ok {
			continue
		}
		if near && streams(it.Kind) && it.Kind == first.Kind && sameTurn(it, first.Item) && !strings.HasSuffix(it.Text, "\n") {
			p.Torn = it.Kind
		}
		near, p.Turn = false, max(p.Turn, it.Turn)
	}
	return p.Turn > 0
}

// belongings tells whether the page begins with output of a call before it, and
// which of its returns are of such.
func (p *Page) belongings() (output bool, orphans []Item) {
	var calls []Item
	called := false
	for _, it := range p.Items {
		switch it.Kind {
		case ItemCall:
			called = true
			calls = append(calls, it.Item)
		case ItemOutput:
			output = output || !called
		case ItemReturn:
			if j := calledBy(it.Item, calls); j >= 0 {
				calls = slices.Delete(calls, j, j+1)
				continue
			}
			orphans = append(orphans, it.Item)
		}
	}
	return output, orphans
}

// lookAhead finds what completes the page's last line and its calls.
func (p *Page) lookAhead(r io.ReaderAt, end, size int64) error {
	last := p.Items[len(p.Items)-1]
	torn := streams(last.Kind) && !strings.HasSuffix(last.Text, "\n")
	var calls []Item
	for _, it := range p.Items {
		switch it.Kind {
		case ItemCall:
			calls = append(calls, it.Item)
		case ItemReturn:
			if j := calledBy(it.Item, calls); j >= 0 {
				calls = slices.Delete(calls, j, j+1)
			}
		}
	}
	var rest strings.Builder
	done, err := records(r, end, size, func(at int64, record []byte) bool {
		if at-end > reach {
			torn, calls = false, nil
			return false
		}
		isReturn := bytes.Contains(record, tagReturn)
		if !torn && !isReturn {
			return len(calls) > 0
		}
		it, ok := decodeItem(record)
		if !ok {
			return true
		}
		if torn {
			if torn = it.Kind == last.Kind && sameTurn(last.Item, it); torn {
				piece, _, found := strings.Cut(it.Text, "\n")
				rest.WriteString(piece)
				torn = !found
			}
		}
		if it.Kind == ItemReturn {
			if j := calledBy(it, calls); j >= 0 {
				calls = slices.Delete(calls, j, j+1)
				p.Returned = append(p.Returned, PlacedItem{it, at})
			}
		}
		return torn || len(calls) > 0
	})
	p.Rest = rest.String()
	if (torn || len(calls) > 0) && done-end <= reach {
		p.Open = true
	}
	return err
}

var tagCall, tagReturn = []byte(`"` + ItemCall + `"`), []byte(`"` + ItemReturn + `"`)

func streams(kind string) bool {
	return kind == ItemText || kind == ItemThinking || kind == ItemOutput
}

func sameTurn(a, b Item) bool { return a.Turn == b.Turn || b.Turn == 0 }

// Answers tells whether it is the return of call.
func (it Item) Answers(call Item) bool {
	return it.Name == call.Name && (it.Args == "" || it.Args == call.Text)
}

// calledBy finds the call that a return belongs to, or -1.
func calledBy(it Item, calls []Item) int {
	for i, c := range calls {
		if it.Answers(c) {
			return i
		}
	}
	return -1
}

// answering finds a return of call, or -1.
func answering(call Item, returns []Item) int {
	for i, it := range returns {
		if it.Answers(call) {
			return i
		}
	}
	return -1
}

// records calls do with every whole record that begins at or after from, until
// it returns false. It returns the place after the last whole record.
func records(r io.ReaderAt, from, size int64, do func(at int64, record []byte) bool) (int64, error) {
	at := max(from-1, 0) // a record begins after a newline
	skip := from > 0
	done := at
	buf := make([]byte, 0, PageBytes+4096)
	for at+int64(len(buf)) < size {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		n, err := r.ReadAt(buf[len(buf):min(int64(cap(buf)), size-at)], at+int64(len(buf)))
		if n == 0 {
			if err == io.EOF || err == nil {
				return done, nil
			}
			return done, err
		}
		buf = buf[:len(buf)+n]
		used := 0
		for {
			i := bytes.IndexByte(buf[used:], '\n')
			if i < 0 {
				break
			}
			record := buf[used : used+i]
			place := at + int64(used)
			used += i + 1
			done = at + int64(used)
			if skip {
				skip = false
				continue
			}
			if !do(place, record) {
				return done, nil
			}
		}
		at += int64(used)
		buf = append(buf[:0], buf[used:]...)
		if len(buf) > maxLine {
			at += int64(len(buf)) // nobody needs what is this long
			buf, skip = buf[:0], true
		}
	}
	return done, nil
}

// backwards returns the whole records in the stretch before end, and where
// each begins.
func backwards(r io.ReaderAt, end, stretch int64) (found [][]byte, at []int64, err error) {
	from := max(end-stretch, 0)
	buf := make([]byte, end-from)
	if n, err := r.ReadAt(buf, from); n < len(buf) && err != nil && err != io.EOF {
		return nil, nil, err
	}
	if from > 0 {
		i := bytes.IndexByte(buf, '\n') + 1
		buf, from = buf[i:], from+int64(i)
	}
	for len(buf) > 0 {
		record, rest, _ := bytes.Cut(buf, []byte{'\n'})
		found, at = append(found, record), append(at, from)
		from += int64(len(record)) + 1
		buf = rest
	}
	return found, at, nil
}

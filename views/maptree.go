package views

import "time"

// MapTree is the project's tree with the state of the map in each directory.
// It holds a flat list of the rows that can be seen; only those in the window
// are drawn.
type MapTree struct {
	look          Look
	width, height int
	data          *MapData
	sifted        *Sifted         // what a filter lets through, nil without one
	open          map[string]bool // unfolded directories
	needing       bool            // only what is not clean is shown
	busy          map[string]bool // directories being described
	now           time.Time
	rows          []mapRow
	laid          []mapRow // the rows without a filter
	at, top       int
	empty         []string
}

// mapRow is a directory, a file of it, or a symbol of that file; -1 is none.
type mapRow struct{ node, file, symbol int32 }

// NewMapTree is an empty tree.
func NewMapTree(look Look) MapTree {
	return MapTree{look: look, open: map[string]bool{".": true}}
}

// SetLook changes the colours.
func (v *MapTree) SetLook(look Look) { v.look = look }

// SetSize sets the size in cells.
func (v *MapTree) SetSize(width, height int) { v.width, v.height = max(width, 0), max(height, 0) }

// SetNow is the time that ages count to.
func (v *MapTree) SetNow(now time.Time) { v.now = now }

// SetEmpty is what stands in the place of a tree.
func (v *MapTree) SetEmpty(lines ...string) { v.empty = lines }

// SetBusy marks directories as being described; nil is none.
func (v *MapTree) SetBusy(busy map[string]bool) { v.busy = busy }

// SetData shows a map. What is selected stays so wherever it has gone; a filter
// has to be given anew.
func (v *MapTree) SetData(data *MapData) {
	spot := v.Spot()
	v.data, v.sifted = data, nil
	v.lay()
	v.stand(spot)
}

// Data is the map that is shown, nil before the first.
func (v *MapTree) Data() *MapData { return v.data }

// SetSifted shows what a filter lets through; nil shows everything.
func (v *MapTree) SetSifted(s *Sifted) {
	spot := v.Spot()
	if s != nil && s.data != v.data {
		return
	}
	v.sifted = s
	v.lay()
	if s != nil && s.best >= 0 {
		v.at = s.best
		return
	}
	v.stand(spot)
}

// Filtered is how many entries are shown, and how many there are.
func (v *MapTree) Filtered() (shown, all int) {
	if v.data == nil {
		return 0, 0
	}
	if v.sifted != nil {
		return v.sifted.hits, v.data.Entries()
	}
	return v.data.Entries(), v.data.Entries()
}

// lay lists the rows that can be seen.
func (v *MapTree) lay() {
	v.laid = v.laid[:0]
	switch {
	case v.data == nil:
	case v.sifted != nil:
		v.rows = v.sifted.rows
		return
	default:
		v.layNode(0)
	}
	v.rows = v.laid
	v.at = max(min(v.at, len(v.rows)-1), 0)
}

func (v *MapTree) layNode(i int32) {
	n := &v.data.nodes[i]
	if v.needing && !n.needs() {
		return
	}
	v.laid = append(v.laid, mapRow{i, -1, -1})
	if !v.needing && !v.open[n.Path] {
		return
	}
	for _, c := range n.below {
		v.layNode(c)
	}
	for _, f := range n.files {
		if !v.needing || n.Files[f].Change != "" {
			v.laid = append(v.laid, mapRow{i, f, -1})
		}
	}
}

// Spot is a place in the map that outlives a new list of rows.
type Spot struct{ Dir, File, Symbol string }

// Spot is what is selected.
func (v *MapTree) Spot() Spot {
	d, f, s := v.Selected()
	var spot Spot
	if d == nil {
		return Spot{}
	}
	spot.Dir = d.Path
	if f != nil {
		spot.File = f.Name
	}
	if s != nil {
		spot.Symbol = s.Text
	}
	return spot
}

// Selected is the directory at hand, and the file and symbol where the row is
// one of those.
func (v *MapTree) Selected() (*MapDir, *MapFile, *MapSymbol) {
	if v.at < 0 || v.at >= len(v.rows) {
		return nil, nil, nil
	}
	r := v.rows[v.at]
	n := &v.data.nodes[r.node]
	if r.file < 0 {
		return n.MapDir, nil, nil
	}
	f := &n.Files[r.file]
	if r.symbol < 0 {
		return n.MapDir, f, nil
	}
	return n.MapDir, f, &v.sifted.symbols[r.symbol]
}

// stand selects a spot as near as it can be seen.
func (v *MapTree) stand(s Spot) bool {
	if v.data == nil {
		return false
	}
	best, near := -1, -1
	for i, r := range v.rows {
		n := &v.data.nodes[r.node]
		if n.Path != s.Dir {
			continue
		}
		if r.file < 0 {
			best = max(best, i)
			if s.File == "" {
				v.at = i
				return true
			}
		} else if n.Files[r.file].Name == s.File {
			near = i
			if r.symbol < 0 || v.sifted.symbols[r.symbol].Text == s.Symbol {
				break
			}
		}
	}
	if near >= 0 {
		best = near
	}
	if best >= 0 {
		v.at = best
		return true
	}
	v.at = max(min(v.at, len(v.rows)-1), 0)
	return false
}

// Go selects a spot and unfolds what hides it; false when the map has no such
// directory.
func (v *MapTree) Go(s Spot) bool {
	if v.data == nil || v.data.Find(s.Dir) == nil {
		return false
	}
	v.reveal(s.Dir)
	if s.File != "" {
		v.open[s.Dir] = true
	}
	v.lay()
	if !v.stand(s) || v.Spot().Dir != s.Dir {
		v.sifted, v.needing = nil, false
		v.lay()
		v.stand(s)
	}
	return true
}

// reveal unfolds what lies above a directory.
func (v *MapTree) reveal(dir string) {
	at, ok := v.data.byPath[dir]
	for ok && at > 0 {
		at = v.data.nodes[at].parent
		v.open[v.data.nodes[at].Path] = true
	}
}

// Scroll moves the selection by rows, Page by whole windows.
func (v *MapTree) Scroll(rows int) { v.at = max(min(v.at+rows, len(v.rows)-1), 0) }
func (v *MapTree) Page(pages int)  { v.Scroll(pages * max(v.height-1, 1)) }

// Home and End select the first and the last row.
func (v *MapTree) Home() { v.at = 0 }
func (v *MapTree) End()  { v.at = max(len(v.rows)-1, 0) }

// folds tells whether rows can be folded now: a filter and the view of what is
// not clean show everything they have.
func (v *MapTree) folds() bool { return v.sifted == nil && !v.needing }

// Toggle unfolds or folds the directory at hand; false on a file.
func (v *MapTree) Toggle() bool {
	d, f, _ := v.Selected()
	if d == nil || f != nil || !v.folds() {
		return false
	}
	v.setOpen(d.Path, !v.open[d.Path])
	return true
}

func (v *MapTree) setOpen(path string, open bool) {
	spot := v.Spot()
	v.open[path] = open
	v.lay()
	v.stand(spot)
}

// Out folds the directory at hand, or goes to the one above.
func (v *MapTree) Out() {
	d, f, _ := v.Selected()
	switch {
	case d == nil:
	case f == nil && v.folds() && v.open[d.Path] && d.Path != ".":
		v.setOpen(d.Path, false)
	case f != nil:
		v.stand(Spot{Dir: d.Path})
	case d.Path != ".":
		up := v.data.nodes[v.data.byPath[d.Path]].parent
		v.stand(Spot{Dir: v.data.nodes[up].Path})
	}
}

// In unfolds the directory at hand, or goes to the first row in it; false
// where there is nothing to go into.
func (v *MapTree) In() bool {
	d, f, _ := v.Selected()
	switch {
	case d == nil || f != nil:
		return false
	case v.folds() && !v.open[d.Path]:
		v.setOpen(d.Path, true)
		return true
	}
	if v.at+1 < len(v.rows) {
		v.at++
	}
	return true
}

// FoldAll folds everything below the root, UnfoldAll unfolds all.
func (v *MapTree) FoldAll() {
	spot := v.Spot()
	v.open = map[string]bool{".": true}
	v.lay()
	for !v.stand(spot) && spot.Dir != "." && v.data != nil {
		up := v.data.above(spot.Dir)
		spot = Spot{Dir: v.data.nodes[up].Path}
	}
}

func (v *MapTree) UnfoldAll() {
	if v.data == nil {
		return
	}
	spot := v.Spot()
	for i := range v.data.nodes {
		v.open[v.data.nodes[i].Path] = true
	}
	v.lay()
	v.stand(spot)
}

// OnlyNeeds shows only what is not clean, or everything again.
func (v *MapTree) OnlyNeeds(on bool) {
	spot := v.Spot()
	v.needing = on
	v.lay()
	if !v.stand(spot) {
		v.NextNeed(1)
	}
}

// Needing tells whether only what is not clean is shown.
func (v *MapTree) Needing() bool { return v.needing }

// NextNeed selects the next directory, or the one before, that is not clean,
// round the ends; false when there is none.
func (v *MapTree) NextNeed(direction int) bool {
	if v.data == nil || v.data.need == 0 {
		return false
	}
	var order []int32
	var walk func(i int32)
	walk = func(i int32) {
		if !v.data.nodes[i].needs() {
			return
		}
		order = append(order, i)
		for _, c := range v.data.nodes[i].below {
			walk(c)
		}
	}
	walk(0)
	here := v.Spot().Dir
	at := -1
	for i, n := range order {
		if v.data.nodes[n].Path == here {
			at = i
		}
	}
	if at < 0 && direction < 0 {
		at = 0
	}
	for range order {
		at = (at + direction + len(order)) % len(order)
		if n := &v.data.nodes[order[at]]; len(n.States) > 0 {
			return v.Go(Spot{Dir: n.Path})
		}
	}
	return false
}

// Click selects the row of the window, and folds or unfolds the directory that
// is selected already.
func (v *MapTree) Click(row int) bool {
	i := v.top + row
	if row < 0 || row >= v.height || i >= len(v.rows) {
		return false
	}
	if v.at == i {
		v.Toggle()
	}
	v.at = i
	return true
}

package views

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// States of a directory of the map, the ones to see to first in front.
const (
	MapBroken   = "broken"
	MapMissing  = "missing"
	MapOrphaned = "orphaned"
	MapStale    = "stale"
	MapDirty    = "dirty"
)

var mapStates = [...]string{MapBroken, MapMissing, MapOrphaned, MapStale, MapDirty}

// MapDir is a directory of the map. What came from outside is as it came.
type MapDir struct {
	Path   string // "." is the root
	Role   string
	States []string // none: clean
	Why    []string // what is not right, a reason a line
	Since  time.Time
	At     time.Time // when its documents were last made
	Files  []MapFile
}

// MapFile is a file of a directory; Change is "new", "changed", "gone" or "".
type MapFile struct {
	Name, Change string
	Size         int64
}

// MapSymbol is an exported symbol and its line, 0 where that is not known.
type MapSymbol struct {
	Text string
	Line int

	lower string
}

// MapOrder is what the tree is sorted by.
type MapOrder int

// Orders of the tree.
const (
	ByName MapOrder = iota
	ByFreshness
	BySize
	mapOrders
)

// Next is the order after this one.
func (o MapOrder) Next() MapOrder { return (o + 1) % mapOrders }

func (o MapOrder) String() string { return [...]string{"name", "freshness", "size"}[o] }

// MapData is the map made ready for the tree. It never changes; making one
// takes a while: not in Update, not in View.
type MapData struct {
	nodes  []mapNode
	byPath map[string]int32
	order  MapOrder
	counts map[string]int
	need   int // directories that are not clean
}

// mapNode is a directory in the tree.
type mapNode struct {
	*MapDir
	name    string
	lower   string // of the path, to be searched
	parent  int32  // -1 for the root
	depth   int
	below   []int32
	files   []int32               // in the order to show them
	lowers  []string              // of the files' names
	rolled  [len(mapStates)]int32 // directories of each state, here and below
	needing int32                 // directories here and below that are not clean
	size    int64                 // of all files here and below
	since   time.Time             // the longest something here or below is not right
}

// NewMapData makes a tree of directories. Each hangs below the nearest one
// above it that is there; without a root there is one without anything known.
func NewMapData(dirs []MapDir, order MapOrder) *MapData {
	d := &MapData{byPath: make(map[string]int32, len(dirs)+1), order: order, counts: map[string]int{}}
	dirs = slices.Clone(dirs)
	if !slices.ContainsFunc(dirs, func(x MapDir) bool { return x.Path == "." }) {
		dirs = append(dirs, MapDir{Path: "."})
	}
	depth := func(path string) int {
		if path == "." {
			return -1
		}
		return strings.Count(path, "/")
	}
	slices.SortFunc(dirs, func(a, b MapDir) int {
		return cmp.Or(depth(a.Path)-depth(b.Path), strings.Compare(a.Path, b.Path))
	})
	d.nodes = make([]mapNode, len(dirs))
	for i := range dirs {
		n := &d.nodes[i]
		*n = mapNode{MapDir: &dirs[i], parent: -1, name: dirs[i].Path, lower: lowered(dirs[i].Path)}
		d.byPath[n.Path] = int32(i)
		if n.Path != "." {
			n.parent = d.above(n.Path)
			up := &d.nodes[n.parent]
			n.depth = up.depth + 1
			if n.name = strings.TrimPrefix(n.Path, up.Path+"/"); up.Path == "." {
				n.name = n.Path
			}
			up.below = append(up.below, int32(i))
		}
		d.judge(n)
	}
	d.roll()
	d.sort()
	return d
}

// lowered is a path in lower case, letter for letter as long as it was.
func lowered(path string) string {
	if low := strings.ToLower(path); len(low) == len(path) {
		return low
	}
	return path
}

// above is the nearest directory over a path that is there; the root always is.
func (d *MapData) above(path string) int32 {
	for {
		slash := strings.LastIndexByte(path, '/')
		if slash < 0 {
			return 0
		}
		path = path[:slash]
		if at, ok := d.byPath[path]; ok {
			return at
		}
	}
}

func (d *MapData) judge(n *mapNode) {
	for i, s := range mapStates {
		if slices.Contains(n.States, s) {
			n.rolled[i] = 1
			d.counts[s]++
		}
	}
	if len(n.States) > 0 {
		d.need++
		n.needing++
		n.since = n.Since
	}
	n.files, n.lowers = make([]int32, len(n.Files)), make([]string, len(n.Files))
	for i, f := range n.Files {
		n.files[i], n.lowers[i] = int32(i), strings.ToLower(f.Name)
		n.size += f.Size
	}
}

// roll adds what is below to each directory; those below come later in nodes.
func (d *MapData) roll() {
	for i := len(d.nodes) - 1; i > 0; i-- {
		n := &d.nodes[i]
		up := &d.nodes[n.parent]
		for s, count := range n.rolled {
			up.rolled[s] += count
		}
		up.size += n.size
		up.needing += n.needing
		if !n.since.IsZero() && (up.since.IsZero() || n.since.Before(up.since)) {
			up.since = n.since
		}
	}
}

func (d *MapData) sort() {
	var dirs func(a, b int32) int
	var files func(n *mapNode) func(a, b int32) int
	byName := func(a, b int32) int { return strings.Compare(d.nodes[a].name, d.nodes[b].name) }
	switch d.order {
	case BySize:
		dirs = func(a, b int32) int { return cmp.Or(cmp.Compare(d.nodes[b].size, d.nodes[a].size), byName(a, b)) }
		files = func(n *mapNode) func(a, b int32) int {
			return func(a, b int32) int { return cmp.Or(cmp.Compare(n.Files[b].Size, n.Files[a].Size), int(a-b)) }
		}
	case ByFreshness:
		dirs = func(a, b int32) int {
			return cmp.Or(cmp.Compare(d.nodes[b].urgency(), d.nodes[a].urgency()), d.nodes[a].age(d.nodes[b].since), byName(a, b))
		}
		files = func(n *mapNode) func(a, b int32) int {
			return func(a, b int32) int {
				return cmp.Or(strings.Compare(n.Files[b].Change, n.Files[a].Change), int(a-b))
			}
		}
	default:
		return // as they came
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		slices.SortStableFunc(n.below, dirs)
		slices.SortStableFunc(n.files, files(n))
	}
}

// urgency is the worst state here or below.
func (n *mapNode) urgency() int {
	for s, count := range n.rolled {
		if count > 0 {
			return len(mapStates) - s
		}
	}
	return 0
}

func (n *mapNode) age(other time.Time) int {
	switch {
	case n.since.Equal(other):
		return 0
	case n.since.IsZero() || !other.IsZero() && other.Before(n.since):
		return 1
	}
	return -1
}

// needs is how many directories here and below are not clean.
func (n *mapNode) needs() bool { return n.urgency() > 0 }

// Entries is how many directories and files there are.
func (d *MapData) Entries() int {
	all := len(d.nodes)
	for i := range d.nodes {
		all += len(d.nodes[i].Files)
	}
	return all
}

// Dirs are all directories.
func (d *MapData) Dirs() []MapDir {
	out := make([]MapDir, len(d.nodes))
	for i := range d.nodes {
		out[i] = *d.nodes[i].MapDir
	}
	return out
}

// Find is a directory by its path, nil when there is none.
func (d *MapData) Find(path string) *MapDir {
	if d == nil {
		return nil
	}
	if at, ok := d.byPath[path]; ok {
		return d.nodes[at].MapDir
	}
	return nil
}

// Needing are the paths at or below one that are not clean.
func (d *MapData) Needing(path string) []string {
	var out []string
	if d == nil {
		return nil
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		if len(n.States) > 0 && (path == "." || n.Path == path || strings.HasPrefix(n.Path, path+"/")) {
			out = append(out, n.Path)
		}
	}
	return out
}

// Below are the paths at or below one.
func (d *MapData) Below(path string) []string {
	var out []string
	for i := range d.nodes {
		if p := d.nodes[i].Path; path == "." || p == path || strings.HasPrefix(p, path+"/") {
			out = append(out, p)
		}
	}
	return out
}

// Counts are how many directories are in each state, in words: "2 stale · 1
// dirty"; "" when all are clean.
func (d *MapData) Counts() string {
	if d == nil {
		return ""
	}
	var rolled [len(mapStates)]int32
	for i, s := range mapStates {
		rolled[i] = int32(d.counts[s])
	}
	return countWords(rolled, " · ")
}

// Need is how many directories are not clean.
func (d *MapData) Need() int { return d.need }

// NeedingCount is how many directories at and below a path are not clean.
func (d *MapData) NeedingCount(path string) int {
	at, ok := d.byPath[path]
	if !ok {
		return 0
	}
	return int(d.nodes[at].needing)
}

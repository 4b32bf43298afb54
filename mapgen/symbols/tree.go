package symbols

import (
	"iter"
	"sort"
	"strings"
)

// tree is the part of a syntax tree the extractors look at, copied out of the
// parser: declarations without statement bodies. Nodes lie in one slice in
// source order; node 0 is the root.
type tree struct {
	src      []byte
	nodes    []syntax
	kinds    []string // node kind by id
	fields   []string // field name by id
	comments []span
	broken   bool // a declaration has errors
}

type syntax struct {
	kind, field uint16
	start, end  uint32 // bytes
	line        uint32 // 1-based
	first, next int32  // node indexes; 0 = none
}

type span struct{ start, end uint32 }

// node is one place in a tree. The zero node stands for "none" and answers
// every question with nothing.
type node struct {
	t  *tree
	at int32
}

func (t *tree) root() node { return node{t, 0} }

func (n node) ok() bool { return n.t != nil }

func (n node) kind() string {
	if !n.ok() {
		return ""
	}
	return n.t.kinds[n.t.nodes[n.at].kind]
}

func (n node) field() string { return n.t.fields[n.t.nodes[n.at].field] }

func (n node) start() int { return int(n.t.nodes[n.at].start) }
func (n node) end() int   { return int(n.t.nodes[n.at].end) }

// missing is true of a node the parser invented to go on after an error.
func (n node) missing() bool { return n.start() == n.end() }

func (n node) line() int {
	if !n.ok() {
		return 0
	}
	return int(n.t.nodes[n.at].line)
}

func (n node) text() string {
	if !n.ok() {
		return ""
	}
	return string(n.t.src[n.start():n.end()])
}

// word is the text of a node that is no longer than a name; calls are chained,
// and copying what each link stands on adds up.
func (n node) word() string {
	if !n.ok() || n.end()-n.start() > 64 {
		return ""
	}
	return n.text()
}

func (n node) children() iter.Seq[node] {
	return func(yield func(node) bool) {
		if !n.ok() {
			return
		}
		for at := n.t.nodes[n.at].first; at != 0; at = n.t.nodes[at].next {
			if !yield(node{n.t, at}) {
				return
			}
		}
	}
}

// child is the first child in the named field.
func (n node) child(field string) node {
	for c := range n.children() {
		if c.field() == field {
			return c
		}
	}
	return node{}
}

// of is the first child of one of the kinds.
func (n node) of(kinds ...string) node {
	for c := range n.children() {
		kind := c.kind()
		for _, k := range kinds {
			if k == kind {
				return c
			}
		}
	}
	return node{}
}

func (n node) has(kind string) bool { return n.of(kind).ok() }

// all yields every node of a kind below n, in source order. Nodes lie in
// pre-order, so a subtree is a run of the slice.
func (n node) all(kinds ...string) iter.Seq[node] {
	return func(yield func(node) bool) {
		if !n.ok() {
			return
		}
		end := uint32(n.end())
		for at := int(n.at) + 1; at < len(n.t.nodes) && n.t.nodes[at].start < end; at++ {
			kind := n.t.kinds[n.t.nodes[at].kind]
			for _, k := range kinds {
				if k == kind && !yield(node{n.t, int32(at)}) {
					return
				}
			}
		}
	}
}

// head is the text of n up to (not with) the stop node, or all of it: one
// line, without comments.
func (n node) head(stop node) string {
	if !n.ok() {
		return ""
	}
	return n.until(n.start(), stop)
}

func (n node) until(from int, stop node) string {
	to := n.end()
	if stop.ok() {
		to = stop.start()
	}
	return n.t.line(from, to)
}

// line is a range of the source as one line without comments.
func (t *tree) line(from, to int) string {
	if from >= to {
		return ""
	}
	// Signatures are clipped anyway, and a range can be megabytes long.
	to = min(to, from+16*maxSignature)
	var b strings.Builder
	first := sort.Search(len(t.comments), func(i int) bool { return int(t.comments[i].end) > from })
	for _, c := range t.comments[first:] {
		if int(c.start) >= to {
			break
		}
		if int(c.start) > from {
			b.Write(t.src[from:c.start])
		}
		b.WriteByte(' ')
		from = int(c.end)
	}
	if from < to {
		b.Write(t.src[from:to])
	}
	return oneLine(strings.ToValidUTF8(b.String(), ""))
}

// oneLine collapses white space the way a declaration broken over lines would
// be written on one.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = breaks.Replace(text)
	return strings.TrimRight(text, " ;")
}

var breaks = strings.NewReplacer("( ", "(", " )", ")", "[ ", "[", " ]", "]", ", )", ")", ",)", ")", " ,", ",", ",>", ">")

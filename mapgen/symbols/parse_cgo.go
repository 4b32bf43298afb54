//go:build cgo

package symbols

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

const haveGrammars = true

var grammars = map[string]func() unsafe.Pointer{
	"bash":       bash.Language,
	"c":          c.Language,
	"cpp":        cpp.Language,
	"csharp":     csharp.Language,
	"java":       java.Language,
	"javascript": javascript.Language,
	"php":        php.LanguagePHP,
	"python":     python.Language,
	"ruby":       ruby.Language,
	"rust":       rust.Language,
	"tsx":        typescript.LanguageTSX,
	"typescript": typescript.LanguageTypescript,
}

// chunk is how much text the parser is handed at a time. The binding copies
// every chunk, and the parser asks again when it steps back over a border.
const chunk = 64 << 10

// errorKind is the node kind id tree-sitter gives to text it cannot read.
const errorKind = 0xffff

// parse reads a file through its C grammar. Declarations the grammar cannot
// read are tried a second time with what it is known to stumble over blanked;
// the reading that shows more is taken.
func parse(file *File, lang *language, text []byte, limits Limits) {
	if lang.mask != nil {
		text = lang.mask(text)
	}
	g := grammarOf(lang)
	plain := *file
	took, broken := g.read(&plain, text, limits.Time, limits.Depth)
	if rest := limits.Time - took; broken && lang.repair != nil && rest > 0 {
		if repaired, changed := lang.repair(text); changed {
			second := *file
			g.read(&second, repaired, rest, limits.Depth)
			if !second.Errors || len(second.Exports)+len(second.Members) > len(plain.Exports)+len(plain.Members) {
				plain = second
			}
		}
	}
	*file = plain
}

// read parses and extracts once. It says how long the parser took, and whether
// errors lie among the declarations and not only in the bodies of functions.
func (g *grammar) read(file *File, text []byte, limit time.Duration, depth int) (took time.Duration, broken bool) {
	if g.err != "" {
		file.addNote(g.err)
		return limit, false
	}
	parser := g.take()
	if parser == nil {
		file.addNote("ast: no parser")
		return limit, false
	}
	runtime.LockOSThread() // the deadline is on this thread's own time
	start := threadTime()
	tree := parser.ParseWithOptions(reader(text), nil, deadline(start+limit))
	took = threadTime() - start
	runtime.UnlockOSThread()
	if tree == nil {
		parser.Reset()
		g.give(parser)
		file.Errors = true
		file.addNote(endedTime)
		return took, false
	}
	defer tree.Close()
	g.give(parser)

	t, cut := g.copy(tree, text, depth)
	file.Errors = tree.RootNode().HasError()
	if cut {
		file.addNote("ast: partial (depth)")
	}
	g.row.extract(t, newCollector(file))
	return took, t.broken
}

var newline = []byte("\n")

func reader(text []byte) func(int, sitter.Point) []byte {
	return func(at int, _ sitter.Point) []byte {
		if at >= len(text) {
			return nil
		}
		return text[at:min(at+chunk, len(text))]
	}
}

// deadline stops a parse at a time of its thread. The binding keeps these
// options for the life of the process, so they hold nothing else.
func deadline(end time.Duration) *sitter.ParseOptions {
	return &sitter.ParseOptions{ProgressCallback: func(sitter.ParseState) bool { return threadTime() > end }}
}

// grammar is a language as its C parser knows it, with the names of its kinds
// and fields read once.
type grammar struct {
	lang   *sitter.Language
	err    string
	tree   tree // names only
	skip   []bool
	leaf   []bool
	body   []bool // by kind: the body field of such a node is statements
	late   [][]byte
	bodyID uint16
	ready  chan *sitter.Parser // idle parsers
	row    *language
}

var (
	loaded     = map[string]*grammar{}
	loadedLock sync.Mutex
)

func grammarOf(row *language) *grammar {
	loadedLock.Lock()
	defer loadedLock.Unlock()
	g := loaded[row.name]
	if g == nil {
		g = load(row)
		loaded[row.name] = g
	}
	return g
}

func load(row *language) *grammar {
	lang := sitter.NewLanguage(grammars[row.grammar]())
	g := &grammar{lang: lang, ready: make(chan *sitter.Parser, 8), row: row}
	if v := lang.AbiVersion(); v < sitter.MIN_COMPATIBLE_LANGUAGE_VERSION || v > sitter.LANGUAGE_VERSION {
		g.err = "ast: grammar of another parser version"
		return g
	}
	count := int(lang.NodeKindCount())
	g.skip, g.leaf, g.body = make([]bool, count), make([]bool, count), make([]bool, count)
	for id := range count {
		kind := lang.NodeKindForId(uint16(id))
		g.tree.kinds = append(g.tree.kinds, kind)
		g.skip[id] = !lang.NodeKindIsNamed(uint16(id)) && !telling(kind)
		g.leaf[id] = slices.Contains(row.leaves, kind)
		g.body[id] = slices.Contains(row.bodies, kind)
	}
	g.tree.kinds = append(g.tree.kinds, "ERROR")
	for id := range int(lang.FieldCount()) + 1 {
		g.tree.fields = append(g.tree.fields, lang.FieldNameForId(uint16(id)))
	}
	g.bodyID = lang.FieldIdForName("body")
	for _, word := range row.late {
		g.late = append(g.late, []byte(word))
	}
	return g
}

// telling are the tokens an extractor may ask for; punctuation is not.
func telling(token string) bool {
	return token != "" && (token[0] >= 'a' && token[0] <= 'z' || token == "*" || token == "=" || token == "}" || token == "#ifndef")
}

func (g *grammar) take() *sitter.Parser {
	select {
	case p := <-g.ready:
		return p
	default:
	}
	p := sitter.NewParser()
	if err := p.SetLanguage(g.lang); err != nil {
		p.Close()
		return nil
	}
	return p
}

func (g *grammar) give(p *sitter.Parser) {
	select {
	case g.ready <- p:
	default:
		p.Close()
	}
}

// copy walks the tree once with a cursor, never by recursion (a file can be
// nested 100,000 deep), and takes over what the extractors look at. Cut says
// that something lay deeper than the limit.
func (g *grammar) copy(from *sitter.Tree, text []byte, depth int) (t *tree, cut bool) {
	t = &tree{src: text, kinds: g.tree.kinds, fields: g.tree.fields}
	t.nodes = make([]syntax, 0, len(text)/16+16)
	cursor := from.Walk()
	defer cursor.Close()

	type level struct{ parent, last int32 }
	path := []level{{-1, 0}}
	line, counted := uint32(1), uint(0) // nodes come in source order
	failed := uint16(len(g.tree.kinds) - 1)
	for {
		n := cursor.Node()
		kind := n.KindId()
		if kind == errorKind {
			kind = failed
		}
		top := &path[len(path)-1]
		enter := false
		if kind == failed || !g.skip[kind] {
			start, end := n.ByteRange()
			at := int32(len(t.nodes))
			line += uint32(bytes.Count(text[counted:start], newline))
			counted = start
			t.nodes = append(t.nodes, syntax{
				kind: kind, field: cursor.FieldId(),
				start: uint32(start), end: uint32(end), line: line,
			})
			if top.parent >= 0 {
				if top.last == 0 {
					t.nodes[top.parent].first = at
				} else {
					t.nodes[top.last].next = at
				}
				top.last = at
			}
			t.broken = t.broken || kind == failed || start == end && at > 0
			if strings.HasSuffix(t.kinds[kind], "comment") {
				t.comments = append(t.comments, span{uint32(start), uint32(end)})
			}
			enter = kind == failed || !g.leaf[kind] && !g.opaque(t, top.parent, at)
		}
		if enter && len(path) > depth {
			cut = cut || n.ChildCount() > 0
			enter = false
		}
		if enter && cursor.GotoFirstChild() {
			path = append(path, level{int32(len(t.nodes) - 1), 0})
			continue
		}
		for !cursor.GotoNextSibling() {
			if !cursor.GotoParent() {
				return t, cut
			}
			path = path[:len(path)-1]
		}
	}
}

// opaque is true of a body of statements in which no import can stand.
func (g *grammar) opaque(t *tree, parent, at int32) bool {
	n := t.nodes[at]
	if parent < 0 || n.field != g.bodyID || g.bodyID == 0 {
		return false
	}
	if kind := t.nodes[parent].kind; int(kind) >= len(g.body) || !g.body[kind] {
		return false
	}
	body := t.src[n.start:n.end]
	for _, word := range g.late {
		if bytes.Contains(body, word) {
			return false
		}
	}
	return true
}

//go:build cgo

package symbols

import (
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

// parse reads a file through its C grammar. Declarations the grammar cannot
// read are tried a second time with what it is known to stumble over blanked;
// the reading that shows more is taken.
func parse(file *File, lang *language, text []byte, limits Limits) {
	if lang.mask != nil {
		text = lang.mask(text)
	}
	g := grammarOf(lang)
	if g.err != "" {
		file.addNote(g.err)
		return
	}
	if lang.skim != nil {
		if bodies := lang.skim(text, g.late); len(bodies) > 0 {
			quick := *file
			took, fits := g.readWithout(&quick, text, bodies, limits)
			if fits {
				*file = quick
				return
			}
			limits.Time = max(limits.Time-took, 1)
		}
	}
	plain := *file
	took, broken := g.read(&plain, text, limits)
	if limits.Time -= took; broken && lang.repair != nil && limits.Time > 0 {
		if repaired, changed := lang.repair(text); changed {
			second := *file
			g.read(&second, repaired, limits)
			if !second.Errors || len(second.Exports)+len(second.Members) > len(plain.Exports)+len(plain.Members) {
				plain = second
			}
		}
	}
	*file = plain
}

// readWithout reads a text whose function bodies are left out. Its answer
// counts only when it fits: the text has no errors, and what was left out is
// nothing the extractor would have looked into.
func (g *grammar) readWithout(file *File, text []byte, bodies []span, limits Limits) (took time.Duration, fits bool) {
	r := g.parse(text, without(text, bodies), limits.Time, limits.Depth)
	if r.tree == nil {
		return r.took, false
	}
	g.extract(file, r)
	return r.took, true
}

// read parses and extracts once. It says how long the parser took, and whether
// errors lie among the declarations and not only in the bodies of functions.
func (g *grammar) read(file *File, text []byte, limits Limits) (took time.Duration, broken bool) {
	r := g.parse(text, excerpt{text: text}, limits.Time, limits.Depth)
	if r.late {
		file.Errors = true
		file.addNote(endedTime)
		return r.took, false
	}
	g.extract(file, r)
	return r.took, r.broken
}

func (g *grammar) extract(file *File, r reading) {
	file.Errors = r.errors
	if r.deep {
		file.addNote("ast: partial (depth)")
	}
	g.row.extract(r.tree, newCollector(file))
}

// grammar is a language as its C parser knows it, with the names of its kinds
// and fields read once.
type grammar struct {
	language unsafe.Pointer
	err      string
	kinds    []string // by id; the last stands for text that cannot be read
	fields   []string // by id
	traits   []uint8  // by kind
	comment  []bool   // by kind
	late     [][]byte
	words    []byte // late as C reads them
	bodyID   uint16
	ready    chan unsafe.Pointer // idle parsers
	row      *language
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
	pointer := grammars[row.grammar]()
	lang := sitter.NewLanguage(pointer)
	g := &grammar{language: pointer, ready: make(chan unsafe.Pointer, 8), row: row}
	if v := lang.AbiVersion(); v < sitter.MIN_COMPATIBLE_LANGUAGE_VERSION || v > sitter.LANGUAGE_VERSION {
		g.err = "ast: grammar of another parser version"
		return g
	}
	for id := range uint16(lang.NodeKindCount()) {
		kind := lang.NodeKindForId(id)
		var traits uint8
		if !lang.NodeKindIsNamed(id) && !telling(kind) {
			traits |= skipKind
		}
		if slices.Contains(row.leaves, kind) {
			traits |= leafKind
		}
		if slices.Contains(row.bodies, kind) {
			traits |= bodyKind
		}
		g.kinds, g.traits = append(g.kinds, kind), append(g.traits, traits)
		g.comment = append(g.comment, strings.HasSuffix(kind, "comment"))
	}
	g.kinds, g.comment = append(g.kinds, "ERROR"), append(g.comment, false)
	for id := range int(lang.FieldCount()) + 1 {
		g.fields = append(g.fields, lang.FieldNameForId(uint16(id)))
	}
	g.bodyID = lang.FieldIdForName("body")
	for _, word := range row.late {
		g.late = append(g.late, []byte(word))
		g.words = append(append(g.words, word...), 0)
	}
	g.words = append(g.words, 0)
	return g
}

// telling are the tokens an extractor may ask for; punctuation is not.
func telling(token string) bool {
	return token != "" && (token[0] >= 'a' && token[0] <= 'z' || token == "*" || token == "=" || token == "}" || token == "#ifndef")
}

func (g *grammar) take() unsafe.Pointer {
	select {
	case p := <-g.ready:
		return p
	default:
		return newParser(g.language)
	}
}

func (g *grammar) give(p unsafe.Pointer) {
	select {
	case g.ready <- p:
	default:
		closeParser(p)
	}
}

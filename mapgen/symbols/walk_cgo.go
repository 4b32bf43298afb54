//go:build cgo

package symbols

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The part of the parser's interface that is used here, declared anew: its
// header lies in another module. Weak, because this file is linked alone before
// it is linked with the parser.
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id, *tree; } TSNode;
typedef struct { const void *tree, *id; uint32_t context[3]; } TSTreeCursor;
typedef struct {
	void *payload;
	const char *(*read)(void *, uint32_t, TSPoint, uint32_t *);
	int encoding;
	void *decode;
} TSInput;
typedef struct { void *payload; uint32_t at; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress)(TSParseState *); } TSParseOptions;

#define API extern __attribute__((weak))
API void *ts_parser_new(void);
API void ts_parser_delete(void *);
API bool ts_parser_set_language(void *, const void *);
API void ts_parser_reset(void *);
API void *ts_parser_parse_with_options(void *, const void *, TSInput, TSParseOptions);
API void ts_tree_delete(void *);
API TSNode ts_tree_root_node(const void *);
API bool ts_node_has_error(TSNode);
API uint16_t ts_node_symbol(TSNode);
API uint32_t ts_node_start_byte(TSNode);
API uint32_t ts_node_end_byte(TSNode);
API uint32_t ts_node_child_count(TSNode);
API TSTreeCursor ts_tree_cursor_new(TSNode);
API void ts_tree_cursor_delete(TSTreeCursor *);
API TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
API uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
API bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
API bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
API bool ts_tree_cursor_goto_parent(TSTreeCursor *);

// What is to be known of a node kind.
enum { SKIP = 1, LEAF = 2, BODY = 4 };

// Laid out as the Go side has it.
typedef struct {
	uint16_t kind, field;
	uint32_t start, end, line;
	int32_t first, next;
} node;

typedef struct {
	node *nodes;
	uint32_t count;
	long long took;  // nanoseconds of parsing
	bool late;       // it took longer than it may
	bool errors;     // somewhere in the text
	bool deep;       // something lay deeper than the limit
	bool misfit;     // a cut lies in something that was looked into
} result;

// How long the calling thread has run: unlike the clock on the wall it does not
// depend on what else the machine does, so the same file is read or given up the
// same way every time.
static long long thread_time(void) {
#ifdef CLOCK_THREAD_CPUTIME_ID
	struct timespec t;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0) return t.tv_sec * 1000000000LL + t.tv_nsec;
#endif
	struct timespec w;
	clock_gettime(CLOCK_MONOTONIC, &w);
	return w.tv_sec * 1000000000LL + w.tv_nsec;
}

typedef struct { const char *text; uint32_t size; } input;

static const char *give(void *payload, uint32_t at, TSPoint p, uint32_t *n) {
	input *in = payload;
	*n = at < in->size ? in->size - at : 0;
	return in->text + (at < in->size ? at : in->size);
}

static bool over(TSParseState *s) { return thread_time() > *(long long *)s->payload; }

// Words stand one after another, each ended by a zero byte, the last by two.
static bool holds(const char *text, uint32_t size, const char *words) {
	for (; *words; words += strlen(words) + 1)
		for (const char *at = text, *end = text + size; (at = memchr(at, *words, end - at)); at++) {
			size_t n = strlen(words);
			if ((size_t)(end - at) >= n && memcmp(at, words, n) == 0) return true;
		}
	return false;
}

typedef struct { int32_t parent, last; } level;

// A file can be nested 100,000 deep, so this never recurses.
static void walk(void *tree, const char *text, const uint8_t *traits, uint32_t kinds, uint16_t body, const char *words,
		const uint32_t *cuts, uint32_t cutsLeft, uint32_t depth, result *r) {
	uint32_t room = 256, height = 0, levels = 64;
	r->nodes = malloc(room * sizeof *r->nodes);
	level *path = malloc(levels * sizeof *path);
	path[0] = (level){-1, 0};
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	for (;;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		uint16_t kind = ts_node_symbol(n);
		bool failed = kind >= kinds, enter = false;
		if (failed) kind = kinds; // text that cannot be read
		if (failed || !(traits[kind] & SKIP)) {
			level *top = &path[height];
			uint32_t start = ts_node_start_byte(n), end = ts_node_end_byte(n);
			int32_t at = r->count++;
			if (r->count > room) r->nodes = realloc(r->nodes, (room *= 2) * sizeof *r->nodes);
			uint16_t field = ts_tree_cursor_current_field_id(&c);
			r->nodes[at] = (node){kind, field, start, end, 0, 0, 0};
			if (top->parent >= 0) {
				if (top->last) r->nodes[top->last].next = at;
				else r->nodes[top->parent].first = at;
				top->last = at;
			}
			enter = failed || !(traits[kind] & LEAF);
			if (enter && !failed && body && field == body && top->parent >= 0) {
				uint16_t above = r->nodes[top->parent].kind;
				bool out = cutsLeft && end - start == 2 && *cuts == start + 1;
				enter = above >= kinds || !(traits[above] & BODY) || !out && holds(text + start, end - start, words);
			}
			if (enter && height >= depth) {
				r->deep = r->deep || ts_node_child_count(n) > 0;
				enter = false;
			}
			if (!enter)
				for (; cutsLeft && *cuts < end; cuts++, cutsLeft--) r->misfit = r->misfit || *cuts <= start;
		}
		if (enter && ts_tree_cursor_goto_first_child(&c)) {
			if (++height == levels) path = realloc(path, (levels *= 2) * sizeof *path);
			path[height] = (level){r->count - 1, 0};
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) {
				r->misfit = r->misfit || cutsLeft;
				ts_tree_cursor_delete(&c);
				free(path);
				return;
			}
			height--;
		}
	}
}

static result read_tree(void *parser, const char *text, uint32_t size, long long limit, const uint8_t *traits, uint32_t kinds,
		uint16_t body, const char *words, const uint32_t *cuts, uint32_t cutCount, uint32_t depth) {
	result r = {0};
	input in = {text, size};
	long long start = thread_time(), end = start + limit;
	void *tree = ts_parser_parse_with_options(parser, NULL, (TSInput){&in, give, 0, NULL}, (TSParseOptions){&end, over});
	r.took = thread_time() - start;
	if (!tree) {
		ts_parser_reset(parser);
		r.late = true;
		return r;
	}
	r.errors = ts_node_has_error(ts_tree_root_node(tree));
	if (r.errors && cutCount) r.misfit = true;
	else walk(tree, text, traits, kinds, body, words, cuts, cutCount, depth, &r);
	ts_tree_delete(tree);
	return r;
}

static void *new_parser(const void *language) {
	void *p = ts_parser_new();
	ts_parser_set_language(p, language);
	return p;
}
static void delete_parser(void *p) { ts_parser_delete(p); }
*/
import "C"

import (
	"bytes"
	"time"
	"unsafe"
)

// Traits of a node kind.
const (
	skipKind = C.SKIP // punctuation
	leafKind = C.LEAF // never looked into
	bodyKind = C.BODY // its body field is statements
)

// reading is what the parser made of a text.
type reading struct {
	*tree
	took   time.Duration
	late   bool // it took longer than it may; there is no tree
	errors bool // somewhere in the text
	deep   bool // something lay deeper than the limit
	misfit bool // what was cut out of the text is looked for
}

// parse has the C parser read a text, or an excerpt of it, and takes over what
// the extractors look at: all in one call, since a call into C costs as much as
// a few nodes.
func (g *grammar) parse(text []byte, e excerpt, limit time.Duration, depth int) reading {
	parser := g.take()
	defer g.give(parser)
	cuts := make([]uint32, len(e.cuts))
	for i, c := range e.cuts {
		cuts[i] = uint32(c.at)
	}
	r := C.read_tree(parser, (*C.char)(unsafe.Pointer(unsafe.SliceData(e.text))), C.uint32_t(len(e.text)), C.longlong(limit),
		(*C.uint8_t)(&g.traits[0]), C.uint32_t(len(g.traits)), C.uint16_t(g.bodyID), (*C.char)(unsafe.Pointer(&g.words[0])),
		(*C.uint32_t)(unsafe.SliceData(cuts)), C.uint32_t(len(cuts)), C.uint32_t(depth))
	out := reading{took: time.Duration(r.took), late: bool(r.late), errors: bool(r.errors), deep: bool(r.deep), misfit: bool(r.misfit)}
	if r.nodes == nil {
		return out
	}
	defer C.free(unsafe.Pointer(r.nodes))
	if !out.misfit {
		out.tree = g.plant(text, e, unsafe.Slice((*syntax)(unsafe.Pointer(r.nodes)), int(r.count)))
	}
	return out
}

// plant makes a tree of the nodes found in an excerpt of a text.
func (g *grammar) plant(text []byte, e excerpt, nodes []syntax) *tree {
	t := &tree{src: text, kinds: g.kinds, fields: g.fields, nodes: make([]syntax, len(nodes))}
	line, counted := uint32(1), 0 // nodes come in source order
	for i, n := range nodes {
		start, end := e.original(int(n.start), int(n.end))
		line += uint32(bytes.Count(text[counted:start], newline))
		counted = start
		n.start, n.end, n.line = uint32(start), uint32(end), line
		t.nodes[i] = n
		t.broken = t.broken || int(n.kind) == len(g.traits) || start == end && i > 0
		if g.comment[n.kind] {
			t.comments = append(t.comments, span{n.start, n.end})
		}
	}
	return t
}

func newParser(language unsafe.Pointer) unsafe.Pointer { return C.new_parser(language) }
func closeParser(p unsafe.Pointer)                     { C.delete_parser(p) }

//go:build cgo

package symbols

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// whole reads a file without leaving anything out.
func whole(name string, content []byte) File {
	lang := *detect(name, content)
	lang.skim = nil
	return extract(&lang, name, content, Limits{})
}

// skims says how many bodies are left out of a file.
func skims(name, text string) int {
	lang := detect(name, nil)
	return len(lang.skim([]byte(text), grammarOf(lang).late))
}

func TestLeavingBodiesOutChangesNothing(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if lang := detect(path, content); err == nil && lang != nil && lang.skim != nil {
			seen++
			if quick, full := Extract(path, content, Limits{}), whole(path, content); !reflect.DeepEqual(quick, full) {
				t.Errorf("%s:\n%+v\nwhole:\n%+v", path, quick, full)
			}
		}
		return err
	})
	if err != nil || seen < 5 {
		t.Errorf("%d files read: %v", seen, err)
	}
}

const body = "{ const counted = new Map<string, number>(); return counted.get('a') ?? 1; }"

func TestBodiesAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"export function f(a = {}) " + body:                                                                         1,
		"export async function* f<T>(): AsyncGenerator<[T, number], void> " + body:                                  1,
		"export const f = async (a: string): Promise<{ a: string }> => " + body:                                     1,
		"export const f = x => " + body + ", g = function() " + body:                                                2,
		"class A extends mixin(B) implements C<D> { constructor(private a) " + body + "}":                           1,
		"class A { get a(): string " + body + "; static async *[Symbol.iterator]() " + body + "}":                   2,
		"describe('x', () => " + body + ");":                                                                        1,
		"export function f() { const r = /[/{]\\/{/g; return `${ { a: `}` }.a }{`.length / 2 }":                     1,
		"export function f(v) { if (v) /}/.test(v); for (const k in v) !k; return a / b }":                          1,
		"function f(a?: number, b?: string) { let c: { d?: 1; e?(): 2 }; return a ? b ? 1 : { g: 2 } : c?.d ?? 3 }": 1,
		"function f() { function g() " + body + " return g }":                                                       1,
		"function f() { function g() " + body + " return require('g') }":                                            1, // the inner one
		"export function f() { return 'import this' + 'and that' }":                                                 1,
		"exports.a = 1; export function f() { return 'import this' + 'and that' }":                                  0,
		"export interface A { f(): { a: string; b: number; c: boolean } }":                                          0,
		"type F = () => { a: string, b: Map<string, number> }":                                                      0,
		"if (a) { const counted = new Map(); counted.get('a') }":                                                    0,
		"class A { counted = new Map<string, Map<string, number>>() }":                                              0,
	} {
		if got := skims("a.ts", text); got != want {
			t.Errorf("%d bodies found, not %d: %s", got, want, text)
		}
		quick, full := Extract("a.ts", []byte(text), Limits{}), whole("a.ts", []byte(text))
		if full.Errors || !reflect.DeepEqual(quick, full) {
			t.Errorf("%s:\n%+v\nwhole:\n%+v", text, quick, full)
		}
	}
}

// A syntax error inside a body still marks the file.
func TestErrorsInBodiesAreMarked(t *testing.T) {
	for _, inside := range []string{
		"const counted = ;", "let a b;", "return 1 2;", "call(a b);", "if (a { b }", "const a = [1, 2;",
		"<<<<<<< ours\n a = 1\n=======\n a = 2\n>>>>>>> theirs", "const s = 'open", "const s = `open", "a = b +;",
		"x = 08x;", "/* open", "for (a; b; c", "else { a }}", "a..b", "const = 1", "a ? b;", "f(a ? b)", "const c = [a ? b]",
	} {
		text := "export function f() {\n  const before = 'some text';\n  " + inside + "\n}\nexport const after = 1;\n"
		quick, full := Extract("a.ts", []byte(text), Limits{}), whole("a.ts", []byte(text))
		if !full.Errors || !reflect.DeepEqual(quick, full) {
			t.Errorf("%s:\n%+v\nwhole:\n%+v", inside, quick, full)
		}
	}
}

// FuzzSkim: leaving bodies out changes nothing in a text without errors, and
// never invents one.
func FuzzSkim(f *testing.F) {
	for _, name := range []string{"ledger.ts", "bundle.js", "panel.tsx", "queue.mjs"} {
		if content, err := os.ReadFile(filepath.Join("testdata/labelled", name)); err == nil {
			f.Add(name, content)
		}
	}
	f.Add("a.ts", []byte("export function f() "+body))
	f.Add("a.js", []byte("exports.f = (a) => "+body))
	f.Add("a.tsx", []byte("export const f = () => { return <a b='c'>it's {d}</a> }"))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		lang := detect(name, content)
		if lang == nil || lang.skim == nil || len(content) > 8<<10 || strings.Count(string(content), "<") > 20 {
			return
		}
		at := 0
		for _, b := range lang.skim(content, nil) {
			if int(b.start) < at || b.end < b.start || int(b.end) > len(content) {
				t.Fatalf("spans out of order: %v", b)
			}
			at = int(b.end)
		}
		quick, full := Extract(name, content, Limits{}), whole(name, content)
		if full.Errors && !quick.Errors {
			return
		}
		if !reflect.DeepEqual(quick, full) {
			t.Errorf("%q:\n%+v\nwhole:\n%+v", content, quick, full)
		}
	})
}

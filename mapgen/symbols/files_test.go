//go:build cgo

package symbols

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

func wantNames(t *testing.T, f File, exports, members string) {
	t.Helper()
	gotExports, gotMembers := names(f)
	if got := strings.Join(gotExports, ", "); got != exports {
		t.Errorf("%s: exports %s, want %s", f.Path, got, exports)
	}
	if got := strings.Join(gotMembers, ", "); got != members {
		t.Errorf("%s: members %s, want %s", f.Path, got, members)
	}
}

func extractFile(t *testing.T, path string) File {
	t.Helper()
	content, err := os.ReadFile("testdata/shapes/" + path)
	if err != nil {
		t.Fatal(err)
	}
	return Extract(path, content, Limits{})
}

func TestTypeScriptDeclarationsOfEveryShape(t *testing.T) {
	ledger := extractFile(t, "ledger.ts")
	wantNames(t, ledger, "parseAmount, LedgerBase (default), Side, Store", "LedgerBase.post, LedgerBase.size, LedgerBase.close, Store.get")
	if got := ledger.Exports[0].Signature; got != "parseAmount(input: string): number; (input: number): number" {
		t.Errorf("overloads read as %q", got)
	}
	wantNames(t, extractFile(t, "anon.ts"), "default", "")
	wantNames(t, extractFile(t, "legacy.ts"), "Old", "")
	for name, exports := range map[string]string{"angle.ts": "cents", "generic.tsx": "id, El"} {
		f := extractFile(t, name)
		wantNames(t, f, exports, "")
		if f.Errors {
			t.Errorf("%s: read by the wrong grammar", name)
		}
	}
}

func TestGoReceiversGroupsAndUnicode(t *testing.T) {
	f := extractFile(t, "store.go")
	wantNames(t, f, "Key, Box, Store, Map, A, C, D, X, Handler, Ünïcode", "Store.Get, Key.Put, Key.Name, Box.Close, Box.Paren")
	var deps []string
	for _, i := range f.Imports {
		deps = append(deps, i.Path)
	}
	if got := strings.Join(deps, " "); got != "embed encoding/json fmt math" {
		t.Errorf("imports %s", got)
	}
	if !slices.Equal(f.Tags, []string{"linux && !cgo"}) {
		t.Errorf("tags %q", f.Tags)
	}
}

func utf16Bytes(text string, big bool) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

func TestEncodings(t *testing.T) {
	const record = "public record Ledger(int Id);\n"
	latin1 := "# -*- coding: latin-1 -*-\n# na\xefve\ndef sum_caf\xe9(x):\n    return x\nclass After:\n    pass\n"
	for _, c := range []struct {
		path, content, exports, note string
		lines                        []int
	}{
		{"bom.py", "\xef\xbb\xbfclass Ledger:\n    pass\n", "Ledger", "", []int{1}},
		{"bom.go", "\xef\xbb\xbfpackage led\n\nfunc Ledger() {}\n", "Ledger", "", []int{3}},
		{"bom.ts", "\xef\xbb\xbfexport class Ledger {}\n", "Ledger", "", []int{1}},
		{"little.cs", string(utf16Bytes(record, false)), "Ledger", "", []int{1}},
		{"big.cs", string(utf16Bytes(record, true)), "Ledger", "", []int{1}},
		{"odd.cs", "\xff\xfep\x00u", "", "", nil},
		{"latin1.py", latin1, "sum_café, After", "", []int{3, 5}},
		{"cookieless.py", latin1[strings.Index(latin1, "\n")+1:], "sum_café, After", "enc: latin-1?", []int{2, 4}},
		{"quotes.go", "package q\n\n// \x93quoted\x94\nfunc Caf\xe9() {}\n", "Café", "enc: latin-1?", []int{4}},
		{"nul.go", "package n\n\nfunc Before() {}\n\x00\x00\nfunc After() {}\n", "", "binary", nil},
		{"cr.py", "def one():\r    return 1\rdef two():\r    return 2\r", "one, two", "", []int{1, 3}},
		{"mixed.py", "@decor\r\nasync def one():\n    return 1\r\n", "one", "", []int{2}},
		{"empty.ts", "", "", "", nil},
		{"blank.ts", " \r\n\t\n", "", "", nil},
	} {
		f := Extract(c.path, []byte(c.content), Limits{})
		wantNames(t, f, c.exports, "")
		if f.Note != c.note {
			t.Errorf("%s: note %q, want %q", c.path, f.Note, c.note)
		}
		for i, e := range f.Exports {
			if i < len(c.lines) && e.Line != c.lines[i] {
				t.Errorf("%s: %s on line %d, want %d", c.path, e.Name, e.Line, c.lines[i])
			}
		}
		if text := fmt.Sprint(f); !utf8.ValidString(text) {
			t.Errorf("%s: invalid UTF-8 in %q", c.path, text)
		}
	}
}

func hexNumbers(n int, between string) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "%#x%s", uint32(i)*2654435761, between)
	}
	return b.Bytes()
}

func TestHostileFilesAreMarked(t *testing.T) {
	nested := func(open, inner, shut string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	for _, c := range []struct{ path, content, exports, note string }{
		{"table.h", string(hexNumbers(70000, ",")), "", "ast: timeout"},
		{"table.c", string(hexNumbers(90000, ",\n")), "", "ast: timeout"},
		{"line.js", strings.Repeat("var a=1;", 5<<20/8), "", "too large"},
		{"line.c", strings.Repeat("int a; ", 1<<20/6), "", "minified"},
		{"bundle.js", strings.Repeat("var a=1;", 40<<10), "", "minified"},
		{"data.json", "[" + strings.Repeat(`{"a":1},`, 10<<20/8) + "0]", "", "too large"},
		{"deep.js", "x=" + nested("(", "1", ")", 100000) + ";\nexport function afterDeep(){}\n", "afterDeep", "minified; ast: partial (depth)"},
		{"deepgen.ts", "type T = " + nested("A<", "number", ">", 3000) + ";\nexport function afterDeepGen(): void {}\n", "afterDeepGen", "ast: partial (depth)"},
		{"deep.go", "package d\nvar X = " + nested("(", "1", ")", 100000) + "\nfunc Ok() {}\n", "X, Ok", "ast: partial (depth)"},
		{"brackets.go", "package d\n" + strings.Repeat("{", 100000), "", "ast: partial (depth)"},
		{"open.cs", "type T = " + strings.Repeat("A<", 100000) + ";\npublic class After {}\n", "After", "ast: partial (depth)"},
		{"open.java", "type T = " + strings.Repeat("A<", 100000) + ";\npublic class After {}\n", "After", "ast: partial (depth)"},
		{"open.cpp", strings.Repeat("A<", 10000) + ";\nclass After {};\n", "After", "ast: partial (depth)"},
		{"deep.py", "x = " + nested("[", "1", "]", 100000) + "\n", "x", ""},
	} {
		limit := time.Minute
		if c.note == endedTime {
			limit = 300 * time.Millisecond
		}
		f := Extract(c.path, []byte(c.content), Limits{Time: limit})
		wantNames(t, f, c.exports, "")
		if f.Note != c.note {
			t.Errorf("%s: note %q, want %q", c.path, f.Note, c.note)
		}
	}
	if f := Extract("ok.c", []byte("int ok(void) { return 1; }\n"), Limits{}); len(f.Exports) != 1 || f.Errors {
		t.Errorf("a parser that timed out is not whole again: %+v", f)
	}
}

func TestSyntaxErrorsKeepWhatIsCertain(t *testing.T) {
	for _, c := range []struct{ path, content, exports string }{
		{"a.go", "package a\nfunc Before() {}\nfunc Broken( {\nfunc After() {}\n", "Before, Broken"},
		{"a.py", "def before(): pass\nclass Broken(:\n    x = 1\n)\n", "before"},
		{"a.ts", "export function before() {}\nexport const = ;\nexport class After {}\n", "before, After"},
		{"a.c", "int before(void) { return 1; }\nint broken(int { ]\n", "before"},
		{"a.java", "public class Before {}\npublic class {\n", "Before"},
	} {
		f := Extract(c.path, []byte(c.content), Limits{})
		wantNames(t, f, c.exports, "")
		if !f.Errors {
			t.Errorf("%s: errors not marked", c.path)
		}
	}
}

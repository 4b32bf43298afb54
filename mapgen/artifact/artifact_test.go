package artifact

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

const exampleIndex = `# src/auth (index)
dir: src/auth
## role
Auth layer: JWT issue and check.
## parent
- src -> src/.pi-map.index.md
## children
- src/auth/oauth -> src/auth/oauth/.pi-map.index.md | OAuth providers
## files
- tokens.ts | JWT issue and check
## links
index: src/auth/.pi-map.index.md
map: src/auth/.pi-map.md
## workflows
- change token lifetime -> tokens.ts
## dirty
-
`

const exampleMap = `# src/auth
dir: src/auth
index: src/auth/.pi-map.index.md
## role
Auth layer: JWT issue and check. Stateless. Dep: pkg/crypto, pkg/db
## files
- tokens.ts | JWT issue and check | exp: issueToken(user: User): string, verifyToken(t: string): Claims | dep: pkg/crypto/hmac, ext/jose
- middleware.ts | HTTP auth guard | exp: requireAuth, class Guard extends Base | dep: pkg/auth/tokens
## arch
Guard on routes; request -> middleware -> tokens -> db/sessions.
## tags
auth, jwt, http
## symbols
- issueToken(user: User): string | tokens.ts
## workflows
- change token lifetime -> tokens.ts, config.ts
## dirty
-
`

func TestCanonicalTextKeepsItsBytes(t *testing.T) {
	x, problems := ParseIndex([]byte(exampleIndex))
	if len(problems) > 0 || string(x.Format()) != exampleIndex {
		t.Errorf("index: problems %v, formatted:\n%s", problems, x.Format())
	}
	m, problems := ParseMap([]byte(exampleMap))
	if len(problems) > 0 || string(m.Format()) != exampleMap {
		t.Errorf("map: problems %v, formatted:\n%s", problems, m.Format())
	}
}

func TestCanonicalTextIsUnderstood(t *testing.T) {
	m, _ := ParseMap([]byte(exampleMap))
	want := File{Name: "tokens.ts", Purpose: "JWT issue and check",
		Exports: []string{"issueToken(user: User): string", "verifyToken(t: string): Claims"},
		Deps:    []string{"pkg/crypto/hmac", "ext/jose"}}
	if !reflect.DeepEqual(m.Files[0], want) {
		t.Errorf("got %+v", m.Files[0])
	}
	if !reflect.DeepEqual(m.Workflows, []Workflow{{"change token lifetime", []string{"tokens.ts", "config.ts"}}}) {
		t.Errorf("workflows %+v", m.Workflows)
	}
	x, _ := ParseIndex([]byte(exampleIndex))
	if !reflect.DeepEqual(x.Children, []Link{{"src/auth/oauth", "src/auth/oauth/.pi-map.index.md", "OAuth providers"}}) {
		t.Errorf("children %+v", x.Children)
	}
	if len(x.Dirty) != 0 || x.SelfMap != "src/auth/.pi-map.md" {
		t.Errorf("dirty %v, map %q", x.Dirty, x.SelfMap)
	}
}

// Every byte a file system allows in a name, alone, doubled and at both ends.
func TestNamesOfEveryByteComeBack(t *testing.T) {
	var names []string
	for b := 1; b < 256; b++ {
		if b == '/' {
			continue
		}
		c := string([]byte{byte(b)})
		names = append(names, c, c+c, c+"a"+c, "a"+c+"b")
	}
	names = append(names, "a -> b", "- x", "-> ", "~x", "\\n", "\\x41", "exp: a", "a | b", "# x", "## role", "\u202etxt.exe",
		"\u009b31m", "a, b", " lead", "trail ", "名前.ts", "<!-- keep -->")
	var all Map
	var allIndex Index
	for _, n := range names {
		all.Files = append(all.Files, File{Name: n, Purpose: n + "x", Exports: []string{n + "e", "f(" + n + "é)"}, Deps: []string{"pkg/" + n + "y"}, Note: n + "z"})
		all.Symbols = append(all.Symbols, Symbol{Signature: "f" + n + "x", File: n})
		all.Workflows = append(all.Workflows, Workflow{Task: "t" + n + "x", Files: []string{"f" + n + "g"}})
		allIndex.Children = append(allIndex.Children, Link{Dir: "c/" + n, Target: IndexPath("c/" + n), Role: "r" + n + "x"})
		allIndex.Files = append(allIndex.Files, File{Name: n})
	}
	for i, dir := range names {
		m := &Map{Dir: "d/" + dir, Index: IndexPath("d/" + dir), Role: "r"}
		x := &Index{Dir: m.Dir, SelfIndex: m.Index, SelfMap: MapPath(m.Dir), Role: "r"}
		if i == 0 {
			m.Files, m.Symbols, m.Workflows = all.Files, all.Symbols, all.Workflows
			x.Children, x.Files = allIndex.Children, allIndex.Files
		}
		back, problems := ParseMap(m.Format())
		if len(problems) > 0 {
			t.Fatalf("dir %q: %v", dir, problems)
		}
		if back.Dir != m.Dir || back.Index != m.Index {
			t.Fatalf("dir %q came back as %q, %q", m.Dir, back.Dir, back.Index)
		}
		compare(t, "file", m.Files, back.Files)
		compare(t, "symbol", m.Symbols, back.Symbols)
		compare(t, "workflow", m.Workflows, back.Workflows)
		xback, problems := ParseIndex(x.Format())
		if len(problems) > 0 || xback.SelfMap != x.SelfMap {
			t.Fatalf("dir %q: %v, map %q", dir, problems, xback.SelfMap)
		}
		compare(t, "child", x.Children, xback.Children)
		compare(t, "index file", x.Files, xback.Files)
		if !Valid(m.Format()) || bytes.ContainsAny(m.Format(), "\x1b\u009b\u202e\r") {
			t.Fatalf("dir %q: controls in the document", dir)
		}
	}
}

func compare[T any](t *testing.T, what string, want, got []T) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%s: %d went in, %d came back", what, len(want), len(got))
	}
	for i := range want {
		if !reflect.DeepEqual(want[i], got[i]) {
			t.Fatalf("%s %d:\nwant %#v\ngot  %#v", what, i, want[i], got[i])
		}
	}
}

func TestSignatureListsComeBack(t *testing.T) {
	for _, items := range [][]string{
		{"Map[K comparable, V any](m map[K]V) []K", "x"},
		{"f<A, B>(a: A) => B", "g"},
		{"operator<(a, b)", "operator->()", "operator<<(x, y)", "operator()"},
		{"a(", "b", "c)"},
		{"x = {1, 2", "y"},
		{"f(s: string = \",\")", "g"},
		{"-", "~guess", "class A extends B, C"},
		{"a < b", "c > d, e"},
		{"Array<Map<string, number>>", "z"},
		{`App\Http\Kernel`, `f(\x41)`},
	} {
		m := &Map{Dir: ".", Index: IndexName, Files: []File{{Name: "a", Exports: items}}}
		back, _ := ParseMap(m.Format())
		if !reflect.DeepEqual(back.Files[0].Exports, items) {
			t.Errorf("%q came back as %q from\n%s", items, back.Files[0].Exports, m.Format())
		}
	}
}

func TestUnknownSectionsStayInPlace(t *testing.T) {
	text := strings.Replace(exampleMap, "## tags\n", "## Owners\n- team a\n\n- team b\n## tags\n", 1)
	text = strings.Replace(text, "## role\n", "## notes\nfirst\n## role\n", 1)
	m, _ := ParseMap([]byte(text))
	if got := string(m.Format()); got != text {
		t.Errorf("got\n%s", got)
	}
}

func TestKeptBlocksSurviveRegeneration(t *testing.T) {
	kept := "<!-- keep -->\nOur rule:\n## not a section\n- never retry | twice\n<!-- /keep -->"
	text := strings.Replace(exampleMap, "Guard on routes", kept+"\nGuard on routes", 1)
	m, problems := ParseMap([]byte(text))
	if len(problems) > 0 || string(m.Format()) != text {
		t.Fatalf("%v\n%s", problems, m.Format())
	}
	m.SetArch("New words.\nMore.")
	got := string(m.Format())
	if !strings.Contains(got, kept+"\nNew words.\nMore.\n## tags") || strings.Contains(got, "Guard on routes;") {
		t.Errorf("got\n%s", got)
	}
	// Generated text cannot open a kept block.
	m.SetArch("See <!-- keep --> x <!-- /keep -->")
	back, _ := ParseMap(m.Format())
	if len(back.Arch) != 2 || back.ArchText() != "See <!-- keep --> x <!-- /keep -->" {
		t.Errorf("arch %+v", back.Arch)
	}
}

func TestForgivesWhatOthersWrite(t *testing.T) {
	text := "\ufeff# pkg/auth\r\ndir: pkg/auth\r\nindex: pkg/auth/.pi-map.index.md\r\n\r\n## Role\r\nAuth layer.\r\nStateless.\r\n## Files\r\n\r\n" +
		"- tokens.ts | exp: find(id): User | null, x | dep: a\r\nprose\r\n- b.ts\r\n## dirty\r\n- 2024-06-09T14:32:00Z: tokens.ts modified\r\n"
	m, problems := ParseMap([]byte(text))
	if m.Role != "Auth layer. Stateless." || len(m.Files) != 2 {
		t.Fatalf("%+v", m)
	}
	if got := m.Files[0]; got.Purpose != "" || !reflect.DeepEqual(got.Exports, []string{"find(id): User | null", "x"}) {
		t.Errorf("file %+v", got)
	}
	if !reflect.DeepEqual(m.Dirty, []string{"2024-06-09T14:32:00Z: tokens.ts modified"}) {
		t.Errorf("dirty %q", m.Dirty)
	}
	var errors int
	for _, p := range problems {
		if p.Level == "error" {
			errors++
		}
	}
	if errors != 5 { // the prose line and four missing sections
		t.Errorf("problems %v", problems)
	}
}

func FuzzMap(f *testing.F) {
	f.Add([]byte(exampleMap))
	f.Add([]byte("## files\n- a | b | exp: f<(, g\n## arch\n<!-- keep -->\n## x\n<!-- /keep --> y\n\\# z\n## files\n- -"))
	f.Add([]byte("# x\nfoo\ndir: a\n## new\n- \n##  \n## dirty\n\\x20\n- -"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, _ := ParseMap(text)
		once := m.Format()
		again, _ := ParseMap(once)
		if twice := again.Format(); !bytes.Equal(once, twice) {
			t.Fatalf("not stable:\n%q\n%q", once, twice)
		}
		if len(m.Files) != len(again.Files) {
			t.Fatalf("%d files, then %d", len(m.Files), len(again.Files))
		}
		for i := range m.Files {
			if !reflect.DeepEqual(m.Files[i], again.Files[i]) {
				t.Fatalf("file %d: %#v, then %#v", i, m.Files[i], again.Files[i])
			}
		}
		if m.Dir != again.Dir || m.Role != again.Role || !reflect.DeepEqual(m.Arch, again.Arch) {
			t.Fatalf("%q %q %#v, then %q %q %#v", m.Dir, m.Role, m.Arch, again.Dir, again.Role, again.Arch)
		}
	})
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(exampleIndex))
	f.Add([]byte("\r\r"))
	f.Add([]byte("## children\n- a -> b -> c | d\n- x\n- -> \n## links\nindex:\n## workflows\n- a->b -> c, d"))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, _ := ParseIndex(text)
		once := x.Format()
		again, _ := ParseIndex(once)
		if twice := again.Format(); !bytes.Equal(once, twice) {
			t.Fatalf("not stable:\n%q\n%q", once, twice)
		}
		if !reflect.DeepEqual(x.Children, again.Children) {
			t.Fatalf("%#v, then %#v", x.Children, again.Children)
		}
	})
}

func FuzzName(f *testing.F) {
	f.Add("tokens.ts", "issue, check(a")
	f.Add("a -> b\\", "exp: |")
	f.Fuzz(func(t *testing.T, name, signature string) {
		if name == "" || signature == "" || strings.ContainsAny(name, "/\x00") {
			return
		}
		m := &Map{Dir: ".", Index: IndexName, Files: []File{{Name: name, Exports: []string{signature, "b"}, Deps: []string{signature}}}}
		back, problems := ParseMap(m.Format())
		if len(problems) > 0 || !reflect.DeepEqual(m.Files, back.Files) {
			t.Fatalf("%v\nwant %#v\ngot  %#v\n%s", problems, m.Files, back.Files, m.Format())
		}
	})
}

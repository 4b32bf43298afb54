package symbols

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLightLanguages holds the line by line readers against files labelled by
// hand.
func TestLightLanguages(t *testing.T) {
	wants, err := filepath.Glob("testdata/light/*.want")
	if err != nil || len(wants) < 8 {
		t.Fatalf("%d labelled files, %v", len(wants), err)
	}
	for _, name := range wants {
		source := strings.TrimSuffix(name, ".want")
		content, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		labels, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file := Extract(filepath.Base(source), content, Limits{})
		if !haveGrammars && !Light(file.Language) {
			continue
		}
		got, want := lightRender(file), strings.Split(strings.TrimSpace(string(labels)), "\n")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %q\nwant %q", source, got, want)
		}
		if Light(file.Language) != (file.Note == LightNote) || file.Errors {
			t.Errorf("%s: note %q, errors %v", source, file.Note, file.Errors)
		}
	}
}

func lightRender(f File) (out []string) {
	for _, e := range f.Exports {
		line := "export " + e.Name
		if e.Default {
			line += " default"
		}
		out = append(out, line)
	}
	for _, i := range f.Imports {
		out = append(out, "import "+i.Path)
	}
	return out
}

func TestLightSignatures(t *testing.T) {
	for name, want := range map[string]string{"a.kt\nfun total(a: Int): Int = 1": "fun total(a: Int): Int = 1", "b.kt\nclass Cart {": "class Cart",
		"c.tf\nresource \"a\" \"b\" {": `resource "a" "b"`, "d.sql\nCREATE TABLE t (": "CREATE TABLE t", "e.lua\nM.f = function(a)": "M.f = function(a)"} {
		file, text, _ := strings.Cut(name, "\n")
		if got := Extract(file, []byte(text), Limits{}).Exports; len(got) != 1 || got[0].Signature != want {
			t.Errorf("%q: %+v", name, got)
		}
	}
}

func TestLightImportsAreResolved(t *testing.T) {
	r := NewResolver(NewFileSet([]string{"src/kotlin/com/shop/money/Money.kt", "src/kotlin/com/shop/cart/Cart.kt", "infra/main.tf",
		"infra/modules/network/main.tf", "lua/shop/util.lua", "lua/queue.lua", "web/Panel.vue", "web/Row.vue"},
		func(string) ([]byte, error) { return nil, fs.ErrNotExist }))
	for _, c := range []struct{ file, language, imported, want string }{
		{"src/kotlin/com/shop/cart/Cart.kt", "Kotlin", "com.shop.money.Money", "pkg/src/kotlin/com/shop/money/Money"},
		{"src/kotlin/com/shop/cart/Cart.kt", "Kotlin", "com.shop.money.*", "pkg/src/kotlin/com/shop/money"},
		{"src/kotlin/com/shop/cart/Cart.kt", "Kotlin", "kotlin.math.*", "ext/kotlin.math.*"},
		{"infra/main.tf", "Terraform", "./modules/network", "pkg/infra/modules/network"},
		{"infra/main.tf", "Terraform", "../../elsewhere", "ext/../../elsewhere"},
		{"infra/main.tf", "Terraform", "hashicorp/consul/aws", "ext/hashicorp/consul/aws"},
		{"lua/queue.lua", "Lua", "shop.util", "pkg/lua/shop/util"},
		{"lua/queue.lua", "Lua", "json", "ext/json"},
		{"web/Panel.vue", "Vue", "./Row.vue", "pkg/web/Row"},
	} {
		f := File{Path: c.file, Language: c.language, Imports: []Import{{Path: c.imported, Relative: strings.HasPrefix(c.imported, ".")}}}
		r.Resolve(&f)
		if f.Imports[0].Target != c.want {
			t.Errorf("%s in %s: %s, not %s", c.imported, c.file, f.Imports[0].Target, c.want)
		}
	}
}

func FuzzLight(f *testing.F) {
	f.Add("x.kt", "class A /* \n */ fun b() {}\n\"//\" 'x")
	f.Add("x.lua", "--[[\nfunction a()\n]] function b()")
	f.Add("x.sql", "create table [a b] (")
	f.Add("x.tf", "resource \"a\" \"b\" {\n  source = \"./x\"\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		if !Light(Language(name, nil)) {
			return
		}
		file := Extract(name, []byte(text), Limits{})
		lines := strings.Count(text, "\n") + 1
		for _, e := range file.Exports {
			if e.Line < 1 || e.Line > lines || len(e.Signature) > maxSignature || strings.Contains(e.Signature, "\n") || e.Kind == "" {
				t.Fatalf("%+v", e)
			}
		}
	})
}

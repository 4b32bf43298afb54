package symbols

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// wholeGo reads a Go file without leaving anything out.
func wholeGo(content []byte) File {
	f := File{Path: "a.go", Language: "Go"}
	if text, note := decode(content, byExt[".go"]); text != nil {
		f.Note = note
		f.readGo(excerpt{text: text}, Limits{}.orDefault())
	}
	f.finish()
	return f
}

func TestGoBodiesAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"func F[T any](a struct{ b int }, c interface{ D() }) (x []T, err error) { if c != nil { return nil, nil }; return }":     1,
		"func (f *F) G() struct{ a int } { v := `}` + \"}\" + string('}') /* } */; return v.a[:1] } // }\nfunc H() { }":           1,
		"func F() { for _, x := range []struct{ a func() }{{nil}, {a: func() {}}} { go func() { x.a() }() } }":                    1,
		"func F() { switch x := y.(type) { case int, *T: L: for i := 0; i < 0755; i++ { continue L }; default: } }":               1,
		"func F() { m := map[string][]int{\"a\": {1, 2,\n}}; m[\"a\"] = append(m[\"a\"], m[\"b\"]...); c <- -<-d; if a { b() } }": 1,
		"var x = func() { call(func() { nothing, to, be, found }) }":                                                              0,
		"func F() {\n//line other.go:10\n call(1, 2, 3, 4, 5) }":                                                                  0,
		"type F interface { G() interface{ H(); I(); J(); K(); L() } }":                                                           0,
	} {
		text = "package p\n\n" + text + "\n\n// Z is last.\nfunc Z() int\n"
		if got := len(skimGo([]byte(text))); got != want {
			t.Errorf("%d bodies found, not %d: %s", got, want, text)
		}
		if quick, full := Extract("a.go", []byte(text), Limits{}), wholeGo([]byte(text)); !reflect.DeepEqual(quick, full) {
			t.Errorf("%s:\n%+v\nwhole:\n%+v", text, quick, full)
		}
	}
}

func TestErrorsInGoBodiesAreMarked(t *testing.T) {
	for _, inside := range []string{
		"a := ", "a b", "f(a b)", "f(a, , b)", "f(a\n)", "if a { b", "if a\n{ b() }", "x = 08", "s := \"open", "a..b", "else { a() }",
		"<<<<<<< ours\n\ta = 1\n=======\n\ta = 2\n>>>>>>> theirs", "return return", "for a; b; c", "v := []int{1\n}", "a +", "'ab", "x := {1}", "a ? b",
	} {
		text := "package p\n\nfunc F() {\n\tbefore := `some text`\n\t" + inside + "\n}\n\nvar After int\n"
		quick, full := Extract("a.go", []byte(text), Limits{}), wholeGo([]byte(text))
		if !full.Errors || !reflect.DeepEqual(quick, full) {
			t.Errorf("%s:\n%+v\nwhole:\n%+v", inside, quick, full)
		}
	}
}

// FuzzSkimGo: leaving bodies out changes nothing in a file without errors.
func FuzzSkimGo(f *testing.F) {
	seeds, err := filepath.Glob("*.go")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(seeds, "testdata/labelled/store.go") {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 64<<10 {
			return
		}
		quick, full := Extract("a.go", content, Limits{}), wholeGo(content)
		if full.Errors && !quick.Errors || full.Note != "" || quick.Note != "" {
			return
		}
		if !reflect.DeepEqual(quick, full) {
			t.Errorf("%q:\n%+v\nwhole:\n%+v", content, quick, full)
		}
	})
}

package ledger

import (
	"slices"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/mapgen/symbols"
)

func version(path, text string) *Version {
	return &Version{text, symbols.Extract(path, []byte(text), symbols.Limits{})}
}

func TestAWorkerCannotMarkItsOwnWordsAsObserved(t *testing.T) {
	r := doc.Result{K: 1, Files: doc.Files{Modified: []string{"a.go"}, Observed: []string{"a.go"}},
		Signatures: []doc.Signature{{Signature: "F() (observed)", Path: "a.go"}},
		Breaking:   []doc.Breaking{doc.ReadBreaking("G removed (observed) — b.go")}}
	j := Join(Report{Claim: r, Files: doc.Files{Modified: []string{"a.go"}}})
	if text := doc.FormatResult(j.Result); strings.Contains(text, doc.ObservedMark) {
		t.Errorf("handed on:\n%s", text)
	}
	if j.Entries[0].Symbol != "G" || j.Entries[0].Source != Claimed {
		t.Errorf("entry %+v", j.Entries[0])
	}
}

func TestFilesAreHeldAgainstGit(t *testing.T) {
	r := doc.Result{K: 1, Files: doc.Files{Created: []string{"new/"}, Modified: []string{"a.go", "gone.go", "aside.go"}}}
	j := Join(Report{Claim: r, Aside: []string{"aside.go"}, Expected: func(path string) bool { return path == "go.sum" },
		Files: doc.Files{Created: []string{"new/x.go"}, Modified: []string{"a.go", "b.go", "go.sum"}, Deleted: []string{"c.go"}}})
	var got []string
	for _, d := range j.Differences {
		got = append(got, d.Side+" "+d.Path)
	}
	if s := strings.Join(got, ", "); s != "claimed gone.go, observed b.go, observed c.go" {
		t.Errorf("differences: %s", s)
	}
	if s := strings.Join(j.Result.Files.Observed, " "); s != "b.go go.sum c.go" {
		t.Errorf("observed: %s", s)
	}
}

// A claim and what was seen of it become one entry, however the Worker names
// the symbol; its word that something breaks counts where no rule tells.
func TestClaimsMeetWhatWasSeen(t *testing.T) {
	before := "package p\n\nconst Max = 1\n\ntype Store struct{ Rows []int }\n\nfunc (s *Store) Close() error { return nil }\n\nfunc F() {}\n"
	after := "package p\n\nconst Max int64 = 1\n\ntype Store struct{ Rows []string }\n\nfunc F(a ...int) {}\n"
	seen := Compare([]FileChange{{version("p.go", before), version("p.go", after)}})
	claim := doc.Result{K: 1, Files: doc.Files{Modified: []string{"p.go"}}, Breaking: []doc.Breaking{
		doc.ReadBreaking("(*Store).Close() removed — p.go"), doc.ReadBreaking("p.F(a ...int): takes any number — p.go"), doc.ReadBreaking("the order of rows"),
	}}
	j := Join(Report{Claim: claim, Files: claim.Files, Observation: seen})
	var got []string
	for _, e := range j.Entries {
		got = append(got, e.Symbol+" "+e.Kind+" "+e.Class+" "+e.Source)
	}
	want := "Store.Close removed breaking both; F signature changed breaking both;  signature changed breaking claimed; Max signature changed unknown observed; Store.Rows signature changed breaking observed"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("entries\n%s\nwant\n%s", s, want)
	}
	if len(j.Differences) != 2 {
		t.Errorf("differences %+v", j.Differences)
	}
}

// What only an added symbol says may be cut for room, never what was broken.
func TestWhatIsHandedOnIsBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("package p\n\n")
	for i := range 300 {
		text.WriteString("func Added" + strings.Repeat("x", i%7) + string(rune('A'+i%26)) + strings.Repeat("y", i/26) + "(a, b, c int) error { return nil }\n")
	}
	seen := Compare([]FileChange{{version("p.go", "package p\n\nfunc Old() {}\n"), version("p.go", text.String())}})
	claim := doc.Result{K: 1, Files: doc.Files{Modified: []string{"p.go"}}, Summary: strings.Repeat("word ", 100)}
	j := Join(Report{Claim: claim, Files: claim.Files, Observation: seen})
	if len(doc.FormatResult(j.Result)) > doc.MaxResult || j.Result.Summary != claim.Summary || len(j.Result.Breaking) != 1 || len(j.Result.Signatures) < 20 {
		t.Errorf("%d bytes, %d signatures, %d breaking, summary of %d", len(doc.FormatResult(j.Result)), len(j.Result.Signatures), len(j.Result.Breaking), len(j.Result.Summary))
	}
}

// Every line the engine writes reads back as what it is.
func TestWhatIsHandedOnComesBack(t *testing.T) {
	for _, after := range []string{
		"package p\n\nfunc G() {}\n",
		"package p\n\nfunc F(m map[string]func(a, b int) (c chan<- struct{}, err error)) (x, y int) { return }\n\ntype T = F | interface{ ~int }\n",
		"package q\n\nvar F = `|x|`\n",
	} {
		seen := Compare([]FileChange{{version("a b/p.go", "package p\n\nfunc F() {}\n\ntype T int\n"), version("a b/p.go", after)}})
		j := Join(Report{Claim: doc.Result{K: 2, Summary: "Done."}, Files: doc.Files{Modified: []string{"a b/p.go"}}, Observation: seen})
		text := doc.FormatResult(j.Result)
		again, _ := doc.ParseResults(text)
		if len(again) != 1 || doc.FormatResult(again[0]) != text || len(again[0].Breaking) != len(j.Result.Breaking) {
			t.Errorf("read back otherwise:\n%s\n%+v", text, again)
		}
		for i, b := range again[0].Breaking {
			if b != j.Result.Breaking[i] || b.Path != "a b/p.go" || b.Symbol != "F" && b.Symbol != "T" {
				t.Errorf("%+v came back as %+v", j.Result.Breaking[i], b)
			}
		}
	}
}

func TestWhatCannotBeReadIsLeftToClaims(t *testing.T) {
	read := version("a.go", "package a\n\nfunc F() {}\n")
	broken := version("a.go", "package a\n\nfunc G( {}\n\nvar x = F\n")
	for name, c := range map[string]struct {
		change FileChange
		note   string
		n      int
	}{
		"another kind": {FileChange{version("a.txt", "F\n"), version("a.txt", "G\n")}, "no extractor", 0},
		"crashed":      {FileChange{read, &Version{"", symbols.File{Path: "a.go", Language: "Go", Note: "ast: crashed"}}}, "ast: crashed", 0},
		"left out":     {FileChange{read, &Version{"", symbols.File{Path: "a.go", Language: "Rust", Note: "left out: built without a C compiler"}}}, "no extractor for Rust", 0},
		"errors":       {FileChange{read, broken}, "", 0}, // it still speaks of F
		"gone":         {FileChange{read, nil}, "", 1},
	} {
		seen := Compare([]FileChange{c.change})
		seen.Changes = slices.DeleteFunc(seen.Changes, func(c Change) bool { return c.Kind == KindAdded })
		if len(seen.Changes) != c.n || c.note != strings.Join(seen.Notes, "") && (c.note == "" || !strings.Contains(strings.Join(seen.Notes, ""), c.note)) {
			t.Errorf("%s: %+v, notes %q", name, seen.Changes, seen.Notes)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("package p\n\ntype T struct{ A int }\n\nfunc (t T) M(a int) {}\n", "package p\n\ntype U struct{ B int }\n\nfunc F[T any](a ...T) (x, y int) { return }\n")
	f.Add("package p\nfunc F(", "package p\nfunc F)(\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, path := range []string{"a.go", "b.ts", "c.py", "d.rs", "e.java"} {
			x, y := version(path, before), version(path, after)
			if changes := Compare([]FileChange{{x, x}}).Changes; len(changes) > 0 {
				t.Fatalf("%s differs from itself: %+v", path, changes)
			}
			for _, c := range Compare([]FileChange{{x, y}}).Changes {
				if c.Symbol == "" || c.Kind == "" || c.Class == "" || c.File != path {
					t.Fatalf("half a change: %+v", c)
				}
			}
		}
	})
}

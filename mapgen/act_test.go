package mapgen

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/mapgen/scan"
)

// recorded is a project whose acts are kept, and what they changed.
func recorded(t testing.TB, root, keep string, dry bool) (*Project, *[]Change) {
	t.Helper()
	var seen []Change
	return open(t, root, Options{}).With(Act{Keep: keep, Dry: dry, Changed: func(c Change) { seen = append(seen, c) }}), &seen
}

// disturb changes three files, removes one and adds one, and leaves a marker.
func disturb(t testing.TB, root string) []string {
	t.Helper()
	write(t, root, map[string]string{
		"cart/cart.go":        mixed["cart/cart.go"] + "\n// Empty tells whether nothing is in it.\nfunc (c *Cart) Empty() bool { return true }\n\nfunc More() {}\n",
		"cart/price/price.go": strings.ReplaceAll(mixed["cart/price/price.go"], "Total", "Sum"),
		"web/src/base.ts":     "/** What every page rests on. */\nexport class Base { x = 1 }\nexport const two = 2;\n",
		"fresh/in/new.go":     "// Package in is new.\npackage in\n\nfunc New() {}\n",
	})
	if err := os.Remove(filepath.Join(root, "tools/rates.py")); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, root, Options{}).MarkDirty([]string{"data"}, "somebody said so"); err != nil {
		t.Fatal(err)
	}
	return []string{"cart", "cart/price", "web/src", "fresh", "tools", "data"}
}

func TestADryActTellsExactlyWhatARealOneDoes(t *testing.T) {
	for name, do := range map[string]func(p *Project, dirs []string) error{
		"patch": func(p *Project, dirs []string) error { _, err := p.Patch(context.Background(), dirs, Auto); return err },
		"init":  func(p *Project, _ []string) error { _, err := p.Init(context.Background(), nil); return err },
		"mend":  func(p *Project, _ []string) error { _, err := p.Validate(context.Background(), true); return err },
		"mark": func(p *Project, _ []string) error {
			_, err := p.MarkDirty([]string{"cart/cart.go"}, "look again")
			return err
		},
	} {
		root := repository(t)
		initMap(t, root)
		dirs := disturb(t, root)
		before := documents(t, root)
		dry, planned := recorded(t, root, "", true)
		if err := do(dry, dirs); err != nil {
			t.Fatal(name, err)
		}
		if got := documents(t, root); !maps.Equal(got, before) {
			t.Fatalf("%s: a dry act changed %v", name, changed(before, got))
		}
		real, made := recorded(t, root, "", false)
		if err := do(real, dirs); err != nil {
			t.Fatal(name, err)
		}
		what := func(list []Change) []string {
			var out []string
			for _, c := range list {
				text := c.Diff()
				if name == "mark" {
					text = "" // the time
				}
				out = append(out, c.Dir+"\n"+text)
			}
			slices.Sort(out)
			return out
		}
		if len(*planned) == 0 {
			t.Errorf("%s: nothing was planned", name)
		}
		same(t, name, what(*planned), what(*made))
	}
}

func TestUndoBringsBackTheOldBytes(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	dirs := disturb(t, root)
	before := documents(t, root)
	states := stateOf(t, root)
	p, _ := recorded(t, root, "reconcile all", false)
	patchOf(t, p, Auto, dirs...)
	after := documents(t, root)
	if s := stateOf(t, root); s != "" {
		t.Fatalf("after the patch: %s", s)
	}
	if maps.Equal(before, after) {
		t.Fatal("the patch changed nothing")
	}
	// Another process, which knows nothing but what is on the disk.
	other, planned := recorded(t, root, "", true)
	if _, err := other.Undo(context.Background()); err != nil || len(*planned) == 0 {
		t.Fatalf("planned %v, %v", *planned, err)
	}
	if what, _, ok := other.LastKept(); !ok || what != "reconcile all" {
		t.Fatalf("kept %q", what)
	}
	diff, what, err := other.LastDiff("cart")
	if err != nil || what != "reconcile all" || !strings.Contains(diff, "+++ b/cart/.pi-map.md") || !strings.Contains(diff, "More()") {
		t.Errorf("the diff of cart (%s, %v):\n%s", what, err, diff)
	}
	undone, err := open(t, root, Options{}).Undo(context.Background())
	if err != nil || len(undone.Left) > 0 {
		t.Fatalf("%+v, %v", undone, err)
	}
	if got := documents(t, root); !maps.Equal(got, before) {
		t.Errorf("not as before: %v", changed(before, got))
	}
	if got := stateOf(t, root); got != states {
		t.Errorf("states\n%s\nwant\n%s", got, states)
	}
	if _, err := open(t, root, Options{}).Undo(context.Background()); !errors.Is(err, ErrNothingKept) {
		t.Errorf("undo once more: %v", err)
	}
	patchOf(t, open(t, root, Options{}), Auto, dirs...)
	if got := documents(t, root); !maps.Equal(got, after) {
		t.Errorf("patched again: %v", changed(after, got))
	}
	right(t, root)
}

// stateOf is what Status says, as text.
func stateOf(t testing.TB, root string) string {
	t.Helper()
	s, err := open(t, root, Options{}).Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, d := range s.Dirs {
		out += d.Dir + " " + strings.Join(d.State, ",") + "\n"
	}
	return out
}

func TestUndoLeavesWhatWasChangedSince(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	dirs := disturb(t, root)
	p, _ := recorded(t, root, "all", false)
	patchOf(t, p, Auto, dirs...)
	edit(t, root, "cart/"+scan.MapName, "## arch\n", "## arch\n<!-- keep -->mine<!-- /keep -->\n")
	mine := documents(t, root)["cart/"+scan.MapName]
	undone, err := open(t, root, Options{}).Undo(context.Background())
	if err != nil || len(undone.Left) != 1 || undone.Left[0].Path != "cart" || !slices.Contains(undone.Dirs, "web/src") {
		t.Fatalf("%+v, %v", undone, err)
	}
	if documents(t, root)["cart/"+scan.MapName] != mine {
		t.Error("what was edited since is gone")
	}
}

func TestNamesThatAreNoTextAreBroughtBackToo(t *testing.T) {
	root := repository(t)
	dir := "na\xffme \x1b[31m"
	write(t, root, map[string]string{dir + "/a\xfe.go": "package a\n\nfunc A() {}\n"})
	initMap(t, root)
	before := documents(t, root)
	write(t, root, map[string]string{dir + "/a\xfe.go": "package a\n\nfunc B() {}\n"})
	p, _ := recorded(t, root, "x", false)
	patchOf(t, p, Auto, dir)
	if maps.Equal(before, documents(t, root)) {
		t.Fatal("nothing changed")
	}
	if _, err := p.Undo(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := documents(t, root); !maps.Equal(got, before) {
		t.Errorf("%q", changed(before, got))
	}
}

func TestOnlyTheLastActsAreKept(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	for i := range 3 * keptActs {
		write(t, root, map[string]string{"cart/cart.go": mixed["cart/cart.go"] + strings.Repeat("\nfunc More"+string(rune('A'+i))+"() {}\n", 1)})
		p, _ := recorded(t, root, "patch", false)
		patchOf(t, p, Auto, "cart/cart.go")
	}
	if n := len(journals(filepath.Join(root, scan.StateDir, "map", "undo"))); n != keptActs {
		t.Errorf("%d are kept", n)
	}
}

// Wherever an act is cut off, every document is whole: as before or as after.
func TestACancelledActLeavesDocumentsWhole(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	dirs := disturb(t, root)
	before := documents(t, root)
	whole, _ := recorded(t, root, "whole", false)
	patchOf(t, whole, Auto, dirs...)
	after := documents(t, root)
	if _, err := whole.Undo(context.Background()); err != nil {
		t.Fatal(err)
	}
	for cut := 0; ; cut++ {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		reach := func() {
			if n++; n > cut {
				cancel()
			}
		}
		p := open(t, root, Options{}).With(Act{Keep: "cut", Begun: func(string) { reach() }, Changed: func(Change) { reach() }})
		_, err := p.Patch(ctx, dirs, Auto)
		cancel()
		got := documents(t, root)
		for name, text := range got {
			if text != before[name] && text != after[name] {
				t.Fatalf("cut at %d: %s is neither old nor new:\n%s", cut, name, text)
			}
		}
		if left := temporary(t, root); len(left) > 0 {
			t.Fatalf("cut at %d: left behind %v", cut, left)
		}
		if n <= cut {
			if err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(got, after) {
				t.Errorf("never cut: %v", changed(after, got))
			}
			return
		}
		// What was done is brought back, and the rest of the work gets done.
		if _, _, kept := p.LastKept(); kept {
			if _, err := p.Undo(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got := documents(t, root); !maps.Equal(got, before) {
				t.Fatalf("cut at %d and undone: %v", cut, changed(before, got))
			}
		}
	}
}

func temporary(t testing.TB, root string) []string {
	t.Helper()
	out, err := exec.Command("find", root, "-name", scan.TempPrefix+"*").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func TestEveryFindingIsMendedAlone(t *testing.T) {
	for _, c := range append(slices.Clone(breakages), obstructions...) {
		t.Run(c.name, func(t *testing.T) {
			root := repository(t)
			p, _ := initMap(t, root)
			c.breakIt(t, root)
			v, err := p.Validate(context.Background(), false)
			if err != nil || v.OK {
				t.Fatalf("%+v, %v", v, err)
			}
			for _, f := range v.Findings {
				if _, err := p.Remedy(f); err != nil {
					t.Errorf("%+v: %v", f, err)
				}
				if _, err := p.Fix(context.Background(), f); err != nil {
					t.Errorf("%+v: %v", f, err)
				}
			}
			if v, err = p.Validate(context.Background(), false); err != nil || !v.OK {
				t.Errorf("left: %+v, %v", v.Findings, err)
			}
			right(t, root)
		})
	}
}

// obstructions are things in the place of a document.
var obstructions = []struct {
	name, kind, dir, file, detail string
	breakIt                       func(t *testing.T, root string)
}{
	{"a link that leads out", KindFormat, "web", "", "leads out", func(t *testing.T, root string) {
		remove(t, root, "web/"+scan.MapName)
		if err := os.Symlink("/etc/hostname", filepath.Join(root, "web", scan.MapName)); err != nil {
			t.Fatal(err)
		}
	}},
	{"a directory", KindFormat, "web", "", "", func(t *testing.T, root string) {
		remove(t, root, "web/"+scan.IndexName)
		if err := os.Mkdir(filepath.Join(root, "web", scan.IndexName), 0o755); err != nil {
			t.Fatal(err)
		}
	}},
}

func TestWhatIsUnreadableIsMadeReadable(t *testing.T) {
	if !unprivileged(t) {
		return
	}
	root := repository(t)
	write(t, root, map[string]string{"locked/a.go": "package a\n\nfunc A() {}\n", "cart/closed.go": "package cart\n\nfunc C() {}\n"})
	p, _ := initMap(t, root)
	for _, name := range []string{"locked", "cart/closed.go"} {
		if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	v, err := p.Validate(context.Background(), false)
	if err != nil || v.Counts[KindUnreadable] == 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	for _, f := range v.Findings {
		if f.Kind != KindUnreadable {
			continue
		}
		if what, err := p.Remedy(f); err != nil || !strings.Contains(what, "let its owner read ") {
			t.Errorf("%+v: %q, %v", f, what, err)
		}
		if _, err := p.Fix(context.Background(), f); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
	right(t, root)
}

func TestASurveySaysWhy(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	disturb(t, root)
	remove(t, root, "gen/"+scan.IndexName)
	write(t, root, map[string]string{"broken/" + scan.MapName: "no map at all\n", "data/" + scan.IndexName: documents(t, root)["data/"+scan.IndexName] + "\nby hand\n"})
	s, err := open(t, root, Options{}).Survey(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]string{
		"cart":       {Stale, "cart.go changed"},
		"web/src":    {Stale, "base.ts changed"},
		"tools":      {Orphaned, "nothing is left"},
		"data":       {Dirty, "somebody said so"},
		"fresh":      {Missing, "no map yet"},
		"gen":        {Missing, ".pi-map.index.md is missing"},
		"broken":     {Broken, "a form that is not understood"},
		"cart/price": {Stale, "price.go changed"},
	}
	for _, d := range s.Dirs {
		w, ok := want[d.Dir]
		if !ok {
			continue
		}
		delete(want, d.Dir)
		if !slices.Contains(d.State, w[0]) || !strings.Contains(strings.Join(d.Why, "; "), w[1]) {
			t.Errorf("%s: %v because %q", d.Dir, d.State, d.Why)
		}
		if d.Dir == "cart" && (d.Since.IsZero() || !slices.Contains(d.Files, SurveyFile{"cart.go", d.Files[0].Size, FileChanged})) {
			t.Errorf("cart: since %v, %+v", d.Since, d.Files)
		}
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
	if !s.Exists || s.Recommend != RecommendReinit || s.Scanned.IsZero() {
		t.Errorf("%+v", s)
	}
	// It says of a directory what Status says of it.
	st, err := open(t, root, Options{}).Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range st.Dirs {
		i := slices.IndexFunc(s.Dirs, func(x SurveyDir) bool { return x.Dir == d.Dir })
		if i < 0 || len(s.Dirs[i].State) == 0 {
			t.Errorf("status has %+v", d)
		}
	}
	names, err := open(t, root, Options{}).Names(context.Background())
	if err != nil || !slices.ContainsFunc(names, func(n DirNames) bool {
		return n.Dir == "cart" && n.Files[0].Name == "cart.go" && n.Files[0].Symbols[0].At == 5
	}) {
		t.Errorf("names %+v, %v", names, err)
	}
	page, err := open(t, root, Options{}).Page("cart")
	if err != nil || page.Role == "" || len(page.Files) != 2 || page.Files[0].Symbols[0] != (Line{"struct Cart", 5}) && page.Files[0].Symbols[0].At != 5 || !bytes.Contains(page.Index, []byte("cart (index)")) {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestOtherProcessesAtWorkAreSeen(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	if list := p.Others(); len(list) > 0 {
		t.Fatalf("%v", list)
	}
	leave := p.enter("patch", "a", "b", "c", "d")
	if list := p.Others(); len(list) > 0 {
		t.Errorf("it sees itself: %v", list)
	}
	leave()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), workEnv+"="+root)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := false
	for i := 0; i < 100_000 && !seen; i++ {
		for _, w := range p.Others() {
			seen = w.PID == cmd.Process.Pid && w.What != "" && !w.Since.IsZero()
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if !seen {
		t.Error("the other process was not seen")
	}
	// A child it was just starting shares its lock until it is another program.
	list := p.Others()
	for i := 0; i < 100_000 && len(list) > 0; i++ {
		list = p.Others()
	}
	if len(list) > 0 {
		t.Errorf("seen after its death: %v", list)
	}
}

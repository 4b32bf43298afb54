package mapgen

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/mapgen/artifact"
	"growbench/mapgen/describe"
	"growbench/mapgen/scan"
)

func TestEveryDirectoryHasItsPairAndEveryFileOneBullet(t *testing.T) {
	root := repository(t)
	write(t, root, map[string]string{"untracked/new.rb": "# Sends letters to customers.\nclass Post\nend\n"})
	if err := os.MkdirAll(filepath.Join(root, "empty", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := git(t, root, "status", "--porcelain")
	p, report := initMap(t, root)
	if after := git(t, root, "status", "--porcelain"); after != before {
		t.Errorf("git status was %q, is %q", before, after)
	}
	dirs := []string{".", "broken", "cart", "cart/price", "data", "empty", "empty/deep", "gen", "logs", "tools", "untracked", "web", "web/src"}
	if report.Dirs != len(dirs) {
		t.Errorf("%d directories, want %d", report.Dirs, len(dirs))
	}
	docs := documents(t, root)
	if len(docs) != 2*len(dirs) {
		t.Errorf("%d documents for %d directories", len(docs), len(dirs))
	}
	files, _, err := p.Files(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	listed := []string{}
	for _, dir := range dirs {
		for _, f := range mapOf(t, root, dir).Files {
			listed = append(listed, scan.Join(dir, f.Name))
		}
	}
	slices.Sort(files)
	slices.Sort(listed)
	same(t, "bullets", listed, files)
	right(t, root)
}

func TestASecondInitChangesNothing(t *testing.T) {
	root := repository(t)
	if err := os.Symlink("main.go", filepath.Join(root, "start.go")); err != nil { // a file that is never read counts as known, too
		t.Fatal(err)
	}
	initMap(t, root)
	before := documents(t, root)
	times := modTimes(t, root, before)
	_, report := initMap(t, root)
	if report.Analysed != 0 || report.Changed != 0 || report.Cached != report.Files {
		t.Errorf("%+v", report)
	}
	same(t, "documents", changed(before, documents(t, root)), []string{})
	if !slices.Equal(times, modTimes(t, root, before)) {
		t.Error("documents were written again")
	}
	// Nor does one that remembers nothing.
	if err := os.RemoveAll(filepath.Join(root, scan.StateDir)); err != nil {
		t.Fatal(err)
	}
	initMap(t, root)
	p := open(t, root, Options{})
	if _, err := p.Reinit(context.Background(), "."); err != nil {
		t.Fatal(err)
	}
	same(t, "documents", changed(before, documents(t, root)), []string{})
}

func modTimes(t *testing.T, root string, docs map[string]string) []int64 {
	t.Helper()
	names := make([]string, 0, len(docs))
	for name := range docs {
		names = append(names, name)
	}
	slices.Sort(names)
	var times []int64
	for _, n := range names {
		info, err := os.Stat(filepath.Join(root, n))
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, info.ModTime().UnixNano())
	}
	return times
}

func TestTheSameTreeElsewhereGivesTheSameBytes(t *testing.T) {
	var docs []map[string]string
	for range 2 {
		root := filepath.Join(t.TempDir(), "shop")
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		git(t, root, "init", "-q")
		write(t, root, mixed)
		initMap(t, root)
		docs = append(docs, documents(t, root))
	}
	same(t, "documents", changed(docs[0], docs[1]), []string{})
}

func TestWhatTheDocumentsSay(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	m := mapOf(t, root, "cart")
	if m.Role != "Holds what a customer wants to buy" {
		t.Errorf("role %q", m.Role)
	}
	f := fileIn(t, m, "cart.go")
	same(t, "exports", f.Exports, []string{"type Cart struct", "New() *Cart"})
	same(t, "main's deps", fileIn(t, mapOf(t, root, "."), "main.go").Deps, []string{"ext/fmt", "pkg/cart"})
	if top := mapOf(t, root, "."); !strings.HasPrefix(top.Role, "A small shop that sells nothing") || !strings.HasSuffix(top.Role, ". Dep: pkg/cart") {
		t.Errorf("root's role %q", top.Role)
	}
	guard := fileIn(t, mapOf(t, root, "web/src"), "guard.ts")
	switch {
	case !grammars():
		if !strings.Contains(guard.Note, "left out") || guard.Purpose != "Refuses whoever is not logged in" {
			t.Errorf("guard.ts: %+v", guard)
		}
	case len(guard.Exports) != 2 || guard.Exports[0] != "class Guard extends Base" || !slices.Equal(guard.Deps, []string{"pkg/web/src/base"}):
		t.Errorf("guard.ts: %+v", guard)
	case guard.Purpose != "Guard: refuses whoever is not logged in":
		t.Errorf("purpose %q", guard.Purpose)
	}
	if got := fileIn(t, mapOf(t, root, "cart"), "cart_test.go").Purpose; got != "Tests of cart: empty cart has no lines" {
		t.Errorf("a test's purpose %q", got)
	}
	if half := fileIn(t, mapOf(t, root, "broken"), "half.go"); !strings.Contains(half.Note, "syntax errors") || !slices.Contains(half.Exports, "Certain()") {
		t.Errorf("half.go: %+v", half)
	}
	for dir, want := range map[string]map[string]string{
		"data": {"empty.txt": "empty", "logo.png": "binary (10 bytes)"},
		".":    {".env": "secret (environment file): content not stored"},
		"gen":  {"api.pb.go": "generated: "},
	} {
		for name, purpose := range want {
			if f := fileIn(t, mapOf(t, root, dir), name); !strings.HasPrefix(f.Purpose, purpose) || len(f.Exports) > 0 {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	if !slices.Contains(m.Tags, describe.OfflineTag) {
		t.Errorf("tags %v", m.Tags)
	}
}

func TestSecretsAreStoredNowhere(t *testing.T) {
	root := repository(t)
	token := "ghp_" + strings.Repeat("aB3x", 9)
	write(t, root, map[string]string{
		"conf/notes.txt": "The token is " + token + " and stays here.\n",
		"conf/client.py": "\"\"\"Talks to the server with " + token + ".\"\"\"\nTOKEN: str = \"" + token + "\"\ndef call(key=\"" + token + "\"):\n    pass\n",
		"conf/.env.prod": "PASSWORD=" + token + "\n",
	})
	initMap(t, root)
	m := mapOf(t, root, "conf")
	if f := fileIn(t, m, "notes.txt"); f.Purpose != "secret (github-token): content not stored" {
		t.Errorf("%+v", f)
	}
	if f := fileIn(t, m, "client.py"); !strings.Contains(f.Note, "contains a secret (github-token)") || grammars() && len(f.Exports) != 2 {
		t.Errorf("%+v", f)
	}
	for _, where := range []string{"conf", scan.StateDir, "."} {
		err := filepath.WalkDir(filepath.Join(root, where), func(full string, e os.DirEntry, err error) error {
			ours := strings.Contains(full, scan.StateDir) || scan.Ours(e.Name())
			if err != nil || e.IsDir() || !ours {
				return err
			}
			text, err := os.ReadFile(full)
			if strings.Contains(string(text), token) || strings.Contains(string(text), "hunter2") {
				t.Errorf("%s holds a secret", full)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestFilesOfEveryEncodingGiveValidDocuments(t *testing.T) {
	root := t.TempDir()
	utf16 := func(text string, big bool) string {
		var b []byte
		for _, r := range "\ufeff" + text {
			if big {
				b = append(b, byte(r>>8), byte(r))
			} else {
				b = append(b, byte(r), byte(r>>8))
			}
		}
		return string(b)
	}
	write(t, root, map[string]string{
		"bom.py": "\xef\xbb\xbfclass Ledger:\n    pass\n", "bom.go": "\xef\xbb\xbfpackage led\n\nfunc Ledger() {}\n", "bom.ts": "\xef\xbb\xbfexport class Ledger {}\n",
		"u16le.cs": utf16("public record Ledger(int Id);\n", false), "u16be.cs": utf16("public record Ledger(int Id);\n", true),
		"latin1.py": "# -*- coding: latin-1 -*-\n# na\xefve\ndef sum_caf\xe9(x):\n    return x\nclass After:\n    pass\n",
		"nul.go":    "package n\n\nfunc Before() {}\n\x00\x00\nfunc After() {}\n", "cr.py": "def one():\r    return 1\rdef two():\r    return 2\r",
		"mixed.py": "@decor\r\nasync def one():\n    return 1\r\n", "empty.ts": "", "ws.ts": " \r\n\t\n", "u16odd.cs": "\xff\xfep\x00u", "notes.txt": "na\xefve words of a file\n",
	})
	initMap(t, root)
	m := mapOf(t, root, ".")
	for name, want := range map[string][]string{
		"bom.py": {"class Ledger"}, "bom.go": {"Ledger()"}, "bom.ts": {"class Ledger"}, "u16le.cs": {"record Ledger(int Id)"}, "u16be.cs": {"record Ledger(int Id)"},
		"latin1.py": {"sum_café(x)", "class After"}, "cr.py": {"one()", "two()"}, "mixed.py": {"async one()"}, "empty.ts": nil, "ws.ts": nil, "nul.go": nil,
	} {
		if grammars() || strings.HasSuffix(name, ".go") {
			same(t, name, fileIn(t, m, name).Exports, want)
		}
	}
	for name, want := range map[string]string{"nul.go": "binary", "empty.ts": "empty", "ws.ts": "empty"} {
		if got := fileIn(t, m, name).Purpose; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, text := range documents(t, root) {
		if !artifact.Valid([]byte(text)) {
			t.Errorf("%s is not valid UTF-8", name)
		}
	}
	right(t, root)
}

func TestFilesOfEveryNameComeBack(t *testing.T) {
	root := t.TempDir()
	var want []string
	for b := 1; b < 256; b++ {
		if b == '/' {
			continue
		}
		name := "n" + string([]byte{byte(b)}) + ".go"
		want = append(want, name)
		write(t, root, map[string]string{name: "package n\n", "d" + string([]byte{byte(b)}) + "/f.txt": "some words of text\n"})
	}
	initMap(t, root)
	var got []string
	for _, f := range mapOf(t, root, ".").Files {
		got = append(got, f.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	same(t, "names", got, want)
	x, problems := artifact.ParseIndex([]byte(documents(t, root)[scan.IndexName]))
	if len(problems) > 0 || len(x.Children) != 254 {
		t.Fatalf("%d children, %v", len(x.Children), problems)
	}
	for _, c := range x.Children {
		if _, err := os.Stat(filepath.Join(root, c.Target)); err != nil {
			t.Errorf("child %q: %v", c.Dir, err)
		}
	}
	right(t, root)
}

func TestWhatPeopleWroteSurvives(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	name := filepath.Join(root, "cart", scan.MapName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	kept := "<!-- keep -->\nNever round twice.\n<!-- /keep -->\n"
	edited := strings.Replace(string(text), "## tags\n", kept+"## owners\n- team cash\n## tags\n", 1)
	write(t, root, map[string]string{"cart/" + scan.MapName: edited, "cart/more.go": "package cart\n\nfunc More() {}\n"})
	if _, err := p.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{kept, "## owners\n- team cash\n## tags", "more.go"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is gone from\n%s", want, text)
		}
	}
	v, err := p.Validate(context.Background(), false)
	if err != nil || !v.OK {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestBigDirectoriesAreSummed(t *testing.T) {
	root := t.TempDir()
	for i := range 40 {
		name := string(rune('a'+i/26)) + string(rune('a'+i%26))
		write(t, root, map[string]string{name + ".go": "package p\n\nfunc Do" + strings.ToUpper(name) + "() {}\n"})
	}
	p := open(t, root, Options{SummaryFiles: 10, SummarySymbols: 1000})
	if _, err := p.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	m := mapOf(t, root, ".")
	if len(m.Files) != 40 || !strings.HasPrefix(m.ArchText(), "Summary of 40 files with 40 exported symbols") {
		t.Errorf("%d bullets; %s", len(m.Files), m.ArchText())
	}
	p = open(t, root, Options{SummaryFiles: 1000, SummarySymbols: 5})
	if _, err := p.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if m := mapOf(t, root, "."); !strings.HasPrefix(m.ArchText(), "Summary of 40 files") {
		t.Errorf("%s", m.ArchText())
	}
}

func TestLeftoverDirectoriesGoEmptyOnesStay(t *testing.T) {
	root := repository(t)
	if err := os.MkdirAll(filepath.Join(root, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, _ := initMap(t, root)
	git(t, root, "rm", "-rqf", "cart", "web")
	s, err := p.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, d := range s.Dirs {
		states[d.Dir] = strings.Join(d.State, ",")
	}
	if states["cart/price"] != Orphaned || states["web/src"] != Orphaned || states["empty"] != "" {
		t.Errorf("states %v", states)
	}
	if _, err := p.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for dir, there := range map[string]bool{"cart": false, "web": false, "empty": true} {
		if _, err := os.Stat(filepath.Join(root, dir)); (err == nil) != there {
			t.Errorf("%s is there: %v", dir, err == nil)
		}
	}
	right(t, root)
}

func TestANewlyIgnoredDirectoryLosesItsMap(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	git(t, root, "rm", "-rq", "--cached", "tools")
	write(t, root, map[string]string{".gitignore": "*.log\n/out/\n/tools/\n"})
	v, err := p.Validate(context.Background(), true)
	if err != nil || !v.OK {
		t.Fatalf("%+v, %v", v, err)
	}
	if v.Counts[KindOrphaned] == 0 {
		t.Errorf("%v", v.Findings)
	}
	if _, err := os.Stat(filepath.Join(root, "tools", scan.MapName)); err == nil {
		t.Error("the map of an ignored directory is still there")
	}
	if _, err := os.Stat(filepath.Join(root, "tools", "rates.py")); err != nil {
		t.Error("the user's file is gone")
	}
}

func TestLinksInPlaceOfDocuments(t *testing.T) {
	root := repository(t)
	outside := t.TempDir()
	write(t, outside, map[string]string{"precious": "keep me\n"})
	write(t, root, map[string]string{"maps/cart.md": "old\n"})
	for name, to := range map[string]string{"cart/" + scan.MapName: "../maps/cart.md", "tools/" + scan.MapName: filepath.Join(outside, "precious")} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	_, report := initMap(t, root)
	text, err := os.ReadFile(filepath.Join(root, "maps", "cart.md"))
	if err != nil || !strings.Contains(string(text), "dir: cart") {
		t.Errorf("the link's target in the project: %q, %v", text, err)
	}
	if text, _ := os.ReadFile(filepath.Join(outside, "precious")); string(text) != "keep me\n" {
		t.Errorf("a file outside was written: %q", text)
	}
	if !slices.ContainsFunc(report.Skipped, func(s scan.Skip) bool { return s.Path == "tools" }) {
		t.Errorf("skipped %v", report.Skipped)
	}
}

func TestSharingLetsGitSeeTheMap(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	if _, err := p.Share(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	status := git(t, root, "status", "--porcelain")
	if !strings.Contains(status, "cart/"+scan.MapName) || strings.Contains(status, scan.StateDir) {
		t.Errorf("status %q", status)
	}
	if _, err := p.Share(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	if status := git(t, root, "status", "--porcelain"); status != "?? node_modules/\n" {
		t.Errorf("status %q", status)
	}
}

package mapgen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"growbench/mapgen/recall"
)

func TestContextNeedsAMap(t *testing.T) {
	p := open(t, repository(t), Options{})
	if _, err := p.Context(context.Background(), "cart", recall.Want{}); !errors.Is(err, ErrNoMap) {
		t.Errorf("%v", err)
	}
}

func TestContextFindsByTheMapAndByThePast(t *testing.T) {
	root := repository(t)
	write(t, root, map[string]string{"tools/rates.py": "\"\"\"Fetches exchange rates twice a day.\"\"\"\n"})
	git(t, root, "commit", "-qam", "Be kinder to the provincial bank")
	p, _ := initMap(t, root)
	for question, want := range map[string]string{"adds up and rounds": "cart/price/price.go", "provincial": "tools/rates.py", "Guard": "web/src/guard.ts"} {
		b, err := p.Context(context.Background(), question, recall.Want{})
		if err != nil || len(b.Files) == 0 || b.Files[0].Path != want || b.Dirs[0].Path != filepath.Dir(want) {
			t.Errorf("%s: %+v, %v", question, b.Answer, err)
		}
	}
}

// The same tree and past give the same text, whatever was remembered.
func TestContextIsTheSameWithAndWithoutItsMemory(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	ask := func() string {
		b, err := p.Context(context.Background(), "cart price", recall.Want{})
		if err != nil {
			t.Fatal(err)
		}
		return b.Text
	}
	history := filepath.Join(root, ".growbench/map/history")
	fresh := ask()
	if fresh != ask() {
		t.Error("another answer from what was remembered")
	}
	for i := range 3 {
		write(t, root, map[string]string{"cart/cart.go": fmt.Sprintf("package cart // %d\n", i)})
		git(t, root, "commit", "-qam", fmt.Sprintf("Price the cart, %d", i))
	}
	git(t, root, "checkout", "-q", "-b", "side", "HEAD~2")
	write(t, root, map[string]string{"data/ü \"x\".txt": "x"})
	git(t, root, "add", "-A", "data")
	git(t, root, "commit", "-qm", "Keep data")
	git(t, root, "merge", "-q", "-m", "Merge", "-")
	grown := ask()
	after := p.history(context.Background())
	if err := os.Remove(history); err != nil {
		t.Fatal(err)
	}
	if whole := p.history(context.Background()); !reflect.DeepEqual(whole, after) || len(whole) != 5 {
		t.Errorf("grown %+v\nwhole %+v", after, whole)
	}
	if again := ask(); again != grown {
		t.Errorf("grown\n%s\nwhole\n%s", grown, again)
	}
	// A history that was rewritten, and one that is damaged.
	git(t, root, "reset", "-q", "--hard", "HEAD~1")
	if got := p.history(context.Background()); len(got) != 3 && len(got) != 4 {
		t.Errorf("after a reset %+v", got)
	}
	for _, damage := range []string{"", "growbench history 1 ", "growbench history 1 0123456789012345678901234567890123456789\nx", "\x00\xff"} {
		write(t, root, map[string]string{".growbench/map/history": damage})
		if got := p.history(context.Background()); len(got) == 0 {
			t.Errorf("damaged by %q: %+v", damage, got)
		}
	}
}

func TestTheFirstCommitIsYetToCome(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, mixed)
	p, _ := initMap(t, root)
	if b, err := p.Context(context.Background(), "cart", recall.Want{}); err != nil || b.Dirs[0].Path != "cart" {
		t.Errorf("%+v, %v", b.Answer, err)
	}
	plain := t.TempDir()
	write(t, plain, mixed)
	p, _ = initMap(t, plain)
	if b, err := p.Context(context.Background(), "cart", recall.Want{}); err != nil || b.Dirs[0].Path != "cart" {
		t.Errorf("%+v, %v", b.Answer, err)
	}
}

// A project in a folder of its repository hears of its own files.
func TestHistoryOfAPartOfARepository(t *testing.T) {
	root := repository(t)
	p := open(t, filepath.Join(root, "web"), Options{})
	h := p.history(context.Background())
	if len(h) != 1 || !reflect.DeepEqual(h[0].Files, []string{"package.json", "src/base.ts", "src/guard.ts"}) {
		t.Errorf("%+v", h)
	}
}

// Asking for the history must not run what the repository configures.
func TestHistoryRunsNothing(t *testing.T) {
	root := repository(t)
	ran := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "gpg")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch '"+ran+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	signed := strings.Replace(git(t, root, "cat-file", "commit", "HEAD"), "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n", 1)
	write(t, root, map[string]string{"signed": signed})
	hash := strings.TrimSpace(git(t, root, "hash-object", "-t", "commit", "-w", "signed"))
	git(t, root, "update-ref", "HEAD", hash)
	git(t, root, "config", "log.showSignature", "true")
	git(t, root, "config", "gpg.program", script)
	git(t, root, "log", "-1")
	if _, err := os.Stat(ran); err != nil {
		t.Fatal("git would not have run it: the test shows nothing")
	}
	os.Remove(ran)
	if h := open(t, root, Options{}).history(context.Background()); len(h) != 1 {
		t.Errorf("%+v", h)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the repository's program was run")
	}
}

// Links of an index lead only to directories right below it.
func TestContextFollowsNoLinkElsewhere(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	outside := t.TempDir()
	write(t, outside, map[string]string{".pi-map.md": "# x\ndir: x\nindex: x\n## role\nelsewhere\n"})
	index := filepath.Join(root, ".pi-map.index.md")
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	evil := strings.Replace(string(text), "## children\n", "## children\n- .. -> ../.pi-map.index.md\n- . -> .pi-map.index.md\n- cart/price -> cart/price/.pi-map.index.md\n- "+outside+" -> x\n", 1)
	if err := os.WriteFile(index, []byte(evil), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := p.Recall(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, d := range s.Dirs {
		if seen[d.Path] || d.Role == "elsewhere" || strings.HasPrefix(d.Path, "..") || filepath.IsAbs(d.Path) {
			t.Errorf("directory %q", d.Path)
		}
		seen[d.Path] = true
	}
	if !seen["cart/price"] || !seen["."] {
		t.Errorf("%v", seen)
	}
}

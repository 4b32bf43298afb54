package budget_test

import (
	"context"
	"errors"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"growbench/mapgen"
	"growbench/mapgen/budget"
	"growbench/mapgen/inject"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// The standard library's sources and the extractors' samples stand for other
// people's repositories: each of their directories is one. What is injected of
// its map is counted by two tokenizers models really use.
func TestNoInjectionIsLargerThanItsBudget(t *testing.T) {
	counters := []*codec.Codec{codec.NewCl100kBase(), codec.NewO200kBase()}
	root := t.TempDir()
	repositories := copyRepositories(t, root)
	if len(repositories) < 50 {
		t.Fatalf("only %d repositories: the test shows too little", len(repositories))
	}
	pool := symbols.NewPool(symbols.PoolOptions{Workers: 2})
	defer pool.Close()
	project, err := mapgen.Open(root, mapgen.Options{Extractor: pool})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := project.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	texts, full := 0, 0
	for _, dir := range repositories {
		pairs := pairsBelow(t, root, dir)
		for _, window := range []int{4096, 32768, 200000} {
			in := inject.Plan(inject.Situation{Mode: inject.Strong, Event: inject.Start, Window: window, Percent: 15, Max: 100000, Root: &pairs[0],
				Further: func(yield func(inject.Pair) bool) {
					for _, p := range pairs[1:] {
						if !yield(p) {
							return
						}
					}
				}, Command: "growbench"})
			texts++
			if in.Used > in.Budget*3/4 {
				full++
			}
			for _, c := range counters {
				n, err := c.Count(in.Text)
				if err != nil {
					t.Fatal(err)
				}
				if n > in.Budget || n > in.Used {
					t.Errorf("%s, window %d: %d tokens by %s, %d were reckoned, the budget is %d", dir, window, n, c.GetName(), in.Used, in.Budget)
				}
			}
		}
	}
	if full < 50 {
		t.Errorf("only %d of %d texts came near their budget", full, texts)
	}
}

// Text that is not what a map holds: other scripts, code, numbers, noise.
func TestTheEstimateIsOnTheSafeSide(t *testing.T) {
	counters := []*codec.Codec{codec.NewCl100kBase(), codec.NewO200kBase()}
	for name, text := range map[string]string{
		"prose": "The quick brown fox jumps over the lazy dog, and nobody has ever asked it why. ", "German": "Donaudampfschifffahrtsgesellschaftskapitän fährt übermütig los. ",
		"Japanese": "索引は道を示し、地図は向きを教え、ソースが決める。", "Russian": "Карта ориентирует, решает исходный код. ", "Arabic": "الخريطة توجه والمصدر يقرر. ",
		"emoji": "👩‍👩‍👧‍👦🏳️‍🌈🤷🏽 ", "numbers": "3.14159265358979 0x7ffdeadbeef 2026-11-30T14:32:00Z 1,000,000 ", "code": "if (x[i] != null && !(y--)) { return `${a}->${b}`; }\n\t",
		"signature": "func (s *store) lock(ctx context.Context, dir string) (unlock func(), err error)\n", "shouting": "HTTP_STATUS_UNPROCESSABLE_ENTITY XMLHttpRequest ",
		"blanks": "                                                                     \n\n\n\t\t\t", "hash": "d4e1023f6c03a8dced50eb3db88c2217e7c1a86a ", "path": "packages/playwright-core/src/server/trace/viewer/traceViewer.ts\n",
	} {
		for _, c := range counters {
			n, err := c.Count(strings.Repeat(text, 50))
			if err != nil {
				t.Fatal(err)
			}
			if e := budget.Tokens(strings.Repeat(text, 50)); e < n {
				t.Errorf("%s: %d tokens by %s, %d by the estimate", name, n, c.GetName(), e)
			}
		}
	}
}

// copyRepositories copies small directories of sources below root.
func copyRepositories(t *testing.T, root string) (dirs []string) {
	for _, from := range []string{filepath.Join(build.Default.GOROOT, "src"), "../symbols/testdata"} {
		entries, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() && e.Name() != "testdata" && copySmall(t, filepath.Join(from, e.Name()), filepath.Join(root, e.Name())) {
				dirs = append(dirs, e.Name())
			}
		}
	}
	return dirs
}

// copySmall copies the first megabyte of a directory's sources.
func copySmall(t *testing.T, from, to string) bool {
	left := int64(1 << 20)
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil || info.Size() > 128<<10 || info.Size() > left {
			return err
		}
		left -= info.Size()
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, name)
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return left < 1<<20
}

// pairsBelow are the pairs of a directory and those below it.
func pairsBelow(t *testing.T, root, dir string) (pairs []inject.Pair) {
	err := filepath.WalkDir(filepath.Join(root, dir), func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		var texts [2]inject.Document
		for i, doc := range []string{scan.IndexName, scan.MapName} {
			text, err := os.ReadFile(filepath.Join(name, doc))
			if errors.Is(err, fs.ErrNotExist) {
				return fs.SkipDir // called as what builds leave is: the map leaves it out
			}
			if err != nil {
				return err
			}
			texts[i] = inject.Document{Path: rel + "/" + doc, Text: string(text)}
		}
		pairs = append(pairs, inject.Pair{Dir: rel, Index: texts[0], Map: texts[1]})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

package mapgen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// workEnv makes the test binary do a piece of work on a map over and over, so
// that it can be killed at it.
const workEnv = "GROWBENCH_TEST_MAP_WORK"

func TestMain(m *testing.M) {
	if root := os.Getenv(workEnv); root != "" {
		if err := workForEver(root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// workForEver flips a file between two contents and brings the map up to date
// in every way there is.
func workForEver(root string) error {
	ctx := context.Background()
	for i := 0; ; i++ {
		p, err := Open(root, Options{})
		if err != nil {
			return err
		}
		text := flip(i)
		if err := os.WriteFile(filepath.Join(root, "cart/flip.go"), []byte(text), 0o644); err != nil {
			return err
		}
		switch i % 4 {
		case 0:
			_, err = p.Init(ctx, nil)
		case 1:
			_, err = p.Patch(ctx, []string{"cart/flip.go"}, Auto)
		case 2:
			_, err = p.Validate(ctx, true)
		case 3:
			_, err = p.Reinit(ctx, ".")
		}
		if err != nil {
			return err
		}
	}
}

func flip(i int) string {
	if i%2 == 0 {
		return "package cart\n\n// Heads is up.\nfunc Heads() {}\n"
	}
	return "package cart\n\n// Tails is up, and longer.\nfunc Tails(n int) int { return n }\n"
}

// Every document is old or new at every moment, never half; nothing is left
// behind, and the next run completes.
func TestKilledAtAnyMoment(t *testing.T) {
	root := repository(t)
	whole := map[string]map[string]bool{} // documents that may be seen
	for i := range 2 {
		write(t, root, map[string]string{"cart/flip.go": flip(i)})
		initMap(t, root)
		for name, text := range documents(t, root) {
			if whole[name] == nil {
				whole[name] = map[string]bool{}
			}
			whole[name][text] = true
		}
	}
	r := rand.New(rand.NewSource(1))
	const kills = 100
	for range kills {
		cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
		cmd.Env = append(os.Environ(), workEnv+"="+root)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		end := time.AfterFunc(time.Duration(2+r.Intn(60))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		end.Stop()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() == 1 {
			t.Fatalf("the worker ended by itself: %v\n%s", err, &out)
		}
		for name, text := range documents(t, root) {
			if !whole[name][text] {
				t.Fatalf("%s is neither old nor new:\n%s", name, text)
			}
		}
	}
	initMap(t, root)
	if left, _ := filepath.Glob(filepath.Join(root, "*", scan.TempPrefix+"*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if status := git(t, root, "status", "--porcelain"); strings.Contains(status, ".pi-map") || strings.Contains(status, scan.StateDir) {
		t.Errorf("git status: %s", status)
	}
	right(t, root)
}

func TestInterruptedWorkIsKept(t *testing.T) {
	root := t.TempDir()
	for i := range 60 {
		write(t, root, map[string]string{fmt.Sprintf("d%02d/f.go", i): fmt.Sprintf("package d\n\nfunc F%d() {}\n", i)})
	}
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	p := open(t, root, Options{})
	stop := func() { once.Do(cancel) }
	// The first directory that is finished ends the run.
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for ctx.Err() == nil {
			if found, _ := filepath.Glob(filepath.Join(root, "*", scan.IndexName)); len(found) > 0 {
				stop()
			}
		}
	}()
	_, err := p.Init(ctx, nil)
	stop()
	<-watched
	if err == nil {
		// It was quicker than the watcher: all of it must be there.
		right(t, root)
		return
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	done := len(documents(t, root)) / 2
	_, report := initMap(t, root)
	if done == 0 || report.Cached == 0 {
		t.Errorf("%d directories were done, %d files were known", done, report.Cached)
	}
	right(t, root)
}

func TestSeveralProcessesAtOnce(t *testing.T) {
	root := repository(t)
	initMap(t, root)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cmd := exec.CommandContext(ctx, "/proc/self/exe")
			cmd.Env = append(os.Environ(), workEnv+"="+root)
			if out, err := cmd.CombinedOutput(); ctx.Err() == nil {
				t.Errorf("a process failed: %v\n%s", err, out)
			}
		}()
	}
	markers := 0
	for ctx.Err() == nil {
		if _, err := open(t, root, Options{}).MarkDirty([]string{"web/src/guard.ts"}, fmt.Sprintf("mark %d", markers)); err != nil {
			t.Fatal(err)
		}
		markers++
		for name, text := range documents(t, root) {
			if filepath.Base(name) == scan.MapName {
				if _, problems := artifact.ParseMap([]byte(text)); len(problems) > 0 {
					t.Fatalf("%s: %v", name, problems)
				}
			}
		}
	}
	wg.Wait()
	if markers == 0 {
		t.Fatal("nothing was marked")
	}
	initMap(t, root)
	right(t, root)
}

// A marker left while the directory is being read stays.
func TestAMarkerLeftDuringTheWorkStays(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	if _, err := p.MarkDirty([]string{"cart/cart.go"}, "before"); err != nil {
		t.Fatal(err)
	}
	e, err := p.readPair("cart")
	if err != nil {
		t.Fatal(err)
	}
	seen := e.dirty()
	if _, err := p.MarkDirty([]string{"cart/cart.go"}, "meanwhile"); err != nil {
		t.Fatal(err)
	}
	rec := p.store.get("cart")
	if err := rec.load(); err != nil {
		t.Fatal(err)
	}
	if err := p.commit(t.Context(), rec, p.compose(rec), seen); err != nil {
		t.Fatal(err)
	}
	markers, err := p.Markers(context.Background())
	if err != nil || len(markers) != 1 || !strings.HasSuffix(markers[0].Line, "meanwhile") {
		t.Errorf("%v, %v", markers, err)
	}
}

func FuzzRecord(f *testing.F) {
	r := &record{Version: "1", Dir: "a", Files: []fileRecord{{Name: "x\xff", Size: 3}}, Parts: []part{{Name: "b", Summary: summary{Role: "r", Tags: []string{"t"}}}},
		Known: []known{{Note: "n"}}}
	data, err := r.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeRecord(data)
		if err != nil || r.load() != nil {
			return
		}
		again, err := r.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeRecord(again); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}

func TestRecordsComeBack(t *testing.T) {
	p := open(t, t.TempDir(), Options{})
	r := &record{Version: "v", Dir: "odd \xff\n", At: 12345, Stamp: "s", Clean: true, Summary: summary{Role: "r|\\", Tags: []string{"a", "b"}},
		Files: []fileRecord{{Name: "x\xff\n", Size: 3, ModTime: -1, Change: 9, Link: true, Hash: [32]byte{1}}, {Name: "y", Closed: true}},
		Parts: []part{{Name: "sub", Why: "submodule"}, {Name: "z", Summary: summary{Role: "zr"}}}, Known: []known{{Note: "n"}, {InPlace: true}},
		Map: docRecord{Size: 1, ModTime: 2, Change: 3, Hash: [32]byte{7}}}
	if err := p.store.put(r); err != nil {
		t.Fatal(err)
	}
	back := p.store.get(r.Dir)
	if back == nil || back.load() != nil {
		t.Fatal("not read back")
	}
	back.body = nil
	if fmt.Sprintf("%+v", back) != fmt.Sprintf("%+v", r) {
		t.Errorf("\n%+v\n%+v", back, r)
	}
	// A damaged record is as good as none.
	name := p.store.file(r.Dir)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		broken := append([]byte(nil), data...)
		broken[at] ^= 0x20
		if err := os.WriteFile(name, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		if p.store.get(r.Dir) != nil {
			t.Fatalf("a record with byte %d flipped was taken", at)
		}
	}
}

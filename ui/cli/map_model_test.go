package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// newLibrary is a project with files in two directories, and the root.
func newLibrary(t *testing.T, files int) *place {
	p := newPlace(t)
	put(t, filepath.Join(p.repo, "go.mod"), "module library\n\ngo 1.24\n")
	for i := range files {
		dir := []string{"read", "write"}[i%2]
		put(t, filepath.Join(p.repo, dir, fmt.Sprintf("f%02d.go", i)), fmt.Sprintf("package %s\n\nfunc F%d() int { return %d }\n", dir, i, i))
	}
	p.git(p.repo, "init", "-q")
	p.git(p.repo, "add", "-A")
	p.git(p.repo, "commit", "-qm", "start")
	return p
}

// pages are the documents of the map, by path.
func (p *place) pages() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	filepath.WalkDir(p.repo, func(path string, e os.DirEntry, err error) error {
		if err == nil && (e.Name() == ".pi-map.md" || e.Name() == ".pi-map.index.md") {
			text, err := os.ReadFile(path)
			if err != nil {
				p.t.Fatal(err)
			}
			rel, _ := filepath.Rel(p.repo, path)
			out[rel] = string(text)
		}
		return nil
	})
	return out
}

func isOffline(page string) bool {
	_, tags, _ := strings.Cut(page, "## tags\n")
	tags, _, _ = strings.Cut(tags, "\n")
	return slices.Contains(strings.Split(tags, ", "), "offline")
}

func TestAModelDescribesTheMap(t *testing.T) {
	for _, kind := range []string{"ollama", "openai"} {
		t.Run(kind, func(t *testing.T) {
			p, d := newLibrary(t, 6), newDescriber(t)
			p.described(d, kind, 0)
			put(t, filepath.Join(p.repo, "read", "twin.go"), "package read\n\nfunc F0() int { return 0 }\n") // as f00.go
			put(t, filepath.Join(p.repo, "read", "empty.go"), "")
			put(t, filepath.Join(p.repo, "write", "key.go"), "package write\n\nconst key = \"AKIAIOSFODNN7EXAMPLZ\"\n")
			put(t, filepath.Join(p.repo, ".env"), "TOKEN=hunter2-very-secret\n")
			var report struct {
				Files int
				Model struct {
					Name         string
					Calls, Known int
					In           int `json:"tokens_in"`
				}
			}
			p.do("map", "init", "--llm", "teller", "--json").ends(exitOK).json(&report)
			want := []string{"./", ".pi-project-map.json", "go.mod", "read/", "read/f00.go", "read/f02.go", "read/f04.go", "write/", "write/f01.go", "write/f03.go", "write/f05.go"}
			d.mu.Lock()
			sent := strings.Join(d.asked, "\n")
			d.mu.Unlock()
			got := d.subjects()
			if i := slices.Index(got, "read/twin.go"); i >= 0 {
				got[i] = "read/f00.go" // whichever of the two came first
				slices.Sort(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("asked about %q", got)
			}
			if strings.Contains(sent, "AKIA") || strings.Contains(sent, "hunter2") {
				t.Error("a secret was sent")
			}
			if report.Model.Calls != len(want) || report.Model.Known != 1 || report.Model.In != 100*len(want) || !strings.HasPrefix(report.Model.Name, "tiny/") {
				t.Errorf("%+v", report)
			}
			pages := p.pages()
			for name, words := range map[string][]string{
				"read/.pi-map.md":        {"- f02.go | Told of read/f02.go by the model. | exp: F2() int", "## role\nTold of read/.", "Parts of read/ are told.", "telling", "- empty.go | empty"},
				"write/.pi-map.md":       {"- key.go | - | note: contains a secret"},
				".pi-map.index.md":       {"read/.pi-map.index.md | Told of read/."},
				"write/.pi-map.index.md": {"- f01.go | Told of write/f01.go by the model."},
			} {
				for _, w := range words {
					if !strings.Contains(pages[name], w) {
						t.Errorf("%s lacks %q:\n%s", name, w, pages[name])
					}
				}
			}
			for name, page := range pages {
				if isOffline(page) {
					t.Errorf("%s is marked offline:\n%s", name, page)
				}
			}
			p.do("map", "status").ends(exitOK)
			p.do("map", "validate").ends(exitOK)

			// Nothing changed; then all that was remembered is lost but the cache; then that too.
			p.do("map", "init", "--llm", "teller").ends(exitOK, "0 calls")
			if err := os.RemoveAll(filepath.Join(p.repo, ".growbench", "map")); err != nil {
				t.Fatal(err)
			}
			p.do("map", "status").ends(exitOK)
			p.do("map", "init", "--llm", "teller").ends(exitOK)
			if got := d.subjects(); len(got) > 0 {
				t.Errorf("asked again about %q", got)
			}
			samePages(t, p.pages(), pages)
			p.do("map", "reinit").ends(exitOK)
			samePages(t, p.pages(), pages)
			os.RemoveAll(filepath.Join(p.repo, ".growbench", "map"))
			p.do("map", "init").ends(exitOK)
			samePages(t, p.pages(), pages)
			p.do("map", "init", "--llm", "none").ends(exitOK)
			for name, page := range p.pages() {
				if strings.Contains(page, "Told of") || strings.HasSuffix(name, "/.pi-map.md") && !isOffline(page) {
					t.Errorf("%s is not offline:\n%s", name, page)
				}
			}
		})
	}
}

func samePages(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, page := range want {
		if got[name] != page {
			t.Errorf("%s is\n%s\nand was\n%s", name, got[name], page)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d documents, were %d", len(got), len(want))
	}
}

func TestAServerThatDiesCostsTheRestOnly(t *testing.T) {
	for _, kind := range []string{"ollama", "openai"} {
		t.Run(kind, func(t *testing.T) {
			p, d := newLibrary(t, 40), newDescriber(t)
			p.described(d, kind, 1)
			answered := map[string]int{}
			dies := func(n int, prompt string) reply {
				if len(answered) == 20 {
					return reply{text: tells(prompt), broken: n%2 == 0, status: 500 * (n % 2)}
				}
				answered[about(prompt)]++
				return reply{text: tells(prompt)}
			}
			d.will(dies)
			p.do("map", "init", "--llm", "teller").ends(exitEnvironment, "ask the model about", "is kept", "run the same again")
			d.subjects()
			mixed := 0
			for name, page := range p.pages() {
				if isOffline(page) || strings.Contains(page, "described without") {
					t.Errorf("%s was described offline:\n%s", name, page)
				}
				mixed++
			}
			if mixed > 4 { // both directories may have been done, never the root
				t.Errorf("%d documents", mixed)
			}
			d.will(func(_ int, prompt string) reply {
				answered[about(prompt)]++
				return reply{text: tells(prompt)}
			})
			p.do("map", "init", "--llm", "teller").ends(exitOK, "25 calls", "20 descriptions known")
			d.subjects()
			if len(answered) != 40+2+3 { // go.mod and the settings, and three directories
				t.Errorf("%d descriptions", len(answered))
			}
			for name, n := range answered {
				if n != 1 {
					t.Errorf("%s was described %d times", name, n)
				}
			}
			p.do("map", "status").ends(exitOK)
		})
	}
}

func TestAModelThatIsNotThereIsNamed(t *testing.T) {
	p, d := newLibrary(t, 2), newDescriber(t)
	p.described(d, "ollama", 0)
	d.Close()
	p.do("map", "init", "--llm", "teller").ends(exitEnvironment, "ask the model about", "run the same again")
	p.do("map", "init", "--llm", "nobody").ends(exitEnvironment, "nobody", "native")
	if len(p.pages()) > 0 {
		t.Error("a map was made")
	}
}

func TestInterruptedDescriptionsAreKept(t *testing.T) {
	p, d := newLibrary(t, 20), newDescriber(t)
	p.described(d, "ollama", 0)
	hung := make(chan struct{}, 100)
	answered := 0
	d.will(func(n int, prompt string) reply {
		if answered == 8 {
			hung <- struct{}{}
			return reply{hang: true}
		}
		answered++
		return reply{text: tells(prompt)}
	})
	r := p.start("map", "init", "--llm", "teller")
	for range 4 { // as many as are asked at once: what came before has arrived
		select {
		case <-hung:
		case <-time.After(patience):
			t.Fatal("the model is not asked")
		}
	}
	r.signal(syscall.SIGINT)
	r.wait().ends(exitInterrupted, "kept")
	d.will(nil)
	d.subjects()
	p.do("map", "init", "--llm", "teller").ends(exitOK)
	if n := len(d.subjects()); n != 20+2+3-8 {
		t.Errorf("%d calls", n)
	}
}

func TestWithoutTheModelItsWordsStayAndWhatIsNewIsMarked(t *testing.T) {
	p, d := newLibrary(t, 4), newDescriber(t)
	p.described(d, "ollama", 0)
	p.do("map", "init", "--llm", "teller").ends(exitOK)
	d.subjects()
	put(t, filepath.Join(p.repo, "read", "f00.go"), "package read\n\nfunc F0() int { return 42 }\n")
	put(t, filepath.Join(p.repo, "read", "new.go"), "// Package read reads.\npackage read\n")
	p.do("map", "patch", "read").ends(exitOK, "2 files are new or have changed")
	page := p.pages()["read/.pi-map.md"]
	for _, w := range []string{"Told of read/f00.go by the model. | exp: F0() int | note: described before its last change", "note: described without the model", "Told of read/f02.go", "## role\nTold of read/."} {
		if !strings.Contains(page, w) {
			t.Errorf("no %q in\n%s", w, page)
		}
	}
	p.do("map", "status").ends(exitOK)
	put(t, filepath.Join(p.repo, "read", ".pi-map.md"), strings.Replace(page, "## arch\n", "## arch\n<!-- keep -->Ask Ann.<!-- /keep -->\n", 1)+"## mine\nown words\n")
	var origins []struct {
		Section, File, Field, Origin, By string
		Earlier                          bool
	}
	p.do("map", "origin", "read", "--json").ends(exitOK).json(&origins)
	got := map[string]string{}
	for _, o := range origins {
		got[strings.TrimSpace(o.Section+" "+o.File+" "+o.Field)] = strings.TrimSpace(fmt.Sprint(o.Origin, " ", o.By, " ", o.Earlier))
	}
	for part, want := range map[string]string{"role": "model tiny/1 false", "files f00.go purpose": "model tiny/1 true", "files f02.go purpose": "model tiny/1 false",
		"files f00.go exp": "parser  false", "files new.go purpose": "offline  false", "arch  Ask Ann.": "hand  false", "mine": "hand  false", "arch  Parts of read/ are told.": "model tiny/1 false"} {
		if got[part] != want {
			t.Errorf("%s is by %q in %q", part, got[part], got)
		}
	}
	p.do("map", "origin", "read").ends(exitOK, "files f00.go purpose", "model tiny/1 (of an earlier version)")

	// The same from the workbench, and back.
	put(t, filepath.Join(p.repo, "read", "f00.go"), "package read\n\nfunc F0() int { return 43 }\n")
	put(t, filepath.Join(p.repo, "write", "f01.go"), "package write\n\nfunc F1() int { return 43 }\n")
	before := p.pages()
	p.feed("reconcile\nyes\n", "map", "--plain").ends(exitOK, "1 file is new or has changed since a model described", "map init --llm")
	if page := p.pages()["write/.pi-map.md"]; !strings.Contains(page, "Told of write/f01.go by the model. | exp: F1() int | note: described before") {
		t.Error(page)
	}
	p.do("map", "undo").ends(exitOK)
	samePages(t, p.pages(), before)
	p.do("map", "reinit").ends(exitOK, "3 files are new or have changed")

	put(t, filepath.Join(p.repo, "write", "f01.go"), "package write\n\nfunc F1() int { return 1 }\n")
	p.do("map", "patch", "write").ends(exitOK).silent("changed since")
	p.do("map", "patch", "read", "--llm", "teller").ends(exitOK, "3 calls")
	if got := d.subjects(); !slices.Equal(got, []string{"read/", "read/f00.go", "read/new.go"}) {
		t.Errorf("asked about %q", got)
	}
	if page := p.pages()["read/.pi-map.md"]; strings.Contains(page, "described") || isOffline(page) {
		t.Error(page)
	}
}

// With map.llm the model describes without being named, also from the workbench.
func TestTheConfiguredModelDescribes(t *testing.T) {
	p, d := newLibrary(t, 4), newDescriber(t)
	p.described(d, "openai", 0)
	putJSON(t, filepath.Join(p.repo, ".growbench.json"), map[string]any{"map": map[string]any{"llm": "teller"}})
	p.do("map", "init").ends(exitOK, "10 calls") // the settings are files of it too
	put(t, filepath.Join(p.repo, "read", "f00.go"), "package read\n\nfunc F0() int { return 42 }\n")
	d.subjects()
	p.do("map", "patch", "--dry-run", "read/f00.go").ends(exitOK, "described before its last change")
	if got := d.subjects(); len(got) > 0 {
		t.Errorf("a dry run asked about %q", got)
	}
	d.will(func(_ int, prompt string) reply {
		return reply{text: strings.ReplaceAll(tells(prompt), "Told", "Told anew")}
	})
	p.feed("reconcile\nyes\n", "map", "--plain").ends(exitOK, "tiny/1 will be asked", "map reconcile: done")
	if got := d.subjects(); !slices.Equal(got, []string{"read/f00.go"}) {
		t.Errorf("asked about %q", got)
	}
	if page := p.pages()["read/.pi-map.md"]; strings.Contains(page, "described before") || !strings.Contains(page, "Told anew of read/f00.go") {
		t.Error(page)
	}
	d.Close()
	put(t, filepath.Join(p.repo, "read", "f00.go"), "package read\n\nfunc F0() int { return 43 }\n")
	p.feed("reconcile\nyes\n", "map", "--plain").ends(exitOK, "error: map reconcile", "what was described is kept")
	p.do("map", "status").ends(exitProblems)
	p.do("map", "patch", "read/f00.go", "--llm", "none").ends(exitOK)
	if page := p.pages()["read/.pi-map.md"]; !isOffline(page) || strings.Contains(page, "Told of") {
		t.Error(page)
	}
}

// Ten processes describe ten copies of one project. While one asks about a
// content, no other does: each is asked about once in all.
func TestTenProcessesAskOnce(t *testing.T) {
	p, d := newLibrary(t, 12), newDescriber(t)
	p.described(d, "ollama", 0)
	var copies []string
	for i := range 10 {
		copies = append(copies, filepath.Join(p.base, fmt.Sprint("copy", i)))
		if err := os.CopyFS(copies[i], os.DirFS(p.repo)); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan said, len(copies))
	for _, dir := range copies {
		cmd := p.command("map", "init", "--llm", "teller")
		cmd.Dir = dir
		go func() { ended <- p.finish(cmd) }()
	}
	for range copies {
		(<-ended).ends(exitOK)
	}
	if got := d.subjects(); len(got) != 12+2+3 || len(slices.Compact(got)) != len(got) {
		t.Errorf("%d calls: %q", len(got), got)
	}
	text, err := os.ReadFile(p.llmCache())
	var all map[string]struct{ Purpose, Role, Model string }
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all) != 12+2+3 {
		t.Errorf("the cache is not whole: %v, %d entries", err, len(all))
	}
	for key, e := range all {
		if len(key) != 64 || e.Model != "tiny" || e.Purpose+e.Role == "" {
			t.Errorf("%s: %+v", key, e)
		}
	}
}

package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/mapgen"
	"growbench/mapgen/artifact"
)

// mapped is a Go project with a map.
func mapped(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, goProject)
	p, err := mapgen.Open(b.project.Root, mapgen.Options{})
	must(t, err)
	_, err = p.Init(context.Background(), nil)
	must(t, err)
	return b
}

// renames is a chain whose one Worker gives package size another export.
func renames(mode string) order {
	plan := doc.Plan{Tasks: []doc.PlanTask{task("sizes", 0, "size/size.go", "fresh/fresh.go")}}
	return order{plan: plan, keepMap: mode, script: steps([]step{
		{"run": "test -e size/.pi-map.md"},
		edit("size/size.go", "func Parse(text string) int {", "func Count(text string) int { return 1 }\n\nfunc Parse(text string) int {"),
		{"write": "fresh/fresh.go", "content": "package fresh\n\nfunc New() {}\n"},
		{"result": step{"status": "done", "files": step{"modified": []string{"size/size.go"}, "created": []string{"fresh/fresh.go"}}, "summary": "Done."}},
	})}
}

func document(t *testing.T, root, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(artifact.MapPath(dir))))
	must(t, err)
	return string(data)
}

// firstWord is a name up to what parts it into words.
func firstWord(name string) string {
	word, _, _ := strings.Cut(name, "-")
	return word
}

func TestRunKeepsACopyOfTheMap(t *testing.T) {
	for mode, want := range map[string]struct{ has, lacks string }{
		"":     {"Count(text string)", "size.go modified"},
		"mark": {"size.go modified", "Count(text string)"},
	} {
		b := mapped(t)
		before := document(t, b.project.Root, "size")
		s, dirs := b.run(renames(mode))
		passes(t, s, dirs)
		if got := document(t, dirs.Tree, "size"); !strings.Contains(got, want.has) || strings.Contains(got, want.lacks) {
			t.Errorf("%q: the clone's map says\n%s", mode, got)
		}
		if got, run := document(t, dirs.Tree, "."), firstWord(filepath.Base(dirs.Tree)); strings.Contains(got, run) {
			t.Errorf("%q: the clone's map calls the project %s:\n%s", mode, run, got)
		}
		if files := git(t, b.project.Root, "ls-tree", "-r", "--name-only", s.Branch); strings.Contains(files, "pi-map") || strings.Contains(files, ".growbench") {
			t.Errorf("%q: the commits hold the map:\n%s", mode, files)
		}
		if flagged := s.Worker(1).Flagged; len(flagged) != 0 {
			t.Errorf("%q: flagged %v", mode, flagged)
		}
		if document(t, b.project.Root, "size") != before {
			t.Errorf("%q: the user's map changed before the merge", mode)
		}
		_, err := Merge(context.Background(), dirs.Run, MergeOptions{Now: time.Now()})
		must(t, err)
		if got := document(t, b.project.Root, "size"); !strings.Contains(got, want.has) || strings.Contains(got, want.lacks) {
			t.Errorf("%q: after the merge the user's map says\n%s", mode, got)
		}
		if out := git(t, b.project.Root, "status", "--porcelain"); out != "" {
			t.Errorf("%q: the merge leaves %s", mode, out)
		}
	}
}

func TestMergeMarksWhatTheUserChangedSince(t *testing.T) {
	b := mapped(t)
	s, dirs := b.run(renames(""))
	passes(t, s, dirs)
	file := filepath.Join(b.project.Root, "size", ".pi-map.md")
	own := strings.Replace(document(t, b.project.Root, "size"), "## arch\n", "## arch\n<!-- keep -->mine<!-- /keep -->\n", 1)
	must(t, os.WriteFile(file, []byte(own), 0o644))
	_, err := Merge(context.Background(), dirs.Run, MergeOptions{Now: time.Now()})
	must(t, err)
	if got := document(t, b.project.Root, "size"); !strings.Contains(got, "mine") || !strings.Contains(got, "size.go modified") || strings.Contains(got, "Count(text") {
		t.Errorf("the user's document became\n%s", got)
	}
	if got := document(t, b.project.Root, "fresh"); !strings.Contains(got, "New()") {
		t.Errorf("the new directory's document is\n%s", got)
	}
}

func TestMapIsLeftOutAsAskedOrWhereThereIsNone(t *testing.T) {
	b := mapped(t)
	o := renames("off")
	o.script = steps([]step{{"run": "test ! -e size/.pi-map.md"}, result(nil)})
	s, dirs := b.run(o)
	passes(t, s, dirs)
	b = newBench(t, goProject)
	o.keepMap = ""
	s, dirs = b.run(o)
	passes(t, s, dirs)
	events, _, err := event.Read(filepath.Join(dirs.Run, fileEvents))
	must(t, err)
	for _, e := range events {
		if m, ok := e.Body.(event.MapKept); ok {
			t.Errorf("without a map: %+v", m)
		}
	}
}

// A map the project commits comes with the base; nothing of it becomes a
// Worker's change.
func TestSharedMapIsNoWorkersChange(t *testing.T) {
	b := mapped(t)
	p, err := mapgen.Open(b.project.Root, mapgen.Options{})
	must(t, err)
	_, err = p.Share(context.Background(), true)
	must(t, err)
	git(t, b.project.Root, "add", "-A")
	git(t, b.project.Root, "commit", "-qm", "map")
	o := renames("")
	o.plan.Tasks = append(o.plan.Tasks, task("docs", 1, "docs/readme.md"))
	o.script = steps(o.script.(map[string]any)["workers"].([]map[string]any)[0]["steps"].([]map[string]any),
		[]step{edit("docs/readme.md", "nothing", "something"), result([]string{"docs/readme.md"})})
	s, dirs := b.run(o)
	passes(t, s, dirs)
	if out := git(t, b.project.Root, "diff", "--name-only", "main", s.Branch); out != "docs/readme.md\nfresh/fresh.go\nsize/size.go" {
		t.Errorf("the chain changed\n%s", out)
	}
}

// What an agent puts in the place of the map is not written through.
func TestMapIsNotWrittenThroughAnAgentsLinks(t *testing.T) {
	b := mapped(t)
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, ".pi-map.md"), []byte(document(t, b.project.Root, "size")), 0o644))
	o := renames("")
	o.script = steps([]step{
		{"run": "rm -rf .growbench size && ln -s " + outside + " .growbench && ln -s " + outside + " size"},
		{"result": step{"status": "done", "files": step{"modified": []string{"size/size.go"}}, "summary": "Done."}},
	})
	s, dirs := b.run(o)
	if s.Worker(1).State != event.Done {
		t.Fatalf("%s: %s\n%s", s.Status, s.Reason, ownerLog(dirs))
	}
	entries, err := os.ReadDir(outside)
	must(t, err)
	data, err := os.ReadFile(filepath.Join(outside, ".pi-map.md"))
	must(t, err)
	if len(entries) != 1 || strings.Contains(string(data), "modified") {
		t.Errorf("outside became %v:\n%s", entries, data)
	}
}

package giver

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"growbench/mapgen"
)

// The map answers what a question is about, within its budget; without a map
// that is said, with what to do.
func TestTheMapIsSearched(t *testing.T) {
	p := newPlace(t)
	for i := range 60 {
		put(t, filepath.Join(p.project.Root, fmt.Sprintf("units%d/units.go", i)), fmt.Sprintf("// Package units%d knows the units of a size.\npackage units%d\n\nfunc ReadUnit%d(text string) int { return 0 }\n", i, i, i))
	}
	p.window = 16 << 10
	p.server.Will(calls(toolContext, map[string]any{"question": "read unit 7"}), says("There is no map."))
	s := p.open()
	returned := bodies[Returned](s.says("Where are units read?"))
	if r := returned[0]; !strings.Contains(r.Error, "growbench map init") {
		t.Fatalf("%+v", r)
	}
	project, err := mapgen.Open(p.project.Root, mapgen.Options{})
	must(t, err)
	if _, err := project.Init(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	p.server.Will(calls(toolContext, map[string]any{"question": "ReadUnit7"}), says("In units7."))
	returned = bodies[Returned](s.says("And now?"))
	r := returned[1]
	if r.Error != "" || !strings.Contains(r.Text, "units7/units.go") {
		t.Fatalf("%+v", r)
	}
	if budget := p.window * 15 / 100; float64(len(r.Text)) > float64(budget)*bytesAToken*1.5 {
		t.Errorf("%d bytes for a budget of %d tokens", len(r.Text), budget)
	}
	p.server.Will(calls(toolContext, map[string]any{"question": " "}), says("Nothing."))
	if r := bodies[Returned](s.says("Once more"))[2]; r.Error == "" {
		t.Error("an empty question was answered")
	}
}

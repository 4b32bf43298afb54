package giver

import (
	"path/filepath"
	"strings"
	"testing"

	"growbench/mapgen"
)

// The map is before the model in every request, once and as it is on disk; the
// operator is told which documents, and without a map how to make one.
func TestTheMapIsBeforeTheModel(t *testing.T) {
	p := newPlace(t)
	p.window = 32 << 10
	root := p.project.Root
	put(t, filepath.Join(root, "units/units.go"), "// Package units knows the units of a size.\npackage units\n\nfunc ReadUnit(text string) int { return 0 }\n")
	p.server.Will(says("Hello."))
	s := p.open()
	if hint := s.MapHint(); !strings.Contains(hint, "growbench map init") {
		t.Errorf("without a map: %q", hint)
	}
	if l := s.says("Where does ReadUnit stand?"); len(bodies[Mapped](l)) != 0 {
		t.Error(transcript(l.State))
	}

	project, err := mapgen.Open(root, mapgen.Options{})
	must(t, err)
	if _, err := project.Init(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if hint := s.MapHint(); hint != "" {
		t.Errorf("with a map: %q", hint)
	}
	given := func(words string) (system string, told []Mapped) {
		t.Helper()
		p.server.Will(says("Yes."))
		l := s.says(words)
		sent := p.server.Last()
		for _, m := range sent.Messages[1:] {
			if strings.Contains(m.Content, "ReadUnit(") {
				t.Errorf("the map stands in a message: %s", m.Content)
			}
		}
		return sent.Messages[0].Content, bodies[Mapped](l)
	}
	for range 2 {
		system, told := given("And now?")
		if n := strings.Count(system, "Project map: the root pair"); n != 1 || !strings.Contains(system, "ReadUnit(") {
			t.Errorf("%d times:\n%s", n, system)
		}
		for _, tool := range []string{toolReadMap, toolContext, toolScout} {
			if !strings.Contains(system, "`"+tool+"`") {
				t.Errorf("the map's head does not name %s", tool)
			}
		}
		if strings.Contains(system, "growbench map") {
			t.Errorf("the Giver is told of commands, and has no shell:\n%s", system)
		}
		if len(told) != 1 || told[0].Tokens == 0 || told[0].Tokens > int(p.window)*15/100 || len(told[0].Paths) < 2 {
			t.Errorf("told: %+v", told)
		}
	}

	put(t, filepath.Join(root, "lengths.go"), "package sizes\n\nfunc ReadLength(text string) int { return 0 }\n")
	if _, err := project.Init(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	system, told := given("What is new?")
	if !strings.Contains(system, "ReadLength(") || len(told) != 2 {
		t.Errorf("a changed map: told %d times\n%s", len(told), system)
	}
	put(t, filepath.Join(root, mapgen.ConfigName), `{"promptInjectionMode": "off"}`)
	system, told = given("And off?")
	if strings.Contains(system, "ReadLength(") || len(told) != 3 || !strings.Contains(told[2].Words(), "nothing") {
		t.Errorf("switched off: %+v\n%s", told, system)
	}
	must(t, s.Close())
	s = p.open()
	if _, told = given("Still?"); len(told) != 3 {
		t.Errorf("told again after a restart: %+v", told)
	}
}

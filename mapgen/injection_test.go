package mapgen

import (
	"context"
	"strings"
	"testing"

	"growbench/mapgen/inject"
)

func mapsIn(in inject.Injection) string {
	var dirs []string
	for _, b := range in.Blocks {
		if dir, ok := strings.CutSuffix("./"+b.Path, "/.pi-map.md"); ok {
			dirs = append(dirs, strings.TrimPrefix(dir, "./"))
		}
	}
	return strings.Join(dirs, " ")
}

func TestWhatATurnIsAboutComesFirst(t *testing.T) {
	root := repository(t)
	p := open(t, root, Options{})
	ctx, c := context.Background(), DefaultConfig()
	in, err := p.Inject(ctx, c, Turn{Event: inject.Start, Command: "growbench"})
	if err != nil || in.Text != "" || !strings.Contains(in.Hint, "map init") {
		t.Fatalf("before init: %+v, %v", in, err)
	}
	if _, err := p.Init(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if in, err = p.Inject(ctx, c, Turn{Event: inject.Edit, Paths: []string{"cart/price/price.go"}, Query: "exchange rates"}); err != nil || !strings.HasPrefix(mapsIn(in), ". cart/price cart tools") {
		t.Errorf("%s, %v", mapsIn(in), err)
	}
	// With the budget of a small model the order decides what is left out.
	if in, err = p.Inject(ctx, c, Turn{Event: inject.Edit, Window: 16000, Paths: []string{"web/src/guard.ts"}}); err != nil || !strings.HasPrefix(mapsIn(in), ". web/src") || in.Used > 2400 {
		t.Errorf("%s, %d tokens, %v", mapsIn(in), in.Used, err)
	}
	// The file that changed the root pair changes what is in the context.
	seen := inject.NewSeen([]string{in.Text}, nil)
	if in, err = p.Inject(ctx, c, Turn{Event: inject.Change, Window: 16000, Seen: seen}); err != nil || strings.Contains(in.Text, "root pair") {
		t.Errorf("nothing changed: %s, %v", mapsIn(in), err)
	}
	write(t, root, map[string]string{"extra.go": "// Package main has more.\npackage main\n\nfunc Extra() {}\n"})
	if _, err := p.Patch(ctx, []string{"extra.go"}, Auto); err != nil {
		t.Fatal(err)
	}
	if in, err = p.Inject(ctx, c, Turn{Event: inject.Change, Window: 16000, Seen: seen}); err != nil || !strings.HasPrefix(mapsIn(in), ".") || !strings.Contains(in.Text, "Extra()") {
		t.Errorf("%s, %v", mapsIn(in), err)
	}
	c.PromptInjectionMode = "off"
	if in, err = p.Inject(ctx, c, Turn{Event: inject.Start}); err != nil || in.Text+in.Hint != "" {
		t.Errorf("off: %+v, %v", in, err)
	}
}

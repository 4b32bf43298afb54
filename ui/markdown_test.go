package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/theme"
)

func TestSignaturesAreRenderedAsTheyAre(t *testing.T) {
	results := doc.FormatResults([]doc.Result{{
		K:     1,
		Files: doc.Files{Created: []string{"a_b_/__init__.py", "x*y*.go"}},
		Signatures: []doc.Signature{
			{Signature: "func (a *A) Map[T any](b *B, f func(<-chan T) *U) map[string]*T", Path: "a.go"},
			{Signature: "__call__(self, *args, **kwargs) -> `x` | None & 1 ~~no~~ \\d", Path: "b.py"},
		},
		Breaking: []doc.Breaking{{Text: "A.*b* → A.c (renamed) — a.go"}},
		Summary:  "It *works*.",
	}})
	look, err := theme.New(theme.None, nil)
	if err != nil {
		t.Fatal(err)
	}
	rendered := ansi.Strip(strings.Join(renderMarkdown(renderKey{results, 100, 0}, look), "\n"))
	for _, want := range []string{
		"a_b_/__init__.py, x*y*.go", "• func (a *A) Map[T any](b *B, f func(<-chan T) *U) map[string]*T — a.go\n",
		"• __call__(self, *args, **kwargs) -> `x` | None & 1 ~~no~~ \\d — b.py\n", "• A.*b* → A.c (renamed) — a.go", "It *works*.",
	} {
		if !strings.Contains(rendered+"\n", want) {
			t.Errorf("%q is missing in\n%s", want, rendered)
		}
	}
}

func TestARenderingIsPaintedAsSoonAsItIsThere(t *testing.T) {
	look, err := theme.New(theme.None, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), Options{Source: newFeed(t.TempDir()), Theme: theme.None, Clock: func() time.Time { return noon }}, look)
	m.update(tea.WindowSizeMsg{Width: 160, Height: 48})
	m.update(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: recorded(t, "working"), OwnerAlive: true}})
	plain, rendered := "- created: size/size.go", "• created: size/size.go"
	m.update(tea.WindowSizeMsg{Width: 159, Height: 48})
	if !strings.Contains(m.frame, plain) {
		t.Error("the first frame is not plain text")
	}
	m.paper.busy = false // what was begun for the other width is of no use
	m.update(m.render()().(renderedMsg))
	if !strings.Contains(m.frame, rendered) {
		t.Errorf("the frame is not rendered:\n%s", m.frame)
	}
	m.update(tea.WindowSizeMsg{Width: 120, Height: 48})
	m.update(tea.WindowSizeMsg{Width: 159, Height: 48})
	if !strings.Contains(m.frame, rendered) {
		t.Error("a rendering that is there already was not used at once")
	}
}

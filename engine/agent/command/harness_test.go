package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/testdata/fixture"
)

// heard is all that an agent said.
type heard struct {
	mu      sync.Mutex
	items   []event.Item
	used    agent.Usage
	turns   int
	updates int
}

func (h *heard) hear(u agent.Update) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.updates++
	if u.Item.Kind != "" {
		h.items = append(h.items, u.Item)
	}
	h.turns = max(h.turns, u.Item.Turn)
	if u.Usage != nil {
		h.used.In += u.Usage.In
		h.used.Out += u.Usage.Out
		h.used.Cached += u.Usage.Cached
		h.used.Cost += u.Usage.Cost
	}
}

func (h *heard) text(kind string) string {
	var b strings.Builder
	for _, it := range h.items {
		if it.Kind == kind {
			b.WriteString(it.Text)
		}
	}
	return b.String()
}

func (h *heard) of(kind string) []event.Item {
	var out []event.Item
	for _, it := range h.items {
		if it.Kind == kind {
			out = append(out, it)
		}
	}
	return out
}

var write = fixture.Put

// project is a clone as a Worker finds it.
func project(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), "one\n")
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/growbench\n")
	for _, sub := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func request(t testing.TB, dir string) agent.Request {
	t.Helper()
	return agent.Request{Role: agent.Worker, K: 1, Attempt: 1, Prompt: "Make made.txt. End with a RESULT.",
		Dir: dir, Env: workspace.Environment(), OutputDir: t.TempDir()}
}

func run(t testing.TB, ctx context.Context, o Options, req agent.Request) (agent.Outcome, *heard, error) {
	t.Helper()
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	h := &heard{}
	out, err := a.Run(ctx, req, h.hear)
	return out, h, err
}

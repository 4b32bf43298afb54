package ui

import (
	"slices"
	"testing"
)

func TestAnEditorIsToldOfTheLine(t *testing.T) {
	for _, c := range []struct {
		editor string
		line   int
		want   []string
	}{
		{"/usr/bin/vim", 12, []string{"+12", "a b.go"}},
		{"nano", 1, []string{"+1", "a b.go"}},
		{"hx", 7, []string{"a b.go:7"}},
		{"/opt/code", 7, []string{"--goto", "a b.go:7"}},
		{"vim", 0, []string{"a b.go"}},
		{"my-own-editor", 12, []string{"a b.go"}},
	} {
		if got := placeIn(c.editor, "a b.go", c.line); !slices.Equal(got, c.want) {
			t.Errorf("%s at %d: %q, want %q", c.editor, c.line, got, c.want)
		}
	}
}

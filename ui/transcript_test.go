package ui

import (
	"os"
	"path/filepath"
	"testing"

	"growbench/engine/event"
	"growbench/views"
)

// transcribe writes items to the transcript of the agent that is shown and
// hands in all of its pages.
func transcribe(t testing.TB, m *model, items []event.Item) {
	t.Helper()
	path := event.TranscriptPath(m.o.Source.Dir(), m.follow.agent)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := event.OpenTranscript(m.o.Source.Dir(), m.follow.agent, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Write(items...); err != nil {
		t.Fatal(err)
	}
	size, err := m.follow.pages.Size()
	if err != nil {
		t.Fatal(err)
	}
	var sheets []*views.Sheet
	for n := range event.PageCount(size) {
		more, err := readSheets(m.follow.pages, []int{n})
		if err != nil {
			t.Fatal(err)
		}
		sheets = append(sheets, more...)
	}
	m.board.transcript.Grow(event.PageCount(size))
	m.board.transcript.Put(sheets...)
}

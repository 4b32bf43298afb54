package giver

import (
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/testdata/ollama/ollamatest"
)

// The same over the wire, with a real server where tests have one.
func TestServerDraftsTask0(t *testing.T) {
	p := newPlace(t)
	p.server.Will(task0(map[string]any{"background": "Then run `go test ./...`."}), task0(), says("Task 0 is drafted and waits for you.\n"))
	o := p.options()
	if ollamatest.Real() {
		o.Client = client(t, ollamatest.Start(t, "llama").URL, 32<<10)
	}
	s := p.start(o)
	l := s.says("Write sizes into three files. <|say:task0|>")
	drafts := bodies[Drafted](l)
	if len(drafts) != 2 || !doc.HasErrors(drafts[0].Problems) || doc.HasErrors(drafts[1].Problems) || len(l.Waits) != 1 {
		t.Fatal(transcript(l.State))
	}
	if answers := bodies[Answered](l); !strings.HasPrefix(answers[len(answers)-1].Text, "Task 0 is drafted") {
		t.Error(transcript(l.State))
	}
	must(t, s.Approve(AnyDraft, ""))
	if l = s.ends(); l.State.Run.Status != event.StatusPassed || l.Run.Done != 3 {
		t.Error(transcript(l.State))
	}
}

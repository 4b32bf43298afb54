package loop

import (
	"encoding/json"
	"strings"
	"testing"
)

func handoff(t *testing.T, text string) Handoff {
	t.Helper()
	h, err := ParseHandoff(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestTheSameEndTwiceIsTheEnd(t *testing.T) {
	l := Lock{Skill: "while-true", Scope: "TODO.md"}
	first := handoff(t, `{"selected":"item A","surfaces":["a.go","TODO.md"],"validation":"go test: ok","plan":"A done"}`)
	same := handoff(t, `{"selected":" Item a ","surfaces":["TODO.md","a.go","a.go"],"validation":"go  test: OK","plan":"a done","remains":"B waits for a key","restart":"the key","evidence":"all green"}`)
	other := handoff(t, `{"selected":"item B","surfaces":["TODO.md","a.go"],"validation":"go test: ok","plan":"A done"}`)
	for i, h := range []Handoff{first, other, first} {
		if proof := l.Record(Checkpoint{N: i + 1, Handoff: h}); proof != nil {
			t.Fatalf("pass %d ended the loop: %+v", i+1, proof)
		}
	}
	proof := l.Record(Checkpoint{N: 4, Handoff: same})
	if proof == nil || proof.Scope != "TODO.md" || proof.Evidence != "all green" || proof.Remains != "B waits for a key" || proof.Restart != "the key" || proof.Signature != first.Signature() {
		t.Fatalf("%+v", proof)
	}
	if !strings.Contains(proof.Reason, "3 and 4") || l.Stop != proof {
		t.Errorf("%+v", l.Stop)
	}
	if l.Record(Checkpoint{N: 5, Handoff: other}) != nil || l.Stop != nil {
		t.Error("a pass that moved did not take the loop up again")
	}
}

func TestEveryPartOfASignatureCounts(t *testing.T) {
	base := handoff(t, `{"selected":"a","surfaces":["x"],"validation":"v","blocker":"b","plan":"p"}`)
	for _, change := range []string{
		`{"selected":"a2","surfaces":["x"],"validation":"v","blocker":"b","plan":"p"}`,
		`{"selected":"a","surfaces":["x","y"],"validation":"v","blocker":"b","plan":"p"}`,
		`{"selected":"a","surfaces":["x"],"validation":"w","blocker":"b","plan":"p"}`,
		`{"selected":"a","surfaces":["x"],"validation":"v","blocker":"","plan":"p"}`,
		`{"selected":"a","surfaces":["x"],"validation":"v","blocker":"b","plan":"q"}`,
	} {
		if handoff(t, change).Signature() == base.Signature() {
			t.Errorf("%s has the same signature", change)
		}
	}
}

func TestHandoffsThatSayNothing(t *testing.T) {
	for _, text := range []string{``, `[]`, `"done"`, `{}`, `{"selected":"a"}`, `{"validation":"v"}`, `{"selected":" ","validation":"v"}`, `{"selected":1,"validation":"v"}`} {
		if h, err := ParseHandoff(json.RawMessage(text)); err == nil {
			t.Errorf("%s: %+v", text, h)
		}
	}
	long := handoff(t, `{"selected":"`+strings.Repeat("é", maxField)+`","validation":"v"}`)
	if len(long.Selected) > maxField || long.Surfaces == nil {
		t.Errorf("%d bytes", len(long.Selected))
	}
}

func FuzzParseHandoff(f *testing.F) {
	f.Add([]byte(`{"selected":"a","surfaces":["x",""],"validation":"v"}`))
	f.Fuzz(func(t *testing.T, arguments []byte) {
		h, err := ParseHandoff(arguments)
		if err != nil {
			return
		}
		again, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseHandoff(again)
		if err != nil || back.Signature() != h.Signature() {
			t.Errorf("%s: %v", again, err)
		}
	})
}

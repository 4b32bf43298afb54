package giver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// long makes a conversation that fills the window of a small model.
func long(t *testing.T, p *place) *session {
	t.Helper()
	p.window = 6000
	s := p.open()
	for i := range 12 {
		must(t, s.append(false,
			Said{Text: fmt.Sprintf("Question %d: ", i) + strings.Repeat("and what of this? ", 70), By: ByOperator},
			Answered{Text: fmt.Sprintf("Answer %d.", i)}))
	}
	return s
}

func TestOlderMessagesBecomeMemory(t *testing.T) {
	p := newPlace(t)
	s := long(t, p)
	p.server.Will(
		says(`{"decisions":["units are written out","units are  written out"],"constraints":["no floats"],"questions":[],"failures":[{"what":"the table was lost","cause":"haste"}]}`),
		says("On we go."))
	before := s.Look().State
	l := s.says("And now?")
	if len(bodies[Compacted](l)) != 1 || bodies[Compacted](l)[0].Lines != 3 {
		t.Fatal(transcript(l.State))
	}
	if !slices.Equal(l.Memory.Decisions, []string{"units are written out"}) || !slices.Equal(l.Memory.Constraints, []string{"no floats"}) || l.Memory.Failures[0].What != "the table was lost" {
		t.Errorf("%+v", l.Memory)
	}
	sent := p.server.Last()
	if strings.Contains(sent.Body, "Question 0:") || !strings.Contains(sent.Body, "Question 11:") || !strings.Contains(sent.Messages[0].Content, "units are written out") {
		t.Errorf("sent:\n%s", sent.Body)
	}
	if len(l.State.Messages) < len(before.Messages) || l.State.Bytes < before.Bytes {
		t.Error("the log was cut")
	}
	must(t, s.Close())
	again := p.open()
	if got := again.Look().State; got.From != l.State.From || got.From == 0 {
		t.Errorf("after a restart it begins at %d, before at %d", got.From, l.State.From)
	}
}

func TestWhatCannotBeCompactedStays(t *testing.T) {
	for name, bad := range map[string]answer{
		"prose": says("I would keep it all."), "half": says(`{"decisions":["a"`), "nothing": says(`{"decisions":[],"constraints":[],"questions":[],"failures":[]}`),
		"lost": {Lost: true}, "wrong": says(`{"decisions":"a"}`),
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := long(t, p)
			p.server.Will(bad, says("On we go."))
			if name == "lost" {
				p.server.Will(says("On we go.")) // the client asks twice
			}
			l := s.says("And now?")
			if len(bodies[Compacted](l)) != 0 || l.State.From != 0 || len(l.Memory.Decisions) != 0 {
				t.Error(transcript(l.State))
			}
			if !strings.Contains(p.server.Last().Body, "Question 0:") || l.State.Unanswered {
				t.Error("the conversation did not go on as it was")
			}
		})
	}
}

// Calls and what they returned are never parted.
func TestTheCutIsBeforeAUsersTurn(t *testing.T) {
	s := &State{}
	add := adder(s)
	for i := range 6 {
		add(Said{Text: strings.Repeat("x", 100)})
		add(Answered{Calls: []Call{{ID: fmt.Sprint(i), Name: "remember"}}})
		add(Returned{ID: fmt.Sprint(i), Text: strings.Repeat("y", 100)})
		add(Answered{Text: "done"})
	}
	for keep := range 2000 {
		upTo, _ := s.older(keep)
		if upTo == 0 {
			continue
		}
		if _, ok := s.Messages[s.index(upTo+1)].Body.(Said); !ok {
			t.Fatalf("keeping %d bytes cuts before %T", keep, s.Messages[s.index(upTo+1)].Body)
		}
	}
	if upTo, _ := s.older(1); upTo != 20 {
		t.Errorf("cut after %d", upTo)
	}
	if upTo, _ := s.older(1 << 20); upTo != 0 {
		t.Errorf("cut after %d where all fits", upTo)
	}
}

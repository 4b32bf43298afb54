package giver

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"growbench/engine/event"
	"growbench/engine/model"
)

func adder(s *State) func(event.Body) {
	return func(b event.Body) {
		s.Apply(event.Event{Seq: s.LastSeq + 1, At: time.Unix(1000, 0), Body: b})
	}
}

// Whatever order messages come in, each call the model sees is followed by
// exactly one return, and each return follows its call.
func TestCallsAndReturnsStayTogether(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 3))
		s := &State{}
		add := adder(s)
		for i := range 30 {
			switch random.IntN(6) {
			case 0:
				add(Said{Text: "a", By: ByOperator})
			case 1:
				add(Answered{Text: "b", Calls: []Call{{ID: string(rune('a' + i)), Name: "x"}, {ID: string(rune('A' + i)), Name: "y"}}})
			case 2:
				if len(s.Open) > 0 {
					add(Returned{ID: s.Open[random.IntN(len(s.Open))].ID, Text: "r"})
				}
			case 3:
				add(Told{Text: "t"})
			case 4:
				add(Answered{Cut: true})
			case 5:
				add(Drafted{SHA256: "h", By: ByFile})
			}
		}
		var open []string
		for _, m := range s.conversation() {
			switch {
			case m.Role == model.ToolRole:
				if len(open) == 0 || open[0] != m.CallID {
					t.Fatalf("seed %d: a return of %s where %v are open", seed, m.CallID, open)
				}
				open = open[1:]
			case len(open) > 0:
				t.Fatalf("seed %d: %v have no return before %s", seed, open, m.Role)
			}
			for _, c := range m.Calls {
				open = append(open, c.ID)
			}
		}
	}
}

// A fold of what was written and read again is the same.
func TestMessagesSurviveTheLog(t *testing.T) {
	s := &State{}
	add := adder(s)
	for _, b := range []event.Body{
		Opened{Format: Version}, Said{Text: "it crashes", By: ByOperator}, Answered{Text: "x", Calls: []Call{{ID: "c", Name: toolScout, Arguments: "{}"}}, Usage: Usage{In: 3, Context: 9, Window: 99}},
		Returned{ID: "c", Name: toolScout, Args: "{}", Text: "a long line that a tool has returned to the model", Bytes: 9}, Told{Text: "y"},
		Drafted{SHA256: "abc", By: ByGiver, Bytes: 7, Goal: "g"}, Denied{SHA256: "abc", By: ByOperator, Why: "no"},
		Drafted{SHA256: "abd", By: ByGiver, Bytes: 7, Goal: "g"}, Approved{SHA256: "abd", By: ByOperator, Run: "r", Plan: "p", Conversation: 8},
		Ran{Run: "r", State: RunStarted}, Ran{Run: "r", State: RunEnded, Status: "failed", Verified: "none"}, Scoped{Targets: []string{"a"}, By: ByOperator}, Compacted{UpTo: 4, Lines: 1},
	} {
		add(b)
	}
	again := &State{}
	for _, m := range s.Messages {
		line, err := json.Marshal(m)
		must(t, err)
		e, err := event.Decode(line)
		must(t, err)
		e.At = e.At.Local()
		again.Apply(e)
	}
	for i := range s.Messages {
		if !reflect.DeepEqual(s.Messages[i].Body, again.Messages[i].Body) {
			t.Errorf("%+v\n%+v", s.Messages[i].Body, again.Messages[i].Body)
		}
	}
	s.Messages, again.Messages = nil, nil
	if !reflect.DeepEqual(s, again) {
		t.Errorf("%+v\n%+v", s, again)
	}
	if s.Report || s.From == 0 || !s.Run.Ended || len(s.Failed) != 1 || !s.Copied("- a long line that  a tool has returned to the model") {
		t.Errorf("%+v", s)
	}
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"seq":1,"at":"2026-11-30T10:00:00Z","type":"giver","text":"x","calls":[{"id":"a"}]}`))
	f.Add([]byte(`{"seq":2,"at":"2026-11-30T10:00:00Z","type":"compacted","up_to":99}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := event.Decode(line)
		if err != nil {
			return
		}
		s := &State{}
		adder(s)(Said{Text: "x"})
		s.Apply(e)
		s.Apply(e)
		s.conversation()
		s.standing()
		s.Draft.ID()
		s.older(10)
	})
}

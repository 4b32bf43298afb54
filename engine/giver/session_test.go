package giver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

func TestTheContractIsShort(t *testing.T) {
	if len(contract) > maxContract {
		t.Errorf("%d bytes", len(contract))
	}
}

// A request becomes Task #0, the lint sends it back once, the operator
// approves it, the chain runs and its end is reported.
func TestFromARequestToAReport(t *testing.T) {
	p := newPlace(t)
	p.server.Will(
		calls(toolKeep, map[string]any{"kind": "decision", "text": "one file a unit"}),
		task0(map[string]any{"background": "Then run `go test ./...`."}),
		task0(),
		says("It waits for you."),
		says("All three are written."),
	)
	s := p.open()
	l := s.says("Write sizes into three files.")
	drafts := bodies[Drafted](l)
	if len(drafts) != 2 || !doc.HasErrors(drafts[0].Problems) || doc.HasErrors(drafts[1].Problems) {
		t.Fatalf("drafts %+v\n%s", drafts, transcript(l.State))
	}
	if len(l.Waits) != 1 || l.Waits[0].Kind != AnyDraft || l.State.Run.ID != "" {
		t.Fatalf("waits %+v", l.Waits)
	}
	must(t, s.Approve(l.Waits[0].ID, ""))
	l = s.ends()
	if l.State.Run.Status != event.StatusPassed || l.Run.Done != 3 || l.Run.N != 3 {
		t.Errorf("%+v\n%s", l.Run, transcript(l.State))
	}
	told := bodies[Told](l)
	report := told[len(told)-1].Text
	for _, words := range []string{"passed", "RESULT #3", "new3.txt", "growbench show"} {
		if !strings.Contains(report, words) {
			t.Errorf("the report does not say %q:\n%s", words, report)
		}
	}
	if answers := bodies[Answered](l); answers[len(answers)-1].Text != "All three are written." {
		t.Errorf("the model did not report:\n%s", transcript(l.State))
	}
	if l.Run.GP == nil || l.Run.PW == nil || l.Run.WG == nil {
		t.Errorf("isolation was not measured: %+v", l.Run)
	}
	if got := l.Memory.Decisions; !slices.Equal(got, []string{"one file a unit"}) {
		t.Errorf("remembered %q", got)
	}
	if data, _ := os.ReadFile(filepath.Join(p.project.Root, "new1.txt")); len(data) > 0 {
		t.Error("the operator's own tree was changed")
	}
}

func TestThinkingIsNeitherKeptNorSent(t *testing.T) {
	p := newPlace(t)
	p.server.Will(answer{Thinking: "SECRETLY PONDERED", Text: "Hello."}, says("Again."))
	s := p.open()
	s.says("hi")
	l := s.says("and?")
	if text := transcript(l.State); strings.Contains(text, "PONDERED") || !strings.Contains(text, "Hello.") {
		t.Error(text)
	}
	if strings.Contains(p.server.Last().Body, "PONDERED") {
		t.Error("it was sent")
	}
}

// Nothing that writes or runs exists; asking for it changes nothing.
func TestAToolItHasNotIsRefusedInWords(t *testing.T) {
	p := newPlace(t)
	p.server.Will(
		answer{Calls: []call{{Name: "write_file", Arguments: map[string]any{"path": "a.txt", "content": "spoilt"}}, {Name: "bash", Arguments: map[string]any{"command": "rm a.txt"}}}},
		says("Then I draft."),
	)
	s := p.open()
	l := s.says("Change a.txt.")
	returns := bodies[Returned](l)
	if len(returns) != 2 {
		t.Fatal(transcript(l.State))
	}
	for _, r := range returns {
		if r.Error == "" || !strings.Contains(r.Text, "there is no tool") || !strings.Contains(r.Text, "Task #0") {
			t.Errorf("%+v", r)
		}
	}
	if data, _ := os.ReadFile(filepath.Join(p.project.Root, "a.txt")); string(data) != "a\n" {
		t.Errorf("a.txt is %q", data)
	}
	for _, tool := range p.server.Last().Tools {
		for _, word := range []string{"write", "edit", "run_command", "shell", "bash", "exec"} {
			if strings.Contains(tool.Function.Name, word) {
				t.Errorf("there is a tool %s", tool.Function.Name)
			}
		}
	}
}

func TestAnAnswerThatIsStoppedIsKept(t *testing.T) {
	p := newPlace(t)
	p.server.Will(answer{Text: "I begin with a long explanation", Hold: true}, says("Fine."))
	s := p.open()
	feed := s.Listen()
	defer feed.Close()
	must(t, s.Say("explain", ByOperator))
	heard := ""
	for !strings.Contains(heard, "explanation") {
		updates, err := feed.Next(t.Context())
		must(t, err)
		for _, u := range updates {
			heard += u.Delta
		}
	}
	if !s.Stop() {
		t.Error("nothing to stop")
	}
	l := s.until("a stop", func(l Look) bool { return !l.Turn })
	answers := bodies[Answered](l)
	if len(answers) != 1 || !answers[0].Cut || answers[0].Text != "I begin with a long explanation" {
		t.Errorf("%+v", answers)
	}
	s.says("go on")
	if body := p.server.Last().Body; !strings.Contains(body, "long explanation\\n(stopped here") {
		t.Errorf("the model is not told:\n%s", body)
	}
	if s.Stop() {
		t.Error("stopped nothing")
	}
}

func TestAnAnswerThatCannotBeUsedIsAskedForAgain(t *testing.T) {
	p := newPlace(t)
	p.server.Will(answer{Lost: true}, answer{Lost: true}, says("Here."))
	l := p.open().says("hi")
	if l.State.Unanswered || !strings.Contains(transcript(l.State), "could not be used") {
		t.Error(transcript(l.State))
	}
}

func TestAServerThatIsGoneIsSaid(t *testing.T) {
	p := newPlace(t)
	s := p.open()
	p.server.Server.CloseClientConnections()
	p.server.Server.Close()
	l := s.says("hi")
	answers := bodies[Answered](l)
	if len(answers) != 1 || answers[0].Error == "" || !l.State.Unanswered {
		t.Errorf("%+v", answers)
	}
}

// The operator alone: Task #0 and the plan by hand, agents that are commands.
func TestWithoutAModel(t *testing.T) {
	p := newPlace(t)
	p.server = nil
	delete(p.config.Agents, "planner")
	s := p.open()
	if l := s.says("hello"); len(bodies[Answered](l)) != 1 || bodies[Answered](l)[0].Error == "" {
		t.Error(transcript(l.State))
	}
	brief := doc.Task{Goal: "Write it.", Background: "decided", PastFailures: doc.None, Constraints: []string{"small"}, TargetFiles: []string{"new1.txt"}}
	if err := s.SetDraft("# Task #0 (for Planner)\n"); err != nil {
		t.Fatal(err)
	}
	if l := s.Look(); len(l.Waits) != 0 || !doc.HasErrors(l.State.Draft.Problems) {
		t.Errorf("%+v", l.Waits)
	}
	if err := s.Approve(AnyDraft, ""); err == nil {
		t.Error("a draft that does not pass was approved")
	}
	must(t, s.SetDraft(doc.FormatTask(brief)))
	plan := doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{{Title: "one", Goal: "Write it.", Background: "x", PastFailures: doc.None, Constraints: []string{"small"}, TargetFiles: []string{"new1.txt"}, Signatures: []string{}}}})
	if err := s.Approve(AnyDraft, `{"tasks":[]}`); err == nil || s.Look().State.Run.ID != "" {
		t.Errorf("an empty plan was taken: %v", err)
	}
	must(t, s.Approve(AnyDraft, plan))
	if l := s.ends(); l.State.Run.Status != event.StatusPassed || l.Run.N != 1 {
		t.Error(transcript(l.State))
	}
	if err := s.Approve(AnyDraft, plan); err == nil {
		t.Error("approved twice")
	}
}

// A draft the operator edits beside us is the one that counts.
func TestTheDraftsFileIsReadAgain(t *testing.T) {
	p := newPlace(t)
	p.server.Will(task0(), says("Look at it."), says("I see your change."))
	s := p.open()
	l := s.says("Write three files.")
	old := l.Waits[0].ID
	text, err := s.Draft()
	must(t, err)
	put(t, s.Path(DraftFile), strings.Replace(text, "nothing else changes", "nothing at all changes", 1))
	if err := s.Approve(old, ""); err == nil {
		t.Error("a draft was approved that nobody has seen")
	}
	l = s.says("I changed it.")
	if l.State.Draft.By != ByFile || l.Waits[0].ID == old || !strings.Contains(p.server.Last().Body, "nothing at all changes") {
		t.Errorf("%+v\n%s", l.State.Draft, p.server.Last().Body)
	}
}

func TestADraftThatIsRefusedGoesBackWithTheWords(t *testing.T) {
	p := newPlace(t)
	p.server.Will(task0(), says("Look at it."), task0(map[string]any{"goal": "Sizes are written in three small files."}), says("Better?"))
	s := p.open()
	s.says("Write three files.")
	must(t, s.Deny(AnyDraft, "say that they are small"))
	l := s.until("another draft", func(l Look) bool { return len(l.Waits) > 0 && !l.Busy() })
	if l.State.Draft.Goal != "Sizes are written in three small files." {
		t.Error(transcript(l.State))
	}
	if !strings.Contains(p.server.Last().Body, "say that they are small") {
		t.Error("the model was not told")
	}
}

func TestAPlanIsReviewed(t *testing.T) {
	p := newPlace(t)
	p.review = true
	p.server.Will(task0(), says("Look."), says("Done."))
	s := p.open()
	s.says("Write three files.")
	must(t, s.Approve(AnyDraft, ""))
	first := s.until("the plan", func(l Look) bool { _, ok := Find(l.Waits, AnyPlan); return ok })
	w, _ := Find(first.Waits, AnyPlan)
	if !strings.Contains(w.Text, "3 tasks") || !strings.Contains(w.Text, "new2.txt") {
		t.Errorf("%+v", w)
	}
	must(t, s.Deny(AnyPlan, "two would do"))
	s.until("another plan", func(l Look) bool { now, ok := Find(l.Waits, AnyPlan); return ok && now.ID != w.ID })
	must(t, s.Approve(AnyPlan, ""))
	if l := s.ends(); l.State.Run.Status != event.StatusPassed {
		t.Error(transcript(l.State))
	}
}

func TestWithinALoopsScopeNothingIsAsked(t *testing.T) {
	p := newPlace(t)
	p.review = true
	p.server.Will(
		task0(map[string]any{"target_files": []string{"new1.txt", "new2.txt", "new3.txt", "a.txt"}}), calls(toolStart, nil), says("Asked."),
		task0(), calls(toolStart, nil), says("Started."), says("Done."))
	s := p.open()
	must(t, s.ApproveScope([]string{"new1.txt", "new2.txt", "new3.txt"}))
	if l := s.says("grow loop over the sizes"); len(l.Waits) != 1 || l.State.Run.ID != "" {
		t.Fatalf("outside the scope nobody was asked\n%s", transcript(l.State))
	}
	s.says("Then within it.")
	if l := s.ends(); l.State.Run.Status != event.StatusPassed || len(bodies[Approved](l)) != 1 || bodies[Approved](l)[0].By != ByLoop {
		t.Error(transcript(l.State))
	}
}

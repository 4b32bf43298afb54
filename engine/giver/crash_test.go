package giver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/workspace"
	"growbench/testdata/ollama/ollamatest"
)

// converse has the test binary be a conversation of its own, to be killed.
const converse = "converse"

// part is what such a process is given.
type part struct {
	Base, URL string
	Config    config.Config
	KillAt    uint64 // right after the message of that number is in the log
	KillOn    string // or the first of that type
	Words     string // what is said to it
}

// play has a conversation up to the end of a run.
func play(args []string) error {
	var p part
	if err := json.Unmarshal([]byte(args[0]), &p); err != nil {
		return err
	}
	project, err := workspace.FindProject(filepath.Join(p.Base, "project"))
	if err != nil {
		return err
	}
	client, err := model.New(model.Options{Kind: model.Ollama, URL: p.URL, Model: ollamatest.Chat, NumCtx: 1 << 20, Retries: []time.Duration{}})
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	s, err := Open(Options{
		StateRoot: filepath.Join(p.Base, "state"), Project: project, Window: 1 << 20, Client: client,
		Spec:    engine.Spec{Base: "head", Planner: "planner", Worker: "worker", Attended: true, Config: p.Config},
		Spawner: engine.Spawner{Argv: []string{self}},
		AfterAppend: func(e event.Event) {
			if e.Seq == p.KillAt || e.Body.Type() == p.KillOn {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		},
	})
	if err != nil {
		return err
	}
	feed := s.Listen()
	go func() {
		for {
			updates, err := feed.Next(context.Background())
			if err != nil {
				return
			}
			for _, u := range updates {
				if u.Delta != "" {
					fmt.Println("heard", u.Delta)
				}
			}
		}
	}()
	if err := s.Say(p.Words, ByOperator); err != nil {
		return err
	}
	if _, err := s.Until(context.Background(), func(l Look) bool { return !l.Busy() }); err != nil {
		return err
	}
	if err := s.Approve(AnyDraft, ""); err != nil {
		return err
	}
	_, err = s.Until(context.Background(), func(l Look) bool { return l.State.Run.Ended && !l.Busy() })
	return err
}

func (p *place) converse(killAt uint64) *exec.Cmd {
	p.t.Helper()
	return p.conversation(part{KillAt: killAt, Words: "Write one file."})
}

// conversation is a process that has one, in this place.
func (p *place) conversation(of part) *exec.Cmd {
	p.t.Helper()
	of.Base, of.URL, of.Config = p.base, p.server.URL, p.config
	self, err := os.Executable()
	must(p.t, err)
	data, err := json.Marshal(of)
	must(p.t, err)
	cmd := exec.Command(self, converse, string(data))
	cmd.Stderr = os.Stderr
	return cmd
}

// obeys is a model that looks at how things stand and does what comes next.
func obeys(a asked) answer {
	state := a.Messages[0].Content
	switch {
	case strings.Contains(state, "Task #0: none"), strings.Contains(state, "Task #0: does not pass"):
		return task0(map[string]any{"target_files": []string{"new1.txt"}})
	case strings.Contains(state, "Task #0: waits"):
		return says("It waits for you.")
	}
	return says("So it is.")
}

// Killed right after any message, a conversation goes on where it was: nothing
// that was said is lost, the draft is the same, and one run comes of it.
func TestAConversationOutlivesEveryKill(t *testing.T) {
	for at := uint64(1); ; at++ {
		reached := false
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			p := newPlace(t)
			p.plan(1)
			p.server.Reacts(obeys)
			err := p.converse(at).Run()
			reached = err != nil
			s := p.open()
			l := s.Look()
			if reached && l.State.LastSeq < at {
				t.Fatalf("message %d is lost\n%s", at, transcript(l.State))
			}
			for range 3 { // whatever is missing, the operator sees and does
				l = s.until("rest", func(l Look) bool { return !l.Busy() })
				switch {
				case l.State.Run.Ended:
				case len(l.Waits) > 0:
					must(t, s.Approve(AnyDraft, ""))
				default:
					s.says("Go on.")
				}
			}
			l = s.ends()
			if l.State.Run.Status != event.StatusPassed || len(l.State.Open) > 0 {
				t.Fatalf("%+v\n%s", l.State.Run, transcript(l.State))
			}
			runs, err := engine.Runs(filepath.Join(p.base, "state"), p.project.Name)
			must(t, err)
			if len(runs) != 1 || len(bodies[Approved](l)) != 1 {
				t.Errorf("%d runs\n%s", len(runs), transcript(l.State))
			}
			open := map[string]bool{}
			for _, a := range bodies[Answered](l) {
				for _, c := range a.Calls {
					open[c.ID] = true
				}
			}
			for _, r := range bodies[Returned](l) {
				if !open[r.ID] {
					t.Errorf("%s returned twice, or was never called", r.ID)
				}
				delete(open, r.ID)
			}
			if len(open) > 0 {
				t.Errorf("calls without a return: %v", open)
			}
		})
		if !reached || t.Failed() {
			if at < 10 && !t.Failed() {
				t.Errorf("only %d messages", at-1)
			}
			return
		}
	}
}

// In the middle of a streamed answer there is nothing whole to keep; what was
// said before it is there.
func TestKilledWhileTheModelSpeaks(t *testing.T) {
	p := newPlace(t)
	p.server.Will(answer{Text: "I begin to", Hold: true}, says("Again from the start."))
	cmd := p.converse(0)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	if !strings.HasPrefix(line, "heard") {
		t.Fatal(line)
	}
	must(t, cmd.Process.Kill())
	cmd.Wait()
	s := p.open()
	if l := s.Look(); !l.State.Unanswered || len(bodies[Said](l)) != 1 || len(bodies[Answered](l)) != 0 {
		t.Error(transcript(l.State))
	}
	if l := s.says("Once more."); l.State.Unanswered {
		t.Error(transcript(l.State))
	}
}

func TestOnlyOneProcessOwnsAConversation(t *testing.T) {
	p := newPlace(t)
	p.server.Will(answer{Text: "I hold", Hold: true})
	cmd := p.converse(0)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	_, err = bufio.NewReader(out).ReadString('\n')
	must(t, err)
	if _, err := Open(p.options()); err == nil || !strings.Contains(err.Error(), "owner") {
		t.Errorf("%v", err)
	}
}

// What stands of a torn line is set aside, and said.
func TestATornEndIsCut(t *testing.T) {
	p := newPlace(t)
	p.server.Will(says("Hello."), says("Again."))
	s := p.open()
	s.says("hi")
	must(t, s.Close())
	path := filepath.Join(s.dir, fileMessages)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString(`{"seq":99,"at":"2026-`)
	must(t, err)
	must(t, f.Close())
	again := p.open()
	if again.Cut().TornBytes == 0 {
		t.Error("nothing is said of it")
	}
	if l := again.says("and now?"); len(bodies[Said](l)) != 2 {
		t.Error(transcript(l.State))
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/theme/text"
	"growbench/views"
)

// status says how the run stands, a line a fact.
func (p *plain) status(context.Context, string) error {
	now, s := time.Now(), *p.state
	s.Workers = append([]event.Worker(nil), p.state.Workers...)
	s.Look(p.owner, now)
	p.say("run: %s", s.Run)
	p.say("project: %s", s.Project)
	p.say("goal: %s", text.Line(s.Task0.Goal))
	switch {
	case s.IsEnded():
		checked := s.Verified
		if s.Verified == event.VerifiedNone {
			checked += " (nothing was checked)"
		}
		p.say("status: %s; verified: %s", s.Status, checked)
		if s.Reason != "" {
			p.say("reason: %s", text.Line(s.Reason))
		}
		if s.Branch != "" {
			p.say("branch: %s", text.Visible(s.Branch))
		}
	case !p.owner:
		p.say("status: orphaned, nobody runs it")
	case p.stopping:
		p.say("status: stopping")
	case len(s.Waits) > 0:
		p.say("status: waits for you")
	default:
		p.say("status: %s", s.Phase)
	}
	if s.Plan.N > 0 {
		p.say("workers: %s", views.Progress(s.DoneWorkers(), s.Plan.N))
	}
	if !s.Started.IsZero() {
		end := now
		if !s.Ended.IsZero() {
			end = s.Ended
		}
		p.say("time: %s", views.Duration(end.Sub(s.Started)))
	}
	if u := s.Usage; u.In+u.Out > 0 {
		p.say("tokens: %s", views.Tokens(u.In, u.Out, u.Estimated))
	}
	for _, c := range s.Verify.Ran {
		p.say("verify: %s: %s", text.Visible(c.Command), passed(c.Passed, c.Exit))
	}
	for _, w := range s.Waits {
		p.ask(w)
	}
	return nil
}

func (p *plain) worker(_ context.Context, args string) error {
	if args == "" {
		p.workerLine(0)
		for k := range p.state.Workers {
			p.workerLine(k + 1)
		}
		return nil
	}
	k, err := p.number(args, -1)
	if err != nil {
		return err
	}
	p.workerLine(k)
	w := p.state.Worker(k)
	if w == nil {
		return nil
	}
	if w.Tool != "" {
		p.say("worker %d, call at work: %s %s", k, text.Visible(w.Tool), text.Visible(w.ToolArgs))
	}
	if w.Reason != "" {
		p.say("worker %d, reason: %s", k, text.Line(w.Reason))
	}
	for _, a := range w.Affected {
		p.say("worker %d, affected by Worker %d: %s", k, a.By, text.Visible(a.Symbol))
	}
	for _, f := range w.Flagged {
		p.say("worker %d, changed outside of its task: %s (%s)", k, text.Visible(f.Path), f.Kind)
	}
	for _, f := range w.Files {
		p.say("worker %d, file: %s", k, text.Visible(f))
	}
	for _, c := range w.Checks {
		p.say("worker %d, check: %s: %s", k, text.Visible(c.Command), passed(c.Passed, c.Exit))
	}
	if w.Commit != "" {
		p.say("worker %d, commit: %s", k, w.Commit)
	}
	return nil
}

// workerLine is an agent in one line.
func (p *plain) workerLine(k int) {
	w := p.state.Worker(k)
	if w == nil {
		state := p.state.Planner.State
		if state == "" {
			state = "not asked"
		}
		p.say("planner: %s, %s", state, text.Line(p.state.Planner.Agent))
		return
	}
	line := fmt.Sprintf("worker %d: %s, %s", k, views.StateWord(w.State), text.Line(w.Title))
	if w.Turns > 0 {
		line += ", " + counted(w.Turns, "turn")
	}
	if u := w.Tokens; u.In+u.Out > 0 {
		line += ", " + views.Tokens(u.In, u.Out, u.Estimated)
	}
	if !w.Started.IsZero() && !w.Sandboxed {
		line += ", no sandbox"
	}
	p.say("%s", line)
}

// someLines are how many lines of a transcript are printed unless asked.
const someLines = 40

func (p *plain) transcript(_ context.Context, args string) error {
	fields := strings.Fields(args)
	tail := someLines
	if len(fields) == 3 && fields[1] == "tail" {
		n, err := strconv.Atoi(fields[2])
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of lines", fields[2])
		}
		tail, fields = n, fields[:1]
	}
	if len(fields) != 1 {
		return errors.New("type transcript K, or transcript K tail N")
	}
	k, err := p.number(fields[0], -1)
	if err != nil {
		return err
	}
	lines, before, err := transcriptLines(p.source.Dir(), k, tail)
	if err != nil {
		return err
	}
	if before > 0 {
		p.say("transcript: %s before this; all of it is in %s", counted(before, "line"), event.TranscriptPath(p.source.Dir(), k))
	}
	for _, l := range lines {
		p.say("%s", l)
	}
	p.say("end transcript")
	return nil
}

// transcriptLines are the last lines of what an agent did, each with a word
// for what it is, and how many lines are before them.
func transcriptLines(dir string, k, tail int) (lines []string, before int, err error) {
	reader := event.ReadTranscript(dir, k)
	defer reader.Close()
	add := func(label, s string) {
		for l := range strings.SplitSeq(strings.TrimRight(text.Clean(s), "\n"), "\n") {
			lines = append(lines, label+": "+l)
		}
		if over := len(lines) - tail; over > 0 {
			lines, before = lines[over:], before+over
		}
	}
	turn, kind := 0, ""
	var flow strings.Builder
	close := func() {
		if flow.Len() > 0 {
			add(flowLabels[kind], flow.String())
		}
		flow.Reset()
	}
	for {
		items, err := reader.Next(1000)
		if err != nil || len(items) == 0 {
			close()
			return lines, before, err
		}
		for _, it := range items {
			if flowLabels[it.Kind] == "" || it.Kind != kind || it.Turn > turn {
				close()
			}
			if it.Turn > turn {
				turn = it.Turn
				add("turn", strconv.Itoa(turn))
			}
			kind = it.Kind
			switch {
			case flowLabels[it.Kind] != "":
				flow.WriteString(it.Text)
			case it.Kind == event.ItemCall:
				add("call", text.Visible(it.Name)+" "+text.Visible(it.Text))
			case it.Kind == event.ItemReturn:
				outcome := views.Bytes(it.Bytes)
				if it.Error != "" {
					outcome = "failed: " + text.Line(it.Error)
				}
				add("returned", text.Visible(it.Name)+" "+outcome+fmt.Sprintf(", %d ms", it.MS))
			default:
				add(text.Line(it.Kind), it.Text)
			}
		}
	}
}

// flowLabels are the kinds that come in pieces which belong together.
var flowLabels = map[string]string{event.ItemText: "says", event.ItemThinking: "thinks", event.ItemOutput: "output"}

package giver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
	"growbench/loop"
)

// pass is one piece of work of the conversation: a user's turn, the run it
// starts, and the turn that takes in how the run ended.
type pass struct {
	kind    loop.Kind
	skills  []loop.Skill // the documents the model works by
	turn    *loop.Turn
	began   time.Time
	draft   string // SHA-256 of Task #0 as it was before
	armed   bool   // it has scheduled a successor
	tokens  int64
	handoff *loop.Handoff
	grew    bool     // an ordinary turn that has begun a loop, or gone on with one
	started []string // runs
	// What the host saw, for a pass that hands nothing off.
	said     string
	surfaces []string
	runs     []string
}

// The skill that decides whether a loop goes on.
const loopSkill = "grow-loop"

// loops tells a pass that may schedule another by the loop's rules.
func (p *pass) loops() bool { return p != nil && (p.kind == loop.Loop || p.kind == loop.Resume) }

// works tells a pass that follows a skill, alone or in a loop.
func (p *pass) works() bool { return p != nil && p.kind != loop.Ordinary }

// enter begins the pass that a turn belongs to. stop is true when there is
// nothing for the model to do.
func (s *Session) enter(t turn) (stop bool) {
	if t.said == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.grow.pass == nil {
			s.begin(&pass{kind: loop.Ordinary})
		}
		return false
	}
	skills, problems := s.skills()
	s.tellProblems(problems)
	names := make([]string, 0, len(skills))
	for _, k := range skills {
		names = append(names, k.Name)
	}
	route := loop.Classify(t.said.Text, names)
	var surface loop.Surface
	if route.Kind != loop.Ordinary {
		surface = s.findSurface(t.said.Text, route)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.grow.pass; old != nil {
		if route.Kind == loop.Ordinary {
			// Words about the work at hand: they belong to it.
			old.turn, old.armed = s.grow.scheduler.Begin(), false
			return false
		}
		s.finish(old, overtaken)
	}
	p := &pass{kind: route.Kind}
	s.begin(p)
	switch route.Kind {
	case loop.Loop:
		s.lockLoop(route.Skill, t.said.Text, surface)
	case loop.Resume:
		if s.grow.lock == nil {
			s.endLoop(&loop.StopProof{
				Reason:  "there is nothing to resume: no loop of this conversation has a skill and a scope",
				Restart: "`grow loop` with the outcome that is wanted",
			})
			p.kind = loop.Ordinary
			return true
		}
		s.grow.surface, s.grow.proof, s.grow.lock.Stop = surface, nil, nil
		s.grow.version++
		route.Skill = s.grow.lock.Skill
	case loop.Ordinary:
		return false
	}
	worker, ok := loop.FindSkill(skills, route.Skill)
	if !ok {
		s.endLoop(s.grow.lock.End(fmt.Sprintf("the skill %s, which the loop is locked to, is not there any more", route.Skill)))
		s.saveLock()
		p.kind = loop.Ordinary
		return true
	}
	if protocol, ok := loop.FindSkill(skills, loopSkill); ok && p.loops() {
		p.skills = append(p.skills, protocol)
	}
	p.skills = append(p.skills, worker)
	s.give(p.skills)
	return false
}

func (s *Session) begin(p *pass) {
	p.began, p.draft = s.Now(), s.state.Draft.SHA256
	p.turn = s.grow.scheduler.Begin()
	s.grow.pass, s.grow.notice = p, ""
}

// give tells, once each, that the model is given these documents.
func (s *Session) give(skills []loop.Skill) {
	for _, k := range skills {
		sum := hash(k.Text)
		if s.grow.given[k.Name] == sum {
			continue
		}
		s.grow.given[k.Name] = sum
		s.appendLocked(false, Given{Skill: k.Name, Source: k.Source, Bytes: len(k.Text), SHA256: sum})
	}
}

// How a pass ends beside the ways of a turn.
const overtaken = "overtaken"

// left takes in how a turn of the pass at hand ended. A pass ends well only
// when all that it began is over; it fails at once.
func (s *Session) left(how string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.grow.pass
	if p == nil || how == Settled {
		return
	}
	s.finish(p, how)
	if how == Broken && p.loops() && s.grow.proof == nil {
		s.endLoop(s.grow.lock.End("the turn failed: " + s.state.lastError()))
		s.saveLock()
	}
}

// lastError is why the model's last answer was none.
func (s *State) lastError() string {
	for _, m := range slices.Backward(s.Messages) {
		if a, ok := m.Body.(Answered); ok && a.Error != "" {
			return a.Error
		} else if ok {
			break
		}
	}
	return "it came to no end"
}

// settle ends the pass at hand once nothing of it goes on and nothing of it
// waits for the operator. The caller holds mu.
func (s *Session) settle() {
	p := s.grow.pass
	if p == nil || !s.quiet() || s.state.ScopeAsked != nil {
		return
	}
	if d := s.state.Draft; d.Waits() && d.SHA256 != p.draft {
		return
	}
	s.finish(p, Settled)
}

// finish takes a pass into the history and decides, by its facts alone, whether
// its loop is over. The caller holds mu.
func (s *Session) finish(p *pass, how string) {
	g := &s.grow
	g.pass = nil
	var over *loop.StopProof
	if p.works() && (how == Settled || p.handoff != nil) {
		over = s.record(p)
	}
	switch how {
	case Settled:
		if over != nil {
			g.scheduler.Cancel()
		} else if p.loops() && !p.armed {
			over = g.lock.End("no further pass was scheduled")
		}
		p.turn.Settled()
	case Aborted:
		p.turn.Aborted()
	case Broken:
		p.turn.Failed()
	}
	if over != nil {
		s.endLoop(over)
	}
	if p.loops() {
		s.saveLock()
	}
}

// record keeps what a pass leaves. It returns why the loop is over when that is
// what the pass before left.
func (s *Session) record(p *pass) (over *loop.StopProof) {
	c := loop.Checkpoint{Handoff: p.left(), Tokens: p.tokens, At: s.Now(), Took: s.Now().Sub(p.began)}
	c.Signature = c.Handoff.Signature()
	c.Skill = p.skills[len(p.skills)-1].Name
	if lock := s.grow.lock; p.loops() && lock != nil {
		c.N = 1
		if n := len(lock.Passes); n > 0 {
			c.N = lock.Passes[n-1].N + 1
		}
		over = lock.Record(c)
		lock.Passes = lock.Passes[max(0, len(lock.Passes)-maxPasses):]
	}
	s.keepEntry(Passed{c})
	return over
}

// left is the pass's handoff, or what the host knows in its place.
func (p *pass) left() loop.Handoff {
	if p.handoff != nil {
		return *p.handoff
	}
	validation := "nothing was run"
	if len(p.runs) > 0 {
		validation = strings.Join(p.runs, "; ")
	}
	surfaces := slices.Compact(slices.Sorted(slices.Values(p.surfaces)))
	return loop.Handoff{
		Selected: cmp.Or(clip(oneLine(p.said), 300), "nothing was said"), Surfaces: append([]string{}, surfaces...),
		Validation: validation,
	}
}

// ran takes a run's end into the pass at hand. The caller holds mu.
func (p *pass) ran(run *event.State) {
	if p == nil {
		return
	}
	p.tokens += run.Usage.In + run.Usage.Out
	p.runs = append(p.runs, fmt.Sprintf("a run %s, verified: %s", run.Status, run.Verified))
	for _, r := range run.Results {
		p.surfaces = append(p.surfaces, r.Files.All()...)
	}
}

// endLoop shows why a loop is over, and takes back what was approved for it.
func (s *Session) endLoop(proof *loop.StopProof) {
	s.grow.proof = proof
	s.grow.version++
	s.keepEntry(Stopped{*proof})
	bodies := []event.Body{Told{Text: s.Hide(proofWords(proof))}}
	if len(s.state.Scope) > 0 || s.state.ScopeAsked != nil {
		bodies = append(bodies, Scoped{By: ByLoop})
	}
	s.appendLocked(true, bodies...)
}

func proofWords(p *loop.StopProof) string {
	var b strings.Builder
	b.WriteString("The loop has stopped: " + p.Reason + ".")
	for _, part := range []struct{ name, text string }{
		{"Scope", p.Scope}, {"Evidence", p.Evidence}, {"Signature", p.Signature}, {"Remains", p.Remains}, {"Worth a restart", p.Restart},
		{"To merge its work", p.Home},
	} {
		if part.text != "" {
			b.WriteString("\n" + part.name + ": " + part.text)
		}
	}
	return b.String()
}

package giver

import (
	"encoding/json"
	"fmt"
	"strings"

	"growbench/engine"
	"growbench/engine/workspace"
	"growbench/loop"
)

// Bounds of what the prompt of a pass holds, in bytes.
const (
	maxSkillShown   = 16 << 10
	maxSurfaceShown = 12 << 10
)

// passPrompt is what the model is given of the pass at hand beside the
// conversation: the skills, on demand, and where the loop stands. Empty for an
// ordinary turn.
func (s *Session) passPrompt() string {
	s.mu.Lock()
	p, surface, scope := s.grow.pass, s.grow.surface, s.state.Scope
	var lock *loop.Lock
	if s.grow.lock != nil {
		copied := *s.grow.lock
		lock = &copied
	}
	s.mu.Unlock()
	if !p.works() {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nThis turn is one pass of the skill below. Its work goes through the chain: draft Task #0, start_chain, end your turn; once the run's end is reported, go on with the pass. Each run makes a branch of its own; the operator's tree changes only when the operator merges.\n")
	if p.loops() && lock != nil {
		b.WriteString(loopStanding(lock, scope))
	} else {
		b.WriteString("It is a single pass: nothing can be scheduled. End it with hand_off.\n")
	}
	if surface.Path != "" {
		fmt.Fprintf(&b, "The open work (%s), %d open:\n", surface.Reason, len(surface.Items))
		b.WriteString(engine.FileBlock(surface.Path, head(s.surfaceText(surface.Path), maxSurfaceShown)))
	} else if surface.Reason != "" {
		b.WriteString("Open work: none. " + surface.Reason + ". Where the operator has stated no outcome either, ask for the smallest thing that is missing and schedule nothing.\n")
	}
	for _, k := range p.skills {
		fmt.Fprintf(&b, "<skill name=%q>\n%s\n</skill>\n", k.Name, head(s.Hide(k.Text), maxSkillShown))
	}
	return b.String()
}

func loopStanding(lock *loop.Lock, scope []string) string {
	var b strings.Builder
	b.WriteString("Each run of the loop begins where the last one that passed ended: what earlier passes have finished is there for the Planner and the Workers, for scout, and in the open work below. The map is of the operator's tree, which may lack it.\n")
	fmt.Fprintf(&b, "Loop: skill %s, %d passes so far. Scope, in the operator's words: %s\n", lock.Skill, len(lock.Passes), lock.Scope)
	if len(scope) == 0 {
		b.WriteString("No changes are approved for it: unless the operator is to be asked about each Task #0, call loop_scope once, before you draft.\n")
	}
	for i, c := range lock.Passes {
		if i == len(lock.Passes)-1 {
			data, _ := json.Marshal(c.Handoff)
			fmt.Fprintf(&b, "The last handoff, pass %d: %s\n", c.N, data)
			break
		}
		fmt.Fprintf(&b, "Pass %d: %s — %s\n", c.N, clip(oneLine(c.Handoff.Selected), 200), clip(oneLine(c.Handoff.Validation), 120))
	}
	b.WriteString("Before you end the pass: hand_off, then either grow_loop once or a stop proof in your words.\n")
	return b.String()
}

// surfaceText is the open work as the next run finds it: where the loop's last
// run ended, else in the operator's tree.
func (s *Session) surfaceText(path string) string {
	if b := s.loopBase(s.ctx); len(b.lineage) > 0 {
		if text, there, err := s.readBase(s.ctx, b, path); err == nil && there {
			return s.Hide(strings.ToValidUTF8(text, "\uFFFD"))
		}
	}
	files, err := workspace.OpenReader(s.Project.Root)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	defer files.Close()
	c, err := files.Read(path)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return s.Hide(strings.ToValidUTF8(string(c.Data), "\uFFFD"))
}

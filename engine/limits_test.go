package engine

import (
	"strings"
	"testing"
	"time"

	"growbench/engine/config"
	"growbench/engine/event"
)

// Each limit ends a real program that would go on for ever, in words, and
// leaves none of its processes; what it did is kept.
func TestEachLimitEndsARealProgram(t *testing.T) {
	const stay = "\nsleep 1000 & sleep 1000"
	lines := func(json ...string) string { return "printf '%s\\n' '" + strings.Join(json, "' '") + "'" }
	const usage = `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"x"}],"stopReason":"toolUse","usage":{"input":900,"output":200,"cost":{"total":0.3}}}}`
	const call = `{"type":"tool_execution_start","toolCallId":"c","toolName":"bash","args":{"command":"ls"}}`
	const answer = `{"type":"tool_execution_end","toolCallId":"c","toolName":"bash","result":{"content":[{"type":"text","text":"a.txt"}]},"isError":false,"durationMs":%DELAY}`
	again := func(ms string) []string { return []string{call, strings.Replace(answer, "%DELAY", ms, 1)} }
	turn := `{"type":"turn_start"}`
	for name, c := range map[string]struct {
		decode, lines string
		limits        config.Limits
		state, reason string
	}{
		"turns":   {"pi", lines(turn, turn, turn) + stay, config.Limits{Turns: 2}, event.Failed, "over its number of turns (2)"},
		"tokens":  {"pi", lines(turn, usage, usage) + stay, config.Limits{Tokens: 2000}, event.Failed, "over its number of tokens (2200 used, 2000 allowed)"},
		"cost":    {"pi", lines(turn, usage, usage) + stay, config.Limits{Cost: 0.5}, event.Failed, "over its cost (0.6000 spent, 0.5000 allowed)"},
		"wall":    {"text", "while :; do echo alive; sleep 0.05; done", config.Limits{Wall: config.Duration(400 * time.Millisecond), Silence: config.Duration(time.Hour)}, event.TimedOut, "over its wall-clock limit (400ms)"},
		"chain":   {"text", "while :; do echo alive; sleep 0.05; done", config.Limits{Chain: config.Duration(400 * time.Millisecond)}, event.TimedOut, "of the chain's 400ms (limits.chain)"},
		"silence": {"pi", lines(turn) + stay, config.Limits{Silence: config.Duration(400 * time.Millisecond)}, event.Stalled, "silent for too long (400ms)"},
		"output":  {"text", "yes", config.Limits{Output: 1 << 20}, event.Failed, "over its output limit (1048576 bytes)"},
		"the same call three times": {"pi", lines(append(append(append([]string{turn}, again("1")...), again("20")...), again("3")...)...) + stay,
			config.Limits{}, event.Failed, "the same call with the same result 3 times in a row (bash"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, twoFiles)
			a := program(t, "cat > /dev/null; echo HALF > a.txt\n"+c.lines)
			a.Decode = c.decode
			if c.limits.Output == 0 {
				c.limits.Output = 64 << 20
			}
			s, dirs := b.runFor(a, order{plan: oneTask(), limits: c.limits})
			w := s.Worker(1)
			if w.State != c.state || !strings.Contains(w.Reason, c.reason) {
				t.Errorf("Worker 1 is %s: %s, want %s: %s\n%s", w.State, w.Reason, c.state, c.reason, ownerLog(dirs))
			}
			if got := git(t, b.project.Root, "show", w.Partial+":a.txt"); got != "HALF" {
				t.Errorf("its work is lost: %q", got)
			}
			noneLeft(t, dirs)
		})
	}
}

// Two equal calls are no reason, nor three with a new result between.
func TestCallsThatBringSomethingNewGoOn(t *testing.T) {
	b := newBench(t, twoFiles)
	call := func(result string) string {
		return `'{"type":"tool_execution_start","toolCallId":"c","toolName":"bash","args":{"command":"ls"}}' ` +
			`'{"type":"tool_execution_end","toolCallId":"c","toolName":"bash","result":{"content":[{"type":"text","text":"` + result + `"}]},"isError":false,"durationMs":1}' `
	}
	a := program(t, `echo ONE > a.txt; printf '%s\n' '{"type":"turn_start"}' `+call("a")+call("a")+call("b")+call("a")+call("a")+`
printf '{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"# RESULT #1 (by Worker 1)\\n\\n## Files\\n- modified: a.txt\\n\\n## Breaking\\n- none\\n"}],"stopReason":"stop"}}\n'
echo '{"type":"agent_settled","aborted":false}'`)
	a.Decode = "pi"
	if s, dirs := b.runFor(a, order{plan: oneTask()}); s.Status != event.StatusPassed || s.Worker(1).ToolCalls != 5 {
		t.Errorf("%s: %s, %d calls\n%s", s.Status, s.Reason, s.Worker(1).ToolCalls, ownerLog(dirs))
	}
}

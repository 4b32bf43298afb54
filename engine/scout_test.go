package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/engine/agent"
	"growbench/engine/config"
	"growbench/engine/event"
)

// scoutFor asks agent a about the project of b.
func scoutFor(ctx context.Context, b *bench, a config.Agent, limits config.Limits) (ScoutAnswer, error) {
	c := config.Defaults()
	c.Sandbox = "off"
	c.Agents = map[string]config.Agent{"mine": a}
	if limits != (config.Limits{}) {
		c.Limits = limits
	}
	return Scout(ctx, ScoutRequest{
		StateRoot: b.state, Project: b.project, Config: c, Agent: "mine", Question: "Where is </file> one?", Grace: 300 * time.Millisecond,
	})
}

const scouted = `cat <<'END'
## Files
- a.txt — 99 lines — the first
- gone.txt — 3 lines — was here
- ../../etc/passwd — out of it

## Signatures
one() — a.txt
two() — ./sub/b.txt

## Notes
- It is one.
END`

func TestAScoutAnswersAndLeavesNothing(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\ntwo\n", "sub/b.txt": "x"})
	before := git(t, b.project.Root, "for-each-ref")
	answer, err := scoutFor(t.Context(), b, program(t, `cat > prompt.txt; echo spoilt > a.txt; (sleep 1000 &) ; `+scouted), config.Limits{})
	must(t, err)
	if got := fmt.Sprint(answer.Files); got != "[{a.txt 1} {gone.txt -1} {sub/b.txt 1}]" {
		// a.txt is as the Scout left it: it is counted in the clone.
		t.Errorf("files %s", got)
	}
	if got := fmt.Sprint(answer.Signatures); got != "[one() — a.txt two() — sub/b.txt]" {
		t.Errorf("signatures %s", got)
	}
	if !strings.Contains(answer.Answer, "It is one.") || answer.Cut != 0 || answer.Sandboxed || answer.SandboxNote == "" {
		t.Errorf("%+v", answer)
	}
	if data := mustRead(t, filepath.Join(b.project.Root, "a.txt")); string(data) != "one\ntwo\n" {
		t.Errorf("the project's file became %q", data)
	}
	if got := git(t, b.project.Root, "for-each-ref"); got != before {
		t.Errorf("refs were left: %s", got)
	}
	if got := git(t, b.project.Root, "status", "--porcelain"); got != "" {
		t.Errorf("the project changed: %s", got)
	}
	id := filepath.Base(answer.Dir)
	if left, _ := filepath.Glob(filepath.Join(b.state, "*", "trees", id)); len(left) > 0 {
		t.Errorf("its clone is left: %q", left)
	}
	prompt := string(mustRead(t, filepath.Join(answer.Dir, "prompts", "scout.md")))
	if strings.Count(prompt, "</file>") != 1 || !strings.Contains(prompt, "&lt;/file> one?") || len(scoutContract) > maxContract {
		t.Errorf("its prompt, with %d bytes of ours:\n%s", len(scoutContract), prompt)
	}
	items, err := event.ReadTranscript(answer.Dir, event.Scout).Next(100)
	must(t, err)
	if len(items) == 0 || !strings.Contains(items[0].Text, "## Files") {
		t.Errorf("its transcript: %+v", items)
	}
	if got := string(mustRead(t, filepath.Join(answer.Dir, "answer.md"))); got != answer.Answer {
		t.Errorf("its answer on disk is %q", got)
	}
	noneLeft(t, Dirs{Run: answer.Dir})
}

func TestAScoutsAnswerIsBounded(t *testing.T) {
	b := newBench(t, twoFiles)
	answer, err := scoutFor(t.Context(), b, program(t, `cat > /dev/null; seq 1 500`), config.Limits{})
	must(t, err)
	if n := strings.Count(answer.Answer, "\n"); n != maxScoutLines || answer.Cut != 300 || !strings.HasSuffix(answer.Answer, "\n200\n") {
		t.Errorf("%d lines, %d cut", n, answer.Cut)
	}
}

func TestAScoutThatDoesNotEndWell(t *testing.T) {
	for name, c := range map[string]struct {
		lines  string
		limits config.Limits
		reason string
	}{
		"exit code": {"echo half; exit 3", config.Limits{}, "exit code 3"},
		"no answer": {"cat > /dev/null", config.Limits{}, "without an answer"},
		"silent":    {"sleep 1000", config.Limits{Silence: config.Duration(300 * time.Millisecond)}, agent.ErrStalled.Error()},
		"too long":  {"trap '' TERM; while :; do echo x; sleep 0.05; done", config.Limits{Wall: config.Duration(300 * time.Millisecond)}, agent.ErrTimedOut.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, twoFiles)
			answer, err := scoutFor(t.Context(), b, program(t, c.lines), c.limits)
			if err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(filepath.Join(answer.Dir, "prompts", "scout.md")); err != nil {
				t.Error(err)
			}
			noneLeft(t, Dirs{Run: answer.Dir})
		})
	}
}

func TestAScoutIsInterrupted(t *testing.T) {
	b := newBench(t, twoFiles)
	ctx, cancel := context.WithCancel(t.Context())
	up := filepath.Join(t.TempDir(), "up")
	must(t, syscall.Mkfifo(up, 0o600))
	go func() {
		os.ReadFile(up) // until the agent is at work
		cancel()
	}()
	answer, err := scoutFor(ctx, b, program(t, `echo up > `+up+`; sleep 1000`), config.Limits{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(b.state, "*", "trees", "*")); len(left) > 0 {
		t.Errorf("its clone is left: %q", left)
	}
	noneLeft(t, Dirs{Run: answer.Dir})
}

// What a killed Scout left is thrown away by the next one; its records stay.
func TestTheNextScoutClearsUp(t *testing.T) {
	b := newBench(t, twoFiles)
	a := program(t, "cat > /dev/null; echo found")
	first, err := scoutFor(t.Context(), b, a, config.Limits{})
	must(t, err)
	tree := filepath.Join(filepath.Dir(filepath.Dir(first.Dir)), "trees", filepath.Base(first.Dir))
	must(t, os.MkdirAll(filepath.Join(tree, "x"), 0o700))
	git(t, b.project.Root, "update-ref", "refs/growbench/"+filepath.Base(first.Dir)+"/0", "HEAD")
	_, err = scoutFor(t.Context(), b, a, config.Limits{})
	must(t, err)
	if _, err := os.Stat(tree); err == nil {
		t.Error("the clone is still there")
	}
	if refs := git(t, b.project.Root, "for-each-ref", "refs/growbench"); refs != "" {
		t.Errorf("refs: %s", refs)
	}
	if _, err := os.Stat(filepath.Join(first.Dir, "answer.md")); err != nil {
		t.Error(err)
	}
}

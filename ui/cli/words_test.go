package cli

import (
	"strings"
	"testing"
	"time"

	"growbench/engine"
	"growbench/engine/event"
)

func TestLedgerEntryWithoutASymbolIsNamedByItsText(t *testing.T) {
	e := event.Event{At: time.Now(), Body: event.LedgerEntry{K: 1, Class: "breaking", Source: event.SourceClaimed, Text: "The order of columns", Kind: "changed", File: "a.txt"}}
	if line := describe(e); !strings.Contains(line, "breaking: The order of columns (changed) a.txt") {
		t.Errorf("%q", line)
	}
}

func TestAffectedWorkersAreListedTogether(t *testing.T) {
	for want, affected := range map[string]string{
		"affects Worker 2":                   "2",
		"affects Workers 2, 3 (possible), 4": "2 3? 4",
	} {
		var l event.LedgerEntry
		for _, who := range strings.Fields(affected) {
			l.Affected = append(l.Affected, event.Affected{K: int(who[0] - '0'), Possible: strings.HasSuffix(who, "?")})
		}
		if line := ledgerLine(l); !strings.HasSuffix(line, "  "+want) {
			t.Errorf("%q does not end with %q", line, want)
		}
	}
}

func TestRunThatIsNotEndedIsNotCheckedYet(t *testing.T) {
	r := engine.Summary{Run: "r", Status: event.StatusRunning, Verified: event.VerifiedNone, Done: 1, N: 2}
	if line := runLine(r); !strings.Contains(line, "not checked yet") || strings.Contains(line, "verified") {
		t.Errorf("%q", line)
	}
	r.Status, r.Ended = event.StatusStopped, time.Now()
	if line := runLine(r); !strings.Contains(line, "verified: none") {
		t.Errorf("%q", line)
	}
}

func TestMissingArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for args, words := range map[string]string{
		"attach":         "name the RUN; see `growbench attach --help`",
		"retry x":        "name the K; see",
		"answer":         "name the RUN and the ID and the CHOICE; see",
		"map patch":      "name the PATH; see",
		"attach a b":     `"b" is one argument too many; see`,
		"one two":        `"two" is one argument too many; see`,
		"run extra":      `"extra" is one argument too many; see`,
		"help nope":      `no command "nope"`,
		"help runs nope": `no command "runs nope"`,
		"runs extra":     "extra",
	} {
		p.do(strings.Fields(args)...).ends(exitUsage, words).silent("arg(s)")
	}
	p.do("help", "runs", "prune").ends(exitOK, "growbench runs prune")
	p.do("help").ends(exitOK, "Exit codes")
}

func TestFlagValuesAreOffered(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	for _, flag := range []string{"--agent", "--planner", "--worker"} {
		p.do("__complete", "run", flag, "").ends(exitOK, append(engine.Presets(), "scripted\n")...)
	}
	p.do("__complete", "retry", "x", "1", "--agent", "").ends(exitOK, "scripted\n")
	p.do("__complete", "run", "--base", "").ends(exitOK, "head\n", "snapshot\n")
	p.do("__complete", "lint", "--kind", "").ends(exitOK, "task0\n", "results\n")
	p.do("__complete", "show", "").ends(exitOK, "latest\n")
}

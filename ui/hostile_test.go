package ui

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme"
	"growbench/theme/text"
)

// evil is what an agent may put anywhere it can put text.
const evil = "a\x1b[7777zb\x1b]52;c;cGF5bG9hZA==\x07c\x1b]0;stolen\x07d\u009b31me\x9d2;x\x9cf\u202eg\u2066h\r\n" +
	"日本語👩‍👩‍👧❤️🇩🇪e\u0301\x1bPq#0\x1b\\\x00\x07\x08\ti\x1b]2;open"

// hostileRun fills every text of a run with s.
func hostileRun(s string) []event.Event {
	task := doc.PlanTask{Title: s, Goal: s, TargetFiles: []string{s}}
	bodies := []event.Body{
		event.RunStarted{Format: 1, Run: s, Project: s, Base: "head", Branch: s, Planner: s, Worker: s, Scripted: true},
		event.PlanRequested{Agent: s, Attempt: 2, Prompt: event.Prompt{Path: s}},
		event.PlanAccepted{Source: "planner", Plan: doc.Plan{Tasks: []doc.PlanTask{task, task, task}}},
		event.WorkerStarted{K: 1, Agent: s, Attempt: 1, Prompt: event.Prompt{Path: "prompts/worker-1.md"}},
		event.ResultAccepted{K: 1, Source: s, Result: doc.Result{K: 1, Files: doc.Files{Created: []string{s}},
			Signatures: []doc.Signature{{Signature: s, Path: s}}, Breaking: []doc.Breaking{{Text: s, Symbol: s, Path: s}}, Summary: s}},
		event.ResultCompared{K: 1, Verdict: event.Contested, Result: doc.Result{K: 1, Files: doc.Files{Created: []string{s}}, Summary: s}, Notes: []string{s},
			Differences: []event.Difference{{About: s, Side: s, Symbol: s, Path: s, Text: s}}},
		event.LedgerEntry{Symbol: s, Kind: s, Class: s, File: s, K: 1, Source: s, Text: s, Observed: s, Possible: []string{s},
			Affected: []event.Affected{{K: 2, Possible: true}}, Unowned: []string{s, s}},
		event.TaskAffected{K: 2, By: 1, Symbol: s, File: s},
		event.WorkerEnded{K: 1, State: s, Reason: s},
		event.WorkerStarted{K: 2, Agent: s, Attempt: 1},
		event.WorkerToolStarted{K: 2, Name: s, ArgsPreview: s},
		event.ScopeFlagged{K: 2, Path: s, Kind: s},
		event.CheckRan{When: "verify", Command: s, Passed: false},
		event.ChecksFound{Commands: []string{s}},
		event.Waiting{ID: "w", Kind: s, K: 2, Text: s, Choices: []string{s, "b"}},
	}
	events := make([]event.Event, len(bodies))
	for i, b := range bodies {
		events[i] = event.Event{Seq: uint64(i + 1), At: noon, Body: b}
	}
	return events
}

// hostileDir is a run directory whose files hold s.
func hostileDir(t *testing.T, s string) string {
	t.Helper()
	dir := t.TempDir()
	var items strings.Builder
	for _, kind := range []string{event.ItemText, event.ItemThinking, event.ItemCall, event.ItemOutput, event.ItemReturn, event.ItemNote} {
		line, err := json.Marshal(event.Item{Kind: kind, Turn: 1, Name: s, Text: s, Error: s})
		if err != nil {
			t.Fatal(err)
		}
		items.Write(append(line, '\n'))
	}
	for name, body := range map[string]string{
		"transcripts/worker-1.jsonl": items.String(), "transcripts/worker-2.jsonl": items.String() + items.String(),
		"prompts/worker-1.md": s, "task2.md": s,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestNothingFromOutsideReachesTheTerminalAsACommand(t *testing.T) {
	for _, look := range []string{theme.None, theme.Dark} {
		var clock hand
		f := newFeed(hostileDir(t, evil))
		g := open(t, 160, 48, Options{Source: f, Attention: FullAttention(), State: event.Fold(hostileRun(evil)), Theme: look, Note: evil, ComeBack: evil, Clock: clock.now})
		g.until("waits: ", "transcript of Worker 2", "turn 1", "RESULT #1")
		for _, step := range []struct{ keys, shows string }{
			{"\rz", "(failed"}, {"?", "─ keys ─"}, {"\x1b[27ut", "the task of Worker 2"},
			{"\x1b[27u1k", "transcript of Worker 1"}, {"p", "the prompt of Worker 1"}, {"\x1b[27u" + "a", "a moment"},
		} {
			g.press(step.keys)
			g.until(step.shows)
		}
		clock.forward(2 * time.Second)
		g.press("\x0e")
		g.until("not now")
		g.press("\x03")
		g.until("leave, stop or stay?")
		g.press("l")
		g.end()

		raw := g.bytes()
		actsOnNothing(t, raw)
		// One when the screen came, one when it closed.
		titles := strings.Split(raw, "\x1b]2;")[1:]
		if len(titles) != 2 {
			t.Fatalf("%s: the title was set %d times", look, len(titles))
		}
		title, _, _ := strings.Cut(titles[0], "\a")
		if strings.ContainsFunc(title, unicode.IsControl) || !strings.HasSuffix(title, "…") {
			t.Errorf("%s: the title is %q", look, title)
		}
		if strings.Index(titles[1], "\a") != 0 {
			t.Errorf("%s: the title was not cleared", look)
		}
	}
}

// actsOnNothing tells that nothing of evil acts on a terminal.
func actsOnNothing(t *testing.T, raw string) {
	t.Helper()
	for _, bad := range []string{
		"\x1b]52;", "\x1b]0;", "\x1b]8;", "\x1b[7777z", "\u009b", "\u009d", "\x1bP", "\u202e", "\u2066", "\x00",
	} {
		if strings.Contains(raw, bad) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
	if !utf8.ValidString(raw) {
		t.Error("bytes that are no UTF-8 reached the terminal")
	}
}

func TestTheBranchOfAnEndedRunIsText(t *testing.T) {
	f := newFeed(hostileDir(t, evil))
	s := event.Fold(append(hostileRun(evil), event.Event{Seq: 100, At: noon, Body: event.RunEnded{
		Run: evil, Status: event.StatusPassed, Verified: event.VerifiedPassed, Branch: evil, Commit: evil, Reason: evil,
	}}))
	g := open(t, 160, 48, Options{Source: f, State: s, Theme: theme.None, Clock: new(hand).now})
	g.until("passed", "branch a", "RESULT #1")
	g.press("q")
	g.end()
	actsOnNothing(t, g.bytes())
}

// alphabet is what random texts are made of: everything that has ever made a
// line longer than it was counted.
var alphabet = []string{
	"a", "b ", "wide 日本", "👩‍👩‍👧", "❤️", "🇩🇪", "e\u0301", "\u200d", "\u200b", "\ufe0f", "\t", "\n", "\r", "\x1b[31m", "\x1b]2;",
	"\u0e33", "\u1100\u1161", "क्षि", "\U0001f3fd", "\xff", "\u202e", "|", "&#x1b;", "`code`", "# ", "- ", "[x](http://e)", "…", "\u00ad", "﷽",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func TestNoLineIsEverWiderThanTheScreen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	overlays := []func(*model) overlay{
		func(*model) overlay { return nil },
		func(*model) overlay { return &help{} },
		func(*model) overlay { return &confirmStop{} },
		func(*model) overlay { return &offer{} },
		func(m *model) overlay { q := &answers{}; q.settle(m); return q },
		func(*model) overlay {
			return &written{pending: pending{wait: event.Waiting{ID: randomText(r), Choices: []string{randomText(r)}, Until: noon.Add(time.Minute)}}, choice: event.AffectedAdd}
		},
		func(m *model) overlay {
			return newPaper(m, documentMsg{action: Task, title: randomText(r), body: randomText(r)})
		},
	}
	for range 200 {
		s := randomText(r)
		look, err := theme.New([]string{theme.None, theme.Light}[r.IntN(2)], nil)
		if err != nil {
			t.Fatal(err)
		}
		f := newFeed(t.TempDir())
		m := newModel(t.Context(), Options{Source: f, Note: s, ComeBack: s, Theme: look.Name, Clock: func() time.Time { return noon }}, look)
		m.openTranscript(2)
		run := hostileRun(s)
		if r.IntN(4) == 0 {
			run = append(run, event.Event{Seq: uint64(len(run) + 1), At: noon, Body: event.RunEnded{Status: event.StatusPassed, Branch: s, Reason: s}})
		}
		m.receive(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: run, OwnerAlive: r.IntN(4) > 0}})
		var items []event.Item
		for _, kind := range []string{event.ItemText, event.ItemText, event.ItemCall, event.ItemOutput, event.ItemReturn} {
			items = append(items, event.Item{Kind: kind, Turn: r.IntN(3), Name: randomText(r), Text: randomText(r)})
		}
		transcribe(t, m, items)
		m.board.transcript.FoldAll(r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			m.notice = s
		}
		m.focus = pane(r.IntN(int(paneCount)))
		m.aside = m.focus
		if o := overlays[r.IntN(len(overlays))](m); o != nil {
			m.push(o)
		}
		m.screen = size{1 + r.IntN(170), 1 + r.IntN(50)}
		for round := range 2 {
			lines := strings.Split(m.draw(), "\n")
			if len(lines) != m.screen.height {
				t.Fatalf("%d lines on a screen of %v", len(lines), m.screen)
			}
			for i, l := range lines {
				if text.WcWidth.Width(l) > m.screen.width || text.Grapheme.Width(l) > m.screen.width {
					t.Fatalf("line %d is %d or %d cells wide on %v: %q (text %q)", i,
						text.WcWidth.Width(l), text.Grapheme.Width(l), m.screen, l, s)
				}
			}
			if round == 0 {
				for _, source := range m.board.results.Unrendered() {
					key := renderKey{source, max(m.board.results.Width(), 20), 0}
					m.board.results.SetRendered(source, renderMarkdown(key, look))
				}
			}
		}
	}
}

func TestATinyWindowSaysSoAndHowTheRunStands(t *testing.T) {
	for run, want := range map[string]string{
		"working": "window too small, 40×10 at least; the run goes on",
		"waiting": "window too small, 40×10 at least; the run waits for you",
		"ended":   "window too small, 40×10 at least",
	} {
		f := newFeed(t.TempDir())
		f.news <- engine.Update{Events: recorded(t, run), OwnerAlive: true}
		for _, s := range []size{{30, 6}, {26, 3}} {
			g := open(t, s.width, s.height, Options{Source: f, State: event.Fold(recorded(t, run))})
			g.when(want, func(screen string) bool {
				words := strings.Join(strings.Fields(screen), " ")
				return strings.TrimPrefix(words, "growbench: ") == want
			})
			g.press("\x03\x03")
			if out := g.end(); out.err != nil {
				t.Error(out.err)
			}
		}
	}
}

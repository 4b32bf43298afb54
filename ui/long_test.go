package ui

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme"
)

// longTranscript writes a transcript of Worker 2 with n lines of text, and now
// and then a tool call, and returns the run directory.
func longTranscript(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	path := event.TranscriptPath(dir, 2)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	enc := json.NewEncoder(w)
	write := func(it event.Item) {
		it.Turn = 1
		if err := enc.Encode(it); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		write(event.Item{Kind: event.ItemText, Text: fmt.Sprintf("line %d %s\n", i, strings.Repeat("some words of an agent ", i%4))})
		if i%5000 == 4999 {
			write(event.Item{Kind: event.ItemCall, Name: "run_command", Text: fmt.Sprintf("call %d", i)})
			failed := ""
			if i%500_000 == 499_999 {
				failed = "exit code 1"
			}
			write(event.Item{Kind: event.ItemReturn, Name: "run_command", Args: fmt.Sprintf("call %d", i), Text: "done\n", Error: failed})
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// opened is a model without a terminal on the end of Worker 2's transcript.
func opened(t testing.TB, dir string) *model {
	t.Helper()
	look, err := theme.New(theme.Dark, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), Options{Source: newFeed(dir), Theme: theme.Dark, Clock: func() time.Time { return noon }}, look)
	m.update(tea.WindowSizeMsg{Width: 160, Height: 48})
	m.receive(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: recorded(t, "working"), OwnerAlive: true}})
	m.openTranscript(2)
	m.show(transcriptPane)
	m.gather(m.readOn(0)().(sheetsMsg))
	complete(t, m)
	return m
}

// complete hands in what the pane lacks until it lacks nothing.
func complete(t testing.TB, m *model) {
	t.Helper()
	for range 1000 {
		m.compose()
		wants := m.board.transcript.Wants()
		if len(wants) == 0 {
			return
		}
		sheets, err := readSheets(m.follow.pages, wants)
		if err != nil {
			t.Fatal(err)
		}
		m.board.transcript.Put(sheets...)
	}
	t.Fatal("the pane never has what it needs")
}

func press(code rune, text string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: code, Text: text} }

// processor is the time this process has had of the processors, in
// milliseconds: it says the same on a busy machine.
func processor() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

// frames measures what a key costs until the frame is there; what is read for
// it meanwhile is not counted.
func frames(b *testing.B, m *model, keys ...tea.KeyPressMsg) {
	cpu := 0.0
	for i := range b.N {
		before := processor()
		m.update(keys[i%len(keys)])
		_ = m.view()
		cpu += processor() - before
		b.StopTimer()
		complete(b, m)
		b.StartTimer()
	}
	b.ReportMetric(cpu/float64(b.N), "cpu-ms/op")
}

func BenchmarkUpdateView100kLines(b *testing.B) {
	m := opened(b, longTranscript(b, 100_000))
	b.ResetTimer()
	frames(b, m, press(tea.KeyUp, ""), press(tea.KeyDown, ""), press(tea.KeyPgUp, ""), press('G', "G"), press('g', "g"))
}

func BenchmarkScroll1MLines(b *testing.B) {
	m := opened(b, longTranscript(b, 1_000_000))
	b.ResetTimer()
	frames(b, m, press(tea.KeyPgUp, ""))
}

// BenchmarkOpen1MLines is from the start of the program to the transcript's
// last line on the screen, and from Home to its first.
func BenchmarkOpen1MLines(b *testing.B) {
	dir := longTranscript(b, 1_000_000)
	before := processor()
	defer func() { b.ReportMetric((processor()-before)/float64(b.N), "cpu-ms/op") }()
	for b.Loop() {
		f := newFeed(dir)
		f.news <- engine.Update{Events: recorded(b, "working"), OwnerAlive: true}
		g := open(b, 160, 48, Options{Source: f, Theme: theme.Dark})
		g.until("line 999999")
		g.press("2g")
		g.until("line 0 ")
		g.press("q")
		g.end()
	}
}

func BenchmarkSearch1MLines(b *testing.B) {
	m := opened(b, longTranscript(b, 1_000_000))
	before := processor()
	defer func() { b.ReportMetric((processor()-before)/float64(b.N), "cpu-ms/op") }()
	for b.Loop() {
		cmd := m.startSearch("line 99999")
		for cmd != nil {
			cmd = m.gatherHits(cmd().(hitsMsg))
		}
		if _, all := m.board.transcript.Matches(); all != 11 {
			b.Fatalf("%d matches", all)
		}
	}
}

// BenchmarkMemory1MLines goes through all of it by the page and reports what
// is kept at the end.
func BenchmarkMemory1MLines(b *testing.B) {
	m := opened(b, longTranscript(b, 1_000_000))
	var before, after runtime.MemStats
	for b.Loop() {
		m.update(press('g', "g"))
		for !m.board.transcript.Following() {
			complete(b, m)
			m.update(press(tea.KeyPgDown, ""))
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&before)
	m.board.transcript.Reset("")
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(before.HeapInuse)/1e6, "MB-heap")
	b.ReportMetric(float64(before.HeapAlloc-after.HeapAlloc)/1e6, "MB-kept")
	b.ReportMetric(float64(before.Sys)/1e6, "MB-from-system")
}

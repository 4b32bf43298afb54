package event

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
)

func clock() func() time.Time {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func openLog(t *testing.T, path string) (*Log, []Event, Report) {
	t.Helper()
	l, events, report, err := OpenLog(path, clock())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, events, report
}

func TestLogKeepsWhatWasAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	l, _, _ := openLog(t, path)
	want, err := l.Append(true,
		RunStarted{Format: Version, Run: "r1", Task0: doc.Task{Goal: "g"}},
		WorkerTool{K: 1, Name: "edit", Error: "no\nsuch file"},
		RunEnded{Run: "r1", Status: StatusPassed, Verified: VerifiedNone})
	if err != nil {
		t.Fatal(err)
	}
	got, report, err := Read(path)
	if err != nil || !report.Clean() {
		t.Fatalf("read: %v %+v", err, report)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, appended %+v", got, want)
	}
	again, events, _ := openLog(t, path)
	if len(events) != 3 {
		t.Fatalf("opened with %d events", len(events))
	}
	next, err := again.Append(false, RunOrphaned{PID: 7})
	if err != nil || next[0].Seq != 4 {
		t.Errorf("next event %+v, %v; want seq 4", next, err)
	}
}

func TestEventsAreFlatObjects(t *testing.T) {
	at := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	line, err := json.Marshal(Event{9, at, CommitDone{K: 2, Commit: "abc"}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"seq":9,"at":"2026-11-30T14:00:00Z","type":"commit.done","k":2,"commit":"abc"}`
	if string(line) != want {
		t.Errorf("got %s\nwant %s", line, want)
	}
}

func TestUnknownTypesSurvive(t *testing.T) {
	line := []byte(`{"seq":3,"at":"2026-11-30T14:00:00Z","type":"loop.armed","n":[1,{"x":null}]}`)
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		t.Fatal(err)
	}
	if e.Body.Type() != "loop.armed" {
		t.Errorf("type %q", e.Body.Type())
	}
	back, err := json.Marshal(e)
	if err != nil || !bytes.Equal(back, line) {
		t.Errorf("wrote %s, %v", back, err)
	}
}

// A log may end anywhere: what is whole stays, what is torn is set aside, and
// the next record stands on its own line.
func TestTornTails(t *testing.T) {
	good := `{"seq":1,"at":"2026-11-30T14:00:00Z","type":"worker.turn","k":1,"turn":1}` + "\n" +
		`{"seq":2,"at":"2026-11-30T14:00:01Z","type":"worker.turn","k":1,"turn":2}` + "\n"
	whole := `{"seq":3,"at":"2026-11-30T14:00:02Z","type":"worker.turn","k":1,"turn":3}`
	for _, tc := range []struct {
		name, content string
		events        int
		torn          bool
		bad           []int
		next          uint64
	}{
		{"half a record", good + `{"seq":3,"at":"2026-11-30T14:0`, 2, true, nil, 3},
		{"half a character", good + "{\"seq\":3,\"t\":\"\xea\xb0", 2, true, nil, 3},
		{"zeroes", good + strings.Repeat("\x00", 64), 2, true, nil, 3},
		{"whole without its newline", good + whole, 3, false, nil, 4},
		{"nothing", "", 0, false, nil, 1},
		{"a bad line in the middle", good + "{\"seq\":3,\"t\":\"wo{\"seq\":4}\n" + strings.Replace(whole, "3", "4", 1) + "\n", 3, false, []int{3}, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "events.jsonl")
			if err := os.WriteFile(path, []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			l, events, report := openLog(t, path)
			if len(events) != tc.events || report.TornBytes > 0 != tc.torn || !reflect.DeepEqual(report.BadLines, tc.bad) {
				t.Fatalf("opened with %d events, %+v", len(events), report)
			}
			set, _ := filepath.Glob(path + ".torn-*")
			if len(set) > 0 != tc.torn {
				t.Errorf("set aside: %v", set)
			}
			added, err := l.Append(true, WorkerTurn{K: 1, Turn: 9})
			if err != nil || added[0].Seq != tc.next {
				t.Fatalf("appended %+v, %v", added, err)
			}
			got, after, err := Read(path)
			if err != nil || len(got) != tc.events+1 || after.TornBytes > 0 {
				t.Errorf("then read %d events, %+v, %v", len(got), after, err)
			}
		})
	}
}

func TestAppendThatFailsLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	l, _, _ := openLog(t, path)
	if _, err := l.Append(true, WorkerTurn{K: 1, Turn: 1}); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	l.file.Close() // every write fails from here on
	if _, err := l.Append(true, WorkerTurn{K: 1, Turn: 2}); err == nil {
		t.Fatal("append to a closed file succeeded")
	}
	after, _ := os.ReadFile(path)
	if !bytes.Equal(before, after) {
		t.Errorf("the log changed: %q", after)
	}
}

func TestNewerLogIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	os.WriteFile(path, []byte(`{"seq":1,"at":"2026-11-30T14:00:00Z","type":"run.started","format":99}`+"\n"), 0o600)
	if _, _, err := Read(path); err == nil || !strings.Contains(err.Error(), "newer growbench") {
		t.Errorf("got %v", err)
	}
}

func TestTailFollowsWholeLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	tail := NewTail(path, 0)
	defer tail.Close()
	read := func() (lines []string) {
		t.Helper()
		if err := tail.Next(func(l []byte) bool { lines = append(lines, string(l)); return true }); err != nil {
			t.Fatal(err)
		}
		return lines
	}
	if got := read(); got != nil {
		t.Errorf("a file that is not there has lines: %q", got)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("one\ntw")
	if got := read(); !reflect.DeepEqual(got, []string{"one"}) {
		t.Errorf("got %q", got)
	}
	f.WriteString("o\nthree\n")
	if got := read(); !reflect.DeepEqual(got, []string{"two", "three"}) {
		t.Errorf("got %q", got)
	}
	long := strings.Repeat("x", maxLine+100)
	f.WriteString(long + "\nfour\n")
	if got := read(); !reflect.DeepEqual(got, []string{"four"}) {
		t.Errorf("after a line that is too long: %d lines", len(got))
	}
	f.WriteString("five\nsix\n")
	var first []string
	tail.Next(func(l []byte) bool { first = append(first, string(l)); return false })
	if got := read(); !reflect.DeepEqual(first, []string{"five"}) || !reflect.DeepEqual(got, []string{"six"}) {
		t.Errorf("stopped early: %q then %q", first, got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"seq":1,"at":"2026-11-30T14:00:00Z","type":"worker.turn","k":1,"turn":1}` + "\n"))
	f.Add([]byte("{\"seq\":1\x00\n\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "events.jsonl")
		os.WriteFile(path, data, 0o600)
		events, _, err := Read(path)
		if err != nil {
			return
		}
		Fold(events)
		l, opened, _, err := OpenLog(path, clock())
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if len(opened) != len(events) {
			t.Fatalf("opened with %d events, read %d", len(opened), len(events))
		}
		if _, err := l.Append(true, WorkerTurn{K: 1, Turn: 1}); err != nil {
			t.Fatal(err)
		}
		after, _, err := Read(path)
		if err != nil || len(after) != len(events)+1 {
			t.Fatalf("after an append: %d events for %d, %v", len(after), len(events), err)
		}
	})
}

func BenchmarkAppendAndFold(b *testing.B) {
	path := filepath.Join(b.TempDir(), "events.jsonl")
	l, _, _, err := OpenLog(path, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	s := NewState()
	s.Apply(Event{1, time.Now(), PlanAccepted{Plan: doc.Plan{Tasks: make([]doc.PlanTask, 3)}}})
	s.LastSeq = 0
	for b.Loop() {
		events, err := l.Append(false, WorkerTool{K: 2, Name: "edit_file", ArgsPreview: "size/size.go", ResultBytes: 120, MS: 3})
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range events {
			s.Apply(e)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

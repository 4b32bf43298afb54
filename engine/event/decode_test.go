package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"growbench/engine/doc"
)

func TestDecodeReadsWhatUnmarshallingReads(t *testing.T) {
	at := time.Date(2026, 11, 30, 14, 0, 0, 123456789, time.UTC)
	for _, body := range []Body{
		RunStarted{Format: 1, Run: "r", Task0: doc.Task{Goal: `a "quoted" goal`}}, RunOrphaned{PID: 3}, T0Linted{},
		WorkerTool{K: 1, Name: "run", ArgsPreview: `{"seq":7}`, Error: "x\ny"}, WorkerUsage{K: 2, In: 1 << 40, Cost: 0.25},
		PlanAccepted{Source: "file", Plan: doc.Plan{Tasks: []doc.PlanTask{{Title: "t"}}}}, Unknown{Name: "later.thing", Raw: json.RawMessage(
			`{"seq":9,"at":"2026-11-30T14:00:00Z","type":"later.thing","x":1}`)},
	} {
		line, err := json.Marshal(Event{9, at, body})
		if err != nil {
			t.Fatal(err)
		}
		same(t, line)
	}
}

func same(t *testing.T, line []byte) {
	t.Helper()
	var want Event
	wantErr := json.Unmarshal(line, &want)
	got, err := Decode(line)
	if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n is read as %+v, %v\nwant %+v, %v", line, got, err, want, wantErr)
	}
}

// repeats tells whether a line names a key of the head twice: then the first
// one counts, elsewhere the last.
func repeats(line []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(line))
	seen := map[string]int{}
	for depth, key := 0, false; ; {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
			key = depth == 1
			continue
		case json.Delim('}'), json.Delim(']'):
			depth--
			key = depth == 1
			continue
		}
		if name, ok := tok.(string); ok && depth == 1 && key {
			for _, head := range []string{"seq", "at", "type"} {
				if strings.EqualFold(name, head) {
					seen[head]++
				}
			}
		}
		key = depth == 1 && !key
	}
	return seen["seq"] > 1 || seen["at"] > 1 || seen["type"] > 1
}

func FuzzDecode(f *testing.F) {
	for _, line := range []string{
		`{"seq":1,"at":"2026-11-30T14:00:00Z","type":"commit.done","k":2,"commit":"abc"}`,
		`{"seq":1,"at":"2026-11-30T14:00:00Z","type":"run.orphaned"}`, `{"seq":1,"at":"x","type":"worker.turn","k":1,"seq":2}`,
		`{"seq":01,"at":"2026-11-30T14:00:00Z","type":"worker.turn","k":1}x`, `{"type":"worker.turn","seq":3,"k":1}`,
		`{"seq":1,"at":"2026-11-30T14:00:00Z","type":"worker.turn",}`, `{"seq":1,"at":"2026-11-30T14:00:00Z","type":"worker.turn","TYPE":"run.ended"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !repeats(line) {
			same(t, line)
		}
	})
}

// manyEvents writes a log of n events as a chain of ten Workers leaves it.
func manyEvents(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	l, _, _, err := OpenLog(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var plan doc.Plan
	for k := range 10 {
		plan.Tasks = append(plan.Tasks, doc.PlanTask{Title: fmt.Sprint("task ", k)})
	}
	bodies := []Body{RunStarted{Format: Version, Run: "r"}, PlanAccepted{Plan: plan}}
	for i := 0; len(bodies) < n; i++ {
		k := 1 + i*10/n
		bodies = append(bodies, WorkerTurn{K: k, Turn: i}, WorkerToolStarted{K: k, Name: "run_command", ArgsPreview: "go test ./..."},
			WorkerTool{K: k, Name: "run_command", ArgsPreview: "go test ./...", ResultBytes: 1200, MS: 300},
			WorkerUsage{K: k, In: 2000, Out: 300, Cached: 1500})
	}
	if _, err := l.Append(false, bodies...); err != nil {
		t.Fatal(err)
	}
	return path
}

func BenchmarkReadAndFold100k(b *testing.B) {
	path := manyEvents(b, 100_000)
	for b.Loop() {
		events, _, err := Read(path)
		if err != nil {
			b.Fatal(err)
		}
		Fold(events)
	}
}

// Whatever our own writer leaves of the bodies that fill a log is read the fast
// way, every field of it.
func TestWhatFillsALogIsReadFast(t *testing.T) {
	for _, body := range []Body{
		WorkerTurn{1, 2, 3}, WorkerTurn{K: 1, Turn: 1}, WorkerToolStarted{1, "run", `a "quoted" 世界` + "\n"},
		WorkerTool{1, "run", `{"command":"go test ./...\t"}`, 5, 6, "exit code 1", 7}, WorkerTool{K: 3},
		WorkerUsage{1, 2, 3, 4, 0.25, true, 5, 6, 7}, WorkerUsage{K: 9},
	} {
		line, err := json.Marshal(Event{9, time.Unix(1, 0).UTC(), body})
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := bytes.Cut(line, []byte(body.Type()+`"`))
		if got := often([]byte(body.Type()), rest); !reflect.DeepEqual(got, body) {
			t.Errorf("%s is read as %+v, not %+v", line, got, body)
		}
		same(t, line)
	}
	it := Item{time.Unix(1, 0).UTC(), ItemReturn, 2, "run", "text\n", `{"a":"b"}`, 5, 6, "exit code 1"}
	record, err := json.Marshal(it)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := decodeItem(record); !ok || got != it {
		t.Errorf("%s is read as %+v, not %+v", record, got, it)
	}
}

func TestReadStateIsTheFoldOfRead(t *testing.T) {
	path := manyEvents(t, 500)
	events, report, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	s, again, err := ReadState(path)
	if err != nil || !reflect.DeepEqual(again, report) || !reflect.DeepEqual(s, Fold(events)) {
		t.Errorf("read %v, %+v", err, again)
	}
	info, err := os.Stat(path)
	if err != nil || report.Lines != info.Size() {
		t.Errorf("%d bytes of lines in %d", report.Lines, info.Size())
	}
}

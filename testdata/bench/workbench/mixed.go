package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"growbench/engine/event"
)

// saidAtOnce lines are said, printedAtOnce printed by a tool, and so on in turn.
const saidAtOnce, printedAtOnce = 100, 300

// mixedScript are the steps of an agent that says lines, thinks, reads, edits and
// runs what prints lines: about 200 lines a second in all, for that long.
func mixedScript(self string, seconds int) ([]byte, error) {
	type step = map[string]any
	var steps []step
	line, had := 0, "one line\n"
	for turn := 1; turn <= seconds+60; turn++ {
		steps = append(steps, step{"turn": turn}, step{"usage": step{"in": 1000 + turn, "out": 100}})
		for range saidAtOnce {
			steps = append(steps, step{"say": said(line)})
			line++
		}
		has := fmt.Sprintf("line of turn %d\n", turn)
		steps = append(steps,
			step{"think": fmt.Sprintf("Turn %d is like the last: 世界, café, 👩‍👩‍👧.\n", turn)},
			step{"read": "a.txt"}, step{"edit": "a.txt", "old": had, "new": has},
			step{"run": fmt.Sprintf("'%s' agent print %d %d", self, line, printedAtOnce)},
			step{"run": fmt.Sprintf("test %d = 0", turn), "exit": 1})
		line, had = line+printedAtOnce, has
	}
	// A little faster than 200 a second, for the time that steps in between take.
	return json.Marshal(map[string]any{"tick": "4ms", "workers": []any{map[string]any{"task": 1, "steps": steps}}})
}

func said(i int) string {
	return fmt.Sprintf("line %d %s\n", i, strings.Repeat("some words of an agent ", i%4))
}

// accounted says what is missing of a mixed run: an event, a line that was said or
// printed, or of a call, its return and its turn the half in the log or that in
// the transcript.
func (r *run) accounted() (events, lines, calls int, err error) {
	events, lines, err = r.whole()
	if err != nil {
		return 0, 0, 0, err
	}
	all, _, err := event.Read(filepath.Join(r.at, "events.jsonl"))
	if err != nil {
		return 0, 0, 0, err
	}
	var logged, kept []string
	for _, e := range all {
		switch b := e.Body.(type) {
		case event.WorkerTurn:
			logged = append(logged, fmt.Sprint("turn ", b.Turn))
		case event.WorkerToolStarted:
			logged = append(logged, "call "+b.Name)
			calls++
		case event.WorkerTool:
			logged = append(logged, fmt.Sprint("return ", b.Name, " ", b.Error, " ", b.ResultBytes))
		}
	}
	turn := 0
	err = r.items(func(it event.Item) error {
		if it.Turn > turn {
			turn = it.Turn
			kept = append(kept, fmt.Sprint("turn ", turn))
		}
		switch it.Kind {
		case event.ItemCall:
			kept = append(kept, "call "+it.Name)
		case event.ItemReturn:
			kept = append(kept, fmt.Sprint("return ", it.Name, " ", it.Error, " ", it.Bytes))
		}
		return nil
	})
	if err != nil {
		return 0, 0, 0, err
	}
	for i := range max(len(logged), len(kept)) {
		if i >= len(logged) || i >= len(kept) || logged[i] != kept[i] {
			return 0, 0, 0, fmt.Errorf("the log and the transcript part at their step %d of %d and %d: %q, %q", i+1,
				len(logged), len(kept), logged[min(i, len(logged)):min(i+3, len(logged))], kept[min(i, len(kept)):min(i+3, len(kept))])
		}
	}
	return events, lines, calls, nil
}

// items gives out a transcript's items in order.
func (r *run) items(take func(event.Item) error) error {
	path := r.transcript()
	if _, err := os.Stat(path); err != nil {
		return err
	}
	read := event.ReadTranscript(r.at, 1)
	defer read.Close()
	for {
		items, err := read.Next(1000)
		if len(items) == 0 || errors.Is(err, io.EOF) {
			return err
		}
		for _, it := range items {
			if err := take(it); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
}

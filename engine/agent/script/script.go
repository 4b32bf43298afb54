// Package script replays recorded steps as an agent. Its thoughts are
// recorded; the files it edits and the commands it runs are real.
package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// maxScript bounds the data file, in bytes.
const maxScript = 8 << 20

// Script is the data file: what the Planner and each Worker do.
type Script struct {
	Note    string   `json:"note"`
	Tick    Duration `json:"tick"` // pause after each step
	Planner *Part    `json:"planner"`
	Workers []Part   `json:"workers"`
	dir     string
}

// Part is what one agent does. Again are its steps when it is asked for the
// RESULT once more; without them it has nothing to add. Those of a Planner are
// for every time but the first.
type Part struct {
	Task  int    `json:"task"`
	Steps []Step `json:"steps"`
	Again []Step `json:"again"`
}

// Step is one recorded step: exactly one of its actions is set.
type Step struct {
	Turn    int             `json:"turn,omitempty"`
	Say     string          `json:"say,omitempty"`
	Think   string          `json:"think,omitempty"`
	Pause   Duration        `json:"pause,omitempty"`
	Read    string          `json:"read,omitempty"`
	Edit    string          `json:"edit,omitempty"`
	Old     string          `json:"old,omitempty"`
	New     string          `json:"new,omitempty"`
	Write   string          `json:"write,omitempty"`
	Content string          `json:"content,omitempty"`
	From    string          `json:"from,omitempty"` // a file beside the script
	Delete  string          `json:"delete,omitempty"`
	Rename  string          `json:"rename,omitempty"`
	To      string          `json:"to,omitempty"`
	Run     string          `json:"run,omitempty"`
	Exit    int             `json:"exit,omitempty"` // the exit code expected of Run
	Usage   *Usage          `json:"usage,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Message string          `json:"message,omitempty"`
	Plan    json.RawMessage `json:"plan,omitempty"` // a file's name, or the plan itself
	Fail    string          `json:"fail,omitempty"` // ends the agent with this error
}

// Usage is recorded, so its figures are marked as estimates.
type Usage struct {
	In     int64   `json:"in"`
	Out    int64   `json:"out"`
	Cached int64   `json:"cached"`
	Cost   float64 `json:"cost"`
}

// Duration is written as "350ms".
type Duration time.Duration

// UnmarshalJSON reads a Go duration.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no duration like \"350ms\"", s)
	}
	*d = Duration(v)
	return nil
}

// MarshalJSON writes a Go duration.
func (d Duration) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Duration(d).String())
}

// Load reads the script at path; unknown keys are errors, as a step that is
// not understood must not be passed over.
func Load(path string) (*Script, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not block
	if err != nil {
		return nil, fmt.Errorf("read the agent script: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxScript {
		return nil, fmt.Errorf("read the agent script %s: it must be a regular file of at most %d bytes", path, maxScript)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("read the agent script %s: %w", path, err)
	}
	s, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("read the agent script %s: %w", path, err)
	}
	s.dir = filepath.Dir(path)
	return s, nil
}

func parse(data []byte) (*Script, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var s Script
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("line %d: %w", lineAt(data, err, dec.InputOffset()), err)
	}
	if dec.More() {
		return nil, errors.New("more than one JSON value")
	}
	seen := map[int]bool{}
	for i, w := range s.Workers {
		if w.Task < 1 || seen[w.Task] {
			return nil, fmt.Errorf("workers[%d]: task must count from 1 and stand once", i)
		}
		seen[w.Task] = true
	}
	return &s, nil
}

// lineAt is where decoding failed, as far as the decoder tells.
func lineAt(data []byte, err error, offset int64) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
}

// part is what agent k does (0 is the Planner).
func (s *Script) part(k int) (*Part, error) {
	if k == 0 {
		if s.Planner == nil {
			return nil, errors.New("the script has no planner part")
		}
		return s.Planner, nil
	}
	for i := range s.Workers {
		if s.Workers[i].Task == k {
			return &s.Workers[i], nil
		}
	}
	return nil, fmt.Errorf("the script has no part for task %d", k)
}

// beside reads a file that stands beside the script, and nothing outside.
func (s *Script) beside(name string) ([]byte, error) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxScript {
		return nil, fmt.Errorf("%s: it must be a regular file of at most %d bytes", name, maxScript)
	}
	return io.ReadAll(f)
}

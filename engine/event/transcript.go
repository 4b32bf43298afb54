package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Item kinds of a transcript.
const (
	ItemText     = "text"     // what the agent says; pieces follow each other
	ItemThinking = "thinking" // never leaves the transcript
	ItemCall     = "call"     // a tool call begins: Name, Text = arguments
	ItemReturn   = "return"   // a tool call ended: Name, Text = bounded result
	ItemOutput   = "output"   // live output of the tool that runs
	ItemNote     = "note"     // the engine's own remark
)

// Names of notes about what an agent did wrong and what was made of it.
const (
	NoteAsked  = "asked"  // it was told, and asked again
	NoteMended = "mended" // it was understood all the same
)

// Item is one line of transcripts/<agent>.jsonl. Text is as it came from
// outside: whoever draws it cleans it.
type Item struct {
	At    time.Time `json:"at"`
	Kind  string    `json:"kind"`
	Turn  int       `json:"turn,omitempty"`
	Name  string    `json:"name,omitempty"`
	Text  string    `json:"text,omitempty"`
	Args  string    `json:"args,omitempty"`  // of the call that returned
	Bytes int64     `json:"bytes,omitempty"` // of the whole result
	MS    int64     `json:"ms,omitempty"`
	Error string    `json:"error,omitempty"`
}

// Scout is the number of an agent that is asked outside of any run.
const Scout = -1

// AgentFile names an agent's files: planner, worker-1, …
func AgentFile(k int) string {
	switch k {
	case Scout:
		return "scout"
	case 0:
		return "planner"
	}
	return "worker-" + strconv.Itoa(k)
}

// TranscriptPath is where agent k's transcript stands in a run directory.
func TranscriptPath(runDir string, k int) string {
	return filepath.Join(runDir, "transcripts", AgentFile(k)+".jsonl")
}

// Transcript appends items to a file, in groups as they come, without fsync:
// it is a record, not the truth.
type Transcript struct {
	file *os.File
	size int64
}

// OpenTranscript starts agent k's transcript anew; an older one is kept as
// <name>.<attempt>.jsonl beside it.
func OpenTranscript(runDir string, k, attempt int) (*Transcript, error) {
	path := TranscriptPath(runDir, k)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open the transcript of %s: %w", AgentFile(k), err)
	}
	if info, err := os.Stat(path); err == nil && info.Size() > 0 && attempt > 1 {
		old := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s.%d.jsonl", AgentFile(k), attempt-1))
		if err := os.Rename(path, old); err != nil {
			return nil, fmt.Errorf("keep the older transcript of %s: %w", AgentFile(k), err)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the transcript of %s: %w", AgentFile(k), err)
	}
	return &Transcript{file: f}, nil
}

// Write appends items as one group.
func (t *Transcript) Write(items ...Item) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	for _, it := range items {
		if err := enc.Encode(it); err != nil {
			return fmt.Errorf("write a transcript item: %w", err)
		}
	}
	n, err := t.file.Write(buf.Bytes())
	t.size += int64(n)
	if err != nil {
		return fmt.Errorf("write %s: %w", t.file.Name(), err)
	}
	return nil
}

// Size is how many bytes were written through t.
func (t *Transcript) Size() int64 { return t.size }

// Close closes the file.
func (t *Transcript) Close() error { return t.file.Close() }

// ItemReader follows a transcript that may still be written.
type ItemReader struct{ tail *Tail }

// ReadTranscript follows agent k's transcript from its start.
func ReadTranscript(runDir string, k int) *ItemReader {
	return &ItemReader{NewTail(TranscriptPath(runDir, k), 0)}
}

// Next returns up to max items that have come since; lines that are no items
// are skipped.
func (r *ItemReader) Next(max int) ([]Item, error) {
	var items []Item
	err := r.tail.Next(func(line []byte) bool {
		var it Item
		if json.Unmarshal(line, &it) == nil {
			items = append(items, it)
		}
		return len(items) < max
	})
	return items, err
}

// Close lets go of the file.
func (r *ItemReader) Close() error { return r.tail.Close() }

package giver

import (
	"os"
	"sync"

	"growbench/engine/workspace"
)

// fileInput is what the operator has typed and not sent.
const fileInput = "input.txt"

// inputs keeps what is typed in the order it was typed.
type inputs struct {
	mu     sync.Mutex
	newest uint64
	closed bool
}

func (i *inputs) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
}

// KeepInput keeps what is being typed, so that leaving loses nothing. Of two
// the one with the greater number counts, whenever it comes.
func (s *Session) KeepInput(number uint64, text string) error {
	s.inputs.mu.Lock()
	defer s.inputs.mu.Unlock()
	if number <= s.inputs.newest || s.inputs.closed {
		return nil
	}
	s.inputs.newest = number
	return workspace.AtomicWrite(s.path(fileInput), []byte(text), 0o600)
}

// Input is what was typed and not sent when the workbench was left.
func (s *Session) Input() string {
	data, err := os.ReadFile(s.path(fileInput))
	if err != nil || len(data) > maxDraft {
		return ""
	}
	return string(data)
}

// Recheck takes in what the operator has changed in the draft or the memory
// beside us.
func (s *Session) Recheck() error {
	s.acting.Lock()
	defer s.acting.Unlock()
	if err := s.withMemory(func(*Memory) error { return nil }); err != nil {
		return err
	}
	return s.readDraft()
}

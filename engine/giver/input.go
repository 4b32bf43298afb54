package giver

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"growbench/engine/workspace"
)

// fileInput is what the operator has typed and not sent.
const fileInput = "input.txt"

// inputs keeps what is typed in the order it was typed, file by file.
type inputs struct {
	mu     sync.Mutex
	newest map[string]uint64
	closed bool
}

func (i *inputs) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
}

// keepTyped keeps what is being typed, so that leaving loses nothing. Of two
// the one with the greater number counts, whenever it comes; nil means that
// there is nothing to keep any more.
func (s *Session) keepTyped(file string, number uint64, data []byte) error {
	s.inputs.mu.Lock()
	defer s.inputs.mu.Unlock()
	if number <= s.inputs.newest[file] || s.inputs.closed {
		return nil
	}
	if s.inputs.newest == nil {
		s.inputs.newest = map[string]uint64{}
	}
	s.inputs.newest[file] = number
	if data == nil {
		if err := os.Remove(s.path(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return workspace.AtomicWrite(s.path(file), data, 0o600)
}

// KeepInput keeps what is being typed to be said.
func (s *Session) KeepInput(number uint64, text string) error {
	return s.keepTyped(fileInput, number, []byte(text))
}

// Input is what was typed and not sent when the workbench was left.
func (s *Session) Input() string { return string(s.typed(fileInput)) }

func (s *Session) typed(file string) []byte {
	data, err := os.ReadFile(s.path(file))
	if err != nil || len(data) > maxDraft {
		return nil
	}
	return data
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

package workspace

import (
	"fmt"
	"os"
)

// spill is the file that takes the whole of a command's output, up to a limit.
// A nil *spill takes nothing. A failing disk ends the spilling, never the
// command.
type spill struct {
	file  *os.File
	free  int64
	limit int64
	note  string
}

func openSpill(path string, limit int64) (*spill, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the file for the command's output: %w", err)
	}
	return &spill{file: file, free: limit, limit: limit}, nil
}

func (s *spill) write(chunk []byte) {
	if s == nil || s.note != "" {
		return
	}
	part := chunk[:min(int64(len(chunk)), s.free)]
	if _, err := s.file.Write(part); err != nil {
		s.note = fmt.Sprintf("output is kept only in part: %v", err)
		return
	}
	s.free -= int64(len(part))
	if len(part) < len(chunk) {
		s.note = fmt.Sprintf("output beyond %d bytes was not kept", s.limit)
		// Said in the file too, for whoever opens it alone.
		_, _ = fmt.Fprintf(s.file, "\n[growbench: %s]\n", s.note)
	}
}

// close returns what is to be said about the file, empty if it is complete.
func (s *spill) close() string {
	if s == nil {
		return ""
	}
	if err := s.file.Close(); err != nil && s.note == "" {
		s.note = fmt.Sprintf("output is kept only in part: %v", err)
	}
	return s.note
}

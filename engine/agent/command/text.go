package command

import (
	"fmt"
	"strings"

	"growbench/engine/agent"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// textStream takes what a program prints as its message. Such a program says
// nothing about its end, so the exit code does.
type textStream struct {
	*feed
	kept []byte
	cut  bool
}

func (s *textStream) line(line []byte) {
	s.goOn()
	s.gather(event.ItemText, string(line)+"\n")
	s.kept = append(append(s.kept, line...), '\n')
	if len(s.kept) > 2*maxMessage {
		s.kept, s.cut = s.kept[:copy(s.kept, s.kept[len(s.kept)-maxMessage:])], true
	}
}

func (s *textStream) end(out workspace.Outcome) (agent.Outcome, error) {
	o := agent.Outcome{Message: s.message()}
	if out.ExitCode != 0 {
		text := fmt.Sprintf("it ended with exit code %d", out.ExitCode)
		if words := strings.TrimSpace(out.Text(1 << 10)); words != "" {
			text += ": " + words
		}
		return o, failure(text)
	}
	return o, nil
}

// message is the end of what was printed, from the start of a line.
func (s *textStream) message() string {
	text := s.kept
	cut := s.cut
	if len(text) > maxMessage {
		text, cut = text[len(text)-maxMessage:], true
	}
	whole := string(text)
	if cut {
		_, whole, _ = strings.Cut(whole, "\n")
	}
	return whole
}

package event

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FailedEach says in words which checks failed after a Worker, and after
// which; "" when none did. A run may pass all the same: such a check is a
// signal, what is verified is asked at the end.
func (s *State) FailedEach() string {
	var commands []string
	after, mended := map[string][]string{}, map[string]bool{}
	for _, w := range s.Workers {
		for _, c := range w.Checks {
			if mended[c.Command] = c.Passed; c.Passed {
				continue
			}
			if !slices.Contains(commands, c.Command) {
				commands = append(commands, c.Command)
			}
			after[c.Command] = append(after[c.Command], strconv.Itoa(w.K))
		}
	}
	var said []string
	for _, c := range commands {
		who := "Worker "
		if len(after[c]) > 1 {
			who = "Workers "
		}
		words := fmt.Sprintf("`%s` failed after %s%s", c, who, strings.Join(after[c], ", "))
		if mended[c] {
			words += " and passes since"
		}
		said = append(said, words)
	}
	return strings.Join(said, "; ")
}

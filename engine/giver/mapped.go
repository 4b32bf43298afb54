package giver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"growbench/mapgen"
	"growbench/mapgen/inject"
)

// mapUpkeep is what the Giver does with the map: it has no shell to keep it with.
const mapUpkeep = "Use: begin at the root index and let indexes choose where to look. `" + toolReadMap + "` reads the documents of a\n" +
	"directory, `" + toolContext + "` finds the place for a question, `" + toolScout + "` has the source itself looked at. You cannot\n" +
	"change the map: where it differs from what was found in the source, tell the operator."

// mapTurn asks what of the project's map the model should have before it. What
// the talk is about is taken from its beginning, so that the answer stays the
// same from turn to turn.
func (s *Session) mapTurn(ctx context.Context, window int64) (inject.Injection, error) {
	project, err := mapgen.Open(s.Project.Root, mapgen.Options{})
	if err != nil {
		return inject.Injection{}, err
	}
	config, _, err := mapgen.LoadConfig(s.Project.Root)
	if err != nil {
		return inject.Injection{}, err
	}
	t := mapgen.Turn{Event: inject.Start, Window: int(window), Command: "growbench", Upkeep: mapUpkeep}
	s.mu.Lock()
	for _, m := range s.state.Messages[s.state.From:] {
		if said, ok := m.Body.(Said); ok {
			t.Query = said.Text
			break
		}
	}
	s.mu.Unlock()
	return project.Inject(ctx, config, t)
}

// takeMap puts the map's documents into every request from here on: there once
// whatever was compacted, and as they are on disk. The operator sees which, the
// model the text. A map that cannot be read keeps nobody from talking.
func (s *Session) takeMap(ctx context.Context) error {
	in, err := s.mapTurn(ctx, s.window(ctx))
	words := ""
	if err != nil && context.Cause(ctx) == nil {
		words = "The project's map could not be read: " + err.Error()
	}
	now := Mapped{Paths: []string{}, Error: s.Hide(words)}
	text := s.Hide(in.Text)
	if text != "" {
		sum := sha256.Sum256([]byte(text))
		now.Tokens, now.SHA256 = in.Used, hex.EncodeToString(sum[:])
		for _, b := range in.Blocks {
			now.Paths = append(now.Paths, b.Path)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mapText = text
	if before := s.state.Mapped; before.SHA256 == now.SHA256 && before.Error == now.Error {
		return nil
	}
	return s.appendLocked(false, now)
}

// MapHint is what the operator should know when the conversation opens: that
// the project has no map, and how to make one. Empty when there is nothing to
// say.
func (s *Session) MapHint() string {
	in, err := s.mapTurn(s.ctx, 0)
	if err != nil || len(in.Blocks) > 0 {
		return ""
	}
	return in.Hint
}

// Mapped says which documents of the project's map the model has before it.
type Mapped struct {
	Paths  []string `json:"paths"`
	Tokens int      `json:"tokens"`
	SHA256 string   `json:"sha256,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// Type names it in the log.
func (Mapped) Type() string { return "map" }

// Words say so.
func (m Mapped) Words() string {
	switch {
	case m.Error != "":
		return m.Error
	case len(m.Paths) == 0:
		return "The model has nothing of the project's map before it any more."
	}
	return fmt.Sprintf("The model has the project's map before it: %d documents, ~%d tokens.", len(m.Paths), m.Tokens)
}

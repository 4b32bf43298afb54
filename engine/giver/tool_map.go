package giver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"growbench/engine/tool"
	"growbench/engine/workspace"
	"growbench/mapgen"
	"growbench/mapgen/artifact"
	"growbench/mapgen/inject"
	"growbench/mapgen/recall"
)

// Bounds of what the map is searched for at once, in tokens.
const (
	leastRecall = 400
	mostRecall  = 4000
)

// mapContext finds where in the project a question is about. Its text takes no
// more of the window than the project lets the map take.
func (s *Session) mapContext(ctx context.Context, a tool.Args) (string, error) {
	question := strings.TrimSpace(a.String("question"))
	if question == "" {
		return "", errors.New("the question is empty")
	}
	project, err := mapgen.Open(s.Project.Root, mapgen.Options{})
	if err != nil {
		return "", fmt.Errorf("open the project's map: %w", err)
	}
	config, _, err := mapgen.LoadConfig(s.Project.Root)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	window := s.windowLocked()
	s.mu.Unlock()
	tokens := min(inject.Budget(int(window), config.ContextBudgetPercent, config.ContextBudgetMaxTokens), int(float64(s.room())/bytesAToken))
	tokens = min(max(tokens, leastRecall), mostRecall)
	bundle, err := project.Context(ctx, question, recall.Want{Tokens: tokens})
	if errors.Is(err, mapgen.ErrNoMap) {
		return "", noMap("the project")
	}
	if err != nil {
		return "", err
	}
	return bundle.Text, nil
}

func noMap(of string) error {
	return fmt.Errorf("there is no map of %s; scout, or have the operator make it with `growbench map init`", of)
}

func (s *Session) readMap(_ context.Context, a tool.Args) (string, error) {
	dir := strings.Trim(strings.TrimSpace(a.String("dir")), "/")
	if dir == "" {
		dir = "."
	}
	files, err := workspace.OpenReader(s.Project.Root)
	if err != nil {
		return "", err
	}
	defer files.Close()
	var b strings.Builder
	for _, p := range []string{artifact.IndexPath(dir), artifact.MapPath(dir)} {
		c, err := files.Read(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", noMap(dir)
		case err != nil:
			return "", err
		}
		b.WriteString(strings.ToValidUTF8(string(c.Data), "\uFFFD") + "\n")
	}
	return b.String(), nil
}

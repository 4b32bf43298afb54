package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// InitRepository makes dir a git repository with one commit of all it holds,
// by our own identity and without the user's hooks or templates.
func InitRepository(ctx context.Context, dir, message string, at time.Time) error {
	doing := func(err error) error { return fmt.Errorf("making %s a repository: %w", dir, err) }
	repo := gitDir{dir: filepath.Join(dir, ".git"), tree: dir}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "core.bare", "false"},
		{"add", "-A"},
	} {
		if _, err := repo.run(ctx, args...); err != nil {
			return doing(err)
		}
	}
	tree, err := repo.run(ctx, "write-tree")
	if err != nil {
		return doing(err)
	}
	commit, err := repo.commitTree(ctx, strings.TrimSpace(string(tree)), "", message, at)
	if err != nil {
		return doing(err)
	}
	if _, err := repo.run(ctx, "update-ref", "HEAD", commit); err != nil {
		return doing(err)
	}
	return nil
}

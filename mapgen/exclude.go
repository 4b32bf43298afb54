package mapgen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"growbench/mapgen/scan"
)

// sharedMark in .git/info/exclude says that this clone commits its map.
const sharedMark = "# growbench: the map is shared (committed)"

// artifactPatterns keep the map out of `git status`.
var artifactPatterns = []string{scan.MapName, scan.IndexName}

// statePatterns are ours whether or not the map is shared.
var statePatterns = []string{scan.StateDir + "/", scan.TempPrefix + "*"}

// excludeFile is where a repository keeps ignore rules of one clone; "" outside
// of a repository.
func (p *Project) excludeFile(ctx context.Context) (string, error) {
	if !scan.InRepository(p.root) {
		return "", nil
	}
	// The usual place needs no question; a .git that is a file does.
	if info, err := os.Lstat(filepath.Join(p.root, ".git")); err == nil && info.IsDir() {
		return filepath.Join(p.root, ".git", "info", "exclude"), nil
	}
	out, err := scan.Git(ctx, p.root, "rev-parse", "--git-path", "info/exclude").Output()
	if err != nil {
		return "", fmt.Errorf("find the repository's exclude file: %w", err)
	}
	file := strings.TrimSuffix(string(out), "\n")
	if !filepath.IsAbs(file) {
		file = filepath.Join(p.root, file)
	}
	return file, nil
}

// hide lists the map in the clone's exclude file, so that the user's `git
// status` stays as it was.
func (p *Project) hide(ctx context.Context) error {
	if p.dry() {
		return nil
	}
	return p.editExclude(ctx, func(lines []string) []string {
		want := statePatterns
		if !slices.Contains(lines, sharedMark) {
			want = slices.Concat(artifactPatterns, statePatterns)
		}
		for _, w := range want {
			if !slices.Contains(lines, w) {
				lines = append(lines, w)
			}
		}
		return lines
	})
}

func (p *Project) editExclude(ctx context.Context, edit func([]string) []string) error {
	file, err := p.excludeFile(ctx)
	if err != nil || file == "" {
		return err
	}
	unlock, err := p.store.lock(ctx, ".")
	if err != nil {
		return err
	}
	defer unlock()
	old, err := scan.ReadFile(file, 16<<20)
	if err != nil && !gone(err) {
		return fmt.Errorf("read %s: %w", file, err)
	}
	var lines []string
	if text := strings.TrimSuffix(string(old), "\n"); text != "" {
		lines = strings.Split(text, "\n")
	}
	before := strings.Join(lines, "\n")
	text := strings.Join(edit(lines), "\n")
	if text == before {
		return nil
	}
	text += "\n"
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("list the map in %s: %w", file, err)
	}
	if err := replace(file, []byte(text)); err != nil {
		return fmt.Errorf("list the map in %s: %w", file, err)
	}
	return nil
}

// Sharing is how a project's map stands towards git.
type Sharing struct {
	Shared  bool   `json:"shared"`
	Exclude string `json:"exclude"` // the file that was changed
}

// ErrNoRepository: sharing is about git, and there is none.
var ErrNoRepository = errors.New("the project is in no git repository")

// Share lets git see the map's documents, so that they can be committed; with
// share false they are hidden again. The records stay hidden.
func (p *Project) Share(ctx context.Context, share bool) (Sharing, error) {
	file, err := p.excludeFile(ctx)
	if err != nil {
		return Sharing{}, err
	}
	if file == "" {
		return Sharing{}, fmt.Errorf("share the map of %s: %w", p.root, ErrNoRepository)
	}
	err = p.editExclude(ctx, func(lines []string) []string {
		lines = slices.DeleteFunc(lines, func(l string) bool {
			return l == sharedMark || slices.Contains(artifactPatterns, l)
		})
		if share {
			return append(lines, sharedMark)
		}
		return lines
	})
	if err == nil {
		err = p.hide(ctx)
	}
	return Sharing{Shared: share, Exclude: file}, err
}

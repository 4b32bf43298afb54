package mapgen

import (
	"fmt"
	"os"
	"path/filepath"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// FindRoot is the root of the project dir lies in: the nearest directory at or
// above it with .git or .growbench, else the topmost one whose index says that
// it is a root, else dir.
func FindRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("find the project of %s: %w", dir, err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", fmt.Errorf("find the project of %s: not a directory", dir)
	}
	top := ""
	for at := abs; ; at = filepath.Dir(at) {
		for _, mark := range []string{".git", scan.StateDir} {
			if _, err := os.Lstat(filepath.Join(at, mark)); err == nil {
				return at, nil
			}
		}
		if text, err := scan.ReadFile(filepath.Join(at, scan.IndexName), 4096); err == nil {
			if x, _ := artifact.ParseIndex(text); x.Dir == "." && len(x.Parent) == 0 {
				top = at
			}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if top != "" {
		return top, nil
	}
	return abs, nil
}

// refuseHome refuses a first map of what was hardly meant: everything above or
// in the user's home directory would get documents.
func (p *Project) refuseHome() error {
	home, err := os.UserHomeDir()
	if err == nil {
		home, err = filepath.EvalSymlinks(home)
	}
	if err != nil {
		home = "/"
	}
	inside, err := filepath.Rel(p.root, home)
	if err != nil || !filepath.IsLocal(inside) || p.Exists() {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(p.root, ".git")); err == nil {
		return nil
	}
	return fmt.Errorf("map %s: %w", p.root, ErrNoProject)
}

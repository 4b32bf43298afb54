package scan

import (
	"os"
	"path/filepath"
	"strings"
)

// pathspecs limit the index to what a look at one directory needs: its own
// files, and whether anything is tracked below directories nobody knows yet.
func (w *walker) pathspecs(n *node) []string {
	if !w.repo.own {
		return nil
	}
	specs := []string{":(glob)" + globEscape(Join(n.path, "")) + "*"}
	entries, err := readDir(filepath.Join(w.root, filepath.FromSlash(n.path)))
	if err != nil {
		return specs
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != ".git" && !Ours(e.Name()) && !contains(n.known, e.Name()) {
			specs = append(specs, ":(literal)"+Join(n.path, e.Name()))
		}
	}
	return specs
}

// globEscape makes a path match only itself in a glob.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// covered drops directories the map does not cover: gone, ignored, junk, or
// behind a boundary.
func (w *walker) covered(start []*node) ([]*node, error) {
	var kept []*node
	for _, n := range start {
		ok, err := w.covers(n)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, n)
		}
	}
	return kept, nil
}

func (w *walker) covers(n *node) (bool, error) {
	if n.path == "." {
		return true, nil
	}
	var chain []string
	for dir := n.path; dir != "."; dir = Parent(dir) {
		chain = append(chain, dir)
	}
	tracked := w.above[n.path]
	for _, dir := range chain {
		full := filepath.Join(w.root, filepath.FromSlash(dir))
		info, err := os.Lstat(full)
		name := filepath.Base(full)
		if err != nil || !info.IsDir() || w.module[dir] || name == ".git" || Ours(name) {
			return false, nil
		}
		if w.repo.own && !tracked && isRepository(filepath.Join(full, ".git")) {
			return false, nil
		}
		if junk[name] {
			if !tracked {
				return false, nil
			}
			n.inJunk = true
		}
	}
	if tracked && w.extra == nil {
		return true, nil
	}
	hidden, err := w.hidden(chain)
	if err != nil {
		return false, err
	}
	for i := range hidden {
		if hidden[i] && (!tracked || w.extra != nil) {
			return false, nil
		}
	}
	return true, nil
}

package tool

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// maxListed bounds a list of files.
const maxListed = 400

// paths are the files in reach that are there.
func (w *work) paths(ctx context.Context, r reach) ([]string, error) {
	if r.all && w.Files != nil {
		return w.Files(ctx)
	}
	names := r.names
	if r.all {
		names = []string{"./"}
	}
	var found []string
	for _, name := range names {
		if !strings.HasSuffix(name, "/") {
			found = append(found, name)
			continue
		}
		found = append(found, w.below(name)...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// below lists the files of a folder, what git and the engine keep left out.
func (w *work) below(dir string) []string {
	var found []string
	root := filepath.Join(w.Dir, filepath.FromSlash(dir))
	_ = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(w.Dir, name)
		if err != nil || relErr != nil {
			return nil // what cannot be looked at is not listed
		}
		rel = filepath.ToSlash(rel)
		if _, _, refused := w.files.Resolve(rel); refused != nil && rel != "." {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() {
			found = append(found, rel)
		}
		if len(found) > 10*maxListed {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// size words how long a file is.
func (w *work) size(name string) string {
	content, err := w.files.Read(name)
	switch {
	case err != nil && os.IsNotExist(unwrapped(err)):
		return "not there yet"
	case err != nil:
		return "cannot be read"
	}
	return fmt.Sprintf("%d lines", lineCount(string(content.Data)))
}

// lineCount counts the lines of a text; one without an end counts.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func inFolder(dir string, all []string) []string {
	dir = path.Clean(strings.TrimPrefix(dir, "./"))
	if dir == "." || dir == "/" {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(p string) bool { return p != dir && !strings.HasPrefix(p, dir+"/") })
}

// listed words files, one a line, and says what was left out.
func listed(paths []string, line func(string) string) string {
	var b strings.Builder
	if more := len(paths) - maxListed; more > 0 {
		fmt.Fprintf(&b, "(%d more files; name a folder)\n", more)
		paths = paths[:maxListed]
	}
	for _, p := range paths {
		b.WriteString(line(p) + "\n")
	}
	return b.String()
}

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
)

// locate resolves name and the links on its way, the last one only if asked,
// and refuses what the engine owns under both spellings.
func (f *Files) locate(name string, followLast bool) (rel, warning string, err error) {
	rel, warning, err = f.Resolve(name)
	if err != nil {
		return "", "", err
	}
	real, err := f.followLinks(rel, followLast)
	if err != nil {
		return "", "", err
	}
	if real != rel && f.owned(real) {
		return "", "", &PathError{Path: name, Reason: ReasonOwned}
	}
	return real, warning, nil
}

// followLinks replaces every link in rel by what it points at. os.Root does
// that too, but refuses absolute links into the project and does not tell
// where the path ended, which the scope must be asked about.
func (f *Files) followLinks(rel string, followLast bool) (string, error) {
	parts := strings.Split(rel, "/")
	done := "."
	for links := 0; len(parts) > 0; {
		part, rest := parts[0], parts[1:]
		switch part {
		case "", ".":
			parts = rest
			continue
		case "..": // only out of a link; the path itself is clean
			if done == "." {
				return "", &PathError{Path: rel, Reason: ReasonEscapes}
			}
			done, parts = path.Dir(done), rest
			continue
		}
		next := path.Join(done, part)
		info, err := f.root.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) && !slices.Contains(rest, "..") {
			return path.Join(next, path.Join(rest...)), nil
		}
		if err != nil {
			return "", fmt.Errorf("look at %s: %w", next, bare(err))
		}
		if info.Mode()&fs.ModeSymlink == 0 || (len(rest) == 0 && !followLast) {
			done, parts = next, rest
			continue
		}
		if links++; links > 40 {
			return "", fmt.Errorf("look at %s: %w", rel, syscall.ELOOP)
		}
		target, err := f.root.Readlink(next)
		if err != nil {
			return "", fmt.Errorf("read link %s: %w", next, bare(err))
		}
		if path.IsAbs(target) {
			inside, ok := f.insideRoot(target)
			if !ok {
				return "", &PathError{Path: rel, Reason: ReasonEscapes}
			}
			done, target = ".", inside
		}
		parts = append(strings.Split(target, "/"), rest...)
	}
	return done, nil
}

package mapgen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// ErrByHand: a finding that only a person can do away with.
var ErrByHand = errors.New("this has to be mended by hand")

// Fix mends one finding: it regenerates the directory, after it has taken away
// what stands in the way of its documents, or has let the owner read what
// could not be read. Remedy says beforehand what it does beside regenerating.
func (p *Project) Fix(ctx context.Context, f Finding) (PatchReport, error) {
	dir := f.Dir
	if f.Kind == KindUnreadable && !p.inTheWay(f) {
		full, mode, err := p.closed(f)
		if err != nil {
			return PatchReport{}, err
		}
		if p.dry() {
			return PatchReport{}, nil
		}
		if err := os.Chmod(full, mode); err != nil {
			return PatchReport{}, fmt.Errorf("make %s readable: %w", f.Dir, err)
		}
	} else if !p.dry() {
		if err := p.clear(dir); err != nil {
			return PatchReport{}, err
		}
	} else if p.inTheWay(f) {
		return PatchReport{}, nil
	}
	report, err := p.Patch(ctx, []string{dir}, Auto)
	if up := scan.Parent(dir); err == nil && up != "" && f.Kind == KindUnreadable {
		return p.Patch(ctx, []string{up}, Auto) // the directory may be new to it
	}
	return report, err
}

// Remedy says what Fix does beside regenerating the directory; "" is nothing.
func (p *Project) Remedy(f Finding) (string, error) {
	if p.inTheWay(f) {
		return "remove what stands in the place of the map: " + strings.Join(p.obstacles(f.Dir), ", "), nil
	}
	if f.Kind == KindUnreadable {
		full, mode, err := p.closed(f)
		if err != nil {
			return "", err
		}
		rel, _ := filepath.Rel(p.root, full)
		return fmt.Sprintf("let its owner read %s (mode %v)", filepath.ToSlash(rel), mode), nil
	}
	return "", nil
}

func (p *Project) inTheWay(f Finding) bool { return f.File == "" && len(p.obstacles(f.Dir)) > 0 }

// obstacles are what stands in the place of a directory's documents and is no
// document: a link that leads out, a pipe, a directory.
func (p *Project) obstacles(dir string) []string {
	var out []string
	for _, rel := range []string{artifact.MapPath(dir), artifact.IndexPath(dir)} {
		info, err := os.Lstat(p.path(rel))
		if err != nil || info.Mode().IsRegular() {
			continue
		}
		if _, target, err := p.locate(rel); err == nil && info.Mode()&fs.ModeSymlink != 0 && (target == nil || target.Mode().IsRegular()) {
			continue
		}
		out = append(out, rel)
	}
	return out
}

// clear removes obstacles. A directory goes only when it is empty.
func (p *Project) clear(dir string) error {
	for _, rel := range p.obstacles(dir) {
		if err := os.Remove(p.path(rel)); err != nil && !gone(err) {
			return fmt.Errorf("%w: remove %s: %w", ErrByHand, rel, err)
		}
	}
	return nil
}

// closed is what of a finding cannot be read, and the mode with which its owner
// could.
func (p *Project) closed(f Finding) (full string, mode fs.FileMode, err error) {
	rel := f.Dir
	if f.File != "" {
		rel = scan.Join(f.Dir, f.File)
	}
	full = p.path(rel)
	info, err := os.Lstat(full)
	if err != nil {
		return "", 0, fmt.Errorf("%w: %w", ErrByHand, err)
	}
	mode = info.Mode().Perm() | 0o400
	if info.IsDir() {
		mode |= 0o700 // its documents lie in it
	}
	if !info.IsDir() && !info.Mode().IsRegular() || mode == info.Mode().Perm() {
		return "", 0, fmt.Errorf("%w: %s", ErrByHand, f.Fix)
	}
	return full, mode, nil
}

package scan

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Again looks at a directory whose entries are all known from before: files,
// directories, boundaries. Git is not
// asked, so the answer costs the same in a repository of any size. It answers
// false when an entry is new, which git then has to judge. Rules that changed
// since are for a whole Scan to find.
func Again(root, dir string, files map[string]bool, dirs []string, boundaries []Boundary) (*Dir, bool) {
	full := filepath.Join(root, filepath.FromSlash(dir))
	entries, err := readDir(full)
	if err != nil {
		return nil, false
	}
	d := &Dir{Path: dir}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == ".git":
			if dir != "." {
				return nil, false
			}
		case name == MapName || name == IndexName:
			d.Artifacts++
		case strings.HasPrefix(name, TempPrefix):
			d.Leftovers = append(d.Leftovers, name)
		case name == StateDir:
		case e.IsDir():
			if !d.keepDir(name, dirs, boundaries) {
				return nil, false
			}
		case e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0:
			if !files[name] {
				return nil, false
			}
			info, err := e.Info()
			if err != nil {
				continue // it vanished
			}
			d.Files = append(d.Files, File{Name: name, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Change: ChangeTime(info),
				Link: info.Mode()&fs.ModeSymlink != 0})
		}
	}
	t := &Tree{Dirs: []*Dir{d}}
	t.sort()
	return d, true
}

func (d *Dir) keepDir(name string, dirs []string, boundaries []Boundary) bool {
	if contains(dirs, name) {
		d.Dirs = append(d.Dirs, name)
		return true
	}
	for _, b := range boundaries {
		if b.Name == name && b.Why != "unreadable" {
			d.Boundaries = append(d.Boundaries, b)
			return true
		}
	}
	return false
}

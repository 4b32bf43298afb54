package symbols

import (
	"path"
	"sort"
	"strings"
)

// FileSet is a Project made of a list of paths.
type FileSet struct {
	dirs map[string][]string
	read func(path string) ([]byte, error)
}

// NewFileSet makes a Project of the files of a tree; read gives a file's
// content.
func NewFileSet(files []string, read func(path string) ([]byte, error)) *FileSet {
	s := &FileSet{dirs: map[string][]string{}, read: read}
	for _, file := range files {
		name := path.Clean(file)
		dir := path.Dir(name)
		_, known := s.dirs[dir]
		s.dirs[dir] = append(s.dirs[dir], path.Base(name))
		for !known && dir != "." && !strings.HasPrefix(dir, "..") {
			child := path.Base(dir) + "/"
			dir = path.Dir(dir)
			_, known = s.dirs[dir]
			s.dirs[dir] = append(s.dirs[dir], child)
		}
	}
	for _, names := range s.dirs {
		sort.Strings(names)
	}
	return s
}

// List implements Project.
func (s *FileSet) List(dir string) []string { return s.dirs[path.Clean(dir)] }

// Read implements Project.
func (s *FileSet) Read(file string) ([]byte, error) { return s.read(file) }

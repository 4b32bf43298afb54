package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// site is a directory that is filled as a whole: what is to be in it is made
// aside and moved there at the end.
type site struct {
	dir     string // where it will be, absolute
	aside   string // where it is made
	scratch string // holds aside; goes at the end
	fresh   bool   // dir is not there before the end
	own     bool   // dir is ours
	moved   []string
}

// newSite prepares dir, which must be empty or not exist; "" is a fresh
// temporary directory. A directory that does not exist is made by finish.
func newSite(dir string) (*site, error) {
	s := &site{}
	var err error
	if dir == "" {
		s.own = true
		if s.dir, err = os.MkdirTemp("", "growbench-demo-"); err != nil {
			return nil, fmt.Errorf("make the demo's directory: %w", err)
		}
		return s, s.prepare(s.dir)
	}
	if s.dir, err = filepath.Abs(dir); err != nil {
		return nil, usage(err)
	}
	entries, err := os.ReadDir(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.fresh = true
		return s, s.prepare(filepath.Dir(s.dir))
	case err != nil:
		return nil, usage(fmt.Errorf("look into the demo's directory: %w", err))
	case len(entries) > 0:
		return nil, usage(fmt.Errorf("%s is not empty; name a directory that is, or one that does not exist", s.dir))
	}
	return s, s.prepare(s.dir)
}

// prepare makes room to work in a directory on the file system of dir.
func (s *site) prepare(in string) error {
	var err error
	if s.scratch, err = os.MkdirTemp(in, ".growbench-demo-"); err == nil {
		s.aside = filepath.Join(s.scratch, "sample")
		err = os.Mkdir(s.aside, 0o755)
	}
	if err != nil {
		s.discard()
		return usage(fmt.Errorf("make the demo's directory %s: %w", s.dir, err))
	}
	return nil
}

// finish moves what was made to where it belongs. A directory that was there
// is filled, not replaced: somebody may stand in it.
func (s *site) finish() error {
	var err error
	if s.fresh {
		err = os.Rename(s.aside, s.dir)
		s.own = err == nil
	} else {
		err = s.fill()
	}
	if err == nil {
		err = os.RemoveAll(s.scratch)
	}
	if err != nil {
		return fmt.Errorf("put the demo into place: %w", err)
	}
	return nil
}

func (s *site) fill() error {
	entries, err := os.ReadDir(s.aside)
	if err != nil {
		return err
	}
	for _, e := range entries {
		to := filepath.Join(s.dir, e.Name())
		if err := os.Rename(filepath.Join(s.aside, e.Name()), to); err != nil {
			return err
		}
		s.moved = append(s.moved, to)
	}
	return nil
}

// discard takes away what was made, and nothing else.
func (s *site) discard() {
	if s.scratch != "" {
		os.RemoveAll(s.scratch)
	}
	for _, path := range s.moved {
		os.RemoveAll(path)
	}
	if s.own {
		os.RemoveAll(s.dir)
	}
}

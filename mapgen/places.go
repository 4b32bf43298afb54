package mapgen

import (
	"fmt"
	"os"

	"growbench/mapgen/scan"
)

// places answers the resolver of imports: what lies where in the mapped tree.
// A directory that was just looked at is known; another one is taken from its
// record, so that a patch need not look at the whole project.
type places struct {
	p    *Project
	dirs map[string]*scan.Dir
	all  bool // dirs holds every directory there is
}

func (t *places) List(dir string) []string {
	if d := t.dirs[dir]; d != nil {
		names := make([]string, 0, len(d.Files)+len(d.Dirs))
		for _, f := range d.Files {
			names = append(names, f.Name)
		}
		for _, name := range d.Dirs {
			names = append(names, name+"/")
		}
		return names
	}
	if t.all {
		return nil
	}
	if r := t.p.store.get(dir); r != nil {
		var names []string
		for _, f := range r.Files {
			names = append(names, f.Name)
		}
		for _, c := range r.Parts {
			if c.Why == "" {
				names = append(names, c.Name+"/")
			}
		}
		return names
	}
	return t.look(dir)
}

// look reads a directory nothing is remembered of.
func (t *places) look(dir string) []string {
	entries, err := os.ReadDir(t.p.path(dir))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		switch {
		case scan.Ours(e.Name()) || e.Name() == ".git":
		case e.IsDir():
			names = append(names, e.Name()+"/")
		default:
			names = append(names, e.Name())
		}
	}
	return names
}

const maxManifest = 4 << 20

func (t *places) Read(path string) ([]byte, error) {
	content, err := scan.ReadFile(t.p.path(path), maxManifest)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return content, nil
}

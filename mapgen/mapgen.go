// Package mapgen keeps a map of a project in the project: in every directory
// that is not excluded lie .pi-map.index.md, which routes a reader, and
// .pi-map.md, which tells what is there.
//
// The files are the truth and the map follows them. What was learned of a file
// is remembered with its size, times and hash in .growbench/map, one record a
// directory, so that a directory can be renewed by reading it and its
// ancestors alone. Deleting the records costs time, nothing else.
//
// Every document is replaced in one step; several processes may work on one
// map at once.
package mapgen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"growbench/mapgen/describe"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
	"growbench/mapgen/voice"
)

// ErrNoMap: the project has no map yet.
var ErrNoMap = errors.New("there is no map yet")

// ErrNoProject: the directory holds whole home directories, and no repository
// says that it is a project all the same.
var ErrNoProject = errors.New("it holds your home directory and is no git repository; go into a project, or make it a repository with `git init`")

// Extractor reads symbols of a batch of files, in its order. *symbols.Pool is
// one.
type Extractor interface {
	Extract(ctx context.Context, batch []symbols.Source) ([]symbols.File, error)
}

// Options of a project's map. The zero value works.
type Options struct {
	// Name is what the project is called; "" is the name of its folder.
	Name string
	// Extractor reads source files; nil reads them in this process, guarded.
	Extractor Extractor
	// Ignore holds patterns in git's syntax that keep files out of the map.
	Ignore []string
	// DirtyThreshold is how many dirty directories a patch is recommended for;
	// beyond it, a new full scan (3).
	DirtyThreshold int
	// SummaryFiles and SummarySymbols are how many files or exported symbols a
	// directory may have before its map goes into summary mode (150, 1500).
	SummaryFiles, SummarySymbols int
	// FileBytes is the size beyond which a file is listed but not read
	// (2 MiB).
	FileBytes int64
	// Now is the clock of dirty markers; nil is time.Now.
	Now func() time.Time
	// Progress is told how far a long piece of work is. It is called from one
	// goroutine at a time, at most every 100 ms and at the end.
	Progress func(Progress)
	// Voice describes in words of a model; nil keeps the words there are, and
	// finds those of what is new offline.
	Voice *voice.Voice
	// Offline drops the words of a model.
	Offline bool
}

// Progress of a scan. Total grows no more once files are being read.
type Progress struct {
	Done, Total int // files
	Dirs        int // directories written or found right
	Rate        float64
	Left        time.Duration
}

// Project is a project with, or to be given, a map.
type Project struct {
	root    string
	options Options
	store   *store
	trail   *trail
}

// Open prepares work on the map of the project at root, an existing directory.
// Nothing is written yet.
func Open(root string, o Options) (*Project, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("open project %s: %w", root, err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("open project %s: not a directory", root)
	}
	if o.Extractor == nil {
		o.Extractor = symbols.NewPool(symbols.PoolOptions{Workers: runtime.GOMAXPROCS(0)})
	}
	if o.DirtyThreshold <= 0 {
		o.DirtyThreshold = 3
	}
	if o.SummaryFiles <= 0 {
		o.SummaryFiles = 150
	}
	if o.SummarySymbols <= 0 {
		o.SummarySymbols = 1500
	}
	if o.FileBytes <= 0 {
		o.FileBytes = 2 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Project{root: abs, options: o, store: openStore(abs), trail: &trail{}}, nil
}

// Root is the project's directory, absolute, links resolved.
func (p *Project) Root() string { return p.root }

// version names everything that decides what is written about a file.
func (p *Project) version() string {
	return fmt.Sprintf("4/%s/%s/%d/%d/%d", symbols.Version, describe.Version, p.options.SummaryFiles, p.options.SummarySymbols, p.options.FileBytes)
}

func (p *Project) path(rel string) string {
	return filepath.Join(p.root, filepath.FromSlash(rel))
}

func (p *Project) scan(ctx context.Context) (*scan.Tree, error) {
	return scan.Scan(ctx, p.root, scan.Options{Ignore: p.options.Ignore})
}

// Exists says whether the project has a map.
func (p *Project) Exists() bool {
	for _, name := range []string{scan.MapName, scan.IndexName} {
		if _, err := os.Lstat(filepath.Join(p.root, name)); err == nil {
			return true
		}
	}
	return false
}

// Files lists every file the map covers, by directory and name.
func (p *Project) Files(ctx context.Context) ([]string, []scan.Skip, error) {
	tree, err := p.scan(ctx)
	if err != nil {
		return nil, nil, err
	}
	files := []string{}
	for _, d := range tree.Dirs {
		for _, f := range d.Files {
			files = append(files, scan.Join(d.Path, f.Name))
		}
	}
	return files, tree.Skipped, nil
}

package mapgen

import (
	"context"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// Broken is a directory whose documents, or which itself, cannot be read as
// what they should be. Only a survey tells it from the other states.
const Broken = "broken"

// Survey is the map as a whole, as it stands beside the files.
type Survey struct {
	Exists    bool
	Dirs      []SurveyDir // by path
	Recommend string
	Scanned   time.Time // of the last full scan, zero when not known
	Others    []Working // other processes at work on the map
	Skipped   []scan.Skip
}

// SurveyDir is a directory as the map has it.
type SurveyDir struct {
	Dir   string
	State []string // none: clean
	Why   []string // what is not right, in words
	Since time.Time
	Role  string
	Files []SurveyFile
	// At is when its documents were last made; zero when not known.
	At time.Time
}

// SurveyFile is a file of a directory, and what became of it since the
// directory was described.
type SurveyFile struct {
	Name   string
	Size   int64
	Change string // "", FileNew, FileChanged, FileGone
}

// What becomes of files.
const (
	FileNew     = "new"
	FileChanged = "changed"
	FileGone    = "gone"
)

// Survey compares the map with the files as Status does, and tells what there
// is and why something is not clean. Nothing is written.
func (p *Project) Survey(ctx context.Context) (*Survey, error) {
	others := p.Others()
	r, err := p.newRun(ctx)
	if err != nil {
		return nil, err
	}
	records, states, err := r.judge(ctx)
	if err != nil {
		return nil, err
	}
	s := &Survey{Exists: p.Exists(), Scanned: p.LastScan(), Others: others, Skipped: r.tree.Skipped, Dirs: make([]SurveyDir, len(r.tree.Dirs))}
	parallel(len(r.tree.Dirs), func(i int) {
		d := r.tree.Dirs[i]
		s.Dirs[i] = p.survey(d, records[i], r.res, states[d.Path])
	})
	for _, d := range r.tree.Dirs {
		delete(states, d.Path)
	}
	for dir, state := range states {
		s.Dirs = append(s.Dirs, SurveyDir{Dir: dir, State: state, Why: []string{"the map does not cover this directory any more"}})
	}
	for _, skip := range r.tree.Skipped {
		if r.tasks[skip.Path] == nil && isBoundary(r, skip.Path) && strings.HasPrefix(skip.Why, "unreadable") {
			s.Dirs = append(s.Dirs, SurveyDir{Dir: skip.Path, State: []string{Broken}, Why: []string{skip.Why}})
		}
	}
	sort.Slice(s.Dirs, func(i, j int) bool { return s.Dirs[i].Dir < s.Dirs[j].Dir })
	need := 0
	for _, d := range s.Dirs {
		if len(d.State) > 0 {
			need++
		}
	}
	s.Recommend = p.Recommend(need)
	return s, ctx.Err()
}

func (p *Project) survey(d *scan.Dir, old *record, res *resolver, state []string) SurveyDir {
	out := SurveyDir{Dir: d.Path, State: state, Files: make([]SurveyFile, len(d.Files))}
	for i, f := range d.Files {
		out.Files[i] = SurveyFile{Name: f.Name, Size: f.Size}
	}
	if old != nil {
		out.Role, out.At = old.Summary.Role, time.Unix(0, old.At)
	}
	if len(state) == 0 {
		return out
	}
	if old == nil {
		out.Role = p.summaryOf(d.Path).Role
	}
	switch {
	case slices.Contains(state, Orphaned):
		out.Why = append(out.Why, "nothing is left in the directory but its map")
		return out
	case slices.Contains(state, Missing) && d.Artifacts == 0:
		out.Why = append(out.Why, "it has no map yet")
		return out
	}
	p.whyNot(d, old, res, &out)
	return out
}

// whyNot tells what is not right about a directory, with the first that can be
// dated giving the time.
func (p *Project) whyNot(d *scan.Dir, old *record, res *resolver, out *SurveyDir) {
	e, err := p.readPair(d.Path)
	switch {
	case err != nil:
		out.State, out.Why = []string{Broken}, []string{"its map cannot be read: " + err.Error()}
		return
	case d.Artifacts == 1 && e.rawMap == nil:
		out.Why = append(out.Why, artifact.MapName+" is missing beside "+artifact.IndexName)
	case d.Artifacts == 1:
		out.Why = append(out.Why, artifact.IndexName+" is missing beside "+artifact.MapName)
	}
	if n := countErrors(e.mapProb) + countErrors(e.idxProb); n > 0 && e.rawMap != nil && e.rawIndex != nil {
		out.State = append([]string{Broken}, slices.DeleteFunc(slices.Clone(out.State), func(s string) bool { return s == Stale })...)
		out.Why = append(out.Why, "its map was edited into a form that is not understood")
	}
	for _, m := range e.dirty() {
		out.Why = append(out.Why, m)
		if at, _, ok := strings.Cut(m, ": "); ok {
			out.date(at)
		}
	}
	if old == nil {
		if slices.Contains(out.State, Stale) {
			out.Why = append(out.Why, "it says something else than the files")
		}
		return
	}
	if old.Version != p.version() {
		out.Why = append(out.Why, "another version of growbench made it")
	}
	if old.Above != res.above(d) {
		out.Why = append(out.Why, whyAbove)
	}
	p.whatChanged(d, old, out)
	now, was := partNames(d), recordedParts(old)
	for _, name := range now {
		if !slices.Contains(was, name) {
			out.Why = append(out.Why, name+"/ is new")
		}
	}
	for _, name := range was {
		if !slices.Contains(now, name) {
			out.Why = append(out.Why, name+"/ is gone")
		}
	}
	if _, edited := p.documentsChanged(old); edited && !slices.Contains(out.State, Broken) && d.Artifacts == 2 {
		out.Why = append(out.Why, "its map was edited by hand")
	}
	if len(out.Why) == 0 {
		out.Why = append(out.Why, "what is below says something else now")
	}
}

func (s *SurveyDir) date(at string) {
	if t, err := time.Parse(time.RFC3339, at); err == nil && (s.Since.IsZero() || t.Before(s.Since)) {
		s.Since = t
	}
}

func countErrors(problems []artifact.Problem) int {
	n := 0
	for _, p := range problems {
		if p.Level == "error" {
			n++
		}
	}
	return n
}

// whatChanged marks the files that came, went or changed.
func (p *Project) whatChanged(d *scan.Dir, old *record, out *SurveyDir) {
	before := make(map[string]*fileRecord, len(old.Files))
	for i := range old.Files {
		before[old.Files[i].Name] = &old.Files[i]
	}
	told := func(word, name string, at int64) {
		out.Why = append(out.Why, name+" "+word)
		if t := time.Unix(0, at); at > 0 && (out.Since.IsZero() || t.Before(out.Since)) {
			out.Since = t
		}
	}
	for i, f := range d.Files {
		was := before[f.Name]
		delete(before, f.Name)
		switch {
		case was == nil:
			out.Files[i].Change = FileNew
			told("is new", f.Name, f.ModTime)
		case p.fileChanged(d.Path, f, was, old.At):
			out.Files[i].Change = FileChanged
			told("changed", f.Name, f.ModTime)
		}
	}
	for _, f := range old.Files {
		if before[f.Name] != nil {
			out.Files = append(out.Files, SurveyFile{Name: f.Name, Change: FileGone})
			told("is gone", f.Name, 0)
		}
	}
	slices.SortFunc(out.Files, func(a, b SurveyFile) int { return strings.Compare(a.Name, b.Name) })
}

func partNames(d *scan.Dir) []string {
	names := slices.Clone(d.Dirs)
	for _, b := range d.Boundaries {
		names = append(names, b.Name)
	}
	slices.Sort(names)
	return names
}

func recordedParts(r *record) []string {
	var names []string
	for _, c := range r.Parts {
		names = append(names, c.Name)
	}
	return names
}

// DirNames are the exported symbols of a directory, as they were when it was
// last described.
type DirNames struct {
	Dir   string
	Files []FileNames
}

// FileNames are the exported symbols of a file.
type FileNames struct {
	Name    string
	Symbols []Line
}

// Line is a symbol and where it stands, from 1; 0 is not known.
type Line struct {
	Text string
	At   int
}

// Names are the exported symbols of the whole map.
func (p *Project) Names(ctx context.Context) ([]DirNames, error) {
	files := make([]string, 0, 1024)
	for name := range p.store.names() {
		if filepath.Ext(name) == "" {
			files = append(files, name)
		}
	}
	out := make([]DirNames, len(files))
	parallel(len(files), func(i int) {
		data, err := scan.ReadFile(files[i], maxRecord)
		if err != nil || ctx.Err() != nil {
			return
		}
		r, err := decodeRecord(data)
		if err != nil || r.load() != nil {
			return
		}
		d := DirNames{Dir: r.Dir}
		for k := range r.Known {
			if symbols := lines(&r.Known[k]); len(symbols) > 0 {
				d.Files = append(d.Files, FileNames{r.Files[k].Name, symbols})
			}
		}
		out[i] = d
	})
	out = slices.DeleteFunc(out, func(d DirNames) bool { return len(d.Files) == 0 })
	sort.Slice(out, func(i, j int) bool { return out[i].Dir < out[j].Dir })
	return out, ctx.Err()
}

func lines(k *known) []Line {
	var out []Line
	for _, e := range k.Exports {
		out = append(out, Line{signature(e.Signature, e.Name, e.Extends, e.Implements), e.Line})
	}
	return out
}

package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/mapgen"
)

// What is done with the map of a project that has one.
const (
	mapPatch = "patch" // the run's copy and, at the merge, the user's are brought up to date
	mapMark  = "mark"  // what changed is marked dirty, nothing is regenerated
	mapOff   = "off"
)

// fileMap remembers what the map was when the run began.
const fileMap = "map.json"

// mapCopy is what fileMap holds: each document the project had, with its hash.
// A shared map is committed: the clone has it from the base, and a mark in it
// would be a Worker's change, so the run leaves it alone until the merge.
type mapCopy struct {
	Shared    bool              `json:"shared"`
	Documents map[string]string `json:"documents"`
}

func (s Spec) mapMode() string {
	if s.Config.Map.Run == "" {
		return mapPatch
	}
	return s.Config.Map.Run
}

// bringMap gives a new clone a copy of the project's map. A map is a help: what
// goes wrong with it is told and stops nothing.
func (o *owner) bringMap(ctx context.Context) error {
	if o.spec.mapMode() == mapOff {
		return nil
	}
	p, err := mapgen.Open(o.tree.Project.Root, mapgen.Options{Extractor: o.Symbols})
	if err != nil || !p.Exists() {
		return nil
	}
	copied, err := o.copyMap(ctx, p)
	if err == nil {
		err = o.markBelow(ctx)
	}
	kept := event.MapKept{Mode: "copy", Paths: copied}
	if err != nil {
		kept.Error = err.Error()
	}
	return o.append(false, kept)
}

// markBelow marks what the runs below this one have changed: the user's map
// knows nothing of it.
func (o *owner) markBelow(ctx context.Context) error {
	if m, ok := readMapCopy(o.dirs.Run); !ok || m.Shared || o.tree.First() == o.tree.Base {
		return nil
	}
	paths, err := o.changedPaths(ctx, o.tree.First(), o.tree.Base)
	if err != nil || len(paths) == 0 {
		return err
	}
	return markPaths(o.tree.Root(), paths)
}

func (o *owner) copyMap(ctx context.Context, p *mapgen.Project) (int, error) {
	docs, err := p.Documents(ctx)
	if err != nil || len(docs) == 0 {
		return 0, err
	}
	copied, err := o.tree.CopyHidden(ctx, append(docs, mapgen.StateDir), mapgen.HiddenPatterns())
	if err != nil {
		return 0, err
	}
	m := mapCopy{Shared: !slices.Contains(copied, docs[0]), Documents: map[string]string{}}
	for _, doc := range docs {
		if m.Documents[doc], err = fileHash(filepath.Join(p.Root(), filepath.FromSlash(doc))); err != nil {
			return 0, err
		}
	}
	data, err := json.Marshal(m)
	if err == nil {
		err = writeFile(filepath.Join(o.dirs.Run, fileMap), append(data, '\n'))
	}
	return len(m.Documents), err
}

// markMap marks what Worker k changed in the run's copy of the map.
func (o *owner) markMap(ctx context.Context, k int) error {
	if m, ok := readMapCopy(o.dirs.Run); !ok || m.Shared {
		return nil
	}
	paths, err := o.changedPaths(ctx, o.before(k), o.state.Worker(k).Commit)
	if err != nil || len(paths) == 0 {
		return err
	}
	kept := event.MapKept{K: k, Mode: mapMark, Paths: len(paths)}
	if err := markPaths(o.tree.Root(), paths); err != nil {
		kept.Error = err.Error()
	}
	return o.append(false, kept)
}

// patchMap brings the run's copy of the map up to date once the chain is done.
func (o *owner) patchMap(ctx context.Context) error {
	n := o.state.Plan.N
	if m, ok := readMapCopy(o.dirs.Run); !ok || m.Shared || o.spec.mapMode() != mapPatch {
		return nil
	}
	paths, err := o.changedPaths(ctx, o.tree.First(), o.before(n+1))
	if err != nil || len(paths) == 0 {
		return err
	}
	kept := event.MapKept{Mode: mapPatch, Paths: len(paths)}
	// A repository an agent has prepared is not asked.
	if err := o.tree.Reset(ctx, o.before(n+1)); err != nil {
		return err
	}
	o.at = ""
	if err := patchPaths(ctx, o.tree.Root(), paths, mapgen.Options{Extractor: o.Symbols, Name: filepath.Base(o.tree.Project.Root)}); err != nil {
		kept.Error = err.Error()
	}
	return o.append(false, kept)
}

func (o *owner) changedPaths(ctx context.Context, from, to string) ([]string, error) {
	changes, err := o.tree.Changes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return touchedPaths(changes), nil
}

func touchedPaths(changes []workspace.FileChange) []string {
	var paths []string
	for _, c := range changes {
		if c.Kind != workspace.NestedRepository {
			paths = append(paths, changedPaths(c)...)
		}
	}
	return paths
}

// maxMarks is how many lines a directory gets from one Worker.
const maxMarks = 4

// markPaths leaves dirty lines for paths; a directory of many gets one.
func markPaths(root string, paths []string) error {
	if err := soundMap(root); err != nil {
		return err
	}
	p, err := mapgen.Open(root, mapgen.Options{})
	if err != nil {
		return err
	}
	byDir := map[string][]string{}
	var order []string
	for _, name := range paths {
		dir := path.Dir(name)
		if !plainDir(root, dir) {
			continue
		}
		if byDir[dir] == nil {
			order = append(order, dir)
		}
		byDir[dir] = append(byDir[dir], name)
	}
	for _, dir := range order {
		names, note := byDir[dir], ""
		if len(names) > maxMarks {
			note = fmt.Sprintf("%d files changed", len(names))
			names = []string{dir}
		}
		if _, err := p.MarkDirty(names, note); err != nil {
			return err
		}
	}
	return nil
}

func patchPaths(ctx context.Context, root string, paths []string, options mapgen.Options) error {
	if err := soundMap(root); err != nil {
		return err
	}
	config, _, err := mapgen.LoadConfig(root)
	if err != nil {
		return err
	}
	config.Apply(&options)
	p, err := mapgen.Open(root, options)
	if err != nil {
		return err
	}
	var plain []string
	for _, name := range paths {
		if plainDir(root, path.Dir(name)) {
			plain = append(plain, name)
		}
	}
	_, err = p.Patch(ctx, plain, mapgen.Auto)
	return err
}

// soundMap refuses a clone in which an agent has put something else in the
// place of the map's records, which would be written through.
func soundMap(root string) error {
	for _, dir := range []string{mapgen.StateDir, mapgen.StateDir + "/map"} {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir)))
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is no directory any more; the map is left alone", dir)
		}
	}
	return nil
}

// plainDir tells whether no part of a directory is a symbolic link: a document
// behind one lies somewhere else.
func plainDir(root, dir string) bool {
	at := root
	for part := range strings.SplitSeq(dir, "/") {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			return true // it is gone with all below it
		}
		if err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// readMapCopy is what the map was; false when the run has none.
func readMapCopy(runDir string) (mapCopy, bool) {
	var m mapCopy
	data, err := os.ReadFile(filepath.Join(runDir, fileMap))
	return m, err == nil && json.Unmarshal(data, &m) == nil
}

func fileHash(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// mergeMap brings the user's map along with the run's work: the directories
// whose documents are as they were when the run began are brought up to date,
// the others are marked. Nothing of it is committed.
func mergeMap(ctx context.Context, m mapCopy, mode, root string, paths []string, extractor mapgen.Extractor) (err error) {
	var same, changed []string
	for _, name := range paths {
		if mode == mapPatch && m.unchanged(root, name) {
			same = append(same, name)
		} else {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		err = markPaths(root, changed)
	}
	if len(same) > 0 {
		err = errors.Join(err, patchPaths(ctx, root, same, mapgen.Options{Extractor: extractor}))
	}
	return err
}

// unchanged tells whether the documents that list a file are those the run was
// given. A directory that is new has none on either side.
func (m mapCopy) unchanged(root, name string) bool {
	for _, doc := range mapgen.DocumentsOf(name) {
		now, err := fileHash(filepath.Join(root, filepath.FromSlash(doc)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) || now != m.Documents[doc] {
			return false
		}
	}
	return true
}

func bringMapHome(ctx context.Context, tree *workspace.Tree, runDir string, s *event.State, extractor mapgen.Extractor) error {
	spec, err := LoadSpec(runDir)
	m, ok := readMapCopy(runDir)
	if err != nil || !ok {
		return err
	}
	changes, err := tree.Changes(ctx, tree.First(), lastCommit(s))
	if err != nil {
		return err
	}
	return mergeMap(ctx, m, spec.mapMode(), tree.Project.Root, touchedPaths(changes), extractor)
}

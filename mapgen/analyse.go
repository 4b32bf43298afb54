package mapgen

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"growbench/mapgen/describe"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// A file whose time lies this close before the moment it was looked at may
// have been written again within the same tick of the clock: it is hashed.
const racyWindow = int64(20 * time.Millisecond)

// A batch is what is held in memory and handed to the extractor at once.
const (
	batchBytes = 2 << 20
	batchFiles = 48
)

// maxOutlined is up to which size a document's outline is read.
const maxOutlined = 1 << 20

// count is what a piece of work came to.
type count struct {
	analysed, cached int
	behind           int // files that a model has not described as they are
	skipped          []scan.Skip
}

// analysis renews what is known of one directory's files.
type analysis struct {
	p     *Project
	dir   *scan.Dir
	old   *record
	files []fileRecord
	known []known
	mu    sync.Mutex
	count count
	step  func() // after each file
}

// unchanged says that a file still is what a record says, by stat alone.
func (f fileRecord) unchanged(now scan.File, at int64) bool {
	return f.Size == now.Size && f.ModTime == now.ModTime && f.Change == now.Change && f.Link == now.Link && !f.Closed &&
		max(f.ModTime, f.Change) < at-racyWindow
}

func fileState(f scan.File) fileRecord {
	return fileRecord{Name: f.Name, Size: f.Size, ModTime: f.ModTime, Change: f.Change, Link: f.Link}
}

// analyse looks at every file of a directory, and reads those that changed.
func (p *Project) analyse(ctx context.Context, dir *scan.Dir, old *record, step func()) (*analysis, error) {
	a := &analysis{p: p, dir: dir, step: step, files: make([]fileRecord, len(dir.Files)), known: make([]known, len(dir.Files))}
	if old != nil && old.Version == p.version() && old.load() == nil {
		a.old = old
	}
	var before map[string]int
	if a.old != nil {
		before = make(map[string]int, len(old.Files))
		for i, f := range old.Files {
			before[f.Name] = i
		}
	}
	var read []int
	for i, f := range dir.Files {
		a.files[i] = fileState(f)
		if at, ok := before[f.Name]; ok && !f.Link && old.Files[at].unchanged(f, old.At) {
			a.files[i], a.known[i] = old.Files[at], old.Known[at]
			a.count.cached++
			step()
			continue
		}
		read = append(read, i)
	}
	return a, a.readAll(ctx, read, before)
}

// readAll reads files in batches. A big directory's batches run side by side.
func (a *analysis) readAll(ctx context.Context, read []int, before map[string]int) error {
	var wg sync.WaitGroup
	var first error
	for len(read) > 0 {
		n, size := 0, int64(0)
		for n < len(read) && n < batchFiles && size < batchBytes {
			size += min(a.files[read[n]].Size, a.p.options.FileBytes)
			n++
		}
		part := read[:n]
		read = read[n:]
		if err := gate.enter(ctx); err != nil {
			wg.Wait()
			return err
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer gate.leave()
			if err := a.batch(ctx, part, before); err != nil {
				a.mu.Lock()
				first = errors.Join(first, err)
				a.mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return first
}

// pending is a file that was read and waits for its symbols.
type pending struct {
	at   int
	raw  []byte
	text []byte
}

func (a *analysis) batch(ctx context.Context, part []int, before map[string]int) error {
	var sources []symbols.Source
	var wait []pending
	for _, i := range part {
		raw, todo := a.read(i, before)
		if !todo {
			a.step()
			continue
		}
		name := a.dir.Files[i].Name
		wait = append(wait, pending{at: i, raw: raw, text: textOf(raw)})
		sources = append(sources, symbols.Source{Path: scan.Join(a.dir.Path, name), Content: raw})
	}
	parsed := make([]symbols.File, len(sources))
	var code []symbols.Source
	var at []int
	for i, s := range sources {
		switch {
		case wait[i].text == nil || scan.LockFile(s.Path):
		case symbols.Language(s.Path, s.Content) != "":
			code, at = append(code, s), append(at, i)
		case int64(len(s.Content)) <= maxOutlined:
			parsed[i] = symbols.Outline(s.Path, wait[i].text)
		}
	}
	if len(code) > 0 {
		files, err := a.p.options.Extractor.Extract(ctx, code)
		if err != nil {
			return fmt.Errorf("read symbols in %s: %w", a.dir.Path, err)
		}
		for i, f := range files {
			parsed[at[i]] = f
		}
	}
	for i, w := range wait {
		a.known[w.at] = a.learn(sources[i].Path, w, parsed[i])
		a.step()
	}
	return nil
}

// read loads a file and hashes it. It answers false when nothing is left to
// do: the file is not to be read, or its content is known already.
func (a *analysis) read(i int, before map[string]int) ([]byte, bool) {
	f := a.dir.Files[i]
	full := a.p.path(scan.Join(a.dir.Path, f.Name))
	if f.Link {
		target, err := os.Readlink(full)
		if err != nil {
			target = "?"
		}
		a.unread(i, before, "symbolic link to "+target)
		a.files[i].Hash = hashOf([]byte(target))
		return nil, false
	}
	if why := scan.SecretName(f.Name); why != "" {
		a.unread(i, before, "secret ("+why+"): content not stored")
		return nil, false
	}
	raw, hash, err := load(full, a.p.options.FileBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it vanished; the next look will not find it
		a.known[i] = inPlace("gone while it was read")
		a.files[i].Closed = true
		return nil, false
	case err != nil:
		a.known[i] = inPlace("unreadable")
		a.files[i].Closed = true
		a.skip(f.Name, "unreadable: "+why(err))
		return nil, false
	}
	a.files[i].Hash = hash
	if at, ok := before[f.Name]; ok && a.old.Files[at].Hash == hash && !a.old.Files[at].Link && !a.old.Files[at].Closed {
		a.known[i] = a.old.Known[at]
		a.tally(0, 1)
		return nil, false
	}
	a.tally(1, 0)
	if raw == nil {
		a.known[i] = inPlace("very large (" + size(f.Size) + ")")
		return nil, false
	}
	return raw, true
}

// unread notes what a file is whose content is never looked at.
func (a *analysis) unread(i int, before map[string]int, note string) {
	a.known[i] = inPlace(note)
	if at, ok := before[a.dir.Files[i].Name]; ok && a.old.Known[at].Note == note {
		a.tally(0, 1)
	}
}

func (a *analysis) skip(name, why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count.skipped = append(a.count.skipped, scan.Skip{Path: scan.Join(a.dir.Path, name), Why: why})
}

func (a *analysis) tally(analysed, cached int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count.analysed += analysed
	a.count.cached += cached
}

func why(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return err.Error()
}

func inPlace(note string) known { return known{Note: note, InPlace: true} }

func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// load hashes a file, and returns its content unless it is larger than limit.
func load(full string, limit int64) ([]byte, [32]byte, error) {
	f, info, err := scan.Open(full)
	if err != nil {
		return nil, [32]byte{}, err
	}
	defer f.Close()
	if info.Size() > limit {
		h := sha256.New()
		if _, err := io.Copy(h, f); err != nil {
			return nil, [32]byte{}, err
		}
		return nil, [32]byte(h.Sum(nil)), nil
	}
	raw := make([]byte, info.Size()+1)
	n, err := io.ReadFull(f, raw)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, [32]byte{}, err
	}
	if int64(n) > info.Size() {
		// It grew; take what is there now.
		rest, err := io.ReadAll(io.LimitReader(f, limit))
		if err != nil {
			return nil, [32]byte{}, err
		}
		raw = append(raw[:n], rest...)
		n = len(raw)
	}
	return raw[:n], hashOf(raw[:n]), nil
}

// learn turns a file's content and symbols into what the map says of it.
func (a *analysis) learn(path string, w pending, s symbols.File) known {
	k := known{Language: s.Language, Parsed: s.Language != "", Note: note(s)}
	code := k.code()
	switch {
	case w.text == nil:
		return inPlace("binary (" + size(int64(len(w.raw))) + ")")
	case len(strings.TrimSpace(string(w.text[:min(len(w.text), 4096)]))) == 0 && len(w.text) < 4096:
		k = inPlace("empty")
		k.Language = s.Language
		k.Text.Kind = describe.DescribeFile(describe.FileInput{Path: path, Language: code}).Kind
		return k
	case s.Note == "minified" || s.Note == "too large" || s.Note == "binary":
		return inPlace(s.Note + " (" + size(int64(len(w.raw))) + ")")
	}
	rule := scan.FindSecret(path, w.raw)
	if rule != "" && code == "" {
		return inPlace("secret (" + rule + "): content not stored")
	}
	in := describe.FileInput{Path: path, Language: code, Doc: s.Doc, Package: s.Package, Content: w.text}
	if code != "" {
		in.Exports, in.Members = exported(s.Exports), members(s.Members)
	}
	k.Text = describe.DescribeFile(in)
	k.Exports, k.Imports, k.Package = s.Exports, s.Imports, s.Package
	k.validate()
	switch {
	case scan.LockFile(path):
		k.Note, k.Private = "generated", true
	case symbols.Generated(w.text):
		text := describe.FileText{Kind: k.Text.Kind}
		if k.Text.Rank >= describe.OfPackage {
			text.About, text.Rank = k.Text.About, k.Text.Rank // the words on a package may stand in what a tool wrote
		}
		k = known{Note: "generated: " + or(k.Text.Purpose, k.Language), InPlace: true, Language: k.Language, Text: text, Package: s.Package}
	}
	if rule != "" {
		k.redact()
		k.Private = true
		k.Note = join(k.Note, "contains a secret ("+rule+"), not stored")
	}
	return k
}

// code is the programming language of a file: a document has none, and what it
// lists is nothing a description could take for what code offers.
func (k *known) code() string {
	if symbols.Document(k.Language) {
		return ""
	}
	return k.Language
}

// offered is how many symbols of code a file exports.
func (k *known) offered() int {
	if symbols.Document(k.Language) {
		return 0
	}
	return len(k.Exports)
}

// validate makes valid UTF-8 of what source code can spell as bytes.
func (k *known) validate() {
	for i := range k.Imports {
		k.Imports[i].Path = strings.ToValidUTF8(k.Imports[i].Path, "\uFFFD")
	}
	for i := range k.Exports {
		e := &k.Exports[i]
		e.Name, e.Signature, e.From = strings.ToValidUTF8(e.Name, "\uFFFD"), strings.ToValidUTF8(e.Signature, "\uFFFD"), strings.ToValidUTF8(e.From, "\uFFFD")
	}
	k.Text.Purpose, k.Text.About = strings.ToValidUTF8(k.Text.Purpose, "\uFFFD"), strings.ToValidUTF8(k.Text.About, "\uFFFD")
}

// redact takes out of everything that is stored what the rules find.
func (k *known) redact() {
	k.Note = scan.Redact(k.Note)
	k.Text.Purpose, k.Text.About = scan.Redact(k.Text.Purpose), scan.Redact(k.Text.About)
	for i := range k.Exports {
		k.Exports[i].Signature = scan.Redact(k.Exports[i].Signature)
	}
}

func note(s symbols.File) string {
	switch {
	case s.Note == symbols.LightNote:
		return "" // the marks at its symbols say it
	case !s.Errors:
		return s.Note
	case strings.Contains(s.Note, "ast:"):
		return s.Note
	}
	return join("syntax errors", s.Note)
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func exported(list []symbols.Export) []describe.Symbol {
	out := make([]describe.Symbol, len(list))
	for i, e := range list {
		out[i] = describe.Symbol{Name: e.Name, Kind: e.Kind, Signature: e.Signature, Line: e.Line, Bases: e.Extends}
		if len(e.Extends) == 0 {
			out[i].Bases = e.Implements
		}
	}
	return out
}

// describedMembers is how many members of a file its describer sees.
const describedMembers = 60

func members(list []symbols.Member) []describe.Member {
	var out []describe.Member
	for _, m := range list[:min(len(list), 4*describedMembers)] {
		if m.Exported && len(out) < describedMembers {
			out = append(out, describe.Member{Name: m.Name, Owner: m.Owner, Kind: m.Kind})
		}
	}
	return out
}

// resolver finds where imports lead, and in which directories that lies.
type resolver struct {
	imports *symbols.Resolver
	places  *places
	mu      sync.Mutex
	isDir   map[string]bool
	homes   map[string]home
}

func newResolver(t *places) *resolver {
	return &resolver{imports: symbols.NewResolver(t), places: t, isDir: map[string]bool{}, homes: map[string]home{}}
}

// resolve fills in the dependencies of a file.
func (r *resolver) resolve(path string, k *known) {
	k.Deps, k.DepDirs = nil, nil
	if len(k.Imports) == 0 {
		return
	}
	f := symbols.File{Path: path, Language: k.Language, Package: k.Package, Imports: slices.Clone(k.Imports)}
	r.imports.Resolve(&f)
	for _, i := range f.Imports {
		if i.Target == "" || slices.Contains(k.Deps, i.Target) {
			continue
		}
		k.Deps = append(k.Deps, i.Target)
		if inside, ok := strings.CutPrefix(i.Target, "pkg/"); ok {
			if dir := "pkg/" + r.dirOf(inside); !slices.Contains(k.DepDirs, dir) {
				k.DepDirs = append(k.DepDirs, dir)
			}
		}
	}
}

// dirOf is the directory a target names or lies in.
func (r *resolver) dirOf(target string) string {
	if target == "." || target == "" {
		return "."
	}
	parent := scan.Parent(target)
	r.mu.Lock()
	defer r.mu.Unlock()
	is, ok := r.isDir[target]
	if !ok {
		is = slices.Contains(r.places.List(parent), strings.TrimPrefix(target, parent+"/")+"/")
		r.isDir[target] = is
	}
	if is {
		return target
	}
	return parent
}

package mapgen

import (
	"os"
	"path"
	"slices"
	"strings"

	"growbench/mapgen/describe"
	"growbench/mapgen/scan"
)

// A directory called src, lib or like its package holds what the package is
// for, and seldom says so: the words stand in a README or a manifest some
// directories higher, in the package's home. The directory takes them from
// there, and is stale when they change.

// carriers are directories that hold source and say nothing of what it is.
var carriers = map[string]bool{"src": true, "lib": true, "source": true, "sources": true, "include": true}

// jvmLanguages are directories of Maven's layout: src/main/java, and a package
// for each below.
var jvmLanguages = map[string]bool{"java": true, "kotlin": true, "scala": true, "groovy": true}

// jvmDepth is how many directories below its language a package's main source
// may lie: org/apache/commons/lang3.
const jvmDepth = 4

// whyAbove is why such a directory is stale then.
const whyAbove = "its package says something else of itself now"

// homeOf is the directory whose main source a directory may be, and the name
// that it then shares with it: none where it is a carrier. "" is none.
func homeOf(dir string) (home, name string) {
	if dir == "." {
		return "", ""
	}
	parts := strings.Split(dir, "/")
	end := len(parts)
	if last := parts[end-1]; !carriers[strings.ToLower(last)] {
		name = last
		end--
		for i := range parts {
			if parts[i] == "src" && i+2 < end && jvmLanguages[parts[i+2]] && !strings.Contains(strings.ToLower(parts[i+1]), "test") {
				if end-(i+2) > jvmDepth {
					return "", ""
				}
				end = i
				break
			}
		}
	}
	for end > 0 && carriers[strings.ToLower(parts[end-1])] {
		end--
	}
	if end == 0 {
		return ".", name
	}
	return strings.Join(parts[:end], "/"), name
}

// home is what a directory's READMEs and manifests say of it.
type home struct {
	words string
	names []string
}

// above is what the package says whose main source a directory is; "" for
// another directory, for one without files, and where the package says nothing.
func (r *resolver) above(d *scan.Dir) string {
	if len(d.Files) == 0 {
		return ""
	}
	return r.wordsFor(d.Path)
}

func (r *resolver) wordsFor(dir string) string {
	at, name := homeOf(dir)
	if at == "" {
		return ""
	}
	h := r.home(at)
	if name == "" {
		return h.words
	}
	for _, n := range h.names {
		if alike(name, n) {
			return h.words
		}
	}
	return ""
}

// home reads what a directory says of itself, once.
func (r *resolver) home(dir string) home {
	r.mu.Lock()
	h, ok := r.homes[dir]
	r.mu.Unlock()
	if ok {
		return h
	}
	h = r.readHome(dir)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.homes[dir] = h
	return h
}

// forgetHome has a directory read again: what lies in it is known better now
// than when a main source below it asked.
func (r *resolver) forgetHome(dir string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.homes, dir)
}

func (r *resolver) readHome(dir string) home {
	h := home{names: []string{r.places.p.nameOf(dir)}}
	rank := 0
	for _, name := range r.places.speakers(dir) {
		file := scan.Join(dir, name)
		raw, err := r.places.Read(file)
		if err != nil || scan.FindSecret(file, raw) != "" {
			continue
		}
		text := describe.DescribeFile(describe.FileInput{Path: file, Content: textOf(raw)})
		if text.Package != "" {
			h.names = append(h.names, text.Package)
		}
		if text.Rank >= describe.OfReader && (text.Rank > rank || text.Rank == rank && len(text.About) > len(h.words)) {
			h.words, rank = strings.ToValidUTF8(text.About, "\uFFFD"), text.Rank
		}
	}
	return h
}

// speakers are the READMEs and manifests of a directory; links speak for nobody.
func (t *places) speakers(dir string) []string {
	var out []string
	if d := t.dirs[dir]; d != nil {
		for _, f := range d.Files {
			if !f.Link && describe.SpeaksForPackage(f.Name) {
				out = append(out, f.Name)
			}
		}
		return out
	}
	for _, name := range t.List(dir) {
		if strings.HasSuffix(name, "/") || !describe.SpeaksForPackage(name) {
			continue
		}
		if info, err := os.Lstat(t.p.path(scan.Join(dir, name))); err == nil && info.Mode().IsRegular() {
			out = append(out, name)
		}
	}
	return out
}

// affixes stand before or behind the name of a thing in the name of its package.
var affixes = map[string]bool{"": true, "lib": true, "py": true, "python": true, "js": true, "node": true, "rb": true, "ruby": true, "go": true,
	"rs": true, "rust": true, "php": true, "net": true, "dotnet": true, "cpp": true, "c": true, "java": true, "cli": true, "core": true}

// alike says that two names are of one thing: jedis and Jedis, okhttp and okhttp3.
func alike(a, b string) bool {
	a, b = squeezed(a), squeezed(b)
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) < 2 {
		return false
	}
	before, after, found := strings.Cut(a, b)
	return found && affixes[before] && affixes[strings.Trim(after, "0123456789")]
}

func squeezed(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("-_. ", c) {
			return -1
		}
		return c
	}, strings.ToLower(path.Base(name)))
}

// spokeAnew says that a README or a manifest of a directory came, went or was
// written since its record was made.
func spokeAnew(d *scan.Dir, old *record) bool {
	if old == nil {
		return true
	}
	before := map[string]fileRecord{}
	for _, f := range old.Files {
		if describe.SpeaksForPackage(f.Name) {
			before[f.Name] = f
		}
	}
	for _, f := range d.Files {
		if !describe.SpeaksForPackage(f.Name) {
			continue
		}
		was, ok := before[f.Name]
		if !ok || !was.unchanged(f, old.At) {
			return true
		}
		delete(before, f.Name)
	}
	return len(before) > 0
}

// mains are the directories of the map that take other words than they have
// from this one, those below first.
func (r *resolver) mains(dir string) []string {
	p := r.places.p
	var out []string
	var walk func(at string, left int)
	walk = func(at string, left int) {
		for _, name := range r.places.List(at) {
			name, is := strings.CutSuffix(name, "/")
			if !is {
				continue
			}
			child := scan.Join(at, name)
			switch {
			case carriers[strings.ToLower(name)]:
				walk(child, max(left-1, 0))
			case left > 0:
				walk(child, left-1)
			case path.Base(at) == "src":
				for lang := range jvmLanguages {
					walk(scan.Join(child, lang), jvmDepth-1)
				}
			}
			if home, _ := homeOf(child); home != dir || !p.hasPair(child) {
				continue
			}
			if rec := p.store.get(child); rec == nil || len(rec.Files) > 0 && rec.Above != r.wordsFor(child) {
				out = append(out, child)
			}
		}
	}
	walk(dir, 0)
	slices.SortFunc(out, deepestFirst)
	return out
}

package recall

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"growbench/mapgen/artifact"
	"growbench/mapgen/budget"
)

// Want is what a bundle should hold.
type Want struct {
	Dirs   int // directories (3)
	Files  int // likely files (10)
	Tokens int // the size of its text at most (3000)
}

func (w Want) orDefault() Want {
	if w.Dirs <= 0 {
		w.Dirs = 3
	}
	if w.Files <= 0 {
		w.Files = 10
	}
	if w.Tokens <= 0 {
		w.Tokens = 3000
	}
	return w
}

// Bundle is an answer cut to what was wanted, with the text an agent reads.
type Bundle struct {
	Answer
	Text string
}

// How much a bundle tells of one thing: it is there to be read, the documents
// it names hold the rest.
const (
	bundleSymbols   = 12
	bundleExports   = 8
	bundleDeps      = 6
	bundleSignature = 140 // bytes
	lastRank        = 12
)

// line of a bundle. Where there is not room for all, those of low rank stay.
type line struct {
	rank int
	text string
}

// Bundle answers a question in one compact text.
func (x *Index) Bundle(question string, want Want, w Weights) Bundle {
	want = want.orDefault()
	a := x.Search(question, w)
	ranked := a.Files
	a.Dirs = a.Dirs[:min(len(a.Dirs), want.Dirs)]
	a.Files = a.Files[:min(len(a.Files), want.Files)]
	a.Symbols = a.Symbols[:min(len(a.Symbols), bundleSymbols)]

	lines := []line{{0, "# context: " + artifact.Line(question)}}
	if a.Matched == 0 && len(a.Files) > 0 {
		lines = append(lines, line{0, "No word of the question stands in the map or its history; this is what is changed most."})
	}
	if len(a.Dirs) > 0 {
		lines = append(lines, line{0, "Indexes route, maps orient, the source decides: read it before you change or claim anything."}, line{0, "## directories"})
	}
	for _, d := range a.Dirs {
		lines = append(lines, x.dirLines(d.Path, ranked)...)
	}
	if len(a.Files) > 0 {
		lines = append(lines, line{1, "## likely files"})
	}
	for _, f := range a.Files {
		lines = append(lines, line{1, "- " + artifact.File{Name: f.Path, Purpose: x.file(f.Path).Purpose}.Line()})
	}
	if len(a.Symbols) > 0 {
		lines = append(lines, line{2, "## symbols"})
	}
	for _, s := range a.Symbols {
		lines = append(lines, line{2, "- " + artifact.Symbol{Signature: short(s.Signature), File: s.Path}.Line()})
	}
	return Bundle{a, fit(lines, want.Tokens)}
}

// dirLines tell of one directory, its likelier files first.
func (x *Index) dirLines(dir string, ranked []Hit) []line {
	at := slices.Index(x.dirs, dir)
	d := x.source.Dirs[at]
	lines := []line{{0, "### " + artifact.Line(dir)}, {0, "role: " + artifact.Line(d.Role)},
		{0, "index: " + artifact.Line(d.Index)}, {0, "map: " + artifact.Line(d.Map)}}
	if d.Package != "" && d.Package != "." {
		lines = append(lines, line{1, "package: " + artifact.Line(d.Package)})
	}
	if len(d.Tags) > 0 {
		lines = append(lines, line{3, "tags: " + artifact.Line(strings.Join(d.Tags, ", "))})
	}
	for text := range strings.SplitSeq(d.Arch, "\n") {
		if text != "" {
			lines = append(lines, line{4, "arch: " + artifact.Line(text)})
		}
	}
	rank := 3
	for _, hit := range ranked {
		if x.dirs[x.dirOf[x.byPath[hit.Path]]] != dir {
			continue
		}
		f := x.file(hit.Path)
		lines = append(lines, line{rank, "- " + artifact.File{Name: path.Base(hit.Path), Purpose: f.Purpose, Exports: some(f.Symbols, bundleExports), Deps: some(f.Deps, bundleDeps)}.Line()})
		if rank++; rank > lastRank {
			break
		}
	}
	return lines
}

// fit keeps as many lines as there is room for, by rank, in their order. A
// line that is too long for the room left does not keep shorter ones out.
func fit(lines []line, tokens int) string {
	keep := make([]bool, len(lines))
	for rank := 0; rank <= lastRank; rank++ {
		for i, l := range lines {
			if l.rank != rank {
				continue
			}
			if cost := budget.Tokens(l.text + "\n"); cost <= tokens {
				keep[i] = true
				tokens -= cost
			}
		}
	}
	var b strings.Builder
	for i, l := range lines {
		if keep[i] {
			b.WriteString(l.text + "\n")
		}
	}
	return b.String()
}

// some is the first of a list, shortened, and how many there are beside.
func some(list []string, n int) []string {
	var out []string
	for _, item := range list[:min(len(list), n)] {
		out = append(out, short(item))
	}
	if rest := len(list) - len(out); rest > 0 {
		out = append(out, fmt.Sprintf("+%d", rest))
	}
	return out
}

func short(text string) string {
	if len(text) <= bundleSignature {
		return text
	}
	return strings.ToValidUTF8(text[:bundleSignature], "") + "…"
}

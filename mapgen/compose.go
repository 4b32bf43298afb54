package mapgen

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"growbench/mapgen/artifact"
	"growbench/mapgen/describe"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// How much the documents tell at most.
const (
	indexFiles     = 12  // likely files in an index
	mapSymbols     = 24  // prioritized symbols in a map
	fileSymbols    = 6   // of them, of one file
	roleDeps       = 5   // dependencies named in a role
	summaryFiles   = 60  // files with details in summary mode
	summarySymbols = 600 // symbols in summary mode
)

// pair is the two documents of a directory.
type pair struct {
	m *artifact.Map
	x *artifact.Index
}

// describeDir asks the describer about a directory whose record is complete.
func (p *Project) describeDir(r *record) describe.DirText {
	in := describe.DirInput{Path: r.Dir, Name: p.nameOf(r.Dir), Package: r.Above}
	for i, f := range r.Files {
		k := &r.Known[i]
		file := describe.File{Name: f.Name, Language: k.code(), Text: k.Text}
		if !symbols.Document(k.Language) {
			file.Exports, file.Deps = exported(k.Exports), append([]string(nil), k.DepDirs...)
		}
		for _, d := range k.Deps {
			if strings.HasPrefix(d, "ext/") && !symbols.Document(k.Language) {
				file.Deps = append(file.Deps, d)
			}
		}
		if k.InPlace {
			file.Note = k.Note
			if file.Text.Kind == "" {
				file.Text.Kind = describe.Data
			}
		}
		in.Files = append(in.Files, file)
	}
	for _, c := range r.Parts {
		if c.Why == "" {
			in.Children = append(in.Children, describe.Child{Name: c.Name, Role: c.Summary.Role, Tags: c.Summary.Tags})
		}
	}
	return describe.DescribeDir(in)
}

func (p *Project) nameOf(dir string) string {
	if dir == "." {
		return cmp.Or(p.options.Name, filepath.Base(p.root))
	}
	return filepath.Base(dir)
}

// compose writes the two documents of a directory from its record alone, and
// sets the record's summary.
func (p *Project) compose(r *record) pair {
	full := r
	r, mixed := voiced(r)
	t := p.describeDir(r)
	if full.spoken() {
		full.Told.speak(&t, mixed)
	}
	// On one line and without blanks at its ends, as it is read back.
	t.Role = strings.TrimRight(strings.Join(strings.Fields(t.Role), " "), " :;,")
	full.Summary = summary{Role: t.Role, Tags: t.Tags}
	full.By, full.Spoken = speaker(full), full.spoken()
	m := &artifact.Map{Dir: r.Dir, Index: artifact.IndexPath(r.Dir), Role: t.Role, Tags: t.Tags}
	if len(t.Deps) > 0 && m.Role != "" {
		m.Role = strings.TrimRight(m.Role, ".") + ". Dep: " + strings.Join(t.Deps[:min(len(t.Deps), roleDeps)], ", ")
	}
	x := &artifact.Index{Dir: r.Dir, Role: t.Role, SelfIndex: artifact.IndexPath(r.Dir), SelfMap: artifact.MapPath(r.Dir)}
	if up := scan.Parent(r.Dir); up != "" {
		x.Parent = []artifact.Link{{Dir: up, Target: artifact.IndexPath(up)}}
	}
	for _, c := range r.Parts {
		child := scan.Join(r.Dir, c.Name)
		if c.Why != "" {
			x.Children = append(x.Children, artifact.Link{Dir: child, Role: c.Why})
		} else {
			x.Children = append(x.Children, artifact.Link{Dir: child, Target: artifact.IndexPath(child), Role: c.Summary.Role})
		}
	}
	detail, arch := p.details(r, t)
	for i, f := range r.Files {
		m.Files = append(m.Files, bullet(f.Name, &r.Known[i], detail[i]))
	}
	m.SetArch(packages(full) + "\n" + arch)
	for _, i := range t.Likely[:min(len(t.Likely), indexFiles)] {
		x.Files = append(x.Files, artifact.File{Name: r.Files[i].Name, Purpose: purpose(&r.Known[i])})
	}
	m.Symbols = prioritized(r, t.Likely)
	for _, w := range t.Workflows {
		m.Workflows = append(m.Workflows, artifact.Workflow{Task: w.Task, Files: w.Files})
		x.Workflows = append(x.Workflows, artifact.Workflow{Task: w.Task, Files: w.Files[:1]})
	}
	return pair{m, x}
}

// details decides whose symbols and dependencies are listed: everybody's, or
// in summary mode those of the most connected files.
func (p *Project) details(r *record, t describe.DirText) (detail []bool, arch string) {
	detail = make([]bool, len(r.Files))
	total := 0
	for i := range r.Known {
		total += r.Known[i].offered()
	}
	if len(r.Files) <= p.options.SummaryFiles && total <= p.options.SummarySymbols {
		for i := range detail {
			detail[i] = true
		}
		return detail, t.Arch
	}
	files, symbols := 0, 0
	for _, i := range t.Likely {
		n := r.Known[i].offered()
		if files == summaryFiles || symbols > 0 && symbols+n > summarySymbols {
			continue
		}
		detail[i] = true
		files++
		symbols += n
	}
	head := fmt.Sprintf(summaryLine+"%d files with %d exported symbols: the %d most connected files are listed in full (%d symbols); of the other %d only what they are for.",
		len(r.Files), total, files, symbols, len(r.Files)-files)
	return detail, head + "\n" + t.Arch
}

func bullet(name string, k *known, detail bool) artifact.File {
	f := artifact.File{Name: name, Purpose: purpose(k)}
	if k.InPlace {
		return f
	}
	f.Note = k.Note
	if !detail {
		if n := len(k.Exports); n > 0 {
			f.Note = join(f.Note, fmt.Sprintf("%d exported symbols left out", n))
		}
		return f
	}
	for _, e := range k.Exports {
		f.Exports = append(f.Exports, k.listed(e))
	}
	f.Deps = k.Deps
	return f
}

func purpose(k *known) string {
	if k.InPlace {
		return k.Note
	}
	return k.Text.Purpose
}

// listed is a symbol as documents show it: "~" in front where it was seen line by
// line and not parsed.
func (k *known) listed(e symbols.Export) string {
	text := signature(e.Signature, e.Name, e.Extends, e.Implements)
	if symbols.Light(k.Language) {
		return "~" + text
	}
	return text
}

// signature is a symbol as the map lists it, its hierarchy with it.
func signature(text, name string, extends, implements []string) string {
	if text == "" {
		text = name
	}
	for _, h := range []struct {
		word string
		of   []string
	}{{"extends", extends}, {"implements", implements}} {
		if len(h.of) == 0 {
			continue
		}
		all := true
		for _, base := range h.of {
			all = all && strings.Contains(text, base)
		}
		if !all {
			text += " " + h.word + " " + strings.Join(h.of, ", ")
		}
	}
	return text
}

// prioritized are the symbols a reader should know first: types, then
// functions, of the most telling files.
func prioritized(r *record, likely []int) []artifact.Symbol {
	var out []artifact.Symbol
	for _, i := range likely {
		k := &r.Known[i]
		if k.InPlace || k.Text.Kind == describe.Test || symbols.Document(k.Language) {
			continue
		}
		n := 0
		for _, pass := range []bool{true, false} {
			for _, e := range k.Exports {
				if len(out) == mapSymbols {
					return out
				}
				if n < fileSymbols && isType(e.Kind) == pass && e.Name != "*" && (pass || e.Kind == "function") {
					out = append(out, artifact.Symbol{Signature: k.listed(e), File: r.Files[i].Name})
					n++
				}
			}
		}
	}
	return out
}

func isType(kind string) bool {
	switch kind {
	case "class", "interface", "struct", "type", "trait", "enum", "record", "module", "alias", "union", "annotation":
		return true
	}
	return false
}

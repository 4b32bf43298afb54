package describe

import (
	"path"
	"slices"
	"sort"
	"strings"
)

// DescribeDir says what a directory is for.
func DescribeDir(in DirInput) DirText {
	in.Files = slices.Clone(in.Files)
	for i := range in.Files {
		in.Files[i].Language = languageOf(in.Files[i].Name, in.Files[i].Language)
	}
	d := &dir{in: in, words: phrase(in.Name)}
	d.count()
	d.rank()
	t := DirText{Likely: d.order, Deps: d.internal}
	t.Role = d.role()
	t.Arch = d.arch()
	t.Tags = d.tags()
	t.Workflows = d.workflows()
	return t
}

type dir struct {
	in       DirInput
	words    string
	order    []int // files, the most telling first
	kinds    map[string]int
	langs    []string // the most frequent first
	exports  int
	entries  []string
	internal []string // pkg/… directories this one uses, the most used first
	external []string
}

func (d *dir) count() {
	d.kinds = map[string]int{}
	langs, inside, outside := map[string]int{}, map[string]int{}, map[string]int{}
	self := "pkg/" + d.in.Path
	for _, f := range d.in.Files {
		d.kinds[f.Text.Kind]++
		d.exports += len(f.Exports)
		if f.Language != "" {
			langs[f.Language]++
		}
		if f.Text.Entry {
			d.entries = append(d.entries, f.Name)
		}
		for _, dep := range f.Deps {
			dep = strings.TrimPrefix(dep, "~")
			switch {
			case strings.HasPrefix(dep, "ext/"):
				outside[dep[4:]]++
			case dep == self:
			default:
				inside[dep]++
			}
		}
	}
	d.langs, d.internal, d.external = byCount(langs), byCount(inside), byCount(outside)
}

// byCount lists keys, the highest count first.
func byCount(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if m[keys[i]] != m[keys[j]] {
			return m[keys[i]] > m[keys[j]]
		}
		return keys[i] < keys[j]
	})
	return keys
}

// rank orders files by how much a reader learns from them.
func (d *dir) rank() {
	scores := make([]int, len(d.in.Files))
	for i, f := range d.in.Files {
		s := f.Text.Rank/10 + min(len(f.Exports), 30)*2 + min(len(f.Deps), 20)
		switch f.Text.Kind {
		case Code:
			s += 40
		case Docs:
			s += 10
		case Build, Config:
			s += 15
		case Data, Asset:
			s -= 10
		}
		if f.Text.Entry {
			s += 20
		}
		if f.Note != "" {
			s -= 30
		}
		stem := strings.TrimSuffix(f.Name, path.Ext(f.Name))
		if stem == d.in.Name || stem == "index" || stem == "lib" || stem == "main" || stem == "mod" || stem == "__init__" {
			s += 15
		} else if f.Text.Kind == Code && minor[strings.Trim(strings.ToLower(stem), "_")] {
			s -= 25
		}
		scores[i] = s
		d.order = append(d.order, i)
	}
	sort.SliceStable(d.order, func(a, b int) bool { return scores[d.order[a]] > scores[d.order[b]] })
}

package mapgen

import (
	"slices"
	"strings"

	"growbench/mapgen/artifact"
)

func mapPath(dir string) string   { return artifact.MapPath(dir) }
func indexPath(dir string) string { return artifact.IndexPath(dir) }

func sortParts(parts []part) {
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.Name, b.Name) })
}

func sameParts(a, b []part) bool {
	return slices.EqualFunc(a, b, func(a, b part) bool {
		return a.Name == b.Name && a.Why == b.Why && a.Summary.same(b.Summary)
	})
}

func (s summary) same(o summary) bool {
	return s.Role == o.Role && slices.Equal(s.Tags, o.Tags) && slices.Equal(s.Packages, o.Packages)
}

// summaryOf is what a directory last told of itself: by its record, or by its
// documents, which say the same.
func (p *Project) summaryOf(dir string) summary {
	if r := p.store.get(dir); r != nil {
		return r.Summary
	}
	e, err := p.readPair(dir)
	if err != nil {
		return summary{}
	}
	var s summary
	if e.x != nil {
		s.Role = e.x.Role
	}
	if e.m != nil {
		s.Tags, s.Packages = e.m.Tags, packagesOf(e.m.ArchText())
	}
	return s
}

package tally

import (
	"fmt"
	"slices"

	"example.com/sizes/size"
)

// Filter says what a tally leaves out. The zero value leaves out nothing.
type Filter struct {
	least int64
	skip  []string
}

// NewFilter leaves out entries smaller than least, a size such as 10MB (empty:
// none), and everything named in skip, at any depth.
func NewFilter(least string, skip ...string) (Filter, error) {
	filter := Filter{skip: skip}
	if least == "" {
		return filter, nil
	}
	smallest, err := size.Parse(least)
	if err != nil {
		return Filter{}, fmt.Errorf("smallest entry to show: %w", err)
	}
	filter.least = smallest
	return filter, nil
}

func (f Filter) skips(name string) bool { return slices.Contains(f.skip, name) }

func (f Filter) keeps(entry Entry) bool { return entry.Bytes >= f.least }

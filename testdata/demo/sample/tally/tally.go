// Package tally adds up how many bytes and files lie below each child of a
// directory.
package tally

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
)

// Entry is one child of the directory, with everything below it.
type Entry struct {
	Name  string
	Bytes int64
	Files int
}

// Children tallies each direct child of fsys, largest first and equal ones by
// name. What cannot be read is left out and joined into the error; the entries
// hold the rest. Symbolic links are not followed and count nothing.
func Children(fsys fs.FS, filter Filter) ([]Entry, error) {
	children, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var entries []Entry
	var failures []error
	for _, child := range children {
		if filter.skips(child.Name()) {
			continue
		}
		entry, err := sum(fsys, child.Name(), filter)
		if err != nil {
			failures = append(failures, err)
		}
		if filter.keeps(entry) {
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name))
	})
	return entries, errors.Join(failures...)
}

// sum walks one child to its end, whatever it meets on the way.
func sum(fsys fs.FS, name string, filter Filter) (Entry, error) {
	entry := Entry{Name: name}
	var failures []error
	err := fs.WalkDir(fsys, name, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			failures = append(failures, err)
			return nil
		case d.IsDir() && filter.skips(d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || filter.skips(d.Name()):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			failures = append(failures, err)
			return nil
		}
		entry.Bytes += info.Size()
		entry.Files++
		return nil
	})
	return entry, errors.Join(append(failures, err)...)
}

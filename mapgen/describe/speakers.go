package describe

import (
	"path"
	"slices"
	"sort"
	"strings"
)

// statements are what files of code say: on themselves or the symbol they are
// about, and on something inside; rest are the files the first did not use. In
// a wide directory one file's comment tells nothing of the whole, unless the
// file has the directory's name.
func (d *dir) statements(wide bool) (said, heard []string, rest []int) {
	best := append([]int(nil), d.order...)
	sort.SliceStable(best, func(a, b int) bool {
		return min(d.in.Files[best[a]].Text.Quality, FromSubject) > min(d.in.Files[best[b]].Text.Quality, FromSubject)
	})
	for _, i := range best {
		f := d.in.Files[i]
		if f.Text.Kind != Code || f.Note != "" {
			continue
		}
		words := lower(strings.TrimPrefix(strings.TrimRight(f.Text.Purpose, "."), "Index: "))
		switch {
		case wide && f.Text.Quality >= FromSubject && !d.namesake(f.Name):
			rest = append(rest, i)
		case f.Text.Quality >= FromSubject && len(said) < 3:
			if !slices.Contains(said, words) {
				said = append(said, words)
			}
		case f.Text.Quality == FromInside && len(heard) < 2:
			if !slices.Contains(heard, words) {
				heard = append(heard, words)
			}
			rest = append(rest, i)
		default:
			rest = append(rest, i)
		}
	}
	return said, heard, rest
}

// loneSpeaker is the one file of several that has words, where it is not the
// one that tells most of them: it does not speak for the others. -1 is none.
func (d *dir) loneSpeaker(said []string) int {
	if len(said) != 1 || d.written() < 3 {
		return -1
	}
	first := true
	for _, i := range d.order {
		f := d.in.Files[i]
		switch {
		case f.Text.Kind != Code || f.Note != "":
			continue
		case f.Text.Quality < FromSubject:
		case first || d.namesake(f.Name):
			return -1
		default:
			return i
		}
		first = false
	}
	return -1
}

// amongOthers puts before what one file says of itself what the others offer.
func (d *dir) amongOthers(lone int, words string) []string {
	f := d.in.Files[lone]
	if f.Text.Quality == FromItself {
		words = phrase(strings.TrimSuffix(f.Name, path.Ext(f.Name))) + ": " + words
	}
	others, _ := d.deeds()
	others = others[:min(len(others), 1)]
	if s := d.symbolWords([]int{lone}); len(others) == 0 && s != "" {
		others = append(others, listClip(s, maxRole/3))
	}
	return append(others, words)
}

// namesake says that a file is called as its directory is.
func (d *dir) namesake(file string) bool {
	own := words(d.in.Name)
	found := false
	for i, w := range words(strings.TrimSuffix(file, path.Ext(file))) {
		switch {
		case slices.ContainsFunc(own, func(o string) bool { return alikeWords(o, w) }):
			if found = true; i == 0 {
				return true
			}
		case !minor[strings.ToLower(w)]:
			return false
		}
	}
	return found
}

// alikeWords says that two words differ at most in their number and case.
func alikeWords(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "s"), strings.TrimSuffix(b, "s"))
}

// untold are subjects of files of which no part tells.
func (d *dir) untold(files []int, parts []string) []string {
	told := squeezed(strings.Join(parts, " "))
	return slices.DeleteFunc(d.subjects(files, ""), func(s string) bool { return strings.Contains(told, squeezed(s)) })
}

// without takes some files out of a list.
func without(files, some []int) []int {
	return slices.DeleteFunc(slices.Clone(files), func(i int) bool { return slices.Contains(some, i) })
}

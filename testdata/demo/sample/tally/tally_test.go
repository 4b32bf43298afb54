package tally

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"example.com/sizes/size"
)

func file(bytes int) *fstest.MapFile { return &fstest.MapFile{Data: make([]byte, bytes)} }

var tree = fstest.MapFS{
	"notes.txt":            file(40),
	"photos/2024/a.jpg":    file(int(size.MustParse("3KB"))),
	"photos/2025/b.jpg":    file(2000),
	"site/index.html":      file(700),
	"site/cache/page.html": file(300),
	"site/latest":          {Data: []byte("index.html"), Mode: fs.ModeSymlink},
	"zine/cover.png":       file(1000),
}

func TestChildren(t *testing.T) {
	cases := []struct {
		name  string
		least string
		skip  []string
		want  []Entry
	}{
		{"everything, largest first, equal ones by name", "", nil,
			[]Entry{{"photos", 5000, 2}, {"site", 1000, 2}, {"zine", 1000, 1}, {"notes.txt", 40, 1}}},
		{"the smallest one asked for is still shown", "1KB", nil,
			[]Entry{{"photos", 5000, 2}, {"site", 1000, 2}, {"zine", 1000, 1}}},
		{"names are skipped at any depth", "", []string{"cache", "2024", "notes.txt"},
			[]Entry{{"photos", 2000, 1}, {"zine", 1000, 1}, {"site", 700, 1}}},
	}
	for _, c := range cases {
		filter, err := NewFilter(c.least, c.skip...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Children(tree, filter)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", c.name, got, c.want)
		}
	}
}

// locked refuses to open one path of the tree below it.
type locked struct {
	fstest.MapFS
	path string
}

func (l locked) Open(name string) (fs.File, error) {
	if name == l.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.Open(name)
}

func (l locked) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == l.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.ReadDir(name)
}

func TestChildrenCountsTheRestOfWhatItCannotRead(t *testing.T) {
	got, err := Children(locked{tree, "photos/2024"}, Filter{})
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error is %v, want one that says permission denied", err)
	}
	if want := (Entry{"photos", 2000, 1}); len(got) != 4 || got[0] != want {
		t.Errorf("got %v, want 4 entries, the first %v", got, want)
	}
}

func TestNewFilterRefusesWhatIsNoSize(t *testing.T) {
	if _, err := NewFilter("huge"); !errors.Is(err, size.ErrSyntax) {
		t.Errorf("error is %v, want %v", err, size.ErrSyntax)
	}
}

package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestFilesThatHoldAWordAreFound(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	for path, text := range map[string]string{
		"top.go": "Measure()", "a b/deep/x.go": "size.Measure(1)", "part.go": "MeasureAll() _Measure", "other.txt": "Measure",
		"bin.go": "Measure\x00", "[x].go": "Format", "wide.go": "größe(“Measured”) 测量()", "large.go": strings.Repeat("Measure ", 1000),
	} {
		put(t, dir+"/"+path, text)
	}
	if err := os.Symlink("top.go", dir+"/link.go"); err != nil {
		t.Fatal(err)
	}
	gitAs(t, dir, "add", "-A")
	gitAs(t, dir, "commit", "-qm", "more")
	tree, report := create(t, dir, BaseHead)
	for _, same := range []bool{true, false} {
		for _, c := range []struct {
			words []string
			limit int
			want  string
			more  bool
		}{
			{[]string{"Measure"}, 10, "a b/deep/x.go top.go", false},
			{[]string{"Measure", "Format"}, 10, "[x].go a b/deep/x.go top.go", false},
			{[]string{"Measure"}, 1, "a b/deep/x.go", true},
			{[]string{"größe"}, 10, "wide.go", false},
			{[]string{"Measured"}, 10, "wide.go", false},
			{[]string{"测量"}, 10, "wide.go", false},
			{[]string{"Nowhere"}, 10, "", false},
		} {
			v := NewVocabulary(tree, []string{".go", ".txt"}, 4096)
			files, more, err := v.Holding(t.Context(), report.Base, same, c.words, []string{".go"}, c.limit)
			if err != nil || strings.Join(files, " ") != c.want || more != c.more {
				t.Errorf("%v (same tree: %v): %q, more %v, %v", c.words, same, files, more, err)
			}
		}
	}
}

// Whatever a Worker does to the tree, and however far reading ahead came, the
// answer is that of a search from the start.
func TestAVocabularyFollowsTheTree(t *testing.T) {
	userHome(t)
	dir := plainRepo(t)
	tree, _ := create(t, dir, BaseHead)
	draw := rand.New(rand.NewPCG(1, 2))
	pick := func() string { return fmt.Sprintf("%s/d%d/f%d.go", tree.Dir, draw.IntN(3), draw.IntN(5)) }
	v := NewVocabulary(tree, []string{".go"}, 4096)
	for k := range 25 {
		for range 1 + draw.IntN(4) {
			path := pick()
			switch draw.IntN(6) {
			case 0:
				_ = os.Remove(path)
			case 1:
				_ = os.Rename(path, pick())
			case 2:
				_ = os.Chmod(path, 0o755)
			case 3:
				_ = os.Remove(path)
				_ = os.Symlink("f0.go", path)
			default:
				if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
					_ = os.Remove(path)
				}
				put(t, path, fmt.Sprintf("package d\n\nvar w%d, w%d = %d, 0\n", draw.IntN(4), draw.IntN(4), k))
			}
		}
		at := must[string](t)(tree.WriteTree(t.Context()))
		if draw.IntN(2) == 0 {
			v.ReadAhead(at)
		}
		for w := range 4 {
			word := []string{fmt.Sprintf("w%d", w)}
			fresh := NewVocabulary(tree, []string{".go"}, 4096)
			want, _, err := fresh.Holding(t.Context(), at, false, word, []string{".go"}, 100)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := v.Holding(t.Context(), at, draw.IntN(2) == 0, word, []string{".go"}, 100)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("step %d, %v: %q (%v), want %q", k, word, got, err, want)
			}
		}
	}
	if v.held == 0 {
		t.Error("nothing is kept")
	}
}

// A file of more words than are kept is always one that may hold the word.
func TestAFileOfVeryManyWordsHoldsEveryOne(t *testing.T) {
	var text strings.Builder
	for i := range maxWords + 1 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	var set wordSet
	if known := set.of([]byte(text.String())); !holdsAll(known, set.of([]byte("nowhere"))) {
		t.Error("it was left out")
	}
	if known := set.of([]byte("few words")); !holdsAll(known, set.of([]byte("words"))) || holdsAll(known, set.of([]byte("nowhere"))) {
		t.Errorf("the next file's words: %v", known)
	}
}

//go:build cgo

package symbols

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// TestLabelledFiles measures the extractor against files whose symbols were
// written down by hand before it had seen them.
func TestLabelledFiles(t *testing.T) {
	const dir, must = "testdata/labelled", 0.98
	var symbols, imports score
	languages := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".want") {
			return err
		}
		source := strings.TrimSuffix(path, ".want")
		content, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		labels, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		wantSymbols, wantImports := split(strings.Split(strings.TrimSpace(string(labels)), "\n"))
		file := Extract(filepath.Base(source), content, Limits{})
		languages[file.Language] = true
		gotSymbols, gotImports := split(render(file))
		symbols.add(t, source, wantSymbols, gotSymbols)
		imports.add(t, source, wantImports, gotImports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d languages", len(languages))
	t.Logf("symbols: %s", symbols)
	t.Logf("imports: %s", imports)
	if len(languages) < 12 || symbols.wanted < 200 {
		t.Errorf("labelled set too small: %d languages, %d symbols", len(languages), symbols.wanted)
	}
	for name, s := range map[string]score{"symbols": symbols, "imports": imports} {
		if s.precision() < must || s.recall() < must {
			t.Errorf("%s below %.2f: %s", name, must, s)
		}
	}
}

func split(labels []string) (symbols, imports []string) {
	for _, l := range labels {
		if strings.HasPrefix(l, "import ") {
			imports = append(imports, l)
		} else if l != "" {
			symbols = append(symbols, l)
		}
	}
	return symbols, imports
}

// render writes what the extractor found the way labels are written.
func render(f File) []string {
	var out []string
	for _, e := range f.Exports {
		line := "export " + e.Name
		if e.Name == "*" {
			line += " from " + e.From
		}
		if e.Default {
			line += " default"
		}
		out = append(out, line)
	}
	for _, m := range f.Members {
		if m.Exported {
			out = append(out, "member "+m.Owner+"."+m.Name)
		}
	}
	for _, i := range f.Imports {
		out = append(out, "import "+i.Path)
	}
	return out
}

type score struct{ wanted, found, right int }

func (s *score) add(t *testing.T, file string, want, got []string) {
	t.Helper()
	missing := map[string]int{}
	for _, w := range want {
		missing[w]++
	}
	var extra []string
	for _, g := range got {
		if missing[g] > 0 {
			missing[g]--
			s.right++
		} else {
			extra = append(extra, g)
		}
	}
	s.wanted += len(want)
	s.found += len(got)
	var lost []string
	for w, n := range missing {
		if n > 0 {
			lost = append(lost, w)
		}
	}
	sort.Strings(lost)
	if len(lost)+len(extra) > 0 {
		t.Logf("%s: not found %q, not wanted %q", file, lost, extra)
	}
}

func (s score) precision() float64 { return float64(s.right) / float64(max(s.found, 1)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(s.wanted, 1)) }

func (s score) String() string {
	return "wanted " + itoa(s.wanted) + ", precision " + percent(s.precision()) + ", recall " + percent(s.recall())
}

func itoa(n int) string        { return strconv.Itoa(n) }
func percent(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }

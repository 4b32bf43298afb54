package mapgen

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever two texts are, their diff leads from one to the other.
func TestDiffLeadsFromOneTextToTheOther(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "c", "## files", "- x | y"}
	text := func() []byte {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(words[r.IntN(len(words))] + "\n")
		}
		return []byte(b.String())
	}
	for range 300 {
		old, new := text(), text()
		if got := apply(t, old, Diff("x", old, new)); got != string(new) {
			t.Fatalf("from\n%sto\n%sthe diff\n%sleads to\n%s", old, new, Diff("x", old, new), got)
		}
	}
}

// apply does what a diff says, by its own figures.
func apply(t *testing.T, old []byte, diff string) string {
	t.Helper()
	lines, out, at := linesOf(old), []string{}, 0
	for _, l := range linesOf([]byte(diff)) {
		switch {
		case strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "):
		case strings.HasPrefix(l, "@@ -"):
			start, count := 0, 0
			first, _, _ := strings.Cut(l[len("@@ -"):], " ")
			num, n, _ := strings.Cut(first, ",")
			for _, c := range num {
				start = 10*start + int(c-'0')
			}
			for _, c := range n {
				count = 10*count + int(c-'0')
			}
			if count > 0 {
				start--
			}
			out = append(out, lines[at:start]...)
			at = start
		case l[0] == '+':
			out = append(out, l[1:])
		default:
			if lines[at] != l[1:] {
				t.Fatalf("line %d is %q, the diff says %q", at, lines[at], l)
			}
			if at++; l[0] == ' ' {
				out = append(out, l[1:])
			}
		}
	}
	out = append(out, lines[at:]...)
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, "\n") + "\n"
}

// git reads what we write.
func TestDiffIsOneThatGitApplies(t *testing.T) {
	dir := t.TempDir()
	old, new := "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n", "one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n11\ntwelve\n"
	git(t, dir, "init", "-q")
	write(t, dir, map[string]string{"x": old})
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(Diff("x", []byte(old), []byte(new)))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "x"))
	if err != nil || string(got) != new {
		t.Errorf("%v\n%s", err, got)
	}
}

package cli

import (
	"strings"
	"testing"
)

// A run may pass though a check failed on the way: that stands where one looks
// first. A bisect of what passes asks twice and says so.
func TestAPassingRunSaysWhatFailedOnTheWay(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers(), func(c map[string]any) {
		c["checks"] = map[string]any{"each": []string{"grep -q B b.txt"}, "verify": []string{"true"}}
	})
	run := p.do(p.runTwo("--headless")...).ends(exitOK).end().Run
	said := "`grep -q B b.txt` failed after Worker 1 and passes since"
	if show := p.do("show", run).ends(exitOK, said); strings.Index(show.out, said) > strings.Index(show.out, "## ") {
		t.Errorf("it is not said in the head:\n%s", show.out)
	}
	got := p.do("bisect", run).ends(exitOK, "it passes at the end")
	if n := strings.Count(got.err, "passed\n"); n != 1 || strings.Count(got.err, "passed, asked again\n") != 1 {
		t.Errorf("asked:\n%s", got.err)
	}
}

package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
)

// shelf is what Workers changed, as a test has it.
type shelf struct{ err error }

const shelfPatch = `diff --git a/size/size.go b/size/size.go
index 1..2 100644
--- a/size/size.go
+++ b/size/size.go
@@ -1,3 +1,3 @@
 package size
-type Size int
+type Size int64
 // end
diff --git a/size/print.go b/size/print.go
new file mode 100644
--- /dev/null
+++ b/size/print.go
@@ -0,0 +1,60 @@
`

func (s shelf) Diff(_ context.Context, k int) (engine.Difference, error) {
	patch := shelfPatch
	for i := range 60 {
		patch += fmt.Sprintf("+line %d of the printer\n", i+1)
	}
	return engine.Difference{K: k, Unfinished: k == 2, Patch: patch, Files: []engine.ChangedFile{
		{Path: "size/size.go", Kind: "modified", Added: 1, Deleted: 1},
		{Path: "size/print.go", Kind: "created", Added: 60},
	}}, s.err
}

func (s shelf) File(_ context.Context, k int, path string) ([]byte, error) {
	return fmt.Appendf(nil, "\tcontent of %s after Worker %d\n", path, k), s.err
}

// examined is a workbench on the run that ended, whose Workers have commits.
func examined(t *testing.T, width, height int, works Works) *glass {
	t.Helper()
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: append(recorded(t, "ended"), event.Event{Seq: 400, At: noon, Body: event.ResultAccepted{
		K: 2, Result: doc.Result{K: 2, Files: doc.Files{Created: []string{"size/print.go"}}, Summary: "Prints sizes."},
	}})}
	g := open(t, width, height, Options{Source: f, Theme: "none", Works: works})
	g.until("print sizes")
	return g
}

func TestADiffIsReadFileByFile(t *testing.T) {
	g := examined(t, 120, 30, shelf{})
	g.press("1gjd") // Worker 1
	s := g.until("what Worker 1 changed", "› size/size.go", "size/print.go", "+60 −0", "+type Size int64")
	if strings.Contains(s, "unfinished") {
		t.Errorf("finished work is called unfinished:\n%s", s)
	}
	g.press("]")
	g.until("› size/print.go", "+line 1 of the printer")
	g.press("[")
	g.until("› size/size.go")
	g.press("G")
	g.until("+line 60 of the printer")
	g.press("t")
	g.when("the task, in its place", func(s string) bool {
		return strings.Contains(s, "the task of Worker 1") || strings.Contains(s, "cannot show the task of Worker 1")
	})
	g.press("\x1b[27uq")
	g.end()
}

func TestANarrowDiffNamesTheFileAboveIt(t *testing.T) {
	g := examined(t, 60, 20, shelf{})
	g.press("1gjd")
	g.until("1 of 2 files size/size.go +1 −1")
	g.press("]")
	g.until("2 of 2 files size/print.go +60 −0")
	g.press("\x1b[27uq")
	g.end()
}

func TestADiffThatCannotBeMadeSaysWhy(t *testing.T) {
	g := examined(t, 100, 30, shelf{err: errors.New("its clone is \x1b[31mgone")})
	g.press("1gjd")
	g.until("cannot show the diff: its clone is gone")
	g.press("gd")
	g.until("d does nothing now: the planner changes nothing")
	g.press("q")
	g.end()
}

func TestTheResultOfAnAgentIsOneKeyAway(t *testing.T) {
	g := examined(t, 100, 30, shelf{})
	g.press("1gjjr")
	g.until("› 3 results", "# RESULT #2 (by Worker 2)")
	g.press("[")
	g.until("# RESULT #1 (by Worker 1)")
	g.press("[")
	g.until("there is no further RESULT in this direction")
	g.press(" ")
	g.when("RESULT 1 is folded", func(s string) bool {
		return strings.Count(s, "## Files") < 2 && strings.Contains(s, "# RESULT #1 (by Worker 1) ")
	})
	g.press("z")
	g.when("all are folded", func(s string) bool { return !strings.Contains(s, "## Files") })
	g.press("z")
	g.until("## Files")
	g.press("1gr") // the planner's, which is a plan
	g.until("cannot show the plan")
	g.press("q")
	g.end()
}

func TestAnEntryOfTheLedgerLeadsOnAndBack(t *testing.T) {
	f := newFeed("testdata/run")
	f.news <- engine.Update{Events: append(recorded(t, "ended"), event.Event{Seq: 500, At: noon, Body: event.LedgerEntry{
		Symbol: "Short", Kind: "removed", Class: "breaking", File: "size/print.go", K: 1, Source: "both",
		Affected: []event.Affected{{K: 2, Possible: true}}, Unowned: []string{"cmd/main.go:7"},
	}})}
	g := open(t, 100, 30, Options{Source: f, Theme: "none", Works: shelf{}})
	g.until("print sizes")
	g.press("4G\r")
	g.until("ledger: Short", "removed, breaking", "affects Worker 2 (possible", "cmd/main.go:7", "the task of Worker 2")
	for _, step := range []struct{ key, shows string }{
		{"t", "─ the task of Worker 2 ─"}, {"f", "    content of size/print.go after Worker 1"}, {"d", "+line 1 of the printer"},
	} {
		g.press(step.key)
		g.until(step.shows)
		g.press("\x1b[27u")
		g.until("ledger: Short", "back")
	}
	g.press("\x1b[27u")
	g.when("back at the ledger", func(s string) bool { return !strings.Contains(s, "ledger: Short") })
	g.press("gj")
	g.press("q")
	g.end()
}

func TestAPaneTakesTheWholeWidth(t *testing.T) {
	g := examined(t, 160, 48, shelf{})
	g.press("3f")
	g.when("results alone", func(s string) bool {
		return !strings.Contains(s, "2 transcript") && strings.Contains(s, "› 3 results")
	})
	g.press("2")
	g.when("the transcript alone", func(s string) bool {
		return strings.Contains(s, "› 2 transcript") && !strings.Contains(s, "3 results")
	})
	g.press("f")
	g.until("1 chain", "3 results", "4 ledger")
	g.press("q")
	g.end()
}

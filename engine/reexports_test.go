//go:build cgo

package engine

import (
	"reflect"
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// A task that names a broken symbol with the file that only passes it on is
// asked about, and who has it from there is found, though that file is another
// task's.
func TestWhatIsBrokenBehindAReexportIsFollowed(t *testing.T) {
	b := newBench(t, map[string]string{
		"src/size.ts":  "export function parse(text: string): number { return text.length }\n",
		"src/index.ts": "export * from './size'\n",
		"src/cli.ts":   "import { parse } from './index'\n\nconsole.log(parse('x'))\n",
		"src/report.ts": "import * as all from '.'\n\nexport const total = all.parse('y') // parse\n" +
			"export const other = parse()\n",
	})
	plan := doc.Plan{Tasks: []doc.PlanTask{task("size", 0, "src/size.ts"), task("command", 1, "src/cli.ts", "src/index.ts")}}
	plan.Tasks[1].Signatures = []string{"parse(text: string): number — src/index.ts"}
	dirs, w := b.begun(order{plan: plan, attended: true, script: steps(
		[]step{edit("src/size.ts", "text: string)", "text: string, base: number)"), result([]string{"src/size.ts"})},
		[]step{edit("src/cli.ts", "'x'", "'x', 10"), result([]string{"src/cli.ts"})},
	)})
	for _, want := range []string{
		"now: parse(text: string): number → parse(text: string, base: number): number", // nobody claimed it
		"task #2 says: parse(text: string): number — src/index.ts",
	} {
		if !strings.Contains(w.Text, want) {
			t.Errorf("asked without %q:\n%s", want, w.Text)
		}
	}
	must(t, b.answer(dirs, w, event.AffectedContinue, ""))
	s := b.finish(dirs)
	if s.Status != event.StatusPassed || len(s.Ledger) != 1 {
		t.Fatalf("%s %s, ledger %+v", s.Status, s.Reason, s.Ledger)
	}
	e := s.Ledger[0]
	if want := []string{"src/report.ts:3"}; !reflect.DeepEqual(e.Unowned, want) || len(e.Possible) != 0 {
		t.Errorf("users %v, possibly %v; want %v", e.Unowned, e.Possible, want)
	}
	if want := []event.Through{{Symbol: "parse", File: "src/index.ts"}}; !reflect.DeepEqual(e.Through, want) {
		t.Errorf("passed on by %v, want %v", e.Through, want)
	}
	if want := []event.Affected{{K: 2}}; !reflect.DeepEqual(e.Affected, want) {
		t.Errorf("affects %v, want %v", e.Affected, want)
	}
	if report := b.read(dirs, "report.md"); !strings.Contains(report, "Passed on by src/index.ts (parse)") {
		t.Errorf("report.md:\n%s", report)
	}
}

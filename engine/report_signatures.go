package engine

import (
	"fmt"
	"slices"
	"strings"

	"growbench/engine/event"
	"growbench/engine/ledger"
)

// crossing is a task whose Signatures a Worker broke.
type crossing struct {
	task   int
	hit    event.Hit
	became string
}

// crossings are all tasks, done or not, that rely on what another Worker broke
// and what was done about it: one that had not started is marked before it
// does; nobody goes back to one that was done.
func crossings(s *event.State) []crossing {
	var out []crossing
	for _, e := range s.Ledger {
		hit := event.Hit{By: e.K, Symbol: e.Symbol, File: e.File}
		if e.Symbol == "" || e.File == "" {
			continue
		}
		for k := 1; k <= min(e.K-1, len(s.Plan.Tasks.Tasks)); k++ {
			if len(ledger.Naming(s.Plan.Tasks.Tasks[k-1], e.Symbol, e.File)) > 0 {
				out = append(out, crossing{k, hit, fmt.Sprintf("broken after Worker %d was done; no Worker saw both", k)})
			}
		}
		for _, w := range s.Workers {
			if marked(w, hit) {
				out = append(out, crossing{w.K, hit, "seen before its Worker started; " + became(s, w.K, hit)})
			}
		}
		for _, d := range s.Decisions {
			if d.Choice == event.AffectedReplan && d.Carried && slices.Contains(d.Hits, hit) {
				out = append(out, crossing{d.K, hit, "seen before its Worker started; " + choiceText(d)})
			}
		}
	}
	return out
}

func marked(w event.Worker, hit event.Hit) bool {
	for _, a := range w.Affected {
		if !a.Possible && (event.Hit{By: a.By, Symbol: a.Symbol, File: a.File}) == hit {
			return true
		}
	}
	return false
}

// became is what was decided about task k, in order.
func became(s *event.State, k int, hit event.Hit) string {
	var said []string
	for _, d := range s.Decisions {
		if d.K == k && slices.Contains(d.Hits, hit) {
			said = append(said, choiceText(d))
		}
	}
	if len(said) == 0 {
		return "nothing is decided yet"
	}
	return strings.Join(said, ", then ")
}

func choiceText(d event.Decision) string {
	text := fmt.Sprintf("%s (%s)", d.Choice, d.By)
	if d.Why != "" {
		text += ", as " + cell(d.Why)
	}
	if !d.Carried {
		text += ", not carried out"
	}
	return text
}

func reportSignatures(b *strings.Builder, s *event.State) {
	if len(s.Ledger) == 0 {
		return
	}
	b.WriteString("\n## Breaking × Signatures\n\n")
	all := crossings(s)
	if len(all) == 0 {
		b.WriteString("No task relies on what was broken, as far as its Signatures tell.\n")
	}
	for _, c := range all {
		fmt.Fprintf(b, "- Task %d relied on `%s` — %s, broken by Worker %d: %s.\n", c.task, cell(c.hit.Symbol), cell(c.hit.File), c.hit.By, c.became)
	}
	if n := len(s.Plan.Earlier) + 1; n > 1 {
		fmt.Fprintf(b, "\nThe plan was revised: revision %d is in force, `plan.1.md` to `plan.%d.md` hold them all.\n", n, n)
	}
}

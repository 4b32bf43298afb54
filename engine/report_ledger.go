package engine

import (
	"fmt"
	"strings"

	"growbench/engine/event"
)

// reportLedger lists what was broken: what was claimed of it beside what was
// seen.
func reportLedger(b *strings.Builder, s *event.State) {
	b.WriteString("\n## Breaking\n\n")
	if len(s.Ledger) == 0 {
		b.WriteString("- none claimed, none seen\n")
		return
	}
	b.WriteString("| symbol | kind | class | file | Worker | source | affects |\n|---|---|---|---|---|---|---|\n")
	for _, l := range s.Ledger {
		var affects []string
		for _, a := range l.Affected {
			text := fmt.Sprintf("Worker %d", a.K)
			if a.Possible {
				text += " (possible)"
			}
			affects = append(affects, text)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %d | %s | %s |\n", cell(entryName(l)), l.Kind, l.Class, cell(l.File), l.K, l.Source, orDash(strings.Join(affects, ", ")))
	}
	for _, l := range s.Ledger {
		reportEntry(b, l)
	}
}

func entryName(l event.LedgerEntry) string {
	if l.Symbol == "" {
		return l.Text
	}
	return l.Symbol
}

// reportEntry holds claim and observation side by side, and names the users
// nobody will see to.
func reportEntry(b *strings.Builder, l event.LedgerEntry) {
	claim, seen := "nothing", "nothing"
	if l.Text != "" {
		claim = cell(l.Text)
	}
	if l.Observed != "" {
		seen = cell(l.Observed)
	}
	fmt.Fprintf(b, "\n`%s`: Worker %d says %s; seen: %s.\n", cell(entryName(l)), l.K, claim, seen)
	if len(l.Through) > 0 {
		fmt.Fprintf(b, "Passed on by %s\n", cell(throughText(l.Through)))
	}
	list := func(head string, places []string) {
		if len(places) > 0 {
			fmt.Fprintf(b, "%s: %s\n", head, cell(strings.Join(places, ", ")))
		}
	}
	list("Used where no later task looks", l.Unowned)
	list("Possibly used where no later task looks", l.Possible)
	if l.More > 0 {
		fmt.Fprintf(b, "And %d more.\n", l.More)
	}
}

func throughText(list []event.Through) string {
	var places []string
	for _, t := range list {
		places = append(places, t.String())
	}
	return strings.Join(places, ", ")
}

// reportStanding says in what a RESULT differs from what was seen, and what
// could not be compared.
func reportStanding(b *strings.Builder, w event.Worker) {
	if w.Standing == event.Contested {
		fmt.Fprintf(b, "\nRESULT #%d is contested:\n", w.K)
		for _, d := range w.Differences {
			fmt.Fprintf(b, "- %s\n", cell(d.Text))
		}
	}
	for _, n := range w.Uncompared {
		fmt.Fprintf(b, "\nRESULT #%d, not compared: %s.\n", w.K, cell(n))
	}
}

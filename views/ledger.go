package views

import (
	"fmt"
	"strings"

	"growbench/engine/event"
	"growbench/theme/text"
)

// Ledger shows every export that was broken, by whom, and who is affected.
type Ledger struct {
	look          Look
	width, height int
	entries       []event.LedgerEntry
	filter        string
	top           int
}

// NewLedger returns an empty pane.
func NewLedger(t Look) Ledger { return Ledger{look: t} }

// SetLook changes the colours.
func (l *Ledger) SetLook(t Look) { l.look = t }

// SetSize sets the pane's size in cells.
func (l *Ledger) SetSize(width, height int) { l.width, l.height = width, height }

// SetEntries shows entries; the pane only reads them.
func (l *Ledger) SetEntries(entries []event.LedgerEntry) { l.entries = entries }

// SetFilter shows only the entries that match a query; "" shows all.
func (l *Ledger) SetFilter(query string) { l.filter, l.top = query, 0 }

// Filtered is how many entries are shown, and how many there are.
func (l *Ledger) Filtered() (shown, all int) { return len(l.Shown()), len(l.entries) }

// Shown are the entries that match the filter.
func (l *Ledger) Shown() []event.LedgerEntry {
	if l.filter == "" {
		return l.entries
	}
	var shown []event.LedgerEntry
	for _, e := range l.entries {
		words := fmt.Sprintf("%s %s %s Worker %d %s %s", e.Symbol, e.Kind, e.File, e.K, e.Source, affected(e.Affected))
		if _, ok := Match(l.filter, words); ok {
			shown = append(shown, e)
		}
	}
	return shown
}

// Scroll moves by rows.
func (l *Ledger) Scroll(rows int) { l.top += rows }

// Page moves by windows.
func (l *Ledger) Page(pages int) { l.top += pages * max(l.height-1, 1) }

// Home goes to the first entry, End to the last.
func (l *Ledger) Home() { l.top = 0 }

// End goes to the last entry.
func (l *Ledger) End() { l.top = 1 << 30 }

// View draws the pane.
func (l *Ledger) View() []string {
	if len(l.entries) == 0 {
		return exactly([]string{NewRow(l.width).Add(l.look.Muted, "no export was broken so far").String()}, l.width, l.height)
	}
	var lines []string
	for _, e := range l.Shown() {
		lines = append(lines, l.entry(e)...)
	}
	if len(lines) == 0 {
		return exactly([]string{NewRow(l.width).Add(l.look.Muted, "nothing matches").String()}, l.width, l.height)
	}
	l.top = max(0, min(l.top, len(lines)-l.height))
	return exactly(lines[l.top:], l.width, l.height)
}

func (l *Ledger) entry(e event.LedgerEntry) []string {
	mark, look := l.look.Symbols.Flagged, l.look.Warn
	if e.Class == "additive" {
		mark, look = "+", l.look.Muted
	}
	lines := []string{NewRow(l.width).Add(look, mark+" ").
		Add(l.look.Title, text.Visible(e.Symbol)).Add(look, " "+e.Kind).String()}
	who := fmt.Sprintf("by Worker %d, %s", e.K, e.Source)
	lines = append(lines, NewRow(l.width).Plain("  ").
		Add(l.look.Text, text.Visible(e.File)).Add(l.look.Muted, " · "+who).String())
	if affects := affected(e.Affected); affects != "" {
		lines = append(lines, NewRow(l.width).Plain("  ").Add(l.look.Warn, "affects "+affects).String())
	}
	if n := len(e.Unowned); n > 0 {
		places := "used where no later task looks: " + text.Visible(e.Unowned[0])
		if n > 1 {
			places += fmt.Sprintf(" and %d more", n-1)
		}
		lines = append(lines, NewRow(l.width).Plain("  ").Add(l.look.Warn, places).String())
	}
	return lines
}

func affected(list []event.Affected) string {
	var names []string
	for _, a := range list {
		name := fmt.Sprintf("Worker %d", a.K)
		if a.Possible {
			name += " (possible)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

package views

import (
	"fmt"
	"strings"

	"growbench/engine/event"
	"growbench/theme/text"
)

// Ledger shows every export that was broken, by whom, what was claimed of it
// beside what was seen, and who is affected.
type Ledger struct {
	look          Look
	width, height int
	entries       []event.LedgerEntry
	filter        string
	selected      int
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
func (l *Ledger) SetFilter(query string) { l.filter, l.selected = query, 0 }

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

// Scroll moves the selection by entries.
func (l *Ledger) Scroll(entries int) { l.selected += entries }

// Page moves the selection by about a window.
func (l *Ledger) Page(pages int) { l.selected += pages * max(l.height/3, 1) }

// Home goes to the first entry, End to the last.
func (l *Ledger) Home() { l.selected = 0 }

// End goes to the last entry.
func (l *Ledger) End() { l.selected = 1 << 30 }

// Selected is the entry the keys act upon, nil when none is shown.
func (l *Ledger) Selected() *event.LedgerEntry {
	shown := l.Shown()
	if len(shown) == 0 {
		return nil
	}
	l.selected = max(0, min(l.selected, len(shown)-1))
	return &shown[l.selected]
}

// Click selects the entry at a row of the window.
func (l *Ledger) Click(row int) bool {
	row += l.top
	for i, e := range l.Shown() {
		if row -= len(l.entry(e, false)); row < 0 {
			l.selected = i
			return true
		}
	}
	return false
}

// View draws the pane so that the selected entry can be seen.
func (l *Ledger) View() []string {
	if len(l.entries) == 0 {
		return exactly([]string{NewRow(l.width).Add(l.look.Muted, "no export was broken so far").String()}, l.width, l.height)
	}
	shown := l.Shown()
	l.selected = max(0, min(l.selected, len(shown)-1))
	var lines []string
	for i, e := range shown {
		begin := len(lines)
		lines = append(lines, l.entry(e, i == l.selected)...)
		if i == l.selected {
			l.top = min(max(l.top, len(lines)-l.height), begin)
		}
	}
	if len(lines) == 0 {
		return exactly([]string{NewRow(l.width).Add(l.look.Muted, "nothing matches").String()}, l.width, l.height)
	}
	l.top = max(0, min(l.top, len(lines)-l.height))
	return exactly(lines[l.top:], l.width, l.height)
}

func (l *Ledger) entry(e event.LedgerEntry, selected bool) []string {
	mark, look := l.look.Symbols.Flagged, l.look.Warn
	if e.Class == "additive" {
		mark, look = "+", l.look.Muted
	}
	name, kind := e.Symbol, " "+e.Kind
	if name == "" {
		name = e.Text
	}
	if e.Class == "unknown" {
		kind += ", perhaps breaking"
	}
	symbol := l.look.Title
	if selected {
		symbol = l.look.Selection
	}
	lines := []string{NewRow(l.width).Add(look, mark+" ").
		Add(symbol, text.Visible(name)).Add(look, kind).String()}
	who := fmt.Sprintf("by Worker %d, %s", e.K, e.Source)
	lines = append(lines, NewRow(l.width).Plain("  ").
		Add(l.look.Text, text.Visible(e.File)).Add(l.look.Muted, " · "+who).String())
	lines = append(lines, l.sides(e)...)
	if affects := affected(e.Affected); affects != "" {
		lines = append(lines, NewRow(l.width).Plain("  ").Add(l.look.Warn, "affects "+affects).String())
	}
	return append(lines, l.users(e)...)
}

// sides are what was claimed and what was seen. One side alone says so.
func (l *Ledger) sides(e event.LedgerEntry) []string {
	claim, seen := NewRow(l.width).Plain("  "), NewRow(l.width).Plain("  ")
	switch e.Source {
	case event.SourceBoth:
		claim.Add(l.look.Muted, "claimed: ").Add(l.look.Text, text.Visible(e.Text))
		seen.Add(l.look.Muted, "seen: ").Add(l.look.Text, text.Visible(e.Observed))
	case event.SourceObserved:
		claim.Add(l.look.Warn, "not claimed")
		seen.Add(l.look.Muted, "seen: ").Add(l.look.Text, text.Visible(e.Observed))
	default:
		claim.Add(l.look.Muted, "claimed: ").Add(l.look.Text, text.Visible(e.Text))
		seen.Add(l.look.Muted, "not seen in the code")
	}
	return []string{claim.String(), seen.String()}
}

// users are the places nobody will see to, the first of them by name.
func (l *Ledger) users(e event.LedgerEntry) []string {
	var lines []string
	list := func(head string, places []string, more int) {
		if len(places) == 0 {
			return
		}
		line := head + text.Visible(places[0])
		if n := len(places) - 1 + more; n > 0 {
			line += fmt.Sprintf(" and %d more", n)
		}
		lines = append(lines, NewRow(l.width).Plain("  ").Add(l.look.Warn, line).String())
	}
	more := e.More
	if len(e.Possible) > 0 {
		list("used where no later task looks: ", e.Unowned, 0)
		list("perhaps used: ", e.Possible, more)
		return lines
	}
	list("used where no later task looks: ", e.Unowned, more)
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

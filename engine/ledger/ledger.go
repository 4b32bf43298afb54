// Package ledger keeps account of broken exports: who broke what, by what the
// Worker says and by what is seen in the code before and after it, and which
// tasks that have not begun were written against the old shape.
package ledger

import (
	"slices"
	"strings"
	"unicode"

	"growbench/engine/doc"
)

// The classes of a change.
const (
	Breaking = "breaking" // some use of the symbol no longer works
	Additive = "additive" // every use of it goes on working
	Unknown  = "unknown"  // the rules of its language do not tell
)

// Where an entry or a difference comes from.
const (
	Claimed  = "claimed"
	Observed = "observed"
	Both     = "both"
)

// KindAdded is the kind of a symbol that was not there before; the other kinds
// are those of a Breaking line.
const KindAdded = "added"

// Entry is one change to an export that others rely on.
type Entry struct {
	Symbol, Kind, Class, File string
	Text                      string // the claim, in the Worker's words
	Seen                      *Change
	Worker                    int
	Source                    string // claimed, observed or both
	Affected                  []Affected
	// Unowned are the places that use the symbol and that no later task owns,
	// Possible those of which that is not certain; More counts what both leave
	// out.
	Unowned, Possible []string
	More              int
	// Through are the files that pass the symbol on: who names it with one of
	// them relies on it too.
	Through []Through
}

// Affected is a task after the Worker that names the symbol. Possible when the
// symbol's file is not named with it.
type Affected struct {
	K        int
	Possible bool
}

// claimed makes the entry of a line that says what was broken. A line that
// names no symbol is kept: it affects nobody for certain, but must be read.
func claimed(b doc.Breaking, k int) Entry {
	return Entry{
		Symbol: b.Symbol, Kind: doc.BreakingKind(b.Text), Class: Breaking,
		File: b.Path, Text: b.Text, Worker: k, Source: Claimed,
	}
}

// Affect looks through the tasks after the entry's Worker for those that rely
// on the symbol.
func (e *Entry) Affect(plan doc.Plan) {
	e.Affected = nil
	if e.Symbol == "" || e.Class == Additive && e.Source == Observed {
		return
	}
	for i := e.Worker; i < len(plan.Tasks); i++ {
		certain, possible := names(plan.Tasks[i], *e)
		if certain || possible {
			e.Affected = append(e.Affected, Affected{K: i + 1, Possible: !certain})
		}
	}
}

// names tells whether a task's Signatures hold symbol and file (certain), or
// the task names the symbol alone (possible).
func names(t doc.PlanTask, e Entry) (certain, possible bool) {
	for _, line := range t.Signatures {
		sig, path := splitSignature(line)
		if slices.ContainsFunc(e.Through, func(t Through) bool { return path == t.File && hasSymbol(sig, t.Symbol) }) {
			return true, false
		}
		if !hasSymbol(sig, e.Symbol) {
			continue
		}
		if e.File != "" && path == e.File {
			return true, false
		}
		possible = true
	}
	texts := slices.Concat([]string{t.Goal, t.Background}, t.Constraints)
	for _, text := range texts {
		possible = possible || hasSymbol(text, e.Symbol)
	}
	return false, possible
}

func splitSignature(line string) (sig, path string) {
	if i := strings.LastIndex(line, " — "); i >= 0 {
		return line[:i], strings.TrimSpace(line[i+len(" — "):])
	}
	return line, ""
}

// hasSymbol looks for symbol as a whole word. Of a qualified one
// (Config.Type, size.Parse) the last part must stand, as a task may name it
// with or without its owner.
func hasSymbol(text, symbol string) bool {
	last := symbol
	if i := strings.LastIndexAny(symbol, ".:#"); i >= 0 {
		last = symbol[i+1:]
	}
	if last == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], last)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(last)
		if !wordAt(text[:from], true) && !wordAt(text[to:], false) {
			return true
		}
		at = to
	}
}

// wordAt tells whether the rune at the end (or the start) of text belongs to
// an identifier.
func wordAt(text string, end bool) bool {
	var r rune
	if end {
		for _, last := range text[max(0, len(text)-4):] {
			r = last
		}
	} else {
		for _, first := range text {
			r = first
			break
		}
	}
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

package views

import (
	"fmt"
	"strings"
	"time"

	"growbench/loop"
	"growbench/theme/text"
)

// PassEntry is one entry of a loop's history: what a pass handed over, or why a
// loop ended.
type PassEntry struct {
	At   time.Time
	Pass *loop.Checkpoint
	Stop *loop.StopProof
}

// Passes shows the history of the grow loop under what the loop is held to.
type Passes struct {
	look          Look
	lock          *loop.Lock
	surface       loop.Surface
	entries       []PassEntry
	width, height int
	rows          []string // of the whole, nil until they are wanted
	top           int
}

// NewPasses shows nothing yet.
func NewPasses(look Look) Passes { return Passes{look: look} }

// Set changes what is shown, entries in their order. lock is nil before the first loop.
func (p *Passes) Set(lock *loop.Lock, surface loop.Surface, entries []PassEntry) {
	p.lock, p.surface, p.entries, p.rows = lock, surface, entries, nil
}

// SetLook changes the theme.
func (p *Passes) SetLook(look Look) { p.look, p.rows = look, nil }

// SetSize sets the size in cells.
func (p *Passes) SetSize(width, height int) {
	if width != p.width {
		p.rows = nil
	}
	p.width, p.height = width, max(height, 0)
}

// View draws the part in the window, at most as high as the window.
func (p *Passes) View() []string {
	p.Scroll(0)
	return p.rows[p.top:min(p.top+p.height, len(p.rows))]
}

// Scroll moves the window by rows.
func (p *Passes) Scroll(rows int) {
	if p.rows == nil {
		p.rows = p.draw()
	}
	p.top = max(0, min(p.top+rows, len(p.rows)-p.height))
}

// Page moves the window by a number of windows.
func (p *Passes) Page(pages int) { p.Scroll(pages * max(p.height-1, 1)) }

// Home goes to the start.
func (p *Passes) Home() { p.top = 0 }

// End goes to the end.
func (p *Passes) End() { p.Scroll(0); p.Scroll(len(p.rows)) }

// Place tells which part is in the window.
func (p *Passes) Place() Place {
	shown := min(p.top+p.height, len(p.rows))
	return Place{Shown: shown, All: len(p.rows), Above: p.top > 0, Below: shown < len(p.rows)}
}

func (p *Passes) draw() []string {
	w := factWriter{look: p.look, width: p.width}
	w.loop(p.lock, p.surface)
	if len(p.entries) == 0 {
		w.say(p.look.Muted, "No pass has handed anything over yet. `grow loop`, said in the conversation, begins one.")
	}
	for _, e := range p.entries {
		if len(w.rows) > 0 {
			w.rows = append(w.rows, Blank(p.width))
		}
		switch {
		case e.Pass != nil:
			w.pass(e.At, *e.Pass)
		case e.Stop != nil:
			w.stop(e.At, *e.Stop)
		}
	}
	return w.rows
}

// LoopFacts are what a loop is held to, for a narrow column.
func LoopFacts(look Look, width int, lock loop.Lock, surface loop.Surface) []string {
	w := factWriter{look: look, width: width}
	w.loop(&lock, surface)
	return w.rows
}

// factWriter writes facts, each after its name and, where it is longer than a
// row, below its own beginning.
type factWriter struct {
	look  Look
	width int
	rows  []string
}

func (w *factWriter) say(pen Pen, words string) {
	for _, row := range text.Wrap(text.Line(words), w.width) {
		w.rows = append(w.rows, NewRow(w.width).Add(pen, row).String())
	}
}

// factName is how wide the names of facts are.
const factName = 12

func (w *factWriter) fact(name string, pen Pen, words string) {
	if words == "" {
		return
	}
	name = text.Pad(name, factName)
	for _, row := range text.Wrap(text.Line(words), max(w.width-factName, 1)) {
		w.rows = append(w.rows, NewRow(w.width).Add(w.look.Muted, name).Add(pen, row).String())
		name = Blank(factName)
	}
}

// loop tells what a loop is held to.
func (w *factWriter) loop(lock *loop.Lock, surface loop.Surface) {
	if lock == nil {
		return
	}
	w.fact("skill", w.look.Title, lock.Skill)
	w.fact("scope", w.look.Text, lock.Scope)
	switch {
	case lock.Surface == "":
		w.fact("open work", w.look.Muted, "no list of it")
	case surface.Path == lock.Surface:
		w.fact("open work", w.look.Text, surface.Path)
		w.fact("", w.look.Muted, strings.TrimSpace(surface.Reason))
		w.fact("", w.look.Muted, plural(len(surface.Items), "open item"))
	default:
		w.fact("open work", w.look.Text, lock.Surface)
	}
}

// pass tells what one pass handed over.
func (w *factWriter) pass(at time.Time, c loop.Checkpoint) {
	row := NewRow(w.width).Add(w.look.Title, fmt.Sprintf("∞%d", c.N)).Plain("  ").Add(w.look.Text, c.Handoff.Selected)
	w.rows = append(w.rows, row.String())
	facts := []string{at.Local().Format(time.DateTime)}
	if c.Took > 0 {
		facts = append(facts, "took "+Duration(c.Took))
	}
	if c.Tokens > 0 {
		facts = append(facts, Count(c.Tokens)+" tokens")
	}
	w.fact("when", w.look.Muted, strings.Join(facts, " · "))
	w.fact("signature", w.look.Muted, c.Signature)
	w.fact("validation", w.look.Text, c.Handoff.Validation)
	changed := strings.Join(c.Handoff.Surfaces, ", ")
	if changed == "" {
		changed = "nothing"
	}
	w.fact("changed", w.look.Text, changed)
	w.fact("blocked by", w.look.Warn, c.Handoff.Blocker)
	w.fact("plan", w.look.Text, c.Handoff.Plan)
	w.fact("evidence", w.look.Text, c.Handoff.Evidence)
	w.fact("remains", w.look.Text, c.Handoff.Remains)
}

// stop is the proof that a loop is over.
func (w *factWriter) stop(at time.Time, s loop.StopProof) {
	w.say(w.look.Title, w.look.Symbols.Stopped+" stop proof: "+s.Reason)
	w.fact("when", w.look.Muted, at.Local().Format(time.DateTime))
	w.fact("scope", w.look.Text, s.Scope)
	w.fact("evidence", w.look.Text, s.Evidence)
	w.fact("signature", w.look.Muted, s.Signature)
	w.fact("remains", w.look.Text, s.Remains)
	w.fact("again when", w.look.Text, s.Restart)
	w.fact("to merge", w.look.Text, s.Home)
}

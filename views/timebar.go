package views

import (
	"fmt"
	"strings"
	"time"
)

// TimeBar is the line that says where in a recording a replay stands.
type TimeBar struct {
	look  Look
	width int
	p     Playing
}

// Playing is where a replay stands.
type Playing struct {
	Speed       string // "×4", "instant"
	Paused      bool
	At, Length  time.Duration
	Event, Last int   // how many events have been played, and of how many
	Marks       []int // events that begin a Worker, to be marked
	Moment      time.Time
	Short       bool // pauses in which nothing was at work are cut
	Loading     bool
}

// NewTimeBar is a bar of nothing.
func NewTimeBar(look Look) TimeBar { return TimeBar{look: look} }

// SetLook changes the colours.
func (b *TimeBar) SetLook(look Look) { b.look = look }

// SetSize sets the width in cells.
func (b *TimeBar) SetSize(width int) { b.width = max(width, 0) }

// Set says where the replay stands.
func (b *TimeBar) Set(p Playing) { b.p = p }

// View draws the line. What finds no room goes from the right; that this is a
// replay, its speed and whether it is paused always stays.
func (b *TimeBar) View() string {
	p := b.p
	state := "playing"
	pen := b.look.Running
	switch {
	case p.Loading:
		state, pen = "reading", b.look.Muted
	case p.Event == p.Last:
		state, pen = "at the end", b.look.Muted
	case p.Paused:
		state, pen = "paused", b.look.Warn
	}
	event := fmt.Sprintf("event %d of %d", p.Event, p.Last)
	clock := p.Moment.Local().Format("15:04:05")
	if p.Moment.IsZero() {
		clock = ""
	}
	cut := ""
	if p.Short {
		cut = "pauses cut"
	}
	least := "REPLAY  " + state + "  " + p.Speed + "  "
	times := Duration(p.At) + " of " + Duration(p.Length)
	var tail string
	for _, facts := range [][]string{{times, event, clock, cut}, {times, event, clock}, {times, event}, {times}, {}} {
		tail = ""
		for _, f := range facts {
			if f != "" {
				tail += "  " + f
			}
		}
		if measure.Width(least)+measure.Width(tail)+16 <= b.width {
			break
		}
	}
	r := NewRow(b.width).Add(b.look.Waiting, "REPLAY").Plain("  ").Add(pen, state).Plain("  ").Add(b.look.Accent, p.Speed).Plain("  ")
	b.bar(r, r.left-measure.Width(tail))
	return r.Plain("  ").Add(b.look.Muted, strings.TrimPrefix(tail, "  ")).String()
}

// bar draws what was played, what was not, and where Workers begin.
func (b *TimeBar) bar(r *Row, width int) {
	if width < 4 {
		return
	}
	cells := make([]string, width)
	sign := b.look.Symbols.Frame.Top
	for i := range cells {
		cells[i] = sign
	}
	at := 0
	if b.p.Last > 0 {
		for _, n := range b.p.Marks {
			cells[cellOf(n, b.p.Last, width)] = b.look.Symbols.Frame.MiddleTop
		}
		at = cellOf(b.p.Event, b.p.Last, width)
	}
	cells[at] = b.look.Symbols.Cursor
	r.Add(b.look.Accent, strings.Join(cells[:at+1], "")).Add(b.look.Border, strings.Join(cells[at+1:], ""))
}

// cellOf is the cell of event n of last in a bar.
func cellOf(n, last, width int) int {
	return max(min(n*(width-1)/max(last, 1), width-1), 0)
}

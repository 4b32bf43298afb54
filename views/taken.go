package views

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
)

// Figure is one thing an agent has taken, beside its limit when one is set.
type Figure struct {
	Text string
	// Near is true when little is left of the limit.
	Near bool
}

// near is the part of a limit from which on it is said with a warning.
const near = 0.8

// taken is what one agent has taken so far.
type taken struct {
	live            bool
	turns           int
	in, out, cached int64
	estimated       bool
	cost, runCost   float64
	quiet, wall     time.Duration
	said            int64 // bytes
	context, window int64 // tokens
	limits          event.Limits
}

// WorkerFigures are what Worker w has taken, the most urgent first: what is
// near its limit, then what tells most of how it goes.
func WorkerFigures(s *event.State, w *event.Worker, now time.Time) []Figure {
	if w.Started.IsZero() {
		return nil
	}
	t := taken{
		live: w.Active(), turns: w.Turns, in: w.Tokens.In, out: w.Tokens.Out, cached: w.Tokens.Cached, estimated: w.Tokens.Estimated,
		cost: w.Cost, runCost: s.Usage.Cost, quiet: -1, wall: -1, said: w.Output, context: w.Context, window: w.Window, limits: s.Limits,
	}
	if w.State == event.Running {
		t.quiet = time.Duration(w.SilenceS) * time.Second
	}
	if w.State != event.Orphaned {
		t.wall = endOr(w.Ended, now).Sub(w.Started)
	}
	return urgentFirst(append(t.figures(), metricFigures(s, w)...))
}

// PlannerFigures are the same of the Planner.
func PlannerFigures(s *event.State, now time.Time) []Figure {
	p := s.Planner
	if p.Started.IsZero() {
		return nil
	}
	t := taken{
		live: p.State == event.Running && s.Owner != "gone", turns: p.Turns, in: p.Usage.In, out: p.Usage.Out, cached: p.Usage.Cached,
		estimated: p.Usage.Estimated, cost: p.Usage.Cost, runCost: s.Usage.Cost, quiet: -1,
		wall: endOr(p.Ended, now).Sub(p.Started), limits: s.Limits,
	}
	if t.live {
		t.quiet = time.Duration(p.SilenceS) * time.Second
	}
	return t.figures()
}

func (t taken) figures() []Figure {
	var all []Figure
	l := t.limits
	add := func(used, limit float64, format, bound string, args ...any) {
		f := Figure{Text: fmt.Sprintf(format, args...)}
		if t.live && limit > 0 {
			f.Text += "/" + bound
			f.Near = used >= near*limit
		}
		all = append(all, f)
	}
	if t.quiet >= 0 {
		add(t.quiet.Seconds(), float64(l.SilenceS), "quiet %s", Span(l.SilenceS), Duration(t.quiet))
	}
	if t.live && l.Turns > 0 {
		add(float64(t.turns), float64(l.Turns), "turns %d", fmt.Sprint(l.Turns), t.turns)
	} else if t.turns > 0 || t.live {
		all = append(all, Figure{Text: plural(t.turns, "turn")})
	}
	if t.in+t.out > 0 {
		add(float64(t.in+t.out), float64(l.Tokens), "%s", Short(l.Tokens), Tokens(t.in, t.out, t.estimated))
	}
	if t.wall >= 0 {
		add(t.wall.Seconds(), float64(l.WallS), "%s", Span(l.WallS), Duration(t.wall))
	}
	if t.cost > 0 {
		words := fmt.Sprintf("$%.2f", t.cost)
		if t.live && l.Cost > 0 && t.runCost > t.cost+0.005 {
			words += fmt.Sprintf(", run $%.2f", t.runCost) // the limit is the run's
		}
		add(t.runCost, l.Cost, "%s", fmt.Sprintf("%.2f", l.Cost), words)
	}
	if t.window > 0 {
		share := float64(t.context) / float64(t.window)
		all = append(all, Figure{Text: fmt.Sprintf("context %.0f%%", 100*share), Near: t.live && share >= near})
	}
	if t.cached > 0 {
		all = append(all, Figure{Text: Count(t.cached) + " cached"})
	}
	if t.said > 0 && t.live && l.Output > 0 {
		add(float64(t.said), float64(l.Output), "said %s", Bytes(l.Output), Bytes(t.said))
	}
	return urgentFirst(all)
}

// urgentFirst puts what deserves a look before the rest.
func urgentFirst(all []Figure) []Figure {
	slices.SortStableFunc(all, func(a, b Figure) int {
		switch {
		case a.Near == b.Near:
			return 0
		case a.Near:
			return -1
		}
		return 1
	})
	return all
}

// Words are figures on one line.
func Words(figures []Figure) string {
	var words []string
	for _, f := range figures {
		words = append(words, f.Text)
	}
	return strings.Join(words, " · ")
}

// figureRows lays figures out on at most rows lines; what finds no room is
// left out, the most urgent never.
func (c *Chain) figureRows(figures []Figure, rows int) []string {
	const margin = "    "
	const gap = " · "
	var lines []string
	r, room, empty := NewRow(c.width).Plain(margin), c.width-len(margin), true
	close := func() {
		if !empty {
			lines = append(lines, r.String())
		}
		r, room, empty = NewRow(c.width).Plain(margin), c.width-len(margin), true
	}
	for _, f := range figures {
		need := measure.Width(f.Text)
		if !empty {
			need += measure.Width(gap)
		}
		if need > room && !empty && len(lines)+1 < rows {
			close()
			need = measure.Width(f.Text)
		}
		if need > room && !empty {
			continue // a shorter one may still fit
		}
		pen := c.look.Muted
		if f.Near {
			pen = c.look.Warn
		}
		if !empty {
			r.Add(c.look.Muted, gap)
		}
		r.Add(pen, f.Text)
		room, empty = room-need, false
	}
	close()
	return lines
}

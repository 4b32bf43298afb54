package views

import (
	"fmt"

	"growbench/engine/event"
)

// metricFigures compare a Worker that has ended with what is usual: tokens for
// a byte handled, tokens in for a turn, and how little of what it saw it handed
// on.
func metricFigures(s *event.State, w *event.Worker) []Figure {
	m := w.Metrics
	if w.State != event.Done || m.PerByte == 0 {
		return nil
	}
	out := []Figure{
		{Text: fmt.Sprintf("%.1f tk/byte", m.PerByte), Near: m.PerByte > event.ManyPerByte},
		{Text: Short(int64(m.PerTurn)) + " tk in/turn", Near: m.PerTurn > event.ManyPerTurn},
	}
	if k := w.K - 1; k < len(s.Isolated.WG) && s.Isolated.WG[k] != nil {
		v := *s.Isolated.WG[k]
		out = append(out, Figure{Text: fmt.Sprintf("isolation %.1f%%", 100*v), Near: v < event.LowWG})
	}
	return out
}

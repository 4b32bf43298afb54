package views

import (
	"fmt"

	"growbench/engine/event"
)

// metricFigures compare a Worker that has ended with what is usual: tokens for
// a byte handled, tokens in for a turn, and how little crossed to it and from
// it of what there was.
func metricFigures(s *event.State, w *event.Worker) []Figure {
	m := w.Metrics
	if w.State != event.Done || m.PerByte == 0 {
		return nil
	}
	out := []Figure{
		{Text: fmt.Sprintf("%.1f tk/byte", m.PerByte), Near: m.PerByte > event.ManyPerByte},
		{Text: Short(int64(m.PerTurn)) + " tk in/turn", Near: m.PerTurn > event.ManyPerTurn},
	}
	if m.Tokens > event.ManyTokens {
		out = append(out, Figure{Text: Short(m.Tokens) + " tk in all", Near: true})
	}
	kept := func(boundary string, of []*float64, least float64) {
		if k := w.K - 1; k < len(of) && of[k] != nil {
			out = append(out, Figure{Text: fmt.Sprintf("%s %.1f%% kept back", boundary, 100**of[k]), Near: *of[k] < least})
		}
	}
	if len(s.Workers) >= event.ManyTasks {
		kept("P→W", s.Isolated.PW, event.LeastPW)
	}
	kept("W→G", s.Isolated.WG, event.LowWG)
	return out
}

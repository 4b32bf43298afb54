package views

import (
	"strings"
	"testing"

	"growbench/engine/doc"
	"growbench/engine/event"
)

// A Worker that has ended is compared with what is usual; what is not, stands
// first and is marked.
func TestMetricsOfAnEndedWorker(t *testing.T) {
	end := func(in, result int64) *event.State {
		return atWork(event.WorkerTurn{K: 1, Turn: 4}, event.WorkerUsage{K: 1, In: in, Out: 1000},
			event.ResultAccepted{K: 1, Result: doc.Result{K: 1}, Source: "tool"},
			event.WorkerEnded{K: 1, State: event.Done, TranscriptBytes: 40_000, ResultBytes: result})
	}
	s := end(19_000, 4000)
	if got := wordsOf(s); !strings.HasSuffix(got, "5.0 tk/byte · 4.8k tk in/turn · W→G 90.0% kept back") {
		t.Errorf("%s", got)
	}
	s = end(199_000, 4000)
	got := WorkerFigures(s, s.Worker(1), noon)
	if !got[0].Near || got[0].Text != "50.0 tk/byte" || !got[1].Near || got[1].Text != "49.8k tk in/turn" || got[2].Text != "200k tk in all" || !got[2].Near || got[3].Near {
		t.Errorf("%+v", got)
	}
	if s := atWork(event.WorkerTurn{K: 1, Turn: 4}, event.WorkerUsage{K: 1, In: 199_000, Out: 1000}); strings.Contains(wordsOf(s), "tk/byte") {
		t.Errorf("of one at work: %s", wordsOf(s))
	}
}

package engine

import (
	"fmt"
	"strings"

	"growbench/engine/event"
)

// reportMetrics says what each Worker took, in figures that can be compared
// with those of other runs.
func reportMetrics(b *strings.Builder, s *event.State) {
	var rows strings.Builder
	for _, w := range s.Workers {
		m := w.Metrics
		if m.Tokens == 0 {
			continue
		}
		about := ""
		if w.Tokens.Estimated {
			about = "~"
		}
		fmt.Fprintf(&rows, "| %d | %s%d | %s | %s%.0f |\n", w.K, about, m.Tokens, perByte(about, m), about, m.PerTurn)
	}
	if rows.Len() == 0 {
		return
	}
	b.WriteString("\n## What the Workers took\n\n" +
		"Tokens in and out over all turns; tokens for each byte of its prompt and its RESULT (usual 5 to 20, severe from 50 on); tokens in for each turn (usual 5,000 to 15,000). `~` marks estimates.\n\n" +
		"| Worker | tokens | tokens per byte | tokens in per turn |\n|---|---|---|---|\n" + rows.String())
	for _, w := range s.Workers {
		switch m := w.Metrics; {
		case m.PerByte >= event.SeverePer:
			fmt.Fprintf(b, "\nWorker %d took %.0f tokens for each byte, which is severe: its task may lack what it had to find out.\n", w.K, m.PerByte)
		case m.PerTurn > event.ManyPerTurn:
			fmt.Fprintf(b, "\nWorker %d was given %.0f tokens a turn, which is much: it may have read too much.\n", w.K, m.PerTurn)
		}
	}
}

func perByte(about string, m event.Metrics) string {
	if m.PerByte == 0 {
		return "not known yet"
	}
	return fmt.Sprintf("%s%.1f", about, m.PerByte)
}

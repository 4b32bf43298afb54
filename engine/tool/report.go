package tool

import (
	"context"
	"strings"
)

// Report is the name of the tool by which a Scout answers.
const Report = "report"

// MaxReport bounds a Scout's report, in lines.
const MaxReport = 200

func (w *work) report() Tool {
	refused := false
	return Tool{
		Name:        Report,
		Description: "Hand in what you have found. This ends your work.",
		Params:      []Param{{Name: "text", Type: "string", About: "the report, at most 200 lines"}},
		run: func(_ context.Context, a args) (string, error) {
			text := strings.TrimSpace(a.str("text"))
			if text == "" {
				return "", errWords("the report is empty")
			}
			if n := lineCount(text); n > MaxReport && !refused {
				refused = true
				return "", errWords("the report has %d lines, %d are the most; leave out what was not asked for", n, MaxReport)
			}
			w.set.handed = Handed{Report: text + "\n", Done: true}
			return "received\n", nil
		},
	}
}

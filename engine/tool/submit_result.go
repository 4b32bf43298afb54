package tool

import (
	"context"
	"encoding/json"
	"strings"

	"growbench/engine/doc"
)

// SubmitResult is the name of the tool by which a Worker hands in.
const SubmitResult = "submit_result"

const listShape = `{"type":"array","items":{"type":"string"}}`

var resultParams = []Param{
	{Name: "status", Type: "free", Shape: json.RawMessage(`{"type":"string","enum":["done","blocked"]}`)},
	{Name: "files", Type: "free", Optional: true, Shape: json.RawMessage(`{"type":"object","properties":{"created":` + listShape + `,"modified":` + listShape + `,"deleted":` + listShape + `}}`)},
	{Name: "signatures", Type: "free", Optional: true, Shape: described(listShape, "exported signatures others may use: signature — path")},
	{Name: "breaking", Type: "free", Optional: true, Shape: described(listShape, "every exported thing removed, renamed, moved or changed: what — path; empty if none")},
	{Name: "summary", Type: "free", Optional: true, Shape: json.RawMessage(`{"type":"string","description":"one or two sentences"}`)},
	{Name: "needs", Type: "free", Optional: true, Shape: described(listShape, "if blocked: the paths you need")},
}

func described(shape, words string) json.RawMessage {
	return json.RawMessage(strings.TrimSuffix(shape, "}") + `,"description":` + string(encode(words)) + "}")
}

// submitResult takes a RESULT. One that lacks a section that may hide a change
// is sent back once.
func (w *work) submitResult(k int) Tool {
	asked := false
	return Tool{
		Name:        SubmitResult,
		Description: "Hand in your RESULT: status done, or blocked with what you need. This ends your work.",
		Params:      resultParams,
		run: func(_ context.Context, a args) (string, error) {
			s, problems, err := doc.ParseSubmitted(a.whole, k)
			if err != nil {
				return "", err
			}
			var faults []string
			for _, p := range problems {
				if p.Level == doc.Error {
					faults = append(faults, p.Text)
				}
			}
			if s.Status == doc.StatusBlocked && len(s.Needs) == 0 {
				faults = append(faults, "blocked, but needs names no path")
			}
			if len(faults) > 0 && !asked {
				asked = true
				return "", errWords("the RESULT is not whole: %s. Hand it in again; use an empty list where there is nothing", strings.Join(faults, "; "))
			}
			w.set.handed = Handed{Result: a.whole, Done: true}
			return "the RESULT is taken\n", nil
		},
	}
}

package tool

import (
	"context"
	"strings"
)

// Signatures is the name of the tool that shows what files export.
const Signatures = "signatures"

func (w *work) signatures(r reach) Tool {
	return Tool{
		Name:        Signatures,
		Description: "Show the exported signatures of a file, without reading it.",
		Params:      []Param{{Name: "path", Type: "string", About: "relative to the project"}},
		run: func(ctx context.Context, a args) (string, error) {
			text, path, err := r.read(a.str("path"))
			if err != nil {
				return "", err
			}
			list, err := w.Exports(ctx, path, []byte(text))
			if err != nil {
				return "", err
			}
			if len(list) == 0 {
				return path + " exports nothing that can be read here\n", nil
			}
			return path + " exports:\n" + strings.Join(list, "\n") + "\n", nil
		},
	}
}

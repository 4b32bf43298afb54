package tool

import (
	"context"
	"fmt"
)

func (w *work) editFile() Tool {
	return Tool{
		Name:        EditFile,
		Description: "Replace a text that stands exactly once in one of your Target Files by another.",
		Params: []Param{
			{Name: "path", Type: "string", About: "relative to the project"},
			{Name: "old", Type: "string", About: "the text as it stands, with enough lines around it to be the only one"},
			{Name: "new", Type: "string", About: "what stands there afterwards"},
		},
		run: func(_ context.Context, a args) (string, error) {
			c, err := w.files.Edit(a.str("path"), a.str("old"), a.str("new"), "")
			if err != nil {
				return "", err
			}
			return withWarning(fmt.Sprintf("changed %s at line %d", c.Path, c.Line), c.Warning), nil
		},
	}
}

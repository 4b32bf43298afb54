package tool

import "context"

func (w *work) deleteFile() Tool {
	return Tool{
		Name:        DeleteFile,
		Description: "Delete one of your Target Files.",
		Params:      []Param{{Name: "path", Type: "string", About: "relative to the project"}},
		run: func(_ context.Context, a args) (string, error) {
			c, err := w.files.Delete(a.str("path"))
			if err != nil {
				return "", err
			}
			return withWarning("deleted "+c.Path, c.Warning), nil
		},
	}
}

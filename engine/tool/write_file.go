package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Names of the tools that change files.
const (
	WriteFile  = "write_file"
	EditFile   = "edit_file"
	DeleteFile = "delete_file"
)

func (w *work) writeFile() Tool {
	return Tool{
		Name:        WriteFile,
		Description: "Create one of your Target Files, or replace all of it. To change a part, use edit_file.",
		Params: []Param{
			{Name: "path", Type: "string", About: "relative to the project"},
			{Name: "content", Type: "string", About: "the whole file"},
		},
		run: func(_ context.Context, a args) (string, error) {
			c, err := w.files.Write(a.str("path"), []byte(a.str("content")))
			if err != nil {
				return "", err
			}
			did := "replaced"
			if c.Created {
				did = "created"
			}
			return withWarning(fmt.Sprintf("%s %s, %d lines", did, c.Path, lineCount(a.str("content"))), c.Warning), nil
		},
	}
}

func withWarning(text, warning string) string {
	if warning != "" {
		text += "; note: " + warning
	}
	return text + "\n"
}

// unwrapped is the error below those that only say what was being done.
func unwrapped(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fs.ErrNotExist
	}
	return err
}

package tool

import (
	"context"
	"fmt"
	"strings"
)

// ListFiles is the name of the tool that lists files.
const ListFiles = "list_files"

var listParams = []Param{{Name: "dir", Type: "string", About: "a folder of the project; without it, all", Optional: true}}

// listReach lists what a Worker may write and read.
func (w *work) listReach(r reach) Tool {
	return Tool{
		Name: ListFiles, Params: listParams,
		Description: "List the files you may use, with their lines: those to write, and those only to read.",
		run: func(ctx context.Context, a args) (string, error) {
			paths, err := w.paths(ctx, r)
			if err != nil {
				return "", err
			}
			text := listed(inFolder(a.str("dir"), paths), func(p string) string {
				right := "read only"
				if w.Scope.Allows(p) {
					right = "yours"
				}
				return fmt.Sprintf("%s — %s, %s", p, w.size(p), right)
			})
			for _, t := range w.Scope.Targets {
				if strings.HasSuffix(t, "/") {
					text += fmt.Sprintf("%s — new files here are yours\n", t)
				}
			}
			return text, nil
		},
	}
}

// listAll lists the project.
func (w *work) listAll() Tool {
	return Tool{
		Name: ListFiles, Params: listParams,
		Description: "List the project's files, with their number of lines.",
		run: func(ctx context.Context, a args) (string, error) {
			paths, err := w.paths(ctx, everything(w.files))
			if err != nil {
				return "", err
			}
			found := inFolder(a.str("dir"), paths)
			if len(found) == 0 {
				return "", errWords("no file is below %s", a.str("dir"))
			}
			return listed(found, func(p string) string { return p + " — " + w.size(p) }), nil
		},
	}
}

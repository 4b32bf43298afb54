package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// How editors are told of a line: most by +N before the file, some by file:N,
// one of these after a flag. The others get the file alone.
var (
	plusEditors  = []string{"vi", "vim", "nvim", "gvim", "view", "nano", "pico", "emacs", "emacsclient", "jed", "joe", "kak", "mcedit", "micro", "mg", "ne", "nvi", "gedit", "sensible-editor", "editor"}
	colonEditors = []string{"hx", "helix", "subl", "zed", "zeditor"}
	gotoEditors  = []string{"code", "code-insiders", "codium", "cursor", "windsurf"}
)

// placeIn is the arguments that open a file in this editor, at a line where
// one is meant (0: none) and the editor can.
func placeIn(editor, path string, line int) []string {
	name := strings.TrimSuffix(filepath.Base(editor), ".exe")
	at := fmt.Sprintf("%s:%d", path, line)
	switch {
	case line <= 0:
	case slices.Contains(plusEditors, name):
		return []string{fmt.Sprintf("+%d", line), path}
	case slices.Contains(colonEditors, name):
		return []string{at}
	case slices.Contains(gotoEditors, name):
		return []string{"--goto", at}
	}
	return []string{path}
}

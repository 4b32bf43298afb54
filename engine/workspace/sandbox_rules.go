package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// sharedTemp is open to every user and program of a machine: sockets of
// terminal multiplexers and display servers lie in it.
const sharedTemp = "/tmp"

// resolved names what the rules' links lead to, without what does not exist.
func (r SandboxRules) resolved() SandboxRules {
	r.Writable, r.Hidden = resolvedPaths(r.Writable), resolvedPaths(r.Hidden)
	r.Writable = slices.DeleteFunc(r.Writable, func(path string) bool { return slices.Contains(r.Hidden, path) })
	r.Readable = resolvedPaths(r.Readable)
	if r.Temp != "" {
		r.Temp = resolvedPath(r.Temp)
	}
	return r
}

func resolvedPaths(paths []string) []string {
	var found []string
	for _, path := range paths {
		if resolved := resolvedPath(path); resolved != "" {
			found = append(found, resolved)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// resolvedPath is empty if there is nothing, or nothing that we, and so the
// command, could reach. Any other trouble keeps the path: the sandbox then
// fails over it in words rather than leave a rule out.
func resolvedPath(path string) string {
	resolved, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil && filepath.IsAbs(resolved):
		return resolved
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR), path == "":
		return ""
	}
	return filepath.Clean(path)
}

// beneath says whether path lies in the folder dir or in one below it.
func beneath(path, dir string) bool {
	return path != dir && strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

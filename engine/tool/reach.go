package tool

import (
	"slices"
	"strings"

	"growbench/engine/workspace"
)

// reach is what of the project an agent may read.
type reach struct {
	files *workspace.Files
	all   bool
	names []string // paths, and folders with a slash at their end
	// outside words the refusal of what is not in names.
	outside func(path string) error
}

func everything(files *workspace.Files) reach { return reach{files: files, all: true} }

// taskReach is a Worker's: its targets, and what its task and the RESULTs
// before it name.
func taskReach(files *workspace.Files, scope workspace.Scope, reads []string) reach {
	r := reach{files: files, all: scope.All}
	for _, name := range slices.Concat(scope.Targets, reads) {
		if name = strings.TrimPrefix(name, "./"); !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
	}
	r.outside = func(path string) error {
		return errWords("%s is not yours to read: you see your Target Files, the files your Signatures name, and what earlier Workers changed. "+
			"Nothing was read; go on without it, or submit `blocked: needs %s`", path, path)
	}
	return r
}

func largeReach(files *workspace.Files, large []string) reach {
	return reach{files: files, names: large, outside: func(path string) error {
		return errWords("%s is not for a Planner to read: only target files of more than %d lines are (%s). Plan from what Task #0 says of it",
			path, largeFile, strings.Join(large, ", "))
	}}
}

// read gives the text of a file in reach. What is asked for decides, and where
// its links lead.
func (r reach) read(name string) (text, path string, err error) {
	rel, _, err := r.files.Resolve(name)
	if err != nil {
		return "", "", err
	}
	if !r.allows(rel) {
		return "", "", r.outside(rel)
	}
	content, err := r.files.Read(rel)
	if err != nil {
		return "", "", err
	}
	if !r.allows(content.Path) {
		return "", "", r.outside(content.Path)
	}
	if workspace.Binary(content.Data) {
		return "", "", errWords("%s is binary, %d bytes; there is no text to read", rel, len(content.Data))
	}
	text = strings.TrimPrefix(strings.ToValidUTF8(string(content.Data), "\uFFFD"), "\uFEFF")
	return strings.ReplaceAll(text, "\r\n", "\n"), rel, nil
}

func (r reach) allows(path string) bool {
	if r.all {
		return true
	}
	for _, name := range r.names {
		if name == path || strings.HasSuffix(name, "/") && strings.HasPrefix(path, name) {
			return true
		}
	}
	return false
}

package workspace

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

// Reason is why a path was refused, worded for the one who gave it.
type Reason string

const (
	ReasonEmpty     Reason = "the path is empty; name a file, relative to the project"
	ReasonRoot      Reason = "this is the project itself; name a file inside it"
	ReasonDirectory Reason = "this names a directory; name a file, without a slash at the end"
	ReasonNUL       Reason = "the path holds a NUL byte"
	ReasonHome      Reason = "`~` is not expanded here; give a path relative to the project"
	ReasonURL       Reason = "this is a URL; give a path relative to the project"
	ReasonEscapes   Reason = "this leads outside the project; give a path inside it, relative to the project"
	ReasonOwned     Reason = "growbench or git keeps this file itself; it is not for Workers"
)

// PathError refuses a path before anything on disk is touched.
type PathError struct {
	Path   string
	Reason Reason
}

func (e *PathError) Error() string { return fmt.Sprintf("path %q: %s", e.Path, e.Reason) }

var (
	urlForm   = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*://|^file:`)
	taskAtTop = regexp.MustCompile(`^task[0-9]+\.md$`)
)

// Resolve turns a path as an agent writes it into one relative to the project,
// '/'-separated and clean. Absolute paths inside the project are accepted.
// It looks at the text alone; links are resolved, and their targets checked
// again, when a file is used. The warning is meant for the agent and empty for
// ordinary paths. Every refusal is a *PathError.
func (f *Files) Resolve(name string) (rel, warning string, err error) {
	refuse := func(reason Reason) (string, string, error) {
		return "", "", &PathError{Path: name, Reason: reason}
	}
	if reason := malformed(name); reason != "" {
		return refuse(reason)
	}
	rel = name
	if path.IsAbs(name) {
		inside, ok := f.insideRoot(name)
		if !ok {
			return refuse(ReasonEscapes)
		}
		rel = inside
	}
	directory := strings.HasSuffix(rel, "/") || strings.HasSuffix(rel, "/.")
	rel = path.Clean(rel)
	switch {
	case rel == ".":
		return refuse(ReasonRoot)
	case !filepath.IsLocal(rel):
		return refuse(ReasonEscapes)
	case directory || strings.HasSuffix(name, "/.."):
		return refuse(ReasonDirectory)
	}
	// Cleaning can bring to the front what was hidden behind "./".
	if reason := malformed(rel); reason != "" {
		return refuse(reason)
	}
	if f.owned(rel) {
		return refuse(ReasonOwned)
	}
	return rel, oddName(rel), nil
}

func malformed(name string) Reason {
	switch {
	case name == "":
		return ReasonEmpty
	case strings.ContainsRune(name, 0):
		return ReasonNUL
	case strings.HasPrefix(name, "~"):
		return ReasonHome
	case urlForm.MatchString(name):
		return ReasonURL
	}
	return ""
}

// oddName warns of names that are legal but rarely meant.
func oddName(rel string) string {
	switch {
	case strings.Contains(rel, `\`):
		return fmt.Sprintf("%q holds a backslash, which is part of a file name here; directories are separated by /", rel)
	case strings.TrimSpace(rel) != rel:
		return fmt.Sprintf("%q begins or ends with white space, which is part of the file name", rel)
	}
	return ""
}

// insideRoot makes an absolute path relative to the project, whether the
// project is spelled as it was given or with its own links resolved. The
// comparison is by whole components: /proj-evil is not inside /proj.
func (f *Files) insideRoot(abs string) (string, bool) {
	trailing := strings.HasSuffix(abs, "/") && len(abs) > 1
	abs = path.Clean(abs)
	for _, root := range []string{f.dir, f.realDir} {
		if abs == root {
			return ".", true
		}
		if rest, ok := strings.CutPrefix(abs, strings.TrimSuffix(root, "/")+"/"); ok {
			if trailing {
				rest += "/"
			}
			return rest, true
		}
	}
	return "", false
}

// owned says whether rel belongs to git or to the engine. Git's directory is
// recognised in every spelling that some file system takes for it, since the
// project's history travels to other machines.
func (f *Files) owned(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		switch foldName(part) {
		case ".git", "git~1", ".growbench":
			return true
		case ".pi-map.md", ".pi-map.index.md":
			if !f.readMaps {
				return true
			}
		}
	}
	switch rel {
	case "results.md", "plan.md":
		return true
	}
	return taskAtTop.MatchString(rel)
}

// foldName lowers the case and drops what HFS+ and NTFS ignore in a name.
func foldName(part string) string {
	part, _, _ = strings.Cut(part, ":")
	part = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, part)
	return strings.TrimRight(part, " .")
}

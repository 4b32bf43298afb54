package workspace

import (
	"errors"
	"fmt"
	"strings"
)

// Scope names the files a Worker owns. The zero value owns nothing, so it
// reads everything and writes nothing.
type Scope struct {
	// Targets holds relative, '/'-separated paths. A target that ends in a
	// slash stands for the files that are new under that directory.
	Targets []string
	// All lifts the restriction: every file of the project may be written.
	All bool
	// Existed says whether a file stood in the base the Worker started from;
	// directory targets need it to tell new files from old ones. Nil means:
	// what is on disk when the files are opened.
	Existed func(path string) bool
}

// Allows says whether path is named or lies under a directory target. For a
// directory target only new files are meant; whether path is new is not
// looked at here (see Names).
func (s Scope) Allows(path string) bool {
	return s.Names(path) || s.directoryOf(path) != ""
}

// Names says whether path is a target by its full name, which also allows
// changing or deleting what stood there before.
func (s Scope) Names(path string) bool {
	if s.All {
		return true
	}
	for _, target := range s.Targets {
		if strings.TrimPrefix(target, "./") == path {
			return true
		}
	}
	return false
}

// directoryOf returns the directory target that path lies under, or "".
func (s Scope) directoryOf(path string) string {
	for _, target := range s.Targets {
		dir := strings.TrimPrefix(target, "./")
		if dir == "" && target == "./" {
			return target
		}
		if strings.HasSuffix(dir, "/") && strings.HasPrefix(path, dir) && path != dir {
			return target
		}
	}
	return ""
}

// ErrOutOfScope is what every *OutOfScopeError matches with errors.Is.
var ErrOutOfScope = errors.New("outside the task's target files")

// OutOfScopeError refuses a change of a file that the task does not own. Its
// text tells the Worker how to ask for the file.
type OutOfScopeError struct {
	// Path is relative to the project.
	Path string
	// Existing is set when a directory target covers Path, but the file is
	// not new.
	Existing bool
}

func (e *OutOfScopeError) Error() string {
	why := "is not one of this task's target files"
	if e.Existing {
		why = "is not a new file, and the task's directory target covers new files only"
	}
	return fmt.Sprintf("%s %s: nothing was changed; go on without it, or submit `blocked: needs %s`", e.Path, why, e.Path)
}

func (e *OutOfScopeError) Is(target error) bool { return target == ErrOutOfScope }

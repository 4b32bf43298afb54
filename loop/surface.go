package loop

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// maxSurface bounds what is read of a file that may hold open work, in bytes.
const maxSurface = 1 << 20

// ErrNoSurface says that no open work was found and none can be inferred.
var ErrNoSurface = errors.New("find the open work: nothing named, no `Canonical open work:` line, no BACKLOG.md, PLAN.md, ROADMAP.md, TODO.md or release checklist; name a file or an outcome")

// Surface is the one place where a project's open work stands.
type Surface struct {
	Path   string     `json:"path"`   // relative to the root, /-separated
	Reason string     `json:"reason"` // why this one
	Items  []OpenItem `json:"items"`  // for display: the agent reads the file itself
}

// OpenItem is one line of open work.
type OpenItem struct {
	Line    int    `json:"line"`
	Section string `json:"section,omitempty"`
	Text    string `json:"text"`
}

// The files that may declare or hold open work, the better first.
var (
	instructions = []string{"AGENTS.md", "CLAUDE.md", "DEVELOPERS.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md", "README.md"}
	maintained   = []string{"BACKLOG.md", "PLAN.md", "ROADMAP.md", "TODO.md", "RELEASE.md", "RELEASING.md", "RELEASE_CHECKLIST.md", "RELEASE-CHECKLIST.md"}
)

var canonical = regexp.MustCompile("(?im)^[ \t>*-]*`?canonical open work`?[ \t]*:[ \t]*[`\"<(]?([^\\s`\">)]+)")

// FindSurface looks for the open work of the project at root, for somebody who
// stands in dir (a folder in root, /-separated, "." for root itself). What the
// user named goes before everything.
func FindSurface(root, dir, named string) (Surface, error) {
	project, err := os.OpenRoot(root)
	if err != nil {
		return Surface{}, fmt.Errorf("find the open work: %w", err)
	}
	defer project.Close()
	if named != "" {
		s, err := readSurface(project, path.Clean(filepath.ToSlash(named)), "named")
		if err != nil {
			return Surface{}, fmt.Errorf("read the open work that was named: %w", err)
		}
		return s, nil
	}
	for _, at := range upward(dir) {
		for _, name := range instructions {
			file := path.Join(at, name)
			text, err := readFile(project, file)
			if err != nil {
				continue
			}
			m := canonical.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			target := path.Join(path.Dir(file), strings.TrimRight(m[1], ".,;"))
			s, err := readSurface(project, target, "declared in "+file)
			if err != nil {
				// A wrong declaration is the operator's to mend: guessing another
				// surface would hide it.
				return Surface{}, fmt.Errorf("read the open work that %s declares: %w", file, err)
			}
			return s, nil
		}
	}
	for _, at := range upward(dir) {
		for _, name := range maintained {
			if s, err := readSurface(project, path.Join(at, name), "the nearest "+name); err == nil {
				return s, nil
			}
		}
	}
	return Surface{}, ErrNoSurface
}

// HoldsWork tells whether a file of this name holds open work by custom.
func HoldsWork(file string) bool {
	return slices.Contains(maintained, path.Base(filepath.ToSlash(file)))
}

// upward is dir and the folders above it, the nearest first.
func upward(dir string) []string {
	dir = path.Clean("/" + filepath.ToSlash(dir))
	var all []string
	for ; dir != "/"; dir = path.Dir(dir) {
		all = append(all, strings.TrimPrefix(dir, "/"))
	}
	return append(all, ".")
}

func readSurface(project *os.Root, file, reason string) (Surface, error) {
	text, err := readFile(project, file)
	if err != nil {
		return Surface{}, err
	}
	return Surface{Path: file, Reason: reason, Items: OpenItems(text)}, nil
}

// readFile reads a regular file inside the project, at most maxSurface of it.
func readFile(project *os.Root, file string) (string, error) {
	info, err := project.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", file)
	}
	f, err := project.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSurface))
	return strings.ToValidUTF8(string(content), "\ufffd"), err
}

var (
	bullet   = regexp.MustCompile(`^( *)(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[([ xX~/-])\][ \t]+)?(\S.*)$`)
	heading  = regexp.MustCompile(`^#{1,6}[ \t]+(.+?)[ \t#]*$`)
	finished = regexp.MustCompile(`(?i)^(?:done|completed?|finished|shipped|closed|changelog|archived?|won't do|rejected)\b`)
	struck   = regexp.MustCompile(`^~~.*~~$`)
)

// OpenItems are the open entries of a work list: its boxes that are not
// ticked, or, where it has no boxes at all, the entries of its outermost lists
// outside sections of what is done.
func OpenItems(text string) []OpenItem {
	boxes, plain, boxed := []OpenItem{}, []OpenItem{}, false
	section, done, fence := "", false, ""
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		line = strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    ")
		if mark := fenceOf(line); mark != "" && (fence == "" || fence == mark) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			section, done = m[1], finished.MatchString(m[1])
			continue
		}
		m := bullet.FindStringSubmatch(line)
		if m == nil || strings.TrimSpace(m[3]) == "" || struck.MatchString(m[3]) {
			continue
		}
		item := OpenItem{Line: i + 1, Section: section, Text: m[3]}
		boxed = boxed || m[2] != ""
		switch {
		case m[2] == " ":
			boxes = append(boxes, item)
		case m[2] == "" && m[1] == "" && !done:
			plain = append(plain, item)
		}
	}
	if boxed {
		return boxes
	}
	return plain
}

func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
)

// TrustCommand is what a user types to see the items and trust them.
const TrustCommand = "growbench trust"

// UntrustedError means that the project wants something nobody trusted as it
// stands. Nothing was run.
type UntrustedError struct {
	Project string // absolute path
	Items   []Item
}

func (e *UntrustedError) Error() string {
	var text strings.Builder
	text.WriteString("the project defines what would run, or reach out, without your trust:\n")
	for i, item := range e.Items {
		if i == shownProblems {
			fmt.Fprintf(&text, "  … and %d more\n", len(e.Items)-i)
			break
		}
		text.WriteString("  " + item.String() + "\n")
	}
	text.WriteString("nothing was run; to look at it and trust it type: " + TrustCommand)
	return text.String()
}

// RequireTrust is nil when everything the project's file defines is trusted,
// else an *UntrustedError. Verify commands that were merely found never make
// it fail.
func (l Loaded) RequireTrust() error {
	if len(l.Untrusted) == 0 {
		return nil
	}
	return &UntrustedError{Project: l.ProjectRoot, Items: l.Untrusted}
}

// TrustOptions says how far trust goes.
type TrustOptions struct {
	// IncludeFound trusts the found verify commands too. Found commands
	// trusted earlier stay trusted without it.
	IncludeFound bool
}

// Executables lists everything of the project's file that needs trust.
func Executables(projectRoot string) ([]Item, error) {
	loaded, err := Load(Options{ProjectRoot: projectRoot})
	return loaded.Items, err
}

// Check tells whether the project is trusted as it stands, and if not, what
// is new or changed.
func Check(projectRoot string) (trusted bool, changed []Item, err error) {
	loaded, err := Load(Options{ProjectRoot: projectRoot})
	return err == nil && len(loaded.Untrusted) == 0, loaded.Untrusted, err
}

// Trust records that the user saw what l lists and trusts exactly that:
// whatever changed since l was loaded asks again. Items that cannot be bound
// to their content are refused with an error and nothing is recorded.
func Trust(l Loaded, opts TrustOptions) error {
	if l.ProjectRoot == "" {
		return errors.New("trusting a project: there is no project here")
	}
	record := trustRecord{Version: trustVersion, Project: l.ProjectRoot, At: time.Now().UTC().Truncate(time.Second)}
	for _, item := range l.Items {
		if item.Problem != "" {
			return fmt.Errorf("trusting %s (%s): %s: change that first", visible(item.Key), item.Place, item.Problem)
		}
		record.add(item)
	}
	for _, found := range l.Found {
		if opts.IncludeFound || found.Trusted {
			record.add(found.item())
		}
	}
	return writeTrust(record)
}

// Revoke forgets all trust in the project; it is no error when there is none.
func Revoke(projectRoot string) error {
	path, _, err := trustFile(projectRoot)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("revoking trust in %s: %w", projectRoot, err)
	}
	return nil
}

const trustVersion = 1

// trustRecord is the trust file's content.
type trustRecord struct {
	Version int           `json:"version"`
	Project string        `json:"project"`
	At      time.Time     `json:"trusted_at"`
	Items   []trustedItem `json:"items"`
}

type trustedItem struct {
	Kind  string     `json:"kind"`
	Name  string     `json:"name"`
	Value string     `json:"value"`
	Files []FileHash `json:"files"`
	Hash  string     `json:"hash"`
}

func (r *trustRecord) add(item Item) {
	r.Items = append(r.Items, trustedItem{item.Kind, item.name(), item.Value, item.Files, item.Hash})
}

func (r trustRecord) trusts(item Item) bool {
	return item.Problem == "" && slices.ContainsFunc(r.Items, func(t trustedItem) bool { return t.Hash == item.Hash })
}

// objection says why an item is not trusted, or "" when it is.
func (r trustRecord) objection(item Item) string {
	if r.trusts(item) {
		return ""
	}
	single := !strings.HasSuffix(item.Key, "]")
	for _, t := range r.Items {
		switch {
		case t.Kind != item.Kind || t.Name != item.name():
		case t.Value == item.Value:
			return changedFiles(t.Files, item.Files) + " changed since you trusted it"
		case single:
			return "changed since you trusted it"
		}
	}
	return "new"
}

func changedFiles(before, now []FileHash) string {
	var names []string
	for _, pair := range [][2][]FileHash{{now, before}, {before, now}} {
		for _, file := range pair[0] {
			if !slices.Contains(pair[1], file) && !slices.Contains(names, file.Path) {
				names = append(names, file.Path)
			}
		}
	}
	if len(names) == 0 {
		return "it"
	}
	return strings.Join(names, ", ")
}

// trustFile is the path of the project's trust file and the path it is bound to.
func trustFile(projectRoot string) (path, project string, err error) {
	if project, err = canonical(projectRoot); err != nil {
		return "", "", err
	}
	name, err := ProjectName(project)
	if err != nil {
		return "", "", err
	}
	dir, err := ProjectState(name)
	return filepath.Join(dir, "trust.json"), project, err
}

// readTrust reads what is trusted. A file that cannot be used trusts nothing
// and is noted; the next trust replaces it.
func readTrust(projectRoot string) (record trustRecord, note string, err error) {
	path, project, err := trustFile(projectRoot)
	if err != nil {
		return trustRecord{}, "", err
	}
	data, err := readUserFile(path, 8*maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return trustRecord{}, "", nil
	}
	if err == nil {
		err = json.Unmarshal(data, &record)
	}
	switch {
	case err != nil:
		return trustRecord{}, fmt.Sprintf("%s: earlier trust does not count: %v", tilde(path), err), nil
	case record.Version != trustVersion || record.Project != project:
		return trustRecord{}, tilde(path) + ": earlier trust does not count: it was given to another path or by another version", nil
	}
	return record, "", nil
}

func writeTrust(record trustRecord) error {
	path, _, err := trustFile(record.Project)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return fmt.Errorf("recording trust in %s: %w", record.Project, err)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("recording trust in %s: %w", record.Project, err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("recording trust in %s: %w", record.Project, err)
	}
	if err := renameio.WriteFile(path, append(data, '\n'), 0o600, renameio.WithTempDir(dir), renameio.WithStaticPermissions(0o600)); err != nil {
		return fmt.Errorf("recording trust in %s: %w", record.Project, err)
	}
	return nil
}

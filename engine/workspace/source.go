package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// artifacts are files of the map and of ourselves that lie in a project and
// never enter a commit. As command-line patterns they win over every ignore
// file of the tree.
var artifacts = []string{".growbench/", ".pi-map.md", ".pi-map.index.md"}

// source is a repository of the user that a git directory of ours borrows
// from. The zero value stands for no repository.
type source struct {
	Git    string // git directory of the work tree
	Common string // shared git directory
	Format string // object format
}

func (p Project) source() source {
	return source{Git: p.GitDir, Common: p.CommonDir, Format: p.Format}
}

// plainSettings are the settings of a repository that say how file contents
// and names are read. They name values, never programs, so they are taken over
// while the rest of the repository's own configuration is not read at all.
// core.ignorecase is none of them: git finds out by itself what the file system
// of a clone does with names, and where the user's setting is wrong for it, a
// file renamed to other letters would be lost.
var plainSettings = []string{
	"core.autocrlf", "core.bigfilethreshold", "core.checkroundtripencoding",
	"core.eol", "core.filemode", "core.precomposeunicode",
	"core.protecthfs", "core.protectntfs", "core.safecrlf",
	"core.sparsecheckout", "core.sparsecheckoutcone", "core.symlinks",
}

// pathSettings name files that git only reads; relative ones have no fixed
// meaning and are left out.
var pathSettings = []string{"core.attributesfile", "core.excludesfile"}

// localSettings is what a repository's own configuration says: the lines we
// take over, and the filter drivers it defines, which we never run.
type localSettings struct {
	lines   []string // names and values alternating
	filters []string // all but Git LFS
	sparse  bool
}

func (s source) settings(ctx context.Context) (localSettings, error) {
	var found localSettings
	if s.Git == "" {
		return found, nil
	}
	out, err := gitDir{dir: s.Git}.run(ctx, "config", "--list", "-z", "--show-scope", "--includes")
	if err != nil {
		return found, fmt.Errorf("reading the configuration of %s: %w", s.Git, err)
	}
	entries := fields(out)
	for i := 0; i+1 < len(entries); i += 2 {
		if scope := entries[i]; scope != "local" && scope != "worktree" {
			continue
		}
		key, value, hasValue := strings.Cut(entries[i+1], "\n")
		if !hasValue {
			value = "true"
		}
		switch {
		case slices.Contains(plainSettings, key):
			found.lines = append(found.lines, key, value)
		case slices.Contains(pathSettings, key) && (filepath.IsAbs(value) || strings.HasPrefix(value, "~")):
			found.lines = append(found.lines, key, value)
		case strings.HasPrefix(key, "filter."):
			name := strings.TrimPrefix(key[:strings.LastIndexByte(key, '.')], "filter.")
			if name != "lfs" && !slices.Contains(found.filters, name) {
				found.filters = append(found.filters, name)
			}
			if name == "lfs" && !slices.Contains(found.lines, largeFileFilter[0]) {
				found.lines = append(found.lines, largeFileFilter...)
			}
		}
		if key == "core.sparsecheckout" {
			found.sparse = value == "true" || value == "1" || value == "yes" || value == "on"
		}
	}
	return found, nil
}

// newEngineDir makes a git directory of ours at dir that borrows the objects
// of src (nothing is copied) and takes over its ignore rules, attributes,
// sparse patterns and shallow boundary.
func newEngineDir(ctx context.Context, src source, dir string) (gitDir, error) {
	engine := gitDir{dir: dir}
	format := src.Format
	if format == "" {
		format = "sha1"
	}
	init := []string{"init", "--quiet", "--bare", "--template=", "--object-format=" + format, dir}
	if _, err := (gitDir{}).run(ctx, init...); err != nil {
		return engine, fmt.Errorf("making the engine's git directory: %w", err)
	}
	found, err := src.settings(ctx)
	if err != nil {
		return engine, err
	}
	settings := append([]string{
		"core.bare", "false",
		"core.hookspath", "/dev/null",
		"core.fsmonitor", "false",
		"core.logallrefupdates", "false",
		"gc.auto", "0",
		"maintenance.auto", "false",
	}, found.lines...)
	if err := appendConfig(filepath.Join(dir, "config"), settings); err != nil {
		return engine, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "info"), 0o700); err != nil {
		return engine, fmt.Errorf("making the engine's git directory: %w", err)
	}
	if src.Git != "" {
		if err := src.lend(dir, found.sparse); err != nil {
			return engine, err
		}
	}
	return engine, appendFile(filepath.Join(dir, "info", "exclude"), "\n"+strings.Join(artifacts, "\n")+"\n")
}

// lend points the git directory at dir to the objects of s and copies the
// files that decide what git sees.
func (s source) lend(dir string, sparse bool) error {
	objects := filepath.Join(s.Common, "objects")
	alternates := filepath.Join(dir, "objects", "info", "alternates")
	if err := os.MkdirAll(filepath.Dir(alternates), 0o700); err != nil {
		return fmt.Errorf("borrowing the objects of %s: %w", s.Common, err)
	}
	if err := os.WriteFile(alternates, []byte(quoteAlternate(objects)+"\n"), 0o600); err != nil {
		return fmt.Errorf("borrowing the objects of %s: %w", s.Common, err)
	}
	copies := [][2]string{
		{filepath.Join(s.Common, "shallow"), "shallow"},
		{filepath.Join(s.Common, "info", "exclude"), "info/exclude"},
		{filepath.Join(s.Common, "info", "attributes"), "info/attributes"},
	}
	if sparse {
		copies = append(copies, [2]string{filepath.Join(s.Git, "info", "sparse-checkout"), "info/sparse-checkout"})
	}
	for _, pair := range copies {
		if err := copyIfThere(pair[0], filepath.Join(dir, pair[1])); err != nil {
			return err
		}
	}
	return nil
}

// copyIndex gives the git directory at dir a private copy of the work tree's
// index. Its time is kept: git compares it with those of the files to see
// which entries may hide a change.
func (s source) copyIndex(dir string) error {
	if s.Git == "" {
		return nil
	}
	shared, err := filepath.Glob(filepath.Join(globLiteral(s.Git), "sharedindex.*"))
	if err != nil {
		return err
	}
	for _, from := range append(shared, filepath.Join(s.Git, "index")) {
		if err := copyIfThere(from, filepath.Join(dir, filepath.Base(from))); err != nil {
			return err
		}
	}
	return nil
}

func globLiteral(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// quoteAlternate writes a path the way git reads it from a list of alternates.
func quoteAlternate(path string) string {
	if !strings.HasPrefix(path, `"`) && !strings.HasPrefix(path, "#") && !strings.Contains(path, "\n") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// appendConfig adds settings ("section.key" or "section.name.key", value, …) to a git configuration
// file.
func appendConfig(path string, settings []string) error {
	var text strings.Builder
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
	for i := 0; i+1 < len(settings); i += 2 {
		section, key, _ := strings.Cut(settings[i], ".")
		if dot := strings.LastIndexByte(key, '.'); dot >= 0 {
			section, key = fmt.Sprintf("%s \"%s\"", section, quote.Replace(key[:dot])), key[dot+1:]
		}
		fmt.Fprintf(&text, "[%s]\n\t%s = \"%s\"\n", section, key, quote.Replace(settings[i+1]))
	}
	return appendFile(path, text.String())
}

func appendFile(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// copyIfThere copies a regular file with its time; one that is not there is no
// error.
func copyIfThere(from, to string) error {
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(from)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err == nil {
		err = os.Chtimes(to, info.ModTime(), info.ModTime())
	}
	if err != nil {
		return fmt.Errorf("copying %s: %w", from, err)
	}
	return nil
}

// writeHead detaches the HEAD of a git directory of ours at commit.
func writeHead(dir, commit string) error {
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte(commit+"\n"), 0o600); err != nil {
		return fmt.Errorf("setting HEAD of %s: %w", dir, err)
	}
	return nil
}

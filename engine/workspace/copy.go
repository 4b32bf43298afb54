package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// copyIgnored brings files that no commit holds from the user's project into
// the tree, as copies. Both sides are reached through os.Root, so that no
// symbolic link leads out of the project or out of the tree. What was copied is
// ignored from then on: it never enters a Worker's commit.
func (t *Tree) copyIgnored(ctx context.Context, names []string, report *Report) error {
	if len(names) == 0 {
		return nil
	}
	if err := os.MkdirAll(t.Root(), 0o755); err != nil {
		return fmt.Errorf("copying files into the tree: %w", err)
	}
	from, err := os.OpenRoot(t.Project.Root)
	if err != nil {
		return fmt.Errorf("copying files into the tree: %w", err)
	}
	defer from.Close()
	to, err := os.OpenRoot(t.Root())
	if err != nil {
		return fmt.Errorf("copying files into the tree: %w", err)
	}
	defer to.Close()
	job := copyJob{ctx: ctx, from: from, to: to, report: report}
	for _, name := range names {
		clean := path.Clean(filepath.ToSlash(name))
		if !filepath.IsLocal(name) || clean == "." || ownOrGit(clean) {
			job.refuse(name, "not a path inside the project that may be copied")
			continue
		}
		_, err := from.Lstat(clean)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			report.Missing = append(report.Missing, name)
		case err != nil:
			job.refuse(name, err.Error())
		default:
			if err := job.bring(clean); err != nil {
				return fmt.Errorf("copying %s into the tree: %w", name, err)
			}
		}
	}
	return t.ignore(job.made, report)
}

func ownOrGit(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".git" {
			return true
		}
	}
	return false
}

type copyJob struct {
	ctx      context.Context
	from, to *os.Root
	report   *Report
	made     []string // what is new in the tree: files, and directories with all in them
}

func (j *copyJob) refuse(name, why string) {
	j.report.Refused = append(j.report.Refused, Refusal{Path: name, Why: why})
}

// bring copies what one entry of the list names.
func (j *copyJob) bring(name string) error {
	_, err := j.to.Lstat(name)
	whole := errors.Is(err, fs.ErrNotExist)
	before := len(j.made)
	if err := j.copy(name); err != nil {
		return err
	}
	if len(j.made) > before {
		j.report.Copied = append(j.report.Copied, name)
	}
	if whole && len(j.made) > before {
		// One rule for a directory of many files.
		j.made = append(j.made[:before], name)
	}
	return nil
}

func (j *copyJob) copy(name string) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	info, err := j.from.Lstat(name)
	if err != nil {
		j.refuse(name, err.Error())
		return nil
	}
	if info.IsDir() {
		return j.copyDir(name, info)
	}
	if _, err := j.to.Lstat(name); err == nil {
		return nil // the base has it
	}
	if err := j.to.MkdirAll(path.Dir(name), 0o755); err != nil {
		j.refuse(name, err.Error())
		return nil
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := j.from.Readlink(name)
		if err == nil {
			err = j.to.Symlink(target, name)
		}
		if err != nil {
			return err
		}
	case info.Mode().IsRegular():
		if err := j.copyFile(name, info); err != nil {
			return err
		}
	default:
		j.refuse(name, "neither a file nor a directory nor a symbolic link")
		return nil
	}
	j.made = append(j.made, name)
	return nil
}

func (j *copyJob) copyDir(name string, info fs.FileInfo) error {
	if path.Base(name) == ".git" {
		return nil
	}
	dir, err := j.from.Open(name)
	if err != nil {
		j.refuse(name, err.Error())
		return nil
	}
	entries, err := dir.ReadDir(-1)
	dir.Close()
	if err != nil {
		return err
	}
	if err := j.to.MkdirAll(name, info.Mode().Perm()|0o700); err != nil {
		j.refuse(name, err.Error())
		return nil
	}
	for _, entry := range entries {
		if err := j.copy(name + "/" + entry.Name()); err != nil {
			return err
		}
	}
	return nil
}

func (j *copyJob) copyFile(name string, info fs.FileInfo) error {
	in, err := j.from.Open(name)
	if err != nil {
		j.refuse(name, err.Error())
		return nil
	}
	defer in.Close()
	out, err := j.to.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	// Build tools compare times.
	return errors.Join(err, out.Close(), j.to.Chtimes(name, info.ModTime(), info.ModTime()))
}

// ignore adds what was copied to the ignore rules of the engine and of the
// agent's clone.
func (t *Tree) ignore(made []string, report *Report) error {
	var rules strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, ` `, `\ `, "\t", "\\\t")
	for _, name := range made {
		if strings.ContainsAny(name, "\n\r") {
			report.Refused = append(report.Refused, Refusal{Path: name, Why: "copied, but no ignore rule can name it: it may enter a commit"})
			continue
		}
		fmt.Fprintf(&rules, "/%s\n", escape.Replace(path.Join(t.Project.Prefix, name)))
	}
	for _, dir := range []string{t.engineDir(), filepath.Join(t.Dir, ".git"), t.top().pristine()} {
		if err := appendFile(filepath.Join(dir, "info", "exclude"), rules.String()); err != nil {
			return err
		}
	}
	return nil
}

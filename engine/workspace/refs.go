package workspace

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// runRefs is the place of a run's refs, in the engine's git directory and in
// the user's repository.
func runRefs(run string) string { return "refs/growbench/" + run + "/" }

// SetHead records, in the engine's git directory, commit as the state after
// Worker k; 0 is the base.
func (t *Tree) SetHead(ctx context.Context, k int, commit string) error {
	ref := runRefs(t.RunID) + strconv.Itoa(k)
	if _, err := (gitDir{dir: t.engineDir()}).run(ctx, "update-ref", "--no-deref", ref, commit); err != nil {
		return fmt.Errorf("recording the commit of Worker %d: %w", k, err)
	}
	return nil
}

// Publish makes commit available in the user's repository as the ref of
// Worker k. Nothing but objects and that ref is written there. Without a
// repository there is nothing to do.
func (t *Tree) Publish(ctx context.Context, k int, commit string) error {
	return t.PublishAs(ctx, runRefs(t.RunID)+strconv.Itoa(k), commit)
}

// PublishAs is Publish under another name below refs/growbench/<run>/, for
// partial work. A ref of that name is replaced.
func (t *Tree) PublishAs(ctx context.Context, ref, commit string) error {
	if !strings.HasPrefix(ref, runRefs(t.RunID)) || validRef(ref) != nil {
		return fmt.Errorf("publishing %s: %q is no ref of run %s", commit, ref, t.RunID)
	}
	if !t.Project.HasRepo() {
		return nil
	}
	if err := t.send(ctx, commit); err != nil {
		return err
	}
	if _, err := t.Project.repo().run(ctx, "update-ref", "--no-deref", ref, commit); err != nil {
		return fmt.Errorf("publishing %s as %s: %w", commit, ref, err)
	}
	return nil
}

// send copies commit into the user's repository.
func (t *Tree) send(ctx context.Context, commit string) error {
	repo := t.Project.repo()
	have, err := refsBelow(ctx, repo, runRefs(t.RunID))
	if err != nil {
		return err
	}
	var known []string
	for _, ref := range have {
		known = append(known, ref.object)
	}
	if len(known) == 0 && t.Project.HasCommit {
		known = append(known, t.Project.Head) // the base is being published
	}
	if err := sendCommit(ctx, gitDir{dir: t.engineDir()}, repo, commit, known); err != nil {
		return err
	}
	if len(t.checkouts) == 0 {
		return nil // the base itself brings no large files
	}
	return t.top().publishLargeFiles()
}

type refEntry struct{ name, object string }

func refsBelow(ctx context.Context, g gitDir, prefix string) ([]refEntry, error) {
	out, err := g.run(ctx, "for-each-ref", "--format=%(objectname) %(refname)", prefix)
	if err != nil {
		return nil, fmt.Errorf("listing the refs below %s: %w", prefix, err)
	}
	var refs []refEntry
	for line := range strings.Lines(string(out)) {
		object, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		refs = append(refs, refEntry{name: name, object: object})
	}
	return refs, nil
}

// RemoveRefs removes what a run published from the user's repository; branches
// stay, they are the user's.
func (p Project) RemoveRefs(ctx context.Context, run string) error {
	if !p.HasRepo() {
		return nil
	}
	if strings.Contains(run, "/") || ValidBranch(run) != nil {
		return fmt.Errorf("removing the refs of run %q: not the name of a run", run)
	}
	if err := p.unlockRun(run); err != nil {
		return err
	}
	refs, err := refsBelow(ctx, p.repo(), runRefs(run))
	if err != nil || len(refs) == 0 {
		return err
	}
	var input strings.Builder
	for _, ref := range refs {
		fmt.Fprintf(&input, "option no-deref\ndelete %s\n", ref.name)
	}
	if _, err := p.repo().feed(ctx, []byte(input.String()), "update-ref", "--stdin"); err != nil {
		return fmt.Errorf("removing the refs of run %s: %w", run, err)
	}
	return nil
}

// Branch makes a branch of the user's repository at commit and returns its
// name: wanted, or with -2, -3, … when that is taken. Where a branch stands in
// the way of the name's directory (`giver` of `giver/task/x`), the slashes
// become dashes. A branch is made or not, never moved; the user's checkout does
// not change.
func (t *Tree) Branch(ctx context.Context, wanted, commit string) (string, error) {
	if err := ValidBranch(wanted); err != nil {
		return "", err
	}
	if !t.Project.HasRepo() {
		return "", errors.New("making a branch: the project has no git repository")
	}
	if err := t.send(ctx, commit); err != nil {
		return "", err
	}
	repo := t.Project.repo()
	zero := strings.Repeat("0", len(commit))
	// Whoever makes a branch between our look and our try costs one round.
	for range 20 {
		name, err := t.freeBranch(ctx, repo, wanted)
		if err != nil {
			return "", err
		}
		make := func() error {
			_, err := repo.run(ctx, "update-ref", "--no-deref", "refs/heads/"+name, commit, zero)
			return err
		}
		err = make()
		if err != nil && t.Project.unlockBranch(name, commit) {
			err = make()
		}
		if err == nil {
			return name, nil
		}
		again, lookErr := t.freeBranch(ctx, repo, wanted)
		if lookErr != nil || again == name {
			return "", fmt.Errorf("making branch %s: %w", name, errors.Join(err, lookErr))
		}
	}
	return "", fmt.Errorf("making branch %s: other programs keep taking the name; choose another with --branch", wanted)
}

// MadeBranch is the branch like wanted that is at commit already, or "": a
// Worker's commit is its run's alone, so whoever takes a run over finds the
// branch that was made for it.
func (t *Tree) MadeBranch(ctx context.Context, wanted, commit string) (string, error) {
	refs, err := refsBelow(ctx, t.Project.repo(), "refs/heads/")
	if err != nil {
		return "", err
	}
	flat := strings.ReplaceAll(wanted, "/", "-")
	for _, ref := range refs {
		name := strings.TrimPrefix(ref.name, "refs/heads/")
		if ref.object == commit && (strings.HasPrefix(name, wanted) || strings.HasPrefix(name, flat)) {
			return name, nil
		}
	}
	return "", nil
}

// freeBranch is the first name like wanted that no branch takes or blocks.
func (t *Tree) freeBranch(ctx context.Context, repo gitDir, wanted string) (string, error) {
	refs, err := refsBelow(ctx, repo, "refs/heads/")
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}    // branches
	occupied := map[string]bool{} // directories of branches
	note := func(name string) {
		taken[name] = true
		for i, char := range name {
			if char == '/' {
				occupied[name[:i]] = true
			}
		}
	}
	for _, ref := range refs {
		note(strings.TrimPrefix(ref.name, "refs/heads/"))
	}
	// A branch without a commit is no ref yet; making it would give the user's
	// checkout a past.
	current := t.Project
	if err := current.readHead(ctx); err != nil {
		return "", err
	}
	if current.Branch != "" {
		note(current.Branch)
	}
	for i, char := range wanted {
		if char == '/' && taken[wanted[:i]] {
			wanted = strings.ReplaceAll(wanted, "/", "-")
			break
		}
	}
	for n := 1; ; n++ {
		name := wanted
		if n > 1 {
			name = wanted + "-" + strconv.Itoa(n)
		}
		if !taken[name] && !occupied[name] {
			return name, nil
		}
	}
}

package workspace

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// KeepDropped keeps the commit of a Worker whose work leaves the run, as
// refs/growbench/<run>/<k>-dropped-<n>, here and in the user's repository, and
// returns the ref. A commit that is kept already keeps its name.
func (t *Tree) KeepDropped(ctx context.Context, k int, commit string) (string, error) {
	engine := gitDir{dir: t.engineDir()}
	prefix := runRefs(t.RunID) + strconv.Itoa(k) + "-dropped-"
	refs, err := refsBelow(ctx, engine, runRefs(t.RunID))
	if err != nil {
		return "", err
	}
	n, name := 1, ""
	for _, ref := range refs {
		number, ours := strings.CutPrefix(ref.name, prefix)
		if !ours {
			continue
		}
		if ref.object == commit {
			name = ref.name
			break
		}
		if i, err := strconv.Atoi(number); err == nil && i >= n {
			n = i + 1
		}
	}
	if name == "" {
		name = prefix + strconv.Itoa(n)
		if _, err := engine.run(ctx, "update-ref", "--no-deref", name, commit); err != nil {
			return "", fmt.Errorf("keeping the dropped work of Worker %d: %w", k, err)
		}
	}
	return name, t.PublishAs(ctx, name, commit)
}

// Forget removes the refs of Workers k to n, here and in the user's
// repository. The work itself must be kept under other refs first.
func (t *Tree) Forget(ctx context.Context, k, n int) error {
	var input strings.Builder
	for i := k; i <= n; i++ {
		fmt.Fprintf(&input, "option no-deref\ndelete %s%d\n", runRefs(t.RunID), i)
	}
	places := []gitDir{{dir: t.engineDir()}}
	if t.Project.HasRepo() {
		places = append(places, t.Project.repo())
	}
	for _, place := range places {
		if _, err := place.feed(ctx, []byte(input.String()), "update-ref", "--stdin"); err != nil {
			return fmt.Errorf("removing the refs of Workers %d to %d: %w", k, n, err)
		}
	}
	return nil
}

// OnBranch tells whether commit is reachable from a branch, tag or remote
// branch of the user's, and so stays when the run's refs go.
func (p Project) OnBranch(ctx context.Context, commit string) (bool, error) {
	if !p.HasRepo() {
		return false, nil
	}
	if held, err := p.repo().holds(ctx, commit+"^{commit}"); err != nil || !held {
		return false, err
	}
	out, err := p.repo().run(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "--contains="+commit, "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return false, fmt.Errorf("looking for the branches that hold %s: %w", commit, err)
	}
	return len(out) > 0, nil
}

// BranchTip is the commit a branch of the user's repository is at when that
// commit contains the given one; otherwise, or without such a branch, it is
// commit itself.
func (p Project) BranchTip(ctx context.Context, branch, commit string) (string, error) {
	if !p.HasRepo() || branch == "" || ValidBranch(branch) != nil {
		return commit, nil
	}
	tip, err := p.repo().line(ctx, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch+"^{commit}")
	if found, err := answer(err); err != nil || !found {
		return commit, err
	}
	_, err = p.repo().run(ctx, "merge-base", "--is-ancestor", commit, tip)
	if further, err := answer(err); err != nil || !further {
		return commit, err
	}
	return tip, nil
}

// RemoveDir removes a directory that agents may have filled: directories
// without rights are opened, symbolic links are not followed.
func RemoveDir(path string) error { return removeAll(path) }

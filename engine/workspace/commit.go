package workspace

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Every commit of ours carries this identity: a run's work is told apart from
// the user's.
const (
	identityName  = "growbench"
	identityEmail = "growbench@localhost"
)

// WriteTree records the work tree as it stands and returns the hash of the git
// tree. Ignored files and our own artifacts stay out. Files that did not change
// since the last call are not read again.
func (t *Tree) WriteTree(ctx context.Context) (string, error) {
	left, err := t.top().engine().stage(ctx, runsTree)
	if err != nil {
		return "", err
	}
	t.leftOut = left
	return t.top().engine().writeTree(ctx)
}

// LeftOut names the files that the last WriteTree could not record because git
// refuses their names (`git~1` and the like), relative to the top of the tree.
func (t *Tree) LeftOut() []string { return t.leftOut }

func (g gitDir) writeTree(ctx context.Context) (string, error) {
	// Objects a partial clone lacks are not needed to write a tree.
	tree, err := g.line(ctx, "write-tree", "--missing-ok")
	if err != nil {
		return "", fmt.Errorf("writing the tree of %s: %w", g.tree, err)
	}
	return tree, nil
}

// CommitTree makes a commit of tree. An empty parent makes a root commit. The
// same arguments give the same hash, so that an interrupted commit can be made
// again.
func (t *Tree) CommitTree(ctx context.Context, tree, parent, message string, at time.Time) (string, error) {
	return t.top().engine().commitTree(ctx, tree, parent, message, at)
}

func (g gitDir) commitTree(ctx context.Context, tree, parent, message string, at time.Time) (string, error) {
	date := fmt.Sprintf("@%d +0000", max(0, at.Unix()))
	author := g.with(
		"GIT_AUTHOR_NAME="+identityName, "GIT_AUTHOR_EMAIL="+identityEmail, "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME="+identityName, "GIT_COMMITTER_EMAIL="+identityEmail, "GIT_COMMITTER_DATE="+date,
	)
	args := []string{"commit-tree", tree, "-F", "-"}
	if parent != "" {
		args = append(args, "-p", parent)
	}
	message = strings.ToValidUTF8(strings.ReplaceAll(message, "\x00", ""), "\uFFFD")
	commit, err := author.feed(ctx, []byte(strings.TrimRight(message, "\n")+"\n"), args...)
	if err != nil {
		return "", fmt.Errorf("committing tree %s: %w", tree, err)
	}
	return strings.TrimSpace(string(commit)), nil
}

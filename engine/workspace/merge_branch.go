package workspace

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// workshop is where a merge works inside the user's git directory: on the same
// file system as the files, and out of git's sight.
const workshop = "growbench-merge"

// unfinished are what git leaves in its directory while it is in the middle of
// something.
var unfinished = [][2]string{
	{"MERGE_HEAD", "a merge"}, {"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase"},
	{"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
	{"sequencer", "a cherry-pick or revert"}, {"BISECT_LOG", "a bisection"},
}

// mayMove refuses to move a branch that is not there to be moved.
func (m *merge) mayMove() error {
	p := m.project
	for _, u := range unfinished {
		if _, err := os.Lstat(filepath.Join(p.GitDir, u[0])); err == nil {
			return &MergeRefused{Why: u[1] + " is going on in " + p.RepoTop, Advice: "Finish or abort it, then merge again."}
		}
	}
	switch {
	case p.Branch == "" && p.HasCommit:
		return &MergeRefused{Why: "you are on no branch (detached HEAD)", Advice: "Switch to the branch that shall get the work: git switch NAME"}
	case !p.HasCommit:
		return &MergeRefused{Why: "branch " + p.Branch + " has no commit yet", Advice: "Switch to the branch that shall get the work: git switch NAME"}
	}
	return m.alsoElsewhere()
}

// alsoElsewhere refuses to move a branch under the feet of another work tree.
func (m *merge) alsoElsewhere() error {
	p := m.project
	want := "ref: refs/heads/" + p.Branch
	refuse := func(where string) error {
		return &MergeRefused{Why: "branch " + p.Branch + " is checked out in " + where + " too", Advice: "Switch one of the two to another branch, then merge again."}
	}
	if p.GitDir != p.CommonDir && !isBare(p.CommonDir) {
		if head, err := readSmall(filepath.Join(p.CommonDir, "HEAD")); err == nil && head == want {
			return refuse(filepath.Dir(p.CommonDir))
		}
	}
	others, err := filepath.Glob(filepath.Join(globLiteral(p.CommonDir), "worktrees", "*"))
	if err != nil {
		return err
	}
	for _, dir := range others {
		if dir == p.GitDir {
			continue
		}
		head, err := readSmall(filepath.Join(dir, "HEAD"))
		if err != nil || head != want {
			continue
		}
		link, err := readSmall(filepath.Join(dir, "gitdir"))
		if err != nil {
			continue
		}
		if _, err := os.Lstat(link); err == nil {
			return refuse(filepath.Dir(link))
		}
	}
	return nil
}

func isBare(common string) bool {
	out, err := gitDir{dir: common}.line(context.Background(), "config", "--type=bool", "core.bare")
	return err == nil && out == "true"
}

// userIdentity is what the user's environment says about who commits.
func userIdentity() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return !strings.HasPrefix(entry, "GIT_AUTHOR_") && !strings.HasPrefix(entry, "GIT_COMMITTER_")
	})
}

// identity is who git would name in a commit made here, as an environment.
func (p Project) identity(ctx context.Context) ([]string, error) {
	var env []string
	for _, role := range []string{"AUTHOR", "COMMITTER"} {
		line, err := p.repo().with(userIdentity()...).line(ctx, "var", "GIT_"+role+"_IDENT")
		if err != nil {
			var failed *GitError
			if errors.As(err, &failed) {
				return nil, &MergeRefused{Why: "git does not know who you are, and a merge commit needs an author",
					Advice: `Tell it: git config user.name "Your Name"; git config user.email you@example.com`}
			}
			return nil, err
		}
		name, rest, _ := strings.Cut(line, " <")
		email, date, ok := strings.Cut(rest, "> ")
		if !ok {
			return nil, fmt.Errorf("reading who commits in %s: unexpected line %q", p.RepoTop, line)
		}
		env = append(env, "GIT_"+role+"_NAME="+name, "GIT_"+role+"_EMAIL="+email, "GIT_"+role+"_DATE=@"+date)
	}
	return env, nil
}

// signs tells whether the user's configuration asks for signed commits.
func (p Project) signs(ctx context.Context) bool {
	// Our own setting is the last value, of scope "command".
	out, err := p.repo().run(ctx, "config", "--get-all", "-z", "--show-scope", "commit.gpgsign")
	if err != nil {
		return false
	}
	asked := false
	for entries := fields(out); len(entries) >= 2; entries = entries[2:] {
		if entries[0] != "command" {
			value := strings.ToLower(entries[1])
			asked = value != "false" && value != "no" && value != "off" && value != "0"
		}
	}
	return asked
}

// signAs finds out who the merge commit will be by.
func (m *merge) signAs(ctx context.Context) (err error) {
	if m.project.signs(ctx) {
		m.out.Notes = append(m.out.Notes, "your configuration asks for signed commits, but no program of it is run here: the merge commit is not signed (git commit --amend -S --no-edit signs it)")
	}
	m.author, err = m.project.identity(ctx)
	return err
}

// commit makes the merge commit of tree, in our own store.
func (m *merge) commit(ctx context.Context, tree string) (string, error) {
	message := strings.TrimRight(strings.ToValidUTF8(strings.ReplaceAll(m.Message, "\x00", ""), "\uFFFD"), "\n") + "\n"
	if len(m.out.Runs) > 0 {
		message += "Includes runs: " + strings.Join(m.out.Runs, ", ") + "\n"
	}
	out, err := m.git.with(m.author...).feed(ctx, []byte(message),
		"commit-tree", tree, "-p", m.project.Head, "-p", m.Commit, "-F", "-")
	if err != nil {
		return "", fmt.Errorf("making the merge commit: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// heldBranch is a change of the user's branch that git has checked and locked
// but not made.
type heldBranch struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errOut *bytes.Buffer
	branch string
	done   bool
}

// holdBranch prepares to move the branch. Until commit nobody else can move it;
// when we die git lets go of it.
func (m *merge) holdBranch(ctx context.Context) (*heldBranch, error) {
	p := m.project
	why := fmt.Sprintf("growbench merge %s: %s", m.tree.RunID, m.out.How)
	cmd := p.repo().with(userIdentity()...).command(ctx, []string{"update-ref", "-m", why, "--stdin"})
	h := &heldBranch{cmd: cmd, errOut: &bytes.Buffer{}, branch: p.Branch}
	cmd.Stderr = h.errOut
	var err error
	if h.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("moving branch %s: %w", p.Branch, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("moving branch %s: %w", p.Branch, err)
	}
	h.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("moving branch %s: %w", p.Branch, err)
	}
	text := fmt.Sprintf("start\nupdate refs/heads/%s %s %s\nupdate ORIG_HEAD %s\nprepare\n", p.Branch, m.out.To, p.Head, p.Head)
	if err := h.say(text, "start: ok", "prepare: ok"); err != nil {
		h.abort()
		return nil, err
	}
	return h, nil
}

func (h *heldBranch) say(text string, answers ...string) error {
	_, err := io.WriteString(h.in, text)
	for _, want := range answers {
		if err != nil {
			break
		}
		var line string
		if line, err = h.out.ReadString('\n'); err == nil && strings.TrimSpace(line) != want {
			err = fmt.Errorf("git answers %q", strings.TrimSpace(line))
		}
	}
	if err == nil {
		return nil
	}
	// What git complained of says more than the broken pipe.
	h.in.Close()
	h.done = true
	if ended := h.cmd.Wait(); ended != nil {
		err = errors.Join(err, ended)
	}
	if said := strings.TrimSpace(h.errOut.String()); said != "" {
		err = errors.New(said)
	}
	return fmt.Errorf("moving branch %s: %w", h.branch, err)
}

func (h *heldBranch) commit() error {
	if err := h.say("commit\n", "commit: ok"); err != nil {
		return err
	}
	h.done = true
	h.in.Close()
	h.cmd.Wait()
	return nil
}

// abort leaves the branch as it is, unless it was moved.
func (h *heldBranch) abort() {
	if h.done {
		return
	}
	h.done = true
	h.in.Close()
	h.cmd.Wait()
}

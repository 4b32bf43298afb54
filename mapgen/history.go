package mapgen

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"growbench/mapgen/recall"
	"growbench/mapgen/scan"
)

// HistoryCommits is how far back the past is heard: what lies before says
// little of where the next change goes, and a log costs by its length.
const HistoryCommits = 3000

// ReadHistory is what git tells of the last n commits that led to rev (merges
// left out) in the repository at dir, the newest first.
func ReadHistory(ctx context.Context, dir, rev string, n int) ([]recall.Commit, error) {
	text, err := readLog(ctx, dir, "-n", strconv.Itoa(n), rev)
	if err != nil {
		return nil, err
	}
	return inOrder(recall.ParseLog(text), n), nil
}

// inOrder sorts commits by time, so that they stand alike however they were
// collected.
func inOrder(commits []recall.Commit, n int) []recall.Commit {
	slices.SortFunc(commits, func(a, b recall.Commit) int {
		return cmp.Or(cmp.Compare(b.When, a.When), cmp.Compare(a.Hash, b.Hash))
	})
	return commits[:min(len(commits), n)]
}

// readLog asks for names only: nothing the repository configures (signature
// checks, filters, a promisor's remote) is run for it.
func readLog(ctx context.Context, dir string, which ...string) ([]byte, error) {
	args := append([]string{"-c", "core.quotePath=false", "-c", "protocol.allow=never", "log", "--no-merges", "--no-renames", "--no-show-signature", "--relative", "--name-only",
		"--format=" + recall.LogFormat}, which...)
	return gitOutput(ctx, dir, append(args, "--", ".")...)
}

func gitOutput(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := scan.Git(ctx, dir, args...)
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1")
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line, _, _ := strings.Cut(strings.TrimSpace(errOut.String()), "\n")
		return nil, fmt.Errorf("read the history of %s: git: %s: %w", dir, line, err)
	}
	return out, nil
}

// history is the project's past. It is remembered in one file beside the
// records, with the commit it leads to; new commits are added to it. Without a
// repository, or one without a commit, there is none.
func (p *Project) history(ctx context.Context) []recall.Commit {
	if !scan.InRepository(p.root) {
		return nil
	}
	out, err := gitOutput(ctx, p.root, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return nil
	}
	head := strings.TrimSpace(string(out))
	name := filepath.Join(p.store.dir, "history")
	before, known, _ := strings.Cut(string(p.remembered(name)), "\n")
	was := strings.TrimPrefix(before, historyMagic)
	if was == head && before != was {
		return recall.ParseLog([]byte(known))
	}
	var commits []recall.Commit
	if before != was && p.leadsTo(ctx, was, head) {
		if text, err := readLog(ctx, p.root, "-n", strconv.Itoa(HistoryCommits), was+".."+head); err == nil {
			commits = inOrder(append(recall.ParseLog(text), recall.ParseLog([]byte(known))...), HistoryCommits)
		}
	}
	if commits == nil {
		if commits, err = ReadHistory(ctx, p.root, head, HistoryCommits); err != nil {
			return nil
		}
	}
	p.keepHistory(name, head, commits)
	return commits
}

const historyMagic = "growbench history 1 "

func (p *Project) remembered(name string) []byte {
	text, err := scan.ReadFile(name, 64<<20)
	if err != nil {
		return nil
	}
	return text
}

func (p *Project) leadsTo(ctx context.Context, from, to string) bool {
	if len(from) < 40 {
		return false
	}
	_, err := gitOutput(ctx, p.root, "merge-base", "--is-ancestor", from, to)
	return err == nil
}

// keepHistory is not worth an error: the next question asks git again.
func (p *Project) keepHistory(name, head string, commits []recall.Commit) {
	var b bytes.Buffer
	b.WriteString(historyMagic + head + "\n")
	b.Write(recall.FormatLog(commits))
	if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "history-*.tmp")
	if err != nil {
		return
	}
	_, err = temp.Write(b.Bytes())
	if closeErr := temp.Close(); err != nil || closeErr != nil || os.Rename(temp.Name(), name) != nil {
		os.Remove(temp.Name())
	}
}

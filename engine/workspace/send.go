package workspace

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// looseLimit is the number of objects up to which they are stored one by one;
// more are kept as the pack they came in.
const looseLimit = 100

// holds says whether the store has the object.
func (g gitDir) holds(ctx context.Context, object string) (bool, error) {
	_, err := g.run(ctx, "cat-file", "-e", object)
	var failed *GitError
	if errors.As(err, &failed) {
		return false, nil
	}
	return err == nil, err
}

// held keeps of a list of commits those the store has.
func (g gitDir) held(ctx context.Context, commits []string) ([]string, error) {
	var kept []string
	for _, commit := range commits {
		if commit == "" {
			continue
		}
		found, err := g.holds(ctx, commit)
		if err != nil {
			return nil, err
		}
		if found {
			kept = append(kept, commit)
		}
	}
	return kept, nil
}

// sendCommit copies commit and what it needs from one store to the other,
// without what the commits in have, which the receiver must hold, bring. It is
// what a fetch does, but needs no transport, reads no remote,
// writes no FETCH_HEAD and starts no maintenance.
func sendCommit(ctx context.Context, from, to gitDir, commit string, have []string) error {
	// That the receiver has the commit alone says nothing: one that was killed
	// while it took it in may lack the rest.
	if slices.Contains(have, commit) {
		return nil
	}
	var revisions strings.Builder
	fmt.Fprintln(&revisions, commit)
	for _, known := range have {
		fmt.Fprintln(&revisions, "^"+known)
	}
	receive := func(pack io.Reader) error {
		buffered := bufio.NewReaderSize(pack, 64<<10)
		header, err := buffered.Peek(12)
		if err != nil {
			return nil // the sender's own error says more
		}
		args := []string{"unpack-objects", "-q"}
		if binary.BigEndian.Uint32(header[8:]) > looseLimit {
			args = []string{"index-pack", "--stdin"}
		}
		cmd := to.command(ctx, args)
		var errOut bytes.Buffer
		cmd.Stdin, cmd.Stderr = buffered, &errOut
		return gitFailure(ctx, cmd.Run(), args, &errOut, nil)
	}
	err := from.stream(ctx, []byte(revisions.String()), receive,
		"pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q")
	if err != nil {
		return fmt.Errorf("copying commit %s: %w", commit, err)
	}
	return nil
}

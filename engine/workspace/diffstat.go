package workspace

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// FileStat is how much of a file changed, in lines; both are -1 of a binary
// file.
type FileStat struct {
	FileChange
	Added, Deleted int
}

// Stats is Changes with the number of lines.
func (t *Tree) Stats(ctx context.Context, from, to string) ([]FileStat, error) {
	changes, err := t.Changes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	out, err := t.top().engine().run(ctx, "diff-tree", "-r", "-z", "-M", "--numstat", "--no-ext-diff", "--no-textconv", "--no-commit-id", "--ignore-submodules=dirty", from, to)
	if err != nil {
		return nil, fmt.Errorf("counting the changes from %s to %s: %w", from, to, err)
	}
	lines := map[string][2]int{}
	entries := fields(out)
	for i := 0; i < len(entries); i++ {
		parts := strings.SplitN(entries[i], "\t", 3)
		if len(parts) != 3 {
			return nil, fmt.Errorf("counting the changes from %s to %s: unexpected line %q", from, to, entries[i])
		}
		name := parts[2]
		if name == "" && i+2 < len(entries) { // a renamed file: both names follow
			name = entries[i+2]
			i += 2
		}
		lines[t.projectPath(name)] = [2]int{count(parts[0]), count(parts[1])}
	}
	stats := make([]FileStat, 0, len(changes))
	for _, c := range changes {
		n := lines[c.Path]
		stats = append(stats, FileStat{c, n[0], n[1]})
	}
	return stats, nil
}

func count(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

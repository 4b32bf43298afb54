package workspace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Contents reads objects by the names git gives them, all with one command.
// One that is larger than limit, that is not a file's content or that is not
// there is left out of the answer.
func (t *Tree) Contents(ctx context.Context, objects []string, limit int64) (map[string][]byte, error) {
	return t.read(ctx, objects, objects, limit)
}

// ContentsAt is Contents for files of a commit, by their paths.
func (t *Tree) ContentsAt(ctx context.Context, commit string, paths []string, limit int64) (map[string][]byte, error) {
	var objects, names []string
	for _, name := range paths {
		full, err := t.treePath(name)
		if err != nil || strings.Contains(full, "\n") {
			continue
		}
		objects, names = append(objects, commit+":"+full), append(names, name)
	}
	return t.read(ctx, objects, names, limit)
}

// read asks for objects and answers by their names.
func (t *Tree) read(ctx context.Context, objects, names []string, limit int64) (map[string][]byte, error) {
	if len(objects) == 0 {
		return nil, nil
	}
	found := make(map[string][]byte, len(objects))
	take := func(from io.Reader) error {
		r := bufio.NewReaderSize(from, 64<<10)
		for i := 0; ; i++ {
			head, err := r.ReadString('\n')
			if errors.Is(err, io.EOF) && head == "" {
				return nil
			}
			if err != nil {
				return err
			}
			if strings.HasSuffix(head, " missing\n") || strings.HasSuffix(head, " ambiguous\n") {
				continue
			}
			parts := strings.Fields(head)
			if len(parts) != 3 || i >= len(names) {
				return fmt.Errorf("unexpected line %q", head)
			}
			size, err := strconv.ParseInt(parts[2], 10, 64)
			if err != nil {
				return fmt.Errorf("unexpected line %q", head)
			}
			if parts[1] != "blob" || size > limit {
				if _, err := io.CopyN(io.Discard, r, size+1); err != nil {
					return err
				}
				continue
			}
			data := make([]byte, size+1) // with the newline behind it
			if _, err := io.ReadFull(r, data); err != nil {
				return err
			}
			found[names[i]] = data[:size]
		}
	}
	input := []byte(strings.Join(objects, "\n") + "\n")
	if err := t.top().engine().stream(ctx, input, take, "cat-file", "--batch"); err != nil {
		return nil, fmt.Errorf("reading %d files of the run: %w", len(objects), err)
	}
	return found, nil
}

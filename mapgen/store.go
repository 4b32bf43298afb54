package mapgen

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"growbench/mapgen/scan"
)

// store keeps the records of a project, one file a directory, and the locks
// that writers of its documents take.
type store struct {
	root   string // the project
	dir    string // .growbench/map
	shards [shardCount]shard
}

// shardCount locks share all directories: few enough to be opened at once,
// enough that workers seldom meet.
const shardCount = 128

type shard struct {
	mu   sync.Mutex
	file *os.File
}

const maxRecord = 512 << 20

func openStore(root string) *store {
	return &store{root: root, dir: filepath.Join(root, scan.StateDir, "map")}
}

func key(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:12])
}

func (s *store) file(dir string) string {
	k := key(dir)
	return filepath.Join(s.dir, "dirs", k[:1], k[1:])
}

// get returns the record of a directory, or nil when there is none that can be
// used.
func (s *store) get(dir string) *record {
	data, err := scan.ReadFile(s.file(dir), maxRecord)
	if err != nil {
		return nil
	}
	r, err := decodeRecord(data)
	if err != nil || r.Dir != dir {
		return nil
	}
	return r
}

// put replaces a record. A record is no truth: it carries checksums, and is
// not forced to the disk.
func (s *store) put(r *record) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	name := s.file(r.Dir)
	err = writeRecord(name, data)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
			err = writeRecord(name, data)
		}
	}
	if err != nil {
		return fmt.Errorf("remember the state of %s: %w", r.Dir, err)
	}
	return nil
}

// writeRecord is called under the directory's lock, so one temporary name will
// do. A record that is new is written where it belongs: half of it is as good
// as none.
func writeRecord(name string, data []byte) error {
	err := create(name, data)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	temp := name + ".tmp"
	os.Remove(temp) // left behind by somebody who was killed
	if err := create(temp, data); err != nil {
		return err
	}
	return os.Rename(temp, name)
}

func create(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func (s *store) drop(dir string) error {
	err := os.Remove(s.file(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// lock takes the lock of a directory, against other goroutines and processes.
// It is held for as long as a pair of documents takes to be written.
func (s *store) lock(ctx context.Context, dir string) (unlock func(), err error) {
	n, _ := strconv.ParseUint(key(dir)[:2], 16, 8)
	sh := &s.shards[n%shardCount]
	sh.mu.Lock()
	if sh.file == nil {
		locks := filepath.Join(s.dir, "locks")
		if err := os.MkdirAll(locks, 0o755); err != nil {
			sh.mu.Unlock()
			return nil, fmt.Errorf("make room for the map's state: %w", err)
		}
		sh.file, err = os.OpenFile(filepath.Join(locks, strconv.Itoa(int(n%shardCount))), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o644)
		if err != nil {
			sh.mu.Unlock()
			return nil, fmt.Errorf("lock the map: %w", err)
		}
	}
	if err = flock(ctx, sh.file); err != nil {
		sh.mu.Unlock()
		return nil, err
	}
	return func() {
		syscall.Flock(int(sh.file.Fd()), syscall.LOCK_UN)
		sh.mu.Unlock()
	}, nil
}

// flock waits for another process to be done, which takes milliseconds, but
// not longer than the context lasts.
func flock(ctx context.Context, f *os.File) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 20*time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case err != syscall.EWOULDBLOCK && err != syscall.EINTR:
			return fmt.Errorf("lock the map: %w", err)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// each reads every record there is.
func (s *store) each(visit func(file string, r *record)) {
	base := filepath.Join(s.dir, "dirs")
	shards, _ := os.ReadDir(base)
	for _, sh := range shards {
		files, _ := os.ReadDir(filepath.Join(base, sh.Name()))
		for _, f := range files {
			name := filepath.Join(base, sh.Name(), f.Name())
			data, err := scan.ReadFile(name, maxRecord)
			if err != nil {
				continue
			}
			r, err := decodeRecord(data)
			if err != nil {
				r = nil
			}
			visit(name, r)
		}
	}
}

// names lists the file names of all records without reading them.
func (s *store) names() map[string]bool {
	base := filepath.Join(s.dir, "dirs")
	out := map[string]bool{}
	shards, _ := os.ReadDir(base)
	for _, sh := range shards {
		files, _ := os.ReadDir(filepath.Join(base, sh.Name()))
		for _, f := range files {
			out[filepath.Join(base, sh.Name(), f.Name())] = true
		}
	}
	return out
}

// strangers are records of directories that are not among those given. A
// damaged record is removed.
func (s *store) strangers(dirs []*scan.Dir) []*record {
	names := s.names()
	for _, d := range dirs {
		delete(names, s.file(d.Path))
	}
	var out []*record
	for name := range names {
		data, err := scan.ReadFile(name, maxRecord)
		if err != nil {
			continue
		}
		r, err := decodeRecord(data)
		if err != nil || s.file(r.Dir) != name {
			if filepath.Ext(name) != ".tmp" {
				os.Remove(name)
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

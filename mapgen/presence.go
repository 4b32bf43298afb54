package mapgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"growbench/mapgen/scan"
)

// Working is a process at work on the map.
type Working struct {
	PID   int       `json:"pid"`
	What  string    `json:"what"`
	Since time.Time `json:"since"`
}

// announced tells the pieces of work of this process apart.
var announced atomic.Int64

// announce lets other processes see what this one does until leave is called,
// or until it ends however it ends: what they look at is a lock, which the
// kernel drops. Where that cannot be, nobody sees it; nothing depends on it.
func (s *store) announce(what string, now time.Time) (leave func()) {
	nothing := func() {}
	dir := s.workDir()
	if os.MkdirAll(dir, 0o755) != nil {
		return nothing
	}
	name := fmt.Sprintf("%d-%d", os.Getpid(), announced.Add(1))
	f, err := os.OpenFile(filepath.Join(dir, "."+name), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return nothing
	}
	data, _ := json.Marshal(Working{os.Getpid(), what, now.UTC()})
	full := filepath.Join(dir, name)
	// It gets its name once it is locked: one without a lock is left behind.
	if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		if _, err = f.Write(data); err == nil {
			err = os.Rename(f.Name(), full)
		}
	}
	if err != nil {
		os.Remove(f.Name())
		f.Close()
		return nothing
	}
	return func() {
		os.Remove(full)
		f.Close()
	}
}

func (s *store) workDir() string { return filepath.Join(s.dir, "work") }

// Others are the other processes at work on the map now, the longest first.
func (p *Project) Others() []Working {
	entries, _ := os.ReadDir(p.store.workDir())
	var out []Working
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), fmt.Sprintf("%d-", os.Getpid())) {
			continue
		}
		if w, err := atWork(filepath.Join(p.store.workDir(), e.Name())); err == nil {
			out = append(out, w)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Since.Before(out[j].Since) })
	return out
}

var errLeft = errors.New("its process has ended")

// atWork reads what a process said of itself, if it still is there.
func atWork(name string) (w Working, err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return w, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return w, errors.Join(err, fs.ErrInvalid)
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		os.Remove(name)
		return w, errLeft
	}
	const much = 64 << 10
	data, err := scan.ReadFile(name, much)
	if err == nil {
		err = json.Unmarshal(data, &w)
	}
	return w, err
}

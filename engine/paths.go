package engine

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// Run directory layout. Everything about a run stands in its directory; the
// tree its agents work in lies apart, so that no ".." leads from one to the
// other.
const (
	fileEvents  = "events.jsonl"
	fileTask0   = "task0.md"
	filePlan    = "plan.md"
	fileResults = "results.md"
	fileReport  = "report.md"
	fileSpec    = "spec.json"
	fileOwner   = "owner.json"
	fileLock    = "owner.lock"
	fileKeeper  = "keeper.lock"
	fileLog     = "owner.log"
	dirPrompts  = "prompts"
	dirOutput   = "output"
	dirAttached = "attached"
)

// taskFile is where Task #k stands in a run directory.
func taskFile(k int) string { return fmt.Sprintf("task%d.md", k) }

var runID = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$`)

// NewRunID names a run; names sort by time, to a quarter of a millisecond.
func NewRunID(at time.Time) string {
	var b [2]byte
	rand.Read(b[:])
	fraction := at.Nanosecond() / (1e9 >> 12)
	return fmt.Sprintf("%s-%03x%03x", at.UTC().Format("20060102-150405"), min(fraction, 0xfff), binary.BigEndian.Uint16(b[:])&0xfff)
}

// Dirs are the two places of one run.
type Dirs struct {
	Run  string // …/<project>/runs/<id>
	Tree string // …/<project>/trees/<id>
}

// RunDirs returns where run id of a project lives under the state root.
func RunDirs(stateRoot, project, id string) Dirs {
	base := filepath.Join(stateRoot, project)
	return Dirs{Run: filepath.Join(base, "runs", id), Tree: filepath.Join(base, "trees", id)}
}

// dirsOf works out both places from a run directory.
func dirsOf(runDir string) Dirs {
	id := filepath.Base(runDir)
	return Dirs{Run: runDir, Tree: filepath.Join(filepath.Dir(filepath.Dir(runDir)), "trees", id)}
}

// maxSocketPath is what a Unix socket's address can hold, its end included.
const maxSocketPath = 108

// socketPath is a short place for a run's control socket, in a directory that
// belongs to this user alone.
func socketPath(id string) (string, error) {
	if base := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(base) {
		dir := filepath.Join(base, "growbench")
		path := filepath.Join(dir, id+".sock")
		if len(path) < maxSocketPath && privateDir(dir) == nil {
			return path, nil
		}
	}
	dir := filepath.Join("/tmp", fmt.Sprintf("growbench-%d", os.Getuid()))
	if err := privateDir(dir); err != nil {
		return "", fmt.Errorf("make a place for the run's control socket: %w", err)
	}
	return filepath.Join(dir, id+".sock"), nil
}

// privateDir makes dir, or checks that it is a real directory of ours that
// nobody else can enter.
func privateDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err == nil {
		return nil
	} else if !os.IsExist(err) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(stat.Uid) != os.Getuid() {
		return fmt.Errorf("%s is not a directory of this user; remove it", dir)
	}
	return os.Chmod(dir, 0o700)
}

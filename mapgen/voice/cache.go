package voice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"growbench/mapgen/scan"
)

// entry is an answer as the cache keeps it, under the SHA-256 of the content it
// is about. Other tools read and write the same file: what is not ours has no
// model or prompt, and stays as it is.
type entry struct {
	Purpose  string   `json:"purpose,omitempty"`
	Deps     []string `json:"deps,omitempty"`
	Concepts []string `json:"concepts,omitempty"`
	Role     string   `json:"role,omitempty"`
	Arch     string   `json:"arch,omitempty"`
	Model    string   `json:"model"`
	Prompt   string   `json:"prompt"`
}

// besides is the beginning of a key whose place another tool's entry has.
const besides = "growbench:"

// largestCache is what is read of a cache at most.
const largestCache = 512 << 20

func keyOf(hash [32]byte) string { return hex.EncodeToString(hash[:]) }

func dirKey(q DirQuestion) string {
	return keyOf(sha256.Sum256([]byte("directory " + q.Path + "\n" + contents(q))))
}

func redacted(text string) string { return scan.Redact(text) }
func secret(text string) bool     { return scan.Redact(text) != text }

// DefaultCache is where the cache lies: a file that several tools share.
func DefaultCache() (string, error) {
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the cache of what models said: %w", err)
	}
	return filepath.Join(dir, ".cache", "pi-project-map", "llm-cache.json"), nil
}

// cache is the file of what was said. Many processes may use it at once.
type cache struct {
	path string

	mu      sync.Mutex
	state   string // of the file, as entries were read from it
	entries map[string]json.RawMessage

	turn    sync.Mutex // of writing
	waiting map[string]entry
	waits   sync.Mutex

	claims struct {
		sync.Mutex
		file *os.File
	}
}

func newCache(path string) *cache {
	return &cache{path: path, waiting: map[string]entry{}}
}

// get is what that model said of a content, when asked with today's prompt.
func (c *cache) get(key, model, field string) (entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh()
	for _, k := range []string{key, besides + key} {
		e, ours := c.entry(k)
		if ours && e.Model == model && e.Prompt == Prompt && (e.Purpose != "" || field != purpose) && (e.Role != "" || field != role) {
			return e, true
		}
	}
	return entry{}, false
}

// entry reads one; ours says that this program wrote it.
func (c *cache) entry(key string) (e entry, ours bool) {
	raw, ok := c.entries[key]
	ok = ok && json.Unmarshal(raw, &e) == nil && e.Model != "" && e.Prompt != ""
	return e, ok
}

// refresh reads the file if it is another one than before. c.mu is held.
func (c *cache) refresh() error {
	state := stateOf(c.path)
	if state == c.state && c.entries != nil {
		return nil
	}
	entries, err := readCache(c.path)
	if err != nil {
		state = "unread"
	}
	c.entries, c.state = entries, state
	return err
}

// stateOf tells one version of a file from another.
func stateOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	ino := uint64(0)
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		ino = uint64(sys.Ino)
	}
	return fmt.Sprint(ino, info.Size(), info.ModTime().UnixNano())
}

var errDamaged = errors.New("it is damaged")

func readCache(path string) (map[string]json.RawMessage, error) {
	entries := map[string]json.RawMessage{}
	data, err := scan.ReadFile(path, largestCache)
	if errors.Is(err, fs.ErrNotExist) {
		return entries, nil
	}
	if err != nil {
		return entries, err
	}
	if err := json.Unmarshal(data, &entries); err != nil || entries == nil {
		return map[string]json.RawMessage{}, errDamaged
	}
	return entries, nil
}

// put keeps an answer. Answers that come while the file is being written go
// into it together. notes say what a person should know.
func (c *cache) put(ctx context.Context, key string, e entry) (notes []string, err error) {
	c.waits.Lock()
	c.waiting[key] = e
	c.waits.Unlock()
	c.turn.Lock()
	defer c.turn.Unlock()
	c.waits.Lock()
	batch := c.waiting
	if _, left := batch[key]; !left {
		c.waits.Unlock()
		return nil, nil // somebody else has written it
	}
	c.waiting = map[string]entry{}
	c.waits.Unlock()
	return c.write(ctx, batch)
}

// write adds answers to the file as it is now.
func (c *cache) write(ctx context.Context, batch map[string]entry) (notes []string, err error) {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return nil, fmt.Errorf("make room for the cache: %w", err)
	}
	unlock, err := lockFile(ctx, c.path+".lock")
	if err != nil {
		return nil, fmt.Errorf("lock the cache %s: %w", c.path, err)
	}
	defer unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.refresh(); errors.Is(err, errDamaged) {
		away := fmt.Sprintf("%s.damaged-%d", c.path, time.Now().UnixNano())
		if err := os.Rename(c.path, away); err != nil {
			return nil, fmt.Errorf("set the damaged cache aside: %w", err)
		}
		notes = append(notes, "the cache of what models said was damaged; it is set aside as "+away)
	} else if err != nil {
		return nil, fmt.Errorf("read the cache: %w", err)
	}
	for key, e := range batch {
		if _, taken := c.entries[key]; taken {
			if _, ours := c.entry(key); !ours {
				key = besides + key
			}
		}
		if c.entries[key], err = json.Marshal(e); err != nil {
			return notes, err
		}
	}
	return notes, c.replace()
}

// replace puts the entries in the file's place. Both locks are held, so one
// temporary name will do.
func (c *cache) replace() error {
	data, err := json.MarshalIndent(c.entries, "", " ")
	if err != nil {
		return fmt.Errorf("write the cache: %w", err)
	}
	temp := c.path + ".tmp"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return fmt.Errorf("write the cache: %w", err)
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(temp, c.path)
	}
	if err != nil {
		os.Remove(temp)
		c.entries = nil // what is in memory is not in the file
		return fmt.Errorf("write the cache: %w", err)
	}
	c.state = stateOf(c.path)
	return nil
}

// lockFile waits until no other process has the file locked.
func lockFile(ctx context.Context, name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	err = patiently(ctx, func() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) })
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// patiently tries until a lock is free.
func patiently(ctx context.Context, try func() error) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := try()
		if err == nil || err != syscall.EWOULDBLOCK && err != syscall.EACCES && err != syscall.EINTR {
			return err
		}
		if !pause(ctx, wait) {
			return ctx.Err()
		}
	}
}

package mapgen

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/mapgen/scan"
)

// How much is kept for Undo: of the last few acts, and no more than that many
// bytes of all of them.
const (
	keptActs  = 5
	keptBytes = 32 << 20
)

// journal is a file that gets a line for each directory before its documents
// change: what they said and what they will say. It is written without waiting
// for the disk: after a power cut there may be less to take back.
type journal struct {
	file *os.File
	dir  string
	size int
	full bool
}

// actLine is the first line of a journal, keptLine every other. Names and texts
// are bytes: a name need not be text.
type actLine struct {
	What string    `json:"what"`
	At   time.Time `json:"at"`
	PID  int       `json:"pid"`
}

type keptLine struct {
	Dir    []byte  `json:"dir,omitempty"`
	Map    keptDoc `json:"map"`
	Index  keptDoc `json:"index"`
	Record []byte  `json:"record"`         // as it lay on the disk, nil if there was none
	Full   bool    `json:"full,omitempty"` // from here on nothing was kept
}

// keptDoc is a document before, nil if there was none, and the hash of the one
// after, "" if there is none.
type keptDoc struct {
	Old []byte `json:"old"`
	New string `json:"new"`
}

func keep(r Rewrite) keptDoc { return keptDoc{Old: r.Old, New: sumOf(r.New)} }

func sumOf(data []byte) string {
	if data == nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (s *store) undoDir() string { return filepath.Join(s.dir, "undo") }

func (p *Project) openJournal(what string) (*journal, error) {
	dir := p.store.undoDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("keep what %s replaces: %w", what, err)
	}
	// Named by time, so that the names are in order.
	for at := time.Now().UnixNano(); ; at++ {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%020d.jsonl", at)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("keep what %s replaces: %w", what, err)
		}
		j := &journal{file: f, dir: dir}
		if err := j.line(actLine{What: what, At: p.options.Now().UTC(), PID: os.Getpid()}); err != nil {
			j.close()
			return nil, err
		}
		return j, nil
	}
}

func (j *journal) add(c Change, record []byte) error {
	if j.full {
		return nil
	}
	size := len(c.Map.Old) + len(c.Index.Old) + len(record)
	if j.full = j.size+size > keptBytes; j.full {
		return j.line(keptLine{Full: true})
	}
	j.size += size
	return j.line(keptLine{Dir: []byte(c.Dir), Map: keep(c.Map), Index: keep(c.Index), Record: record})
}

func (j *journal) line(v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		_, err = j.file.Write(append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep what is replaced: %w", err)
	}
	return nil
}

// close ends a journal and lets go of the oldest beyond what is kept.
func (j *journal) close() {
	if j == nil {
		return
	}
	j.file.Close()
	names := journals(j.dir)
	var all int64
	for i, name := range slices.Backward(names) {
		info, err := os.Lstat(name)
		if err != nil {
			continue
		}
		all += info.Size()
		newest := i == len(names)-1
		if !newest && (len(names)-i > keptActs || all > 2*keptBytes) {
			os.Remove(name)
		}
	}
}

// journals are those there are, the oldest first.
func journals(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// readJournal reads what was kept of an act. A last line that is torn tells of
// a change that was never made.
func readJournal(name string) (a actLine, lines []keptLine, err error) {
	data, err := scan.ReadFile(name, 4*keptBytes)
	if err != nil {
		return a, nil, err
	}
	for i, raw := range bytes.Split(data, []byte("\n")) {
		if i == 0 {
			if err := json.Unmarshal(raw, &a); err != nil {
				return a, nil, fmt.Errorf("read %s: %w", filepath.Base(name), err)
			}
			continue
		}
		var l keptLine
		if json.Unmarshal(raw, &l) == nil && (l.Full || len(l.Dir) > 0) {
			lines = append(lines, l)
		}
	}
	return a, lines, nil
}

// headOf is the first line of a journal; its other lines may be long.
func headOf(name string) (a actLine, err error) {
	f, err := os.Open(name)
	if err != nil {
		return a, err
	}
	defer f.Close()
	raw, err := bufio.NewReader(f).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	return a, err
}

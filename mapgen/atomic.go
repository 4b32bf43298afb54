package mapgen

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"growbench/mapgen/scan"
)

// errLeadsOut: a document's place is a symbolic link out of the project.
var errLeadsOut = errors.New("a symbolic link that leads out of the project")

// place is where a document really lies: a link inside the project is
// resolved, one that leaves it is refused.
func (p *Project) place(rel string) (string, error) {
	full := p.path(rel)
	info, err := os.Lstat(full)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return full, nil
	}
	target, err := filepath.EvalSymlinks(full)
	if err != nil {
		link, readErr := os.Readlink(full)
		if readErr != nil {
			return "", fmt.Errorf("%s: %w", rel, err)
		}
		if target = link; !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(full), link)
		}
	}
	if !strings.HasPrefix(target, p.root+string(filepath.Separator)) {
		return "", fmt.Errorf("%s: %w", rel, errLeadsOut)
	}
	return target, nil
}

// readDocument reads one of our documents; nil when it is not there.
func (p *Project) readDocument(rel string) ([]byte, error) {
	full, err := p.place(rel)
	if err != nil {
		return nil, err
	}
	data, err := scan.ReadFile(full, 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rel, err)
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// document is one document and what it should say.
type document struct {
	rel       string
	old, data []byte
}

// writeDocuments makes each document say what it should, in their order, or
// changes nothing where one does already. Readers see the old text or the new.
func (p *Project) writeDocuments(docs ...document) error {
	var temps []*pendingFile
	defer func() {
		for _, t := range temps {
			t.cleanup()
		}
	}()
	for _, d := range docs {
		full, err := p.place(d.rel)
		if err != nil {
			return err
		}
		if d.old != nil && bytes.Equal(d.old, d.data) {
			continue
		}
		t, err := prepare(full, d.data)
		if err != nil {
			return fmt.Errorf("write %s: %w", d.rel, err)
		}
		temps = append(temps, t)
	}
	if err := toDisk.sync(temps); err != nil {
		return fmt.Errorf("write %s: %w", docs[0].rel, err)
	}
	for _, t := range temps {
		if err := t.commit(); err != nil {
			return fmt.Errorf("write %s: %w", t.full, err)
		}
	}
	return nil
}

// pendingFile is a temporary file that is about to take another's place.
type pendingFile struct {
	full string
	file *os.File
	done bool
}

func prepare(full string, data []byte) (*pendingFile, error) {
	if info, err := os.Lstat(full); err == nil && !info.Mode().IsRegular() {
		return nil, scan.ErrNotRegular
	}
	f, err := os.CreateTemp(filepath.Dir(full), scan.TempPrefix+"*")
	if err != nil {
		return nil, err
	}
	t := &pendingFile{full: full, file: f}
	if err := f.Chmod(0o644); err != nil {
		t.cleanup()
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		t.cleanup()
		return nil, err
	}
	return t, nil
}

func (t *pendingFile) commit() error {
	if err := t.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(t.file.Name(), t.full); err != nil {
		return err
	}
	t.done = true
	return nil
}

func (t *pendingFile) cleanup() {
	if !t.done {
		t.file.Close()
		os.Remove(t.file.Name())
	}
}

// replace makes data the content of one file in one step.
func replace(full string, data []byte) error {
	t, err := prepare(full, data)
	if err != nil {
		return err
	}
	defer t.cleanup()
	if err := toDisk.sync([]*pendingFile{t}); err != nil {
		return err
	}
	return t.commit()
}

// docState is what a document looks like now; the zero value when it is not
// there.
func (p *Project) docState(rel string, hash [32]byte) docRecord {
	full, err := p.place(rel)
	if err != nil {
		return docRecord{}
	}
	info, err := os.Lstat(full)
	if err != nil || !info.Mode().IsRegular() {
		return docRecord{}
	}
	return docRecord{Size: info.Size(), ModTime: info.ModTime().UnixNano(), Change: scan.ChangeTime(info), Hash: hash}
}

// same says that a document has not been touched since it was recorded.
func (d docRecord) same(now docRecord) bool {
	return d.Size > 0 && d.Size == now.Size && d.ModTime == now.ModTime && d.Change == now.Change
}

func hashOf(data []byte) [32]byte { return sha256.Sum256(data) }

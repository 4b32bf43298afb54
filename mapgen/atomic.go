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

// resolve is where the document at a symbolic link really lies. One that
// leaves the project is refused.
func (p *Project) resolve(rel string) (string, error) {
	full := p.path(rel)
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

// locate is where a document really lies, and what is there: nil when nothing
// is.
func (p *Project) locate(rel string) (full string, info fs.FileInfo, err error) {
	full = p.path(rel)
	info, err = os.Lstat(full)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if full, err = p.resolve(rel); err != nil {
			return "", nil, err
		}
		info, err = os.Lstat(full)
	}
	if err != nil {
		return full, nil, nil
	}
	return full, info, nil
}

// readDocument reads one of our documents; nil when it is not there.
func (p *Project) readDocument(rel string) ([]byte, error) {
	const limit = 64 << 20
	data, err := scan.ReadFile(p.path(rel), limit)
	if errors.Is(err, scan.ErrNotRegular) {
		// A link, it may be.
		var full string
		if full, _, err = p.locate(rel); err != nil {
			return nil, err
		}
		data, err = scan.ReadFile(full, limit)
	}
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
	old, data []byte // old is nil when it is not there
}

func (d document) changes() bool { return d.old == nil || !bytes.Equal(d.old, d.data) }

// writeDocuments makes each document say what it should, in their order, or
// changes nothing where one does already. Readers see the old text or the new.
func (p *Project) writeDocuments(docs ...document) error {
	temps, err := p.prepareDocuments(docs)
	defer discard(temps)
	if err != nil {
		return err
	}
	if err := syncFiles(temps); err != nil {
		return fmt.Errorf("write %s: %w", docs[0].rel, err)
	}
	return putInPlace(temps)
}

// prepareDocuments writes what changes beside its place.
func (p *Project) prepareDocuments(docs []document) ([]*pendingFile, error) {
	var temps []*pendingFile
	for _, d := range docs {
		full, info, err := p.locate(d.rel)
		if err != nil {
			return temps, err
		}
		if !d.changes() {
			continue
		}
		t, err := prepare(full, info, d.data)
		if err != nil {
			return temps, fmt.Errorf("write %s: %w", d.rel, err)
		}
		temps = append(temps, t)
	}
	return temps, nil
}

// pendingFile is a temporary file that is about to take another's place.
type pendingFile struct {
	full, temp string
	done       bool
}

// prepare writes data beside the place it is for; was is what is there.
func prepare(full string, was fs.FileInfo, data []byte) (*pendingFile, error) {
	if was != nil && !was.Mode().IsRegular() {
		return nil, scan.ErrNotRegular
	}
	f, err := os.CreateTemp(filepath.Dir(full), scan.TempPrefix+"*")
	if err != nil {
		return nil, err
	}
	t := &pendingFile{full: full, temp: f.Name()}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		t.discard()
		return nil, err
	}
	return t, nil
}

// putInPlace renames files that are on the disk, in their order.
func putInPlace(temps []*pendingFile) error {
	for _, t := range temps {
		if err := os.Rename(t.temp, t.full); err != nil {
			return fmt.Errorf("write %s: %w", t.full, err)
		}
		t.done = true
	}
	return nil
}

func (t *pendingFile) discard() {
	if !t.done {
		os.Remove(t.temp) // gone already: the next scan has swept it
	}
}

func discard(temps []*pendingFile) {
	for _, t := range temps {
		t.discard()
	}
}

// replace makes data the content of one file in one step.
func replace(full string, data []byte) error {
	info, err := os.Lstat(full)
	if err != nil {
		info = nil
	}
	t, err := prepare(full, info, data)
	if err != nil {
		return err
	}
	temps := []*pendingFile{t}
	defer discard(temps)
	if err := syncFiles(temps); err != nil {
		return err
	}
	return putInPlace(temps)
}

// docState is what a document looks like now; the zero value when it is not
// there.
func (p *Project) docState(rel string, hash [32]byte) docRecord {
	_, info, err := p.locate(rel)
	if err != nil || info == nil || !info.Mode().IsRegular() {
		return docRecord{}
	}
	return docRecord{Size: info.Size(), ModTime: info.ModTime().UnixNano(), Change: scan.ChangeTime(info), Hash: hash}
}

// same says that a document has not been touched since it was recorded.
func (d docRecord) same(now docRecord) bool {
	return d.Size > 0 && d.Size == now.Size && d.ModTime == now.ModTime && d.Change == now.Change
}

func hashOf(data []byte) [32]byte { return sha256.Sum256(data) }

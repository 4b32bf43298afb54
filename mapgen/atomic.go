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

// writeDocument makes data the content of a document, or changes nothing when
// it is that already. Readers see the old text or the new one.
func (p *Project) writeDocument(rel string, old, data []byte) error {
	full, err := p.place(rel)
	if err != nil {
		return err
	}
	if old != nil && bytes.Equal(old, data) {
		return nil
	}
	if err := replace(full, data); err != nil {
		return fmt.Errorf("write %s: %w", rel, err)
	}
	return nil
}

func replace(full string, data []byte) (err error) {
	if info, err := os.Lstat(full); err == nil && !info.Mode().IsRegular() {
		return scan.ErrNotRegular
	}
	f, err := os.CreateTemp(filepath.Dir(full), scan.TempPrefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), full)
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

package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// FileHash is a project file an item names: a path relative to the project's
// root, with slashes, and the SHA-256 of the content in hex.
type FileHash struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

const (
	maxBoundBytes = 256 << 20 // of all files that one project names
	maxBoundFiles = 500       // in one skill's folder
	maxBoundWords = 500       // in one command
	maxFolders    = 8         // that the words of one command name
)

// binder finds the files of the project that an item names and hashes them,
// so that editing the script asks again. It sees names, not meanings: what a
// named script calls in turn, and what "make" or "npm" read by themselves, is
// beyond it. A file that appears later changes the item too.
type binder struct {
	root    string
	budget  *int64 // bytes that may still be read, shared by all items
	files   []FileHash
	problem string
}

func (b *binder) words(argv []string) {
	var all []string
	for _, arg := range argv {
		all = append(all, arg)
		all = append(all, shellWords(arg)...)
	}
	b.named(all)
}

func (b *binder) command(line string) { b.named(shellWords(line)) }

// shellWords cuts a command twice: at everything that can end a file name in
// a shell, and as quotes join it ("my script.sh"). Words that a shell would
// not see do no harm: they only bind more.
func shellWords(line string) []string {
	words := strings.FieldsFunc(line, func(r rune) bool {
		return strings.ContainsRune(" \t\r\n;|&<>()[]{}$\"'`=,:@", r)
	})
	var word strings.Builder
	quote, escaped := rune(0), false
	for _, r := range line + " " {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case quote == 0 && strings.ContainsRune(" \t\r\n;|&<>", r):
			if word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// named binds each word that is a file, from the root or from a folder that
// another word names (cd ci && sh check.sh).
func (b *binder) named(words []string) {
	if len(words) > maxBoundWords {
		b.fail("the command", fmt.Errorf("has more than %d words", maxBoundWords))
		return
	}
	folders := []string{b.root}
	for _, word := range words {
		path := b.absolute(b.root, word)
		if info, err := os.Stat(path); err == nil && info.IsDir() && b.inside(path) && !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	if len(folders) > maxFolders {
		b.fail("the command", fmt.Errorf("names more than %d folders", maxFolders))
		return
	}
	for _, word := range words {
		for _, folder := range folders {
			if path := b.absolute(folder, word); b.inside(path) {
				b.add(path)
			}
		}
	}
}

// file binds one file by its path.
func (b *binder) file(name string) {
	if name != "" {
		b.add(b.absolute(b.root, name))
	}
}

// tree binds a file or everything in a folder.
func (b *binder) tree(name string) {
	top := b.absolute(b.root, name)
	if info, err := os.Stat(top); err != nil || !info.IsDir() {
		b.add(top)
		return
	}
	top, err := filepath.EvalSymlinks(top)
	if err != nil || !b.inside(top) {
		b.fail(name, errors.New("leads out of the project"))
		return
	}
	err = filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return reason(err)
		case entry.IsDir():
			return nil
		case entry.Type()&fs.ModeSymlink != 0:
			return fmt.Errorf("holds a link (%s): put the file itself there", quoted(entry.Name()))
		case len(b.files) >= maxBoundFiles:
			return fmt.Errorf("holds more than %d files", maxBoundFiles)
		}
		b.add(path)
		return nil
	})
	if err != nil {
		b.fail(name, err)
	}
}

func (b *binder) absolute(folder, word string) string {
	if filepath.IsAbs(word) {
		return filepath.Clean(word)
	}
	return filepath.Join(folder, word)
}

// inside is true for paths within the project, by name or after links.
func (b *binder) inside(path string) bool {
	if rel, err := filepath.Rel(b.root, path); err == nil && filepath.IsLocal(rel) {
		return true
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(b.root, resolved)
	return err == nil && filepath.IsLocal(rel)
}

func (b *binder) add(path string) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ENAMETOOLONG) || errors.Is(err, unix.EINVAL) {
		return
	}
	name := path
	if rel, relErr := filepath.Rel(b.root, path); relErr == nil {
		name = filepath.ToSlash(rel)
	}
	if err != nil {
		b.fail(name, reason(err))
		return
	}
	if info.IsDir() || slices.ContainsFunc(b.files, func(f FileHash) bool { return f.Path == name }) {
		return
	}
	sum, err := hashFile(path, info, b.budget)
	if err != nil {
		b.fail(name, err)
		return
	}
	b.files = append(b.files, FileHash{Path: name, SHA256: sum})
}

func (b *binder) fail(name string, err error) {
	if b.problem == "" {
		b.problem = visible(name) + " " + err.Error()
	}
}

func hashFile(path string, info fs.FileInfo, budget *int64) (string, error) {
	if err := mustBeRegular(info); err != nil {
		return "", err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return "", reason(err)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return "", reason(err)
	}
	if err := mustBeRegular(info); err != nil {
		return "", err
	}
	hash := sha256.New()
	read := info.Size()
	if read <= *budget { // else it need not be read to be refused
		if read, err = io.Copy(hash, io.LimitReader(file, *budget+1)); err != nil {
			return "", reason(err)
		}
	}
	if *budget -= read; *budget < 0 {
		*budget = 0
		return "", fmt.Errorf("is too large: all files that the project names may have %s", Bytes(maxBoundBytes))
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ours are the only places of a user's git directory that growbench may write,
// beside adding objects.
var ours = []string{"/refs/growbench", "/refs/heads/giver"}

// fingerprint describes every path below dir by kind, mode and content.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		for _, own := range ours {
			if strings.Contains(rel, ".git/") && strings.HasSuffix(rel, own) {
				return fs.SkipDir
			}
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			text += " " + hex.EncodeToString(sum[:])
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			text += " -> " + target
		}
		found[rel] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// sameFiles fails for every path that differs; objects may be added.
func sameFiles(t *testing.T, before, after map[string]string) {
	t.Helper()
	for _, path := range sorted(before) {
		if after[path] != before[path] {
			t.Errorf("%q: was %s, is %s", path, before[path], after[path])
		}
	}
	for _, path := range sorted(after) {
		if _, known := before[path]; !known && !isObject(path) {
			t.Errorf("%q is new", path)
		}
	}
}

func isObject(path string) bool {
	_, inside, ok := strings.Cut(path, ".git/")
	return ok && strings.Contains("/"+inside, "/objects/")
}

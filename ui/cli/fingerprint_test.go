package cli

import (
	"slices"
	"strings"
	"testing"

	"growbench/testdata/fixture"
)

// ours are the only places of a user's git directory that growbench may write,
// beside adding objects.
var ours = []string{"/refs/growbench", "/refs/heads/giver"}

// fingerprint describes every path below dir by kind, mode and content.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	return fixture.Fingerprint(t, dir, func(rel string) bool {
		return strings.Contains(rel, ".git/") && slices.ContainsFunc(ours, func(own string) bool { return strings.HasSuffix(rel, own) })
	})
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

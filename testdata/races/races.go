// Package races keeps the race detector's reports off the terminals of child
// processes: there they would spoil the screen, and where a terminal takes no
// output hold up the process for ever.
package races

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Apart is the setting, as a line of an environment, by which a process built
// with the race detector writes its reports to files and ends with its own
// exit code. A report fails the test.
func Apart(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "races") // not named after the test: a comma ends a setting
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer os.RemoveAll(dir)
		files, err := filepath.Glob(filepath.Join(dir, "race.*"))
		if err != nil {
			t.Error(err)
		}
		for _, name := range files {
			reports, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
			}
			for report := range strings.SplitSeq(string(reports), "==================\n") {
				if strings.Contains(report, "DATA RACE") && !known(report) {
					t.Error(report)
				}
			}
		}
	})
	return "GORACE=exitcode=0 log_path=" + filepath.Join(dir, "race")
}

// known tells the one race of the libraries: the program closes its reader
// half a second after its end even while that still has a read under way.
func known(report string) bool {
	return strings.Contains(report, "cancelreader.(*epollCancelReader).Close()")
}

package mapgen

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestConfigFile(t *testing.T) {
	c, warnings, err := ParseConfig([]byte("{\"promptInjectionMode\": \"strict\", \"ignore\": [\"*.snap\"],\n\"theirs\": 1, \"summary\": {\"files\": 9}}"))
	if err != nil || c.PromptInjectionMode != "strict" || c.DirtyThreshold != 3 || c.Summary != (Summary{9, 1500}) || len(c.Ignore) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if len(warnings) != 1 || warnings[0] != ConfigName+":2: theirs: unknown, ignored" {
		t.Errorf("warnings %q", warnings)
	}
	for text, where := range map[string]string{
		"{\n\"retries\": \"3\"}": ConfigName + ":2: retries: wants int, is string", "{\n\n\"rescan\": \"weekly\"}": ConfigName + ":3: rescan: choose off, session or daily",
		"{\"ignore\": [\"a\\nb\"]}": ConfigName + ":1: ignore: a pattern holds a line break", "{": ConfigName + ":1: unexpected end of JSON input",
	} {
		var bad *ConfigError
		if _, _, err := ParseConfig([]byte(text)); !errors.As(err, &bad) || err.Error() != where {
			t.Errorf("%q: %v", text, err)
		}
	}
	root := t.TempDir()
	if c, _, err := LoadConfig(root); err != nil || c.Rescan != "session" {
		t.Errorf("no file: %+v, %v", c, err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, ConfigName), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, warnings, err := LoadConfig(root); err != nil || len(warnings) != 1 {
		t.Errorf("a named pipe: %v, %v", warnings, err)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"ignore": ["a"], "summary": {"files": 1}, "x": null}`))
	f.Add([]byte("\xef\xbb\xbf{\"retries\": 1e99}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _, err := ParseConfig(text)
		if err == nil && (c.Ignore == nil || c.Concurrency < 1) {
			t.Fatalf("%+v", c)
		}
	})
}

func TestRescanIsOfferedNotForced(t *testing.T) {
	root := repository(t)
	p, _ := initMap(t, root)
	now := time.Now()
	p.options.Now = func() time.Time { return now.Add(25 * time.Hour) }
	for _, c := range []struct {
		rescan  string
		session time.Time
		due     bool
	}{{"off", now.Add(time.Hour), false}, {"session", now.Add(time.Hour), true}, {"session", now.Add(-time.Hour), false}, {"daily", time.Time{}, true}} {
		if got := p.RescanDue(c.rescan, c.session); got != c.due {
			t.Errorf("%s: due %v", c.rescan, got)
		}
	}
	if _, err := p.Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if p.RescanDue("daily", time.Time{}) {
		t.Error("due right after a scan")
	}
}

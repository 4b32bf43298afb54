package workspace

import (
	"slices"
	"strings"
	"testing"
)

func TestEnvironmentPassesOnlyWhatIsListed(t *testing.T) {
	for name, value := range map[string]string{
		"LC_ALL": "C", "GOFLAGS": "-mod=mod", "TERM": "xterm-256color",
		"OPENAI_API_KEY": "k", "GITHUB_TOKEN": "t", "DB_PASSWORD": "p", "MY_SECRET_THING": "s", "LC_SECRET": "s",
		"GIT_DIR": "/x", "GIT_CONFIG_GLOBAL": "/x", "SOMETHING_ELSE": "x",
	} {
		t.Setenv(name, value)
	}
	env := Environment("GROWBENCH_RUN=r1", "GOFLAGS=-mod=vendor")
	for _, want := range []string{"LC_ALL=C", "GOFLAGS=-mod=vendor", "TERM=dumb", "GROWBENCH_RUN=r1"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	for _, entry := range env {
		for _, never := range []string{"KEY", "TOKEN", "PASSWORD", "SECRET", "GIT_", "SOMETHING_ELSE", "-mod=mod", "xterm"} {
			if strings.Contains(entry, never) {
				t.Errorf("%s was passed on", entry)
			}
		}
	}
}

package config

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestVerifyCommandsAreFoundByLooking(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":           {nil, ""},
		"go":                {map[string]string{"go.mod": "module x"}, "go test ./... (go.mod)"},
		"npm":               {map[string]string{"package.json": "\uFEFF{\"scripts\": {\"test\": \"vitest run\"}}"}, "npm test (package.json, script test: vitest run)"},
		"npm without tests": {map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`}, ""},
		"npm damaged":       {map[string]string{"package.json": `{"scripts": 7`}, ""},
		"rust":              {map[string]string{"Cargo.toml": ""}, "cargo test (Cargo.toml)"},
		"pytest.ini":        {map[string]string{"pytest.ini": ""}, "pytest (pytest.ini)"},
		"pyproject":         {map[string]string{"pyproject.toml": "[tool.pytest.ini_options]"}, "pytest (pyproject.toml mentions pytest)"},
		"pyproject alone":   {map[string]string{"pyproject.toml": "[project]"}, ""},
		"python tests":      {map[string]string{"tests/test_a.py": ""}, "pytest (tests/test_*.py)"},
		"make":              {map[string]string{"Makefile": "all:\n\ttrue\ntest: all\n\tgo test"}, "make test (Makefile, target test)"},
		"make several":      {map[string]string{"Makefile": "check test bench:\n\ttrue"}, "make test (Makefile, target test)"},
		"make double colon": {map[string]string{"makefile": "test ::\n"}, "make test (makefile, target test)"},
		"make variable":     {map[string]string{"Makefile": "test := a\ntest::=b\nX = y test: z\n"}, ""},
		"make other":        {map[string]string{"Makefile": "testing: a\nunit-test:\n\ttest: x\n# test: y\nall: test\n"}, ""},
		"make CRLF":         {map[string]string{"Makefile": "test:\r\n\ttrue\r\n"}, "make test (Makefile, target test)"},
		"two":               {map[string]string{"go.mod": "", "Makefile": "test:\n"}, "go test ./... (go.mod); make test (Makefile, target test)"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			for file, text := range c.files {
				p.file(file, text)
			}
			var got []string
			for _, found := range FindVerify(p.project) {
				got = append(got, found.Command+" ("+found.Why+")")
			}
			equal(t, "found", strings.Join(got, "; "), c.want)
		})
	}
}

func TestFindingNeverBlocks(t *testing.T) {
	p := newPlace(t)
	for _, name := range []string{"go.mod", "package.json", "pyproject.toml", "Makefile", "Cargo.toml", "pytest.ini"} {
		if err := unix.Mkfifo(filepath.Join(p.project, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "found", len(FindVerify(p.project)), 0)
}

func TestFoundCommandsCountOnceTrusted(t *testing.T) {
	p := newPlace(t)
	p.file("package.json", `{"scripts": {"test": "vitest run"}}`)
	verify := func() string { return strings.Join(p.load().Config.Checks.Verify, ",") }

	loaded := p.load()
	equal(t, "verify", verify(), "")
	equal(t, "found", len(loaded.Found), 1)
	if err := loaded.RequireTrust(); err != nil {
		t.Errorf("a found command alone asks for trust: %v", err)
	}
	contains(t, strings.Join(loaded.Notes, "\n"), "found, not run: npm test (package.json, script test: vitest run)")

	p.trust(TrustOptions{})
	equal(t, "without asking for found ones", verify(), "")
	p.trust(TrustOptions{IncludeFound: true})
	equal(t, "trusted", verify(), "npm test")
	equal(t, "source", p.load().Sources["checks.verify"], "found and trusted")
	p.trust(TrustOptions{})
	equal(t, "trusting again keeps it", verify(), "npm test")

	p.file("package.json", `{"scripts": {"test": "curl"}}`)
	equal(t, "another script under the name", verify(), "")

	p.file("package.json", `{"scripts": {"test": "vitest run"}}`)
	p.user(`{"checks": {"verify": []}}`)
	equal(t, "the user wants none", verify(), "")
	equal(t, "nothing is offered", len(p.load().Found), 0)
}

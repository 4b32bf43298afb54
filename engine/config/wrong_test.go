package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWrongProjectFilesNameFileLineAndKey(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"unknown key": {"{\n \"limits\": {\n  \"walll\": \"10m\"\n }\n}",
			[]string{`.growbench.json:3: limits.walll: unknown key (did you mean "wall"?)`}},
		"unknown key in another case": {`{"Limits": {}}`,
			[]string{`.growbench.json:1: Limits: unknown key (did you mean "limits"?)`}},
		"key in the wrong place": {"{\"wall\": \"10m\"}",
			[]string{`.growbench.json:1: wall: unknown key (did you mean "limits.wall"?)`}},
		"swapped letters": {"{\"roles\": {\"wokrer\": \"x\"}}",
			[]string{`.growbench.json:1: roles.wokrer: unknown key (did you mean "worker"?)`}},
		"unlike anything": {`{"checks": {"colour": 1}}`,
			[]string{`.growbench.json:1: checks.colour: unknown key (known here: each, verify, network)`}},
		"several at once": {"{\n\"sandbox\": 3,\n\"limits\": {\"turns\": \"many\",\n\"tokens\": 1.5,\n\"wall\": 10, \"output\": true},\n\"theme\": \"drak\",\n\"checks\": {\"each\": \"go vet\"}}",
			[]string{
				`.growbench.json:2: sandbox: must be a string, not a number`,
				`.growbench.json:3: limits.turns: must be a whole number, not a string`,
				`.growbench.json:4: limits.tokens: must be a whole number, not "1.5"`,
				`.growbench.json:5: limits.wall: must be a time span such as "10m", not a number`,
				`.growbench.json:5: limits.output: must be an amount of data such as "64MB", not true or false`,
				`.growbench.json:6: theme: "drak" is none of auto, light, dark, contrast, none (did you mean "dark"?)`,
				`.growbench.json:7: checks.each: must be a list of strings, not a string`,
			}},
		"duplicate": {"{\n\"scope\": \"ask\",\n\"scope\": \"flag\"\n}",
			[]string{`.growbench.json:3: scope: is given twice (first on line 2): keep one`}},
		"duplicate deep down": {"{\"limits\": {\"turns\": 1,\n\"turns\": 2}}",
			[]string{`.growbench.json:2: limits.turns: is given twice (first on line 1): keep one`}},
		"null": {`{"scope": null}`, []string{`.growbench.json:1: scope: must be a string, not null (leave the key out instead)`}},
		"bad span": {`{"limits": {"wall": "ten"}}`,
			[]string{`.growbench.json:1: limits.wall: "ten" is not a time span (write "90s", "10m" or "1h30m")`}},
		"negative": {`{"limits": {"cost": -1, "chain": "-5m", "output": "0"}}`, []string{
			`.growbench.json:1: limits.chain: must not be below 0 (0 switches the limit off)`,
			`.growbench.json:1: limits.cost: must not be below 0 (0 switches the limit off)`,
			`.growbench.json:1: limits.output: must be above 0: output is always bounded`}},
		"beyond numbers": {`{"limits": {"cost": 1e999, "turns": 99999999999999999999}}`, []string{
			`.growbench.json:1: limits.cost: "1e999" is beyond all numbers`,
			`.growbench.json:1: limits.turns: must be a whole number, not "99999999999999999999"`}},
		"unknown agent": {"{\n\"roles\": {\"worker\": \"locla\"},\n\"map\": {\"llm\": \"zzz\"},\n\"agents\": {\"local\": {\"kind\": \"script\", \"file\": \"s.json\"}}}", []string{
			`.growbench.json:2: roles.worker: there is no agent named "locla" (did you mean "local"?)`,
			`.growbench.json:3: map.llm: there is no agent named "zzz" (there are: local)`}},
		"unknown provider": {`{"agents": {"a": {"kind": "native", "provider": "olama", "model": "m"}}}`,
			[]string{`.growbench.json:1: agents.a.provider: there is no provider named "olama" (did you mean "ollama"?)`}},
		"agents": {"{\"agents\": {\n\"a\": {},\n\"b\": {\"kind\": \"comand\"},\n\"c\": {\"kind\": \"command\"},\n\"d\": {\"kind\": \"native\", \"argv\": [\"x\"]},\n\"e\": {\"kind\": \"command\", \"argv\": [\"x\"], \"prompt\": \"args\"},\n\"f\": {\"kind\": \"script\"}}}", []string{
			`.growbench.json:2: agents.a: needs "kind": acp, command, native or script`,
			`.growbench.json:3: agents.b.kind: "comand" is none of acp, command, native, script (did you mean "command"?)`,
			`.growbench.json:4: agents.c: needs "argv", the program to start, or "preset"`,
			`.growbench.json:5: agents.d.argv: does not belong to kind native (which has provider, model, network)`,
			`.growbench.json:5: agents.d: needs "provider" and "model"`,
			`.growbench.json:6: agents.e.prompt: "args" is none of stdin, argument`,
			`.growbench.json:7: agents.f: needs "file", the recorded steps`}},
		"one report for a kind of the wrong type": {`{"agents": {"a": {"kind": 3}}}`,
			[]string{`.growbench.json:1: agents.a.kind: must be a string, not a number`}},
		"where an agent comes from is not for files": {`{"agents": {"a": {"kind": "script", "file": "s.json", "dir": "/"}}}`,
			[]string{`.growbench.json:1: agents.a.dir: unknown key (known here: kind, provider, model, preset, argv, prompt, decode, env, file, network)`}},
		"paths that leave": {`{"workspace": {"copy": ["../x", "/etc/passwd", "a/../..", ".git/config", "ok"]}, "skills": ["../s"], "agents": {"a": {"kind": "script", "file": "../s.json"}}}`, []string{
			`.growbench.json:1: workspace.copy[0]: "../x" leads out of the project`,
			`.growbench.json:1: workspace.copy[1]: "/etc/passwd" must be relative to the project`,
			`.growbench.json:1: workspace.copy[2]: "a/../.." leads out of the project`,
			`.growbench.json:1: workspace.copy[3]: ".git/config" is git's own folder, which a clone has already`,
			`.growbench.json:1: skills[0]: "../s" leads out of the project`,
			`.growbench.json:1: agents.a.file: "../s.json" leads out of the project`}},
		"empty command":  {`{"checks": {"each": ["go vet", " "]}}`, []string{`.growbench.json:1: checks.each[1]: is empty`}},
		"NUL":            {`{"checks": {"each": ["a\u0000b"]}}`, []string{`.growbench.json:1: checks.each[0]: contains a NUL character`}},
		"hostile key":    {"{\"\\u001b[2Jx\": 1}", []string{`.growbench.json:1: "\x1b[2Jx": unknown key (known here: providers, agents, roles, checks, limits, permissions, workspace, sandbox, affected, affected_delay, scope, base, theme, attention, map, skills, mirrors, telegram)`}},
		"hostile name":   {`{"agents": {"a\u202eb": {"kind": "script", "file": "x"}}}`, []string{".growbench.json:1: agents.\"a\\u202eb\": is not a usable name: use letters, digits, - and _"}},
		"trailing comma": {"{\n\"scope\": \"flag\",\n}", []string{`.growbench.json:3: is not valid JSON: there is a comma before the closing bracket`}},
		"comment":        {"{\n// hello\n}", []string{`.growbench.json:2: is not valid JSON: comments are not part of JSON`}},
		"cut off":        {"{\n\"scope\": \"fl", []string{`.growbench.json:2: is not valid JSON: it ends too early: a bracket or quote is not closed`}},
		"too many":       {`{"checks": {"each": [` + strings.Repeat(`"x",`, 500) + `"x"]}}`, []string{`.growbench.json: defines 501 agents, commands and the like; a project may have 500`}},
		"two values":     {"{}\n{}", []string{`.growbench.json:2: is not valid JSON: invalid character '{' after top-level value`}},
		"CR line ends":   {"{\r\"scope\":\r7}", []string{`.growbench.json:3: scope: must be a string, not a number`}},
		"CRLF line ends": {"{\r\n\"scope\":\r\n7}", []string{`.growbench.json:3: scope: must be a string, not a number`}},
		"a list":         {"\n[]", []string{`.growbench.json:2: must hold an object ({ … }), not a list`}},
		"empty":          {" \n", []string{`.growbench.json:1: is empty: write {} or delete it`}},
		"UTF-16":         {"\xff\xfe{\x00}\x00", []string{`.growbench.json:1: is written in UTF-16: save it as UTF-8`}},
		"not UTF-8":      {"{\n\"scope\": \"\xe9\"}", []string{`.growbench.json:2: is not valid UTF-8: save it as UTF-8`}},
		"too deep":       {strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100), []string{`.growbench.json:1: is nested too deeply`}},
		"too large":      {"{" + strings.Repeat(" ", maxConfig) + "}", []string{`.growbench.json: is larger than 1MB`}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.own(c.text)
			_, err := p.tryLoad()
			problems, ok := errors.AsType[*ProblemsError](err)
			if !ok {
				t.Fatalf("got %v, want a *ProblemsError", err)
			}
			equal(t, "problems", problems.Error(), strings.Join(c.want, "\n"))
		})
	}
}

func TestWrongUserFileEnvironmentAndFlagsAreReportedTogether(t *testing.T) {
	p := newPlace(t)
	p.user("{\n\"roles\": {\"worker\": \"nobody\"},\n\"providers\": {\"p\": {\"kind\": \"openai\"}}}")
	p.own(`{"scope": "no"}`)
	t.Setenv("GROWBENCH_THEME", "neon")
	t.Setenv("GROWBENCH_WALL", "soon")
	_, err := p.tryLoad(Override{"base", "tail", "flag --base"}, Override{"checks.each", "x", "flag --each"})
	if err == nil {
		t.Fatal("nothing reported")
	}
	equal(t, "problems", err.Error(), strings.Join([]string{
		`~/.config/growbench/config.json:2: roles.worker: there is no agent named "nobody": define it under "agents"`,
		`~/.config/growbench/config.json:3: providers.p: needs "url", such as "http://127.0.0.1:8000/v1"`,
		`.growbench.json:1: scope: "no" is none of flag, ask, quarantine`,
		`env GROWBENCH_THEME: theme: "neon" is none of auto, light, dark, contrast, none`,
		`env GROWBENCH_WALL: limits.wall: "soon" is not a time span (write "90s", "10m" or "1h30m")`,
		`flag --base: base: "tail" is none of head, snapshot`,
		`flag --each: checks.each: is set in a configuration file only`,
	}, "\n"))
}

func TestMessagesNeverShowWhatMayBeAKey(t *testing.T) {
	const secret = "sk-live-0123456789"
	for _, provider := range []string{
		`"key_env": "` + secret + `"`, `"api_key": "` + secret + `"`, `"url": "http://me:` + secret + `@host/v1"`,
	} {
		p := newPlace(t)
		p.user(`{"providers": {"p": {"kind": "ollama", ` + provider + `}}}`)
		_, err := p.tryLoad()
		if err == nil {
			t.Fatalf("%s: accepted", provider)
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the message shows the key: %v", err)
		}
		contains(t, err.Error(), "environment", "config.json:1: providers.p.")
	}
}

func TestAMessageStaysShort(t *testing.T) {
	p := newPlace(t)
	var text strings.Builder
	text.WriteString("{")
	for i := range 5000 {
		fmt.Fprintf(&text, "\"k%d\": 1,\n", i)
	}
	p.own(text.String() + `"scope": "flag"}`)
	_, err := p.tryLoad()
	problems, _ := errors.AsType[*ProblemsError](err)
	if problems == nil || len(problems.Problems) != 5000 {
		t.Fatalf("got %v", err)
	}
	equal(t, "lines", strings.Count(err.Error(), "\n"), shownProblems)
	contains(t, err.Error(), "… and 4950 more")
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	for name, c := range map[string]struct {
		make func(path string) error
		want string
	}{
		"named pipe": {func(path string) error { return unix.Mkfifo(path, 0o644) }, "is a named pipe, not a file"},
		"socket": {func(path string) error {
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			// A socket's path is limited to 108 bytes: go through the open folder.
			dir, err := os.Open(filepath.Dir(path))
			if err != nil {
				return err
			}
			defer dir.Close()
			return unix.Bind(fd, &unix.SockaddrUnix{Name: fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path))})
		}, "is a socket, not a file"},
		"folder":           {func(path string) error { return os.Mkdir(path, 0o755) }, "is a folder, not a file"},
		"device":           {func(path string) error { return os.Symlink("/dev/zero", path) }, "project"},
		"link to nowhere":  {func(path string) error { return os.Symlink("nothing", path) }, "is a link that leads nowhere"},
		"link in a circle": {func(path string) error { return os.Symlink(filepath.Base(path), path) }, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			user := p.user("{}")
			if err := os.Remove(user); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{user, filepath.Join(p.project, ProjectFile)} {
				if err := c.make(path); err != nil {
					t.Fatal(err)
				}
			}
			_, err := p.tryLoad()
			if err == nil {
				t.Fatal("accepted")
			}
			if name == "device" { // the user's own link may lead anywhere, but not to a device
				contains(t, err.Error(), "config.json: is a device, not a file", ".growbench.json: is a link that leads out of the project")
				return
			}
			contains(t, err.Error(), "config.json: "+c.want, ".growbench.json: "+c.want)
		})
	}
}

func TestLinksToConfigurationFiles(t *testing.T) {
	p := newPlace(t)
	dotfiles := p.write(filepath.Join(p.home, "dotfiles/gb.json"), `{"theme": "dark"}`)
	user := p.user("")
	os.Remove(user)
	if err := os.Symlink(dotfiles, user); err != nil {
		t.Fatal(err)
	}
	p.file("conf/gb.json", `{"scope": "ask"}`)
	link := filepath.Join(p.project, ProjectFile)
	if err := os.Symlink("conf/gb.json", link); err != nil {
		t.Fatal(err)
	}
	loaded := p.load()
	equal(t, "theme", loaded.Config.Theme, "dark")
	equal(t, "scope", loaded.Config.Scope, "ask")

	os.Remove(link)
	if err := os.Symlink(dotfiles, link); err != nil {
		t.Fatal(err)
	}
	_, err := p.tryLoad()
	if err == nil {
		t.Fatal("a link out of the project was followed")
	}
	equal(t, "error", err.Error(), ".growbench.json: is a link that leads out of the project")
}

package engine

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/creack/pty"

	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
	"growbench/testdata/fixture"
)

// userSecret is what no agent may come to know: keys, the environment and the
// user's terminal hold it.
const userSecret = "S3CRET-of-the-user"

// home is a user's home folder with a project in it, and growbench's own
// folders where a user has them. It lies outside /tmp, as a private /tmp would
// hide all of it.
type home struct {
	*bench
	kind, dir, config string
	tool              string // this test binary, where every sandbox can read it
	pts               string // the user's terminal
}

// sandboxModes are the kinds of sandbox, as a configuration asks for them.
var sandboxModes = []string{workspace.SandboxBwrap, workspace.SandboxLandlock, "off"}

// eachKind runs check with every sandbox. A machine that lacks one must say so
// when a run asks for it.
func eachKind(t *testing.T, check func(t *testing.T, mode string)) {
	for _, mode := range sandboxModes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			if _, _, err := workspace.DetectSandbox(mode); err != nil {
				b := newBench(t, twoFiles)
				dirs := b.createFor(program(t, "exit 1"), order{plan: oneTask(), sandbox: mode})
				if err := b.spawn(dirs, nil); !errors.Is(err, workspace.ErrNoSandbox) && (err == nil || !strings.Contains(err.Error(), "sandbox")) {
					t.Errorf("without %s a run begins: %v", mode, err)
				}
				return
			}
			check(t, mode)
		})
	}
}

// newHome makes a home whose project holds files.
func newHome(t *testing.T, mode string, files map[string]string) *home {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "growbench-test-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	h := &home{kind: mode, dir: dir, config: filepath.Join(dir, ".config/growbench"), tool: filepath.Join(dir, "tool")}
	must(t, os.MkdirAll(h.config, 0o700))
	put(t, filepath.Join(dir, ".ssh/id_ed25519"), userSecret+"\n")
	for name, content := range files {
		put(t, filepath.Join(dir, "project", name), content)
	}
	commitAll(t, filepath.Join(dir, "project"))
	self, err := os.ReadFile("/proc/self/exe")
	must(t, err)
	must(t, os.WriteFile(h.tool, self, 0o755))
	master, tty, err := pty.Open()
	must(t, err)
	t.Cleanup(func() { master.Close(); tty.Close() })
	_, err = master.WriteString(userSecret + "\n")
	must(t, err)
	h.pts = tty.Name()
	h.bench = benchOn(t, filepath.Join(dir, "project"))
	h.state = filepath.Join(dir, ".local/state/growbench")
	return h
}

var put = fixture.Put

func commitAll(t testing.TB, dir string) {
	t.Helper()
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "base")
}

// env is what a run's owner is started with: the user's environment.
func (h *home) env() []string {
	return []string{
		"HOME=" + h.dir, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_RUNTIME_DIR=",
		"PLANTED_TOKEN=" + userSecret, "lab_access=" + userSecret, "OPENAI_API_KEY=" + userSecret,
	}
}

// create makes a run whose agent is the script of lines, beside the user's
// configuration. Lines may use what the head defines.
func (h *home) order(lines string, o order) Dirs {
	h.t.Helper()
	o.sandbox = h.kind
	mine := config.Agent{Kind: "command", Argv: []string{"sh", "agent.sh"}, Decode: "text", Dir: h.config}
	dirs := h.createFor(mine, o)
	spec, err := LoadSpec(dirs.Run)
	must(h.t, err)
	stream := mine
	stream.Decode = "pi"
	spec.Config.Agents["stream"] = stream
	spec.Config.Providers = map[string]config.Provider{"lab": {Kind: "openai", URL: "http://127.0.0.1:1/v1", KeyEnv: "lab_access"}}
	must(h.t, saveSpec(dirs.Run, spec))
	socket, err := socketPath(spec.Run)
	must(h.t, err)
	head := fmt.Sprintf("HOMEDIR='%s' PROJECT='%s' RUN='%s' TOOL='%s' SOCKET='%s' PTS='%s'\n",
		h.dir, h.project.Root, dirs.Run, h.tool, socket, h.pts)
	put(h.t, filepath.Join(h.config, "agent.sh"), head+scriptHead+lines)
	return dirs
}

// scriptHead reads which Worker it is, and knows how to print a RESULT.
const scriptHead = `prompt=$(cat); k=${prompt#You are Worker }; k=${k%%[!0-9]*}
res() { printf '# RESULT #%s (by Worker %s)\n\n## Files\n- modified: out/%s.txt\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\n%s\n' "$1" "$1" "$1" "$2"; }
`

// start gives the run its owner.
func (h *home) start(dirs Dirs) {
	h.t.Helper()
	if err := h.spawn(dirs, nil, h.env()...); err != nil {
		h.t.Fatalf("%v\n%s", err, ownerLog(dirs))
	}
}

// manyTasks are n tasks with a file each.
func manyTasks(n int) (doc.Plan, map[string]string) {
	var plan doc.Plan
	files := map[string]string{}
	for k := range n {
		path := fmt.Sprintf("out/%d.txt", k+1)
		plan.Tasks = append(plan.Tasks, task(fmt.Sprint("part ", k+1), k, path))
		files[path] = "start\n"
	}
	return plan, files
}

// snapshot is what stands below dir: kind, mode and content of each path.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			text += " " + target
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		rel, err := filepath.Rel(dir, path)
		found[rel] = text
		return err
	})
	must(t, err)
	return found
}

// untouched fails when anything of the user's project is not as it was, but for
// the refs and objects a run adds to it.
func untouched(t *testing.T, project string, before map[string]string) {
	t.Helper()
	after := snapshot(t, project)
	for _, path := range slices.Sorted(maps.Keys(after)) {
		was, there := before[path]
		ours := !there && slices.ContainsFunc([]string{".git/objects/", ".git/refs/growbench", ".git/refs/heads/giver", ".git/logs/"},
			func(place string) bool { return strings.HasPrefix(path, place) })
		if was != after[path] && !ours {
			t.Errorf("the user's %s was %q and is %q", path, cmp.Or(was, "not there"), after[path])
		}
	}
	for path := range before {
		if _, there := after[path]; !there {
			t.Errorf("the user's %s is gone", path)
		}
	}
	if out := git(t, project, "fsck", "--full", "--strict"); strings.Contains(out, "error") || strings.Contains(out, "missing") {
		t.Errorf("git fsck: %s", out)
	}
}

// printed is all an agent has been heard to say.
func printed(t testing.TB, dirs Dirs, k int) string {
	t.Helper()
	data, err := os.ReadFile(event.TranscriptPath(dirs.Run, k))
	must(t, err)
	return string(data)
}

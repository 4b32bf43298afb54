package engine

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// connectTo connects to an address and is silent when it could.
func connectTo(address string) int {
	c, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Println(err)
		return 3
	}
	defer c.Close()
	if _, err := io.WriteString(c, "x"); err != nil {
		return 3
	}
	return 0
}

// dialer is a copy of this test binary where every sandbox can read it.
func dialer(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "growbench-tool-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	self, err := os.Executable()
	must(t, err)
	from, err := os.Open(self)
	must(t, err)
	defer from.Close()
	path := filepath.Join(dir, "tool")
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(to, from)
	must(t, err)
	must(t, to.Close())
	return path
}

// An agent, a setup and checks reach a server on this machine or not, as each
// is set, in every kind of sandbox there is and without one.
func TestNetworkIsWhatEachIsGiven(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { server.Close() })
	go func() {
		for {
			c, err := server.Accept()
			if err != nil {
				return
			}
			go func() { io.Copy(io.Discard, c); c.Close() }()
		}
	}()
	connect := dialer(t) + " dial " + server.Addr().String()
	on, off := true, false
	for _, kind := range []string{workspace.SandboxBwrap, workspace.SandboxLandlock, "off"} {
		for _, agentOn := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, agent %v", kind, agentOn), func(t *testing.T) {
				if _, _, err := workspace.DetectSandbox(kind); err != nil {
					if !strings.Contains(err.Error(), "no sandbox") {
						t.Errorf("%s is not here, and the reason is not told: %v", kind, err)
					}
					return
				}
				state, err := os.MkdirTemp("/var/tmp", "growbench-test-")
				must(t, err)
				t.Cleanup(func() { os.RemoveAll(state) })
				b := newBench(t, twoFiles)
				b.state = state
				// The agent's setting is the opposite of that of checks and setup.
				dirs := b.create(order{sandbox: kind, plan: oneTask(), script: steps([]step{
					{"run": connect + "; echo $? > a.txt"}, result([]string{"a.txt"})}),
					setup: []string{connect + "; true"}, verify: []string{connect}})
				spec, err := LoadSpec(dirs.Run)
				must(t, err)
				a := spec.Config.Agents["scripted"]
				a.Network = &agentOn
				spec.Config.Agents["scripted"] = a
				spec.Config.Checks.Network, spec.Config.Workspace.Network = &off, &off
				if !agentOn {
					spec.Config.Checks.Network, spec.Config.Workspace.Network = &on, nil
				}
				must(t, saveSpec(dirs.Run, spec))
				must(t, b.spawn(dirs, nil))
				s := b.finish(dirs)
				held := kind != "off"
				reached := "3"
				if agentOn || !held {
					reached = "0"
				}
				w := s.Worker(1)
				if got := git(t, b.project.Root, "show", w.Commit+":a.txt"); got != reached {
					t.Errorf("the agent's connection ended with %s, want %s\n%s", got, reached, ownerLog(dirs))
				}
				want := map[bool]string{true: event.NetworkOff, false: event.NetworkUnheld}[held]
				agentSaid, checkSaid := event.NetworkOn, want
				if !agentOn {
					agentSaid, checkSaid = want, event.NetworkOn
				}
				if w.Network != agentSaid || len(s.Verify.Ran) != 1 || s.Verify.Ran[0].Network != checkSaid || s.Setup[0].Network != checkSaid {
					t.Errorf("told: agent %q, %+v, setup %q", w.Network, s.Verify.Ran, s.Setup[0].Network)
				}
				if passed := s.Verified == event.VerifiedPassed; passed != (!agentOn || !held) {
					t.Errorf("the check's connection: %s", s.Verified)
				}
				report := b.read(dirs, fileReport)
				for words, there := range map[string]bool{
					"Worker 1 had no network.":                    !agentOn && held,
					"without a sandbox nothing held it off":       !agentOn && !held,
					"passed, with the network it was not to have": agentOn && !held,
					"failed (exit code 3), without network":       agentOn && held,
				} {
					if strings.Contains(report, words) != there {
						t.Errorf("the report says %q: %v\n%s", words, !there, report)
					}
				}
			})
		}
	}
}

// Where nothing can hold the network off, everything that lists agents says so.
func TestUnheldNetworkIsSaid(t *testing.T) {
	off := false
	c := config.Defaults()
	c.Sandbox = "off"
	if NetworkUnheld(c) != "" {
		t.Errorf("nothing is to be off: %s", NetworkUnheld(c))
	}
	c.Agents = map[string]config.Agent{"mine": {Kind: "command", Argv: []string{"true"}, Network: &off}, "other": {Kind: "command", Argv: []string{"true"}}}
	c.Checks.Network = &off
	if words := NetworkUnheld(c); !strings.Contains(words, "agent mine, checks") || strings.Contains(words, "other") {
		t.Errorf("it says %q", words)
	}
	for _, a := range Agents(t.Context(), c) {
		want := event.NetworkOn
		if a.Name == "mine" {
			want = event.NetworkUnheld
		}
		if a.Network != want {
			t.Errorf("%s: network %q", a.Name, a.Network)
		}
	}
	found := false
	for _, h := range Doctor(t.Context(), c, t.TempDir()) {
		if h.Name == "network" {
			found = !h.OK && !h.Required && h.Next != ""
		}
	}
	if !found {
		t.Error("doctor does not say so")
	}
}

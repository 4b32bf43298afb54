package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/engine/agent/command"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// AgentInfo is an agent as far as it can be known without starting it on work.
type AgentInfo struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Preset  string   `json:"preset"`
	Program string   `json:"program"`
	Found   bool     `json:"found"`
	Version string   `json:"version"` // as the program says it, empty when not asked or not answered
	Tried   bool     `json:"tried"`   // a real one did work through this preset
	TriedAs string   `json:"tried_version"`
	Context string   `json:"context"` // what it sees beyond the prompt
	Roles   []string `json:"roles"`
	Network string   `json:"network"` // on, off, or unheld: it is to have none, and nothing can hold it off
	Note    string   `json:"note"`
}

// versionTime bounds how long a program may take to say its version.
const versionTime = 5 * time.Second

// Agents lists the configured agents, then the presets that need no
// configuration. A program is asked for its version only when the user's own
// configuration or a preset names it: c holds nothing untrusted.
func Agents(ctx context.Context, c config.Config) []AgentInfo {
	all := maps.Clone(c.Agents)
	if all == nil {
		all = map[string]config.Agent{}
	}
	names := slices.Sorted(maps.Keys(all))
	for _, p := range Presets() {
		if _, defined := all[p]; !defined {
			all[p] = config.Agent{Kind: "command", Preset: p}
			names = append(names, p)
		}
	}
	list := make([]AgentInfo, 0, len(names))
	for _, name := range names {
		info := agentInfo(ctx, c, name, all[name])
		info.Network = networkOf(c, all[name].Network)
		list = append(list, info)
	}
	return list
}

// networkOf says what of the network a program will have.
func networkOf(c config.Config, setting *bool) string {
	if config.Online(setting) {
		return event.NetworkOn
	}
	sandbox, _, err := FindSandbox(c)
	held := confinement{sandbox: sandbox}
	if err != nil {
		return event.NetworkOff // nothing is started without the sandbox asked for
	}
	return held.network(false)
}

// networkCheck looks whether the network can be switched off where that is
// asked for; nil when it is asked for nowhere.
func networkCheck(c config.Config) []HealthCheck {
	var off []string
	for _, name := range slices.Sorted(maps.Keys(c.Agents)) {
		if !config.Online(c.Agents[name].Network) {
			off = append(off, "agent "+name)
		}
	}
	if !config.Online(c.Checks.Network) {
		off = append(off, "checks")
	}
	if !config.Online(c.Workspace.Network) {
		off = append(off, "setup")
	}
	if len(off) == 0 {
		return nil
	}
	check := HealthCheck{Name: "network", OK: true, Detail: "switched off for " + strings.Join(off, ", ")}
	no := false
	if networkOf(c, &no) == event.NetworkUnheld {
		check.OK, check.Next = false, "Debian: apt-get install bubblewrap"
		check.Detail = "to be off for " + strings.Join(off, ", ") + ", but without a sandbox nothing holds it off"
	}
	return []HealthCheck{check}
}

// NetworkUnheld says in words where the network is to be off and nothing holds
// it off; empty when all is as asked for.
func NetworkUnheld(c config.Config) string {
	for _, check := range networkCheck(c) {
		if !check.OK {
			return "network: " + check.Detail
		}
	}
	return ""
}

func agentInfo(ctx context.Context, c config.Config, name string, a config.Agent) AgentInfo {
	info := AgentInfo{Name: name, Kind: a.Kind, Preset: a.Preset, Roles: rolesOf(c, name)}
	switch a.Kind {
	case "script":
		info.Program, info.Tried, info.Context = a.ScriptFile(), true, "nothing: it replays recorded steps"
		_, err := os.Stat(info.Program)
		info.Found = err == nil
	case "command":
		commandInfo(ctx, a, &info)
	case kindNative:
		nativeInfo(ctx, c, a, &info)
	default:
		info.Note = "agents of this kind are not part of this version"
	}
	return info
}

func commandInfo(ctx context.Context, a config.Agent, info *AgentInfo) {
	for _, p := range command.Presets() {
		if p.Name == a.Preset {
			info.Tried, info.TriedAs, info.Note = p.Tried, p.Version, p.Note
		}
	}
	info.Context = command.Context(cmp.Or(a.Preset, a.Decode))
	program, err := commandOptions(a).Program()
	info.Program, info.Found = program, err == nil
	if err != nil {
		info.Note = err.Error()
		return
	}
	if a.Preset != "" {
		info.Version = versionOf(ctx, program)
	}
}

// versionOf asks a preset's program, which knows --version.
func versionOf(ctx context.Context, program string) string {
	out, err := workspace.Run(ctx, workspace.Command{
		Argv: []string{program, "--version"}, Dir: "/",
		Limits: workspace.Limits{Time: versionTime, Grace: time.Second},
	})
	if err != nil || out.ExitCode != 0 {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(out.Text(1<<10)), "\n")
	return line
}

func rolesOf(c config.Config, name string) []string {
	roles := []string{}
	for _, r := range []struct{ role, agent string }{
		{"giver", c.Roles.Giver}, {"scout", c.Roles.Scout}, {"planner", c.Roles.Planner}, {"worker", c.Roles.Worker},
	} {
		if r.agent == name {
			roles = append(roles, r.role)
		}
	}
	return roles
}

// HealthCheck is one thing growbench needs or can use. Next says what to type when it
// is not OK.
type HealthCheck struct {
	Name     string `json:"name"`
	OK       bool   `json:"ok"`
	Required bool   `json:"required"`
	Detail   string `json:"detail"`
	Next     string `json:"next"`
}

// Doctor looks at what a run needs: git, a place for its state ("" is not looked
// at), a sandbox, an agent, model servers.
func Doctor(ctx context.Context, c config.Config, stateRoot string) []HealthCheck {
	checks := []HealthCheck{
		programCheck(ctx, "git", true, "install git 2.34 or newer (Debian: apt-get install git)"),
		programCheck(ctx, "git-lfs", false, "only for repositories that use it (Debian: apt-get install git-lfs)"),
	}
	if stateRoot != "" {
		checks = append(checks, stateCheck(stateRoot))
	}
	checks = append(checks, sandboxCheck(c), agentCheck(ctx, c))
	checks = append(checks, modelChecks(ctx, c)...)
	return append(checks, networkCheck(c)...)
}

func programCheck(ctx context.Context, name string, required bool, next string) HealthCheck {
	check := HealthCheck{Name: name, Required: required}
	path, err := exec.LookPath(name)
	if err != nil {
		check.Detail, check.Next = "not installed", next
		return check
	}
	check.OK, check.Detail = true, cmp.Or(versionOf(ctx, path), path)
	return check
}

func stateCheck(stateRoot string) HealthCheck {
	check := HealthCheck{Name: "state", Required: true, Detail: stateRoot}
	err := os.MkdirAll(stateRoot, 0o700)
	if err == nil {
		probe := filepath.Join(stateRoot, ".probe")
		if err = writeFile(probe, []byte("ok")); err == nil {
			err = os.Remove(probe)
		}
	}
	if err != nil {
		check.Detail, check.Next = err.Error(), "make it writable, or name another place in XDG_STATE_HOME"
		return check
	}
	check.OK = true
	return check
}

func sandboxCheck(c config.Config) HealthCheck {
	check := HealthCheck{Name: "sandbox"}
	sandbox, note, err := FindSandbox(c)
	switch {
	case err != nil:
		check.Detail, check.Next = err.Error(), "Debian: apt-get install bubblewrap"
	case sandbox.Kind() == workspace.SandboxNone:
		check.Detail, check.Next = note+"; without one an agent "+strings.Join(sandbox.Leaves(), "; "), "Debian: apt-get install bubblewrap"
	default:
		check.OK, check.Detail = true, cmp.Or(note, sandbox.Kind())
		if leaves := sandbox.Leaves(); len(leaves) > 0 {
			check.Detail += "; does not stop an agent that " + strings.Join(leaves, "; ")
		}
	}
	return check
}

func agentCheck(ctx context.Context, c config.Config) HealthCheck {
	check := HealthCheck{Name: "agents", Next: "install one of " + strings.Join(Presets(), ", ") + " and name it with --worker"}
	var found []string
	for _, a := range Agents(ctx, c) {
		if a.Found {
			found = append(found, a.Name)
		}
	}
	if len(found) == 0 {
		check.Detail = "none installed or configured; the demo needs none"
		return check
	}
	check.OK, check.Detail, check.Next = true, strings.Join(found, ", "), ""
	if name, _, ok := c.AgentFor("worker"); ok {
		if err := CanRun(c, name); err != nil {
			check.OK, check.Detail, check.Next = false, fmt.Sprintf("the Workers' agent: %v", err), "choose another with roles.worker or --worker"
		}
	}
	return check
}

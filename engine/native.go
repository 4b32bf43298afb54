package engine

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"growbench/engine/agent"
	"growbench/engine/agent/native"
	"growbench/engine/config"
	"growbench/engine/event"
	"growbench/engine/model"
	"growbench/engine/tool"
	"growbench/mapgen/scan"
	"growbench/mapgen/symbols"
)

// kindNative is an agent that is a language model with tools of ours.
const kindNative = "native"

// makeNative makes the agent of a model: its client, and its tools for each
// role. The provider's key goes to the client alone.
func makeNative(spec Spec, name string, c config.Agent, confine Confine) (agent.Agent, error) {
	options, err := modelOptions(spec.Config, c)
	if err != nil {
		return nil, fmt.Errorf("start agent %q: %w", name, err)
	}
	client, err := model.New(options)
	if err != nil {
		return nil, fmt.Errorf("start agent %q: %w", name, err)
	}
	k := kits{config: spec.Config, confine: confine, secrets: config.SecretValues(spec.Config)}
	return native.New(native.Options{Client: client, Tools: k.tools, Hide: k.hide}), nil
}

// modelOptions are what the configuration says of an agent's model.
func modelOptions(c config.Config, a config.Agent) (model.Options, error) {
	o, err := providerOptions(c, a.Provider, a.Model)
	if err != nil {
		return o, err
	}
	if o.KeyName != "" && o.Key == "" {
		return o, fmt.Errorf("its provider %q needs a key: set the environment variable %s", a.Provider, o.KeyName)
	}
	if silence := time.Duration(c.Limits.Silence); silence > 0 {
		o.Silence = silence + 30*time.Second // the limit itself speaks first
	}
	return o, nil
}

// canAsk says why the model of an agent cannot be asked, as far as the
// configuration tells.
func canAsk(c config.Config, a config.Agent) error {
	o, err := modelOptions(c, a)
	if err == nil {
		_, err = model.New(o)
	}
	return err
}

// kits makes the tools of native agents.
type kits struct {
	config  config.Config
	confine Confine
	secrets []string
}

func (k kits) hide(text string) string { return config.Redact(text, k.secrets) }

func (k kits) tools(req agent.Request, live func(string)) (*tool.Set, error) {
	kit := tool.Kit{
		Dir: req.Dir, Scope: req.Scope, Reads: req.Reads, Env: req.Env, Confine: k.confine,
		Output: filepath.Join(req.OutputDir, fmt.Sprintf("%d-command", req.Attempt)),
		Allow:  k.config.Permissions.Allow, Permit: req.Permit, Each: k.config.Checks.Each,
		Trusted: len(k.config.Checks.Each)+len(k.config.Checks.Verify) > 0,
		Hide:    k.hide, Secrets: k.secrets, Live: live, Plan: req.Judge,
	}
	switch req.Role {
	case agent.Worker:
		return tool.Worker(kit, req.K)
	case agent.Planner:
		return tool.Planner(kit, req.Reads)
	case agent.Scout:
		kit.Files, kit.Exports = projectFiles(req.Dir), exportsOf
		return tool.Scout(kit)
	}
	return nil, fmt.Errorf("no tools are known for a %s", req.Role)
}

// projectFiles lists a project by git's own rules.
func projectFiles(root string) func(context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		tree, err := scan.Scan(ctx, root, scan.Options{})
		if err != nil {
			return nil, fmt.Errorf("list the project's files: %w", err)
		}
		var out []string
		for _, d := range tree.Dirs {
			for _, f := range d.Files {
				out = append(out, path.Join(d.Path, f.Name))
			}
		}
		return out, nil
	}
}

// exportsOf are a file's exported signatures.
func exportsOf(ctx context.Context, path string, data []byte) ([]string, error) {
	files, err := symbols.NewPool(symbols.PoolOptions{}).Extract(ctx, []symbols.Source{{Path: path, Content: data}})
	if err != nil {
		return nil, fmt.Errorf("read what %s exports: %w", path, err)
	}
	var out []string
	for _, f := range files {
		for _, e := range f.Exports {
			out = append(out, fmt.Sprintf("%s — %s:%d", e.Signature, path, e.Line))
		}
		for _, m := range f.Members {
			if m.Exported {
				out = append(out, fmt.Sprintf("%s: %s — %s:%d", m.Owner, m.Signature, path, m.Line))
			}
		}
		if f.Note != "" {
			out = append(out, "("+f.Note+")")
		}
	}
	return out, nil
}

// What an operator may do with a command that no pattern allows.
const (
	choiceAllow  = "allow"
	choiceAlways = "always"
	choiceDeny   = "deny"
)

// permit asks the operator about a command of agent k. Where nobody can answer
// there is nothing to ask.
func (o *owner) permit(k int) func(ctx context.Context, command string) (bool, error) {
	if !o.spec.Attended {
		return nil
	}
	return func(ctx context.Context, command string) (bool, error) {
		if o.permitted[command] {
			return true, nil
		}
		began := o.Now()
		choice, err := o.ask(ctx, event.Waiting{
			ID: fmt.Sprintf("permission-%d-%d", k, o.state.LastSeq), Kind: "permission", K: k,
			Text:    fmt.Sprintf("Worker %d wants to run a command that no pattern of permissions.allow allows:\n%s", k, command),
			Choices: []string{choiceAllow, choiceAlways, choiceDeny},
			Meanings: []string{
				"it is run, this time",
				"it is run, and this very command is asked about no more in this run",
				"it is not run, and the Worker is told so",
			},
		})
		o.waited += o.Now().Sub(began)
		if err != nil {
			return false, err
		}
		if choice == choiceAlways {
			o.permitted[command] = true
		}
		return choice != choiceDeny, nil
	}
}

// earlierFiles are the files that Worker k may read beyond its own: those its
// Signatures name, and what earlier Workers left.
func (o *owner) earlierFiles(k int) []string {
	var out []string
	for _, s := range o.state.Plan.Tasks.Task(k).Signatures {
		if s.Path != "" {
			out = append(out, s.Path)
		}
	}
	for _, r := range o.earlier(k) {
		out = append(append(out, r.Files.Created...), r.Files.Modified...)
	}
	return out
}

// agent makes the agent of a name. One that knows its server is kept, so that
// the server is asked about its model once.
func (o *owner) agent(name string) (agent.Agent, error) {
	if a, known := o.kept[name]; known {
		return a, nil
	}
	a, err := o.Agents(o.dirs.Run, o.spec, name, o.confined.forAgent(o.spec.Config.Agents[name]))
	if _, keeps := a.(agent.Prompter); err == nil && keeps {
		o.kept[name] = a
	}
	return a, err
}

// asSent is a prompt as the agent of a name will be given it. A key that
// somebody wrote into a task goes to no model.
func (o *owner) asSent(ctx context.Context, name, prompt string) string {
	prompt = config.Redact(prompt, config.SecretValues(o.spec.Config))
	if !o.isNative(name) {
		return prompt
	}
	a, err := o.agent(name)
	if p, ok := a.(agent.Prompter); ok && err == nil {
		return p.Prompt(ctx, prompt)
	}
	return prompt // what is wrong is told when the agent is to run
}

// keepRequest keeps what left for a model server at first, beside the prompt.
func (o *owner) keepRequest(promptName string) func([]byte) {
	return func(body []byte) {
		path := filepath.Join(o.dirs.Run, dirPrompts, promptName+".request.json")
		if err := writeFile(path, body); err != nil {
			fmt.Fprintln(os.Stderr, "growbench: keep the request of", promptName+":", err)
		}
	}
}

func (o *owner) isNative(name string) bool { return o.spec.Config.Agents[name].Kind == kindNative }

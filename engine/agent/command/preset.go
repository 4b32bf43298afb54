package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Preset is an agent people already have, as it is started here.
type Preset struct {
	Name string
	// Argv is the whole command line; what depends on the request (schemas,
	// the agent's own sandbox) is not in it.
	Argv []string
	// Tried is true when a real one did work through this preset; Version is
	// the one that was tried, or whose source the decoder follows.
	Tried   bool
	Version string
	Note    string
	// Install is what to type to get it.
	Install string
	// State are its own folders, absolute: a sandbox must let it write there.
	State []string
	// Keys name the environment variables that hold its keys. They are passed
	// only to an agent whose configuration names them.
	Keys []string
}

// Presets lists the agents that need no argv, and text, which needs one.
func Presets() []Preset {
	list := make([]Preset, 0, len(presets))
	for _, p := range presets {
		public := p.Preset
		public.Argv = slices.Clone(p.Argv)
		public.Keys = slices.Clone(p.Keys)
		public.State = p.places()
		list = append(list, public)
	}
	return list
}

// Context says what an agent of this preset (or decoder) sees beyond the
// prompt, as far as that is known. It follows the words "the prompt".
func Context(name string) string {
	if p, ok := find(name); ok && p.context != "" {
		return p.context
	}
	return "plus the agent's own context: unknown"
}

// preset is a Preset and what only this package needs of it.
type preset struct {
	Preset
	context string
	// set are variables of its environment, settings are names of such that
	// say where its own files are: no secrets, so they are always passed on.
	set, settings []string
	// state are its own places: paths below the home, of which the first is
	// elsewhere when the variable in stateEnv says so.
	state    []string
	stateEnv string
	// extra are the arguments that depend on the request.
	extra  func(task) []string
	decode func(*feed) decoder
	// schema is how it takes the shape of a structured answer.
	schema schemaBy
}

// places are the preset's state folders on this machine.
func (p preset) places() []string {
	home, err := os.UserHomeDir()
	var out []string
	for i, path := range p.state {
		elsewhere := ""
		if i == 0 && p.stateEnv != "" {
			elsewhere = os.Getenv(p.stateEnv)
		}
		switch {
		case filepath.IsAbs(elsewhere):
			out = append(out, elsewhere)
		case err == nil:
			out = append(out, filepath.Join(home, path))
		}
	}
	return out
}

type schemaBy int

const (
	noSchema schemaBy = iota
	schemaInline
	schemaFile
)

// task is what the extra arguments depend on.
type task struct {
	sandboxed bool   // by us
	schema    string // JSON, or the path of a file that holds it
}

func find(name string) (preset, bool) {
	i := slices.IndexFunc(presets, func(p preset) bool { return p.Name == name })
	if i < 0 {
		return preset{}, false
	}
	return presets[i], true
}

func unknown(what, name string) error {
	var names []string
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return fmt.Errorf("there is no %s %q; there are %s", what, name, strings.Join(names, ", "))
}

// Clean contexts were checked against what really reached a model: a marked
// file in every place the agent may read instructions from, searched for in
// its requests.
var presets = []preset{
	{
		Preset: Preset{
			Name: "pi", Tried: true, Version: "1.6.0",
			Argv:    []string{"pi", "--mode", "json", "--no-session", "--no-extensions", "--no-skills", "--no-context-files"},
			Note:    "wants Node 22 or newer; has no sandbox and asks nothing",
			Install: "npm install -g @earendil-works/pi-coding-agent",
			Keys:    []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"},
		},
		context:  "plus the agent's own system prompt and tools; no context files, skills or extensions",
		settings: []string{"PI_CODING_AGENT_DIR"},
		state:    []string{".pi"},
		stateEnv: "PI_CODING_AGENT_DIR",
		decode:   func(f *feed) decoder { return &piStream{feed: f} },
	},
	{
		Preset: Preset{
			Name: "claude", Tried: true, Version: "2.1.332",
			Argv: []string{"claude", "-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages",
				"--safe-mode", "--strict-mcp-config", "--no-session-persistence",
				"--permission-mode", "acceptEdits", "--permission-prompts", "none", "--allowedTools", "Bash,Edit,Write,NotebookEdit"},
			Note:    "cost is told at its end; hands in its RESULT by schema",
			Install: "npm install -g @anthropic-ai/claude-code",
			Keys:    []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"},
		},
		context:  "plus the agent's own system prompt and tools; no CLAUDE.md, skills, plugins, hooks or MCP servers of yours or the project's (an administrator's stay)",
		set:      []string{"DISABLE_AUTOUPDATER=1"},
		settings: []string{"CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"},
		state:    []string{".claude"},
		stateEnv: "CLAUDE_CONFIG_DIR",
		extra: func(t task) []string {
			if t.schema == "" {
				return nil
			}
			return []string{"--json-schema", t.schema}
		},
		decode: func(f *feed) decoder { return &claudeStream{feed: f} },
		schema: schemaInline,
	},
	{
		Preset: Preset{
			Name: "codex", Tried: true, Version: "0.171.0",
			Argv: []string{"codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check", "--color", "never",
				"-c", "project_doc_max_bytes=0"},
			Note:    "tokens are told at its end, cost never; hands in its RESULT by schema",
			Install: "npm install -g @openai/codex",
			Keys:    []string{"CODEX_API_KEY", "OPENAI_API_KEY"},
		},
		context:  "plus the agent's own system prompt and tools, and your own AGENTS.md in its home; not the project's",
		settings: []string{"CODEX_HOME"},
		state:    []string{".codex"},
		stateEnv: "CODEX_HOME",
		extra: func(t task) []string {
			// Its sandbox cannot be set up inside another one.
			words := []string{"--sandbox", "workspace-write"}
			if t.sandboxed {
				words = []string{"--dangerously-bypass-approvals-and-sandbox"}
			}
			if t.schema != "" {
				words = append(words, "--output-schema", t.schema)
			}
			return append(words, "-")
		},
		decode: func(f *feed) decoder { return &codexStream{feed: f} },
		schema: schemaFile,
	},
	{
		Preset: Preset{
			Name: "opencode", Tried: true, Version: "1.18.33",
			Argv:    []string{"opencode", "run", "--format", "json", "--pure", "--thinking"},
			Note:    "refuses by itself what its own configuration would ask about, such as files outside the clone",
			Install: "npm install -g opencode-ai",
			Keys:    []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENCODE_API_KEY"},
		},
		context:  "plus the agent's own system prompt and tools, and your own AGENTS.md in its configuration; not the project's",
		set:      []string{"OPENCODE_DISABLE_PROJECT_CONFIG=1", "OPENCODE_DISABLE_CLAUDE_CODE=1", "OPENCODE_DISABLE_AUTOUPDATE=1"},
		settings: []string{"OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"},
		state:    []string{".local/share/opencode", ".local/state/opencode", ".cache/opencode", ".config/opencode"},
		decode:   func(f *feed) decoder { return &opencodeStream{feed: f} },
	},
	{
		Preset: Preset{
			Name: "gemini", Tried: true, Version: "0.61.0",
			Argv:    []string{"gemini", "--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust", "--extensions", "none"},
			Note:    "tokens are told at its end, cost never; it tells nothing of its thinking",
			Install: "npm install -g @google/gemini-cli",
			Keys:    []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"},
		},
		// It has no switch for GEMINI.md, neither the project's nor the user's.
		settings: []string{"GEMINI_CLI_HOME", "GEMINI_MODEL", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI"},
		state:    []string{".gemini"},
		stateEnv: "GEMINI_CLI_HOME",
		decode:   func(f *feed) decoder { return &geminiStream{feed: f} },
	},
	{
		Preset: Preset{
			Name: "text", Tried: true,
			Note: "any program: the prompt on its standard input, its last words on its standard output; exit code 0 is its good end",
		},
		decode: func(f *feed) decoder { return &textStream{feed: f} },
	},
}

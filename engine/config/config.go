// Package config reads what governs growbench: the user's own file, the
// project's file, the environment and the command line, in that order, each
// winning over the one before.
//
// The user's file owns everything that runs a program or leaves the machine.
// The project's file came with the project, so it may only choose among what
// the user has and set plain values; what it defines beyond that counts once
// the user trusted it (see [Item], [Trust]). Every value remembers its source.
package config

import "path/filepath"

// Config is the configuration in force. It is plain data: encoding it as JSON
// and decoding it again gives an equal value, so a run can freeze it.
type Config struct {
	Providers   map[string]Provider `json:"providers"`
	Agents      map[string]Agent    `json:"agents"`
	Roles       Roles               `json:"roles"`
	Checks      Checks              `json:"checks"`
	Limits      Limits              `json:"limits"`
	Permissions Permissions         `json:"permissions"`
	Workspace   Workspace           `json:"workspace"`
	Sandbox     string              `json:"sandbox"`  // auto, bwrap, landlock or off
	Affected    string              `json:"affected"` // "" (ask where someone can answer, else continue), ask, continue or replan
	// AffectedDelay is how long "ask" waits before the chain goes on as it is;
	// 0 waits for an answer.
	AffectedDelay Duration          `json:"affected_delay"`
	Scope         string            `json:"scope"` // flag, ask or quarantine
	Base          string            `json:"base"`  // head or snapshot
	Theme         string            `json:"theme"` // one of auto, light, dark, contrast, none
	Attention     Attention         `json:"attention"`
	Map           Map               `json:"map"`
	Skills        []string          `json:"skills"` // files or folders; a file gives them relative to itself, in force they are absolute
	Mirrors       map[string]Mirror `json:"mirrors"`
	Telegram      Telegram          `json:"telegram"`
}

// Provider is a model server.
type Provider struct {
	Kind   string `json:"kind"`              // ollama or openai
	URL    string `json:"url,omitempty"`     // http or https, without user or password
	KeyEnv string `json:"key_env,omitempty"` // name of the environment variable that holds the key
	NumCtx int    `json:"num_ctx,omitempty"` // context window in tokens; ollama only, one value for all roles
}

// Agent is something that can be given a prompt. Which fields count depends
// on Kind: native (Provider, Model), command (Preset and/or Argv, Prompt,
// Decode, Env), acp (Preset or Argv, Env), script (File); Network counts for
// every kind. Names of presets and
// decoders belong to the agents themselves and are not checked here.
type Agent struct {
	Kind     string   `json:"kind"`
	Provider string   `json:"provider,omitempty"`
	Model    string   `json:"model,omitempty"`
	Preset   string   `json:"preset,omitempty"`
	Argv     []string `json:"argv,omitempty"`
	Prompt   string   `json:"prompt,omitempty"` // stdin or argument
	Decode   string   `json:"decode,omitempty"`
	Env      []string `json:"env,omitempty"` // names of environment variables passed on to the program
	File     string   `json:"file,omitempty"`
	// Network false takes the network from all the agent starts, as far as the
	// sandbox can; nil is true.
	Network *bool `json:"network,omitempty"`
	// Dir is the absolute folder of the file that defines the agent. Load
	// sets it; a configuration file cannot.
	Dir string `json:"dir,omitempty" config:"-"`
}

// Roles names the agent of each role; "" leaves the choice to [Config.AgentFor].
type Roles struct {
	Giver   string `json:"giver"`
	Scout   string `json:"scout"`
	Planner string `json:"planner"`
	Worker  string `json:"worker"`
}

// Checks are shell commands: Each after every Worker, Verify once at the end.
type Checks struct {
	Each   []string `json:"each"`
	Verify []string `json:"verify"`
	// Network false takes the network from them; nil is true.
	Network *bool `json:"network,omitempty"`
}

// Limits end what runs too long. 0 switches a limit off, except Output.
type Limits struct {
	Turns   int      `json:"turns"`   // model turns of one Worker
	Tokens  int64    `json:"tokens"`  // tokens of one Worker, in and out
	Cost    float64  `json:"cost"`    // US dollars of one run
	Wall    Duration `json:"wall"`    // time of one Worker
	Silence Duration `json:"silence"` // time without any sign of life
	Chain   Duration `json:"chain"`   // time of a whole run
	Output  Bytes    `json:"output"`  // kept output of one program
}

// Permissions are command patterns that need no question.
type Permissions struct {
	Allow []string `json:"allow"`
}

// Workspace says what a run's clone needs beyond what git tracks.
type Workspace struct {
	Copy  []string `json:"copy"`  // paths inside the project, relative and with slashes
	Setup []string `json:"setup"` // shell commands, once a run
	// Network false takes the network from Setup; nil is true.
	Network *bool `json:"network,omitempty"`
}

// Attention is how the workbench calls its operator when a run waits for an
// answer or ends and the terminal is not looked at. The user's file alone says.
type Attention struct {
	Title  bool `json:"title"`  // the window's title
	Notify bool `json:"notify"` // a notification of the desktop, sent by the terminal
	Bell   bool `json:"bell"`
	Status bool `json:"status"` // the program's status and progress, where a terminal shows them
}

// Map chooses what describes files for the project map.
type Map struct {
	LLM string `json:"llm"` // an agent's name, "none" for offline, "" for the map's own choice
	Run string `json:"run"` // what a run does with it: patch, mark or off; "" is patch
}

// Mirror is a program that is told the loop's status, one line each on its
// standard input.
type Mirror struct {
	Argv []string `json:"argv"`
}

// Telegram shows the loop's status in a chat of Telegram. Who may write there is
// in the environment (TelegramToken, TelegramChat). It counts in the user's own
// file only.
type Telegram struct {
	On  bool   `json:"on"`
	URL string `json:"url"` // of the Bot API
}

// DefaultTelegramURL is Telegram's own Bot API; the others are the environment
// variables that it needs.
const (
	DefaultTelegramURL = "https://api.telegram.org"
	TelegramToken      = "TELEGRAM_BOT_TOKEN"
	TelegramChat       = "TELEGRAM_CHAT_ID"
)

// DefaultOllamaURL and DefaultNumCtx complete an ollama provider that leaves
// them out.
const (
	DefaultOllamaURL = "http://127.0.0.1:11434"
	DefaultNumCtx    = 32768
)

// Defaults is the configuration before any file is read. It knows the local
// model server and no agent: which programs run is for the user to say.
func Defaults() Config {
	return Config{
		Providers: map[string]Provider{
			"ollama": {Kind: "ollama", URL: DefaultOllamaURL, NumCtx: DefaultNumCtx},
		},
		Agents: map[string]Agent{},
		Checks: Checks{Each: []string{}, Verify: []string{}},
		Limits: Limits{
			Turns: 40, Tokens: 400_000, Cost: 5,
			Wall: minutes(10), Silence: minutes(3), Chain: minutes(30),
			Output: 64 << 20,
		},
		Permissions: Permissions{Allow: []string{}},
		Workspace:   Workspace{Copy: []string{}, Setup: []string{}},
		Sandbox:     "auto",
		Scope:       "flag",
		Base:        "head",
		Theme:       "auto",
		Attention:   Attention{Title: true, Notify: true, Bell: true, Status: true},
		Skills:      []string{},
		Mirrors:     map[string]Mirror{},
		Telegram:    Telegram{URL: DefaultTelegramURL},
	}
}

// Online tells whether a setting lets programs use the network.
func Online(network *bool) bool { return network == nil || *network }

// ScriptFile is the absolute path of a script agent's recorded steps, "" for
// other kinds.
func (a Agent) ScriptFile() string {
	if a.File == "" || filepath.IsAbs(a.File) {
		return a.File
	}
	return filepath.Join(a.Dir, a.File)
}

// AgentFor finds the agent of a role ("giver", "scout", "planner", "worker"):
// the one the role names, else the worker's, else the only agent there is.
func (c Config) AgentFor(role string) (name string, agent Agent, ok bool) {
	name = map[string]string{
		"giver": c.Roles.Giver, "scout": c.Roles.Scout,
		"planner": c.Roles.Planner, "worker": c.Roles.Worker,
	}[role]
	if name == "" {
		name = c.Roles.Worker
	}
	if name == "" && len(c.Agents) == 1 {
		for only := range c.Agents {
			name = only
		}
	}
	agent, ok = c.Agents[name]
	return name, agent, ok
}

package mapgen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"growbench/mapgen/scan"
)

// ConfigName is the project's file of map settings. Another tool reads it too.
const ConfigName = ".pi-project-map.json"

// Config is what the file may say.
type Config struct {
	PromptInjectionMode    string   `json:"promptInjectionMode"`
	ContextBudgetPercent   int      `json:"contextBudgetPercent"`
	ContextBudgetMaxTokens int      `json:"contextBudgetMaxTokens"`
	Ignore                 []string `json:"ignore"`       // patterns in git's syntax
	Concurrency            int      `json:"concurrency"`  // model calls at once
	BatchDelayMS           int      `json:"batchDelayMs"` // between batches of calls
	Retries                int      `json:"retries"`      // of a call, after 1, 2, 4 s
	MaxSourceTokens        int      `json:"maxSourceTokens"`
	DirtyThreshold         int      `json:"dirtyThreshold"` // more dirty directories: reinit is recommended
	Rescan                 string   `json:"rescan"`         // off, session or daily
	Summary                Summary  `json:"summary"`
}

// Summary holds the sizes beyond which a directory's map is a summary.
type Summary struct {
	Files   int `json:"files"`
	Symbols int `json:"symbols"`
}

// DefaultConfig is what holds without a file.
func DefaultConfig() Config {
	return Config{PromptInjectionMode: "strong", ContextBudgetPercent: 15, ContextBudgetMaxTokens: 100000, Ignore: []string{},
		Concurrency: 6, BatchDelayMS: 100, Retries: 3, MaxSourceTokens: 4000, DirtyThreshold: 3, Rescan: "session",
		Summary: Summary{Files: 150, Symbols: 1500}}
}

// ConfigError is a value of the file nobody can use.
type ConfigError struct {
	Line int
	Key  string
	Text string
}

func (e *ConfigError) Error() string {
	where := ConfigName
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, e.Line)
	}
	if e.Key != "" {
		where += ": " + e.Key
	}
	return where + ": " + e.Text
}

// LoadConfig reads the project's map settings. A file that is not there means
// the defaults; a key nobody knows is a warning, since the file is shared; a
// value of the wrong type is a *ConfigError.
func LoadConfig(root string) (c Config, warnings []string, err error) {
	text, err := scan.ReadFile(filepath.Join(root, ConfigName), 1<<20)
	switch {
	case gone(err):
		return DefaultConfig(), nil, nil
	case errors.Is(err, scan.ErrNotRegular):
		return DefaultConfig(), []string{ConfigName + " is not a regular file; it is not read"}, nil
	case err != nil:
		return DefaultConfig(), nil, fmt.Errorf("read %s: %w", ConfigName, err)
	}
	return ParseConfig(text)
}

// ParseConfig reads the text of a settings file.
func ParseConfig(text []byte) (c Config, warnings []string, err error) {
	c = DefaultConfig()
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if err := json.Unmarshal(text, &c); err != nil {
		return DefaultConfig(), nil, configError(text, err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return DefaultConfig(), nil, configError(text, err)
	}
	for key := range all {
		if !slices.Contains(configKeys, key) {
			warnings = append(warnings, (&ConfigError{Line: lineOf(text, key), Key: key, Text: "unknown, ignored"}).Error())
		}
	}
	sort.Strings(warnings)
	if c.Ignore == nil {
		c.Ignore = []string{}
	}
	return c, warnings, c.check(text)
}

var configKeys = []string{"promptInjectionMode", "contextBudgetPercent", "contextBudgetMaxTokens", "ignore", "concurrency", "batchDelayMs",
	"retries", "maxSourceTokens", "dirtyThreshold", "rescan", "summary"}

func (c Config) check(text []byte) error {
	bad := func(key, say string) error { return &ConfigError{Line: lineOf(text, key), Key: key, Text: say} }
	switch {
	case !slices.Contains([]string{"off", "advisory", "strong", "strict"}, c.PromptInjectionMode):
		return bad("promptInjectionMode", "choose off, advisory, strong or strict")
	case !slices.Contains([]string{"off", "session", "daily"}, c.Rescan):
		return bad("rescan", "choose off, session or daily")
	case c.ContextBudgetPercent < 0 || c.ContextBudgetPercent > 100:
		return bad("contextBudgetPercent", "give a number from 0 to 100")
	}
	for _, n := range []struct {
		key   string
		value int
	}{{"contextBudgetMaxTokens", c.ContextBudgetMaxTokens}, {"concurrency", c.Concurrency - 1}, {"batchDelayMs", c.BatchDelayMS},
		{"retries", c.Retries}, {"maxSourceTokens", c.MaxSourceTokens - 1}, {"dirtyThreshold", c.DirtyThreshold},
		{"summary", min(c.Summary.Files, c.Summary.Symbols)}} {
		if n.value < 0 {
			return bad(n.key, "the number is too small")
		}
	}
	for _, p := range c.Ignore {
		if strings.ContainsAny(p, "\n\x00") {
			return bad("ignore", "a pattern holds a line break")
		}
	}
	return nil
}

func configError(text []byte, err error) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return &ConfigError{Line: 1 + bytes.Count(text[:min(int(wrong.Offset), len(text))], []byte("\n")), Key: wrong.Field, Text: "wants " + wrong.Type.String() + ", is " + wrong.Value}
	case errors.As(err, &syntax):
		return &ConfigError{Line: 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n")), Text: syntax.Error()}
	}
	return &ConfigError{Text: err.Error()}
}

func lineOf(text []byte, key string) int {
	at := bytes.Index(text, []byte(`"`+key+`"`))
	if at < 0 {
		return 0
	}
	return 1 + bytes.Count(text[:at], []byte("\n"))
}

// Apply puts the settings a map without a model heeds into options.
func (c Config) Apply(o *Options) {
	o.Ignore = c.Ignore
	o.DirtyThreshold = c.DirtyThreshold
	o.SummaryFiles, o.SummarySymbols = c.Summary.Files, c.Summary.Symbols
}

// RescanDue says whether a new full scan should be offered. Session is when
// the session that asks began.
func (p *Project) RescanDue(rescan string, session time.Time) bool {
	last := p.LastScan()
	switch rescan {
	case "session":
		return last.Before(session)
	case "daily":
		return p.options.Now().Sub(last) >= 24*time.Hour
	}
	return false
}

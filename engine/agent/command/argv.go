package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"growbench/engine/agent"
)

// Words of an argv that stand for something else, whole.
const (
	wordPrompt = "{prompt}"
	wordFlags  = "{flags}"
)

// maxArgument is the longest single argument Linux takes, in bytes.
const maxArgument = 128<<10 - 1

// argv is the command line for a request; onStdin tells whether the prompt
// goes to standard input.
func (p program) argv(req agent.Request, schema string) (argv []string, onStdin bool, err error) {
	var flags []string
	words := p.options.Argv
	if len(p.preset.Argv) > 0 {
		flags = slices.Clone(p.preset.Argv[1:])
		if p.preset.extra != nil {
			flags = append(flags, p.preset.extra(task{sandboxed: p.options.Wrap != nil, schema: schema})...)
		}
		if len(words) == 0 {
			words = p.preset.Argv[:1]
		}
		if !slices.Contains(words, wordFlags) {
			words = append(slices.Clone(words), wordFlags)
		}
	}
	onStdin = p.options.Prompt != "argument"
	for i, w := range words {
		switch w {
		case wordFlags:
			argv = append(argv, flags...)
		case wordPrompt:
			argv, onStdin = append(argv, req.Prompt), false
		default:
			argv = append(argv, p.file(w, i == 0))
		}
	}
	if p.options.Prompt == "argument" && !slices.Contains(words, wordPrompt) {
		argv = append(argv, req.Prompt)
	}
	if !onStdin && len(req.Prompt) > maxArgument {
		return nil, false, fmt.Errorf("start %s: the prompt has %d bytes and an argument at most %d; set \"prompt\": \"stdin\"",
			argv[0], len(req.Prompt), maxArgument)
	}
	return argv, onStdin, nil
}

// file makes a word that names a file beside the configuration absolute: the
// program runs in the clone, and what an earlier Worker has put there under
// the same name is not what the user chose or trusted. A program's bare name
// is looked for in PATH.
func (p program) file(word string, program bool) string {
	if p.options.Dir == "" || word == "" || filepath.IsAbs(word) || strings.HasPrefix(word, "-") {
		return word
	}
	if program && !strings.Contains(word, "/") {
		return word
	}
	path := filepath.Join(p.options.Dir, word)
	if regular(path) {
		return path
	}
	return word
}

// Files are the files that the command line names, beside the configuration or
// by their whole path: a sandbox must let the program read them, wherever they
// lie.
func (o Options) Files() []string {
	var files []string
	p := program{options: o}
	for i, w := range o.Argv {
		path := p.file(w, i == 0)
		if path == w && (!filepath.IsAbs(w) || !regular(w)) {
			continue
		}
		files = append(files, path)
	}
	return files
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// environment is the request's, the preset's own, and what the configuration
// names. A key reaches only the agent that names it.
func (p program) environment(given []string) []string {
	env := append(slices.Clone(given), "NO_COLOR=1")
	env = append(env, p.preset.set...)
	for _, name := range slices.Concat(p.preset.settings, p.options.Env) {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// explain adds to a failure which key was there and not passed on, because
// that is what most often is missing.
func (p program) explain(err error) error {
	if !signIn.MatchString(err.Error()) {
		return err
	}
	for _, name := range p.preset.Keys {
		if _, ok := os.LookupEnv(name); ok && !slices.Contains(p.options.Env, name) {
			return fmt.Errorf("%w; %s is set here but not passed on: add \"env\": [%q] to the agent", err, name, name)
		}
	}
	return err
}

package config

import (
	"os"
	"path/filepath"
	"slices"
)

// Options says what to load.
type Options struct {
	// ProjectRoot is the project's folder; "" loads the user's file alone.
	ProjectRoot string
	// Overrides come from flags and win over everything; later ones win over
	// earlier ones.
	Overrides []Override
	// Presets name agents that need no definition: an override may choose one,
	// a file may not, as what runs is for the user to say.
	Presets []string
}

// Override is one plain value from the command line.
type Override struct {
	Key    string // "base", "roles.worker", "limits.wall", …
	Value  string
	Source string // for people, such as "flag --base"
}

// Loaded is the configuration in force and how it came about. What the
// project's file wants but nobody trusted is not part of Config: a command
// that runs anything calls [Loaded.RequireTrust] first.
type Loaded struct {
	Config  Config
	Sources map[string]string // key path → "default", "file:line", "env NAME" or "flag --name"
	Notes   []string          // what a reader of Config should know, one sentence each

	ProjectRoot string // absolute, links resolved; "" without a project
	UserFile    string // absolute path, whether or not the file exists
	ProjectFile string // likewise; "" without a project

	Items     []Item         // all that needs trust, trusted or not, in a fixed order
	Untrusted []Item         // those of Items that nobody trusted as they stand
	Found     []FoundCommand // verify commands nobody configured, found by looking at the project
}

// environment lists the variables that set a plain value. An empty variable
// counts as not set.
var environment = []struct{ variable, key string }{
	{"GROWBENCH_THEME", "theme"},
	{"GROWBENCH_SANDBOX", "sandbox"},
	{"GROWBENCH_AFFECTED", "affected"},
	{"GROWBENCH_AFFECTED_DELAY", "affected_delay"},
	{"GROWBENCH_SCOPE", "scope"},
	{"GROWBENCH_BASE", "base"},
	{"GROWBENCH_TURNS", "limits.turns"},
	{"GROWBENCH_TOKENS", "limits.tokens"},
	{"GROWBENCH_COST", "limits.cost"},
	{"GROWBENCH_WALL", "limits.wall"},
	{"GROWBENCH_SILENCE", "limits.silence"},
	{"GROWBENCH_CHAIN", "limits.chain"},
}

// Load reads both files, the environment and the overrides.
//
// Errors: *ProblemsError when something is wrong in any of them (all of it at
// once), ErrNoHome when there is no place to look. Files that do not exist
// are no error.
func Load(opts Options) (Loaded, error) {
	loaded := Loaded{Sources: map[string]string{}}
	var err error
	if loaded.UserFile, err = ConfigFile(); err != nil {
		return Loaded{}, err
	}
	data, readErr := readUserFile(loaded.UserFile, maxConfig)
	user, problems := newLayer(tilde(loaded.UserFile), data, readErr)
	user.checkNames(Defaults(), &problems)
	problems = problems.sorted()

	var project layer
	if opts.ProjectRoot != "" {
		if loaded.ProjectRoot, err = canonical(opts.ProjectRoot); err != nil {
			return Loaded{}, err
		}
		loaded.ProjectFile = filepath.Join(loaded.ProjectRoot, ProjectFile)
		data, readErr := readProjectFile(loaded.ProjectRoot, ProjectFile, maxConfig)
		var wrong problemList
		project, wrong = newLayer(ProjectFile, data, readErr)
		below := Defaults()
		overlay(&below, user)
		project.checkNames(below, &wrong)
		project.checkProject(&wrong)
		problems = append(problems, wrong.sorted()...)
	}

	plain := slices.Concat(fromEnvironment(), opts.Overrides)
	problems = append(problems, checkOverrides(plain)...)
	if len(problems) > 0 {
		return Loaded{}, &ProblemsError{Problems: problems}
	}

	if err := loaded.judgeProject(project, user); err != nil {
		return Loaded{}, err
	}
	kept := loaded.withoutUntrusted(project, user)
	loaded.Config = Defaults()
	loaded.merge(user, kept)
	loaded.adoptFound()
	if problems := loaded.apply(plain, project, opts.Presets); len(problems) > 0 {
		return Loaded{}, &ProblemsError{Problems: problems}
	}
	loaded.complete()
	return loaded, nil
}

func fromEnvironment() []Override {
	var set []Override
	for _, entry := range environment {
		if value := os.Getenv(entry.variable); value != "" {
			set = append(set, Override{entry.key, value, "env " + entry.variable})
		}
	}
	return set
}

// checkOverrides looks at each value alone, so that all of them are reported.
func checkOverrides(overrides []Override) problemList {
	var problems problemList
	for _, o := range overrides {
		var alone Config
		if err := setText(&alone, o.Key, o.Value); err != nil {
			problems.add(o.Source, 0, o.Key, err.Error())
			continue
		}
		checker{
			given: func(key string) bool { return key == o.Key },
			bad:   func(key, text string) { problems.add(o.Source, 0, key, text) },
		}.check(&alone)
	}
	return problems
}

// judgeProject finds out what needs trust and what has it.
func (l *Loaded) judgeProject(project, user layer) error {
	if l.ProjectRoot == "" {
		return nil
	}
	if project.tree != nil {
		l.Items = itemsOf(l.ProjectRoot, project, user)
	}
	store, note, err := readTrust(l.ProjectRoot)
	if err != nil {
		return err
	}
	if note != "" {
		l.Notes = append(l.Notes, note)
	}
	for i, item := range l.Items {
		if reason := store.objection(item); reason != "" {
			l.Items[i].Reason = reason
			l.Untrusted = append(l.Untrusted, l.Items[i])
		}
	}
	if project.given("checks.verify") || user.given("checks.verify") {
		return nil
	}
	for _, found := range FindVerify(l.ProjectRoot) {
		found.Trusted = store.trusts(found.item())
		l.Found = append(l.Found, found)
	}
	return nil
}

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/workspace"
	"growbench/theme"
	"growbench/theme/text"
	"growbench/ui"
)

// App is what all commands share.
type App struct {
	IO
	// Demo is the embedded sample: sample/, task0.md, script.json, demo.json.
	Demo fs.FS
	// Spawner starts the owners of runs.
	Spawner engine.Spawner

	dir     string
	asJSON  bool
	noColor bool
	theme   string
	plain   bool
}

// Main runs the command line and returns the exit code.
func Main(args []string, app *App) int {
	if len(args) > 0 && args[0] == workspace.ConfineCommand {
		// This process is about to become a command in a sandbox.
		app.say("growbench: %v", workspace.Confine(args[1:]))
		return exitCannotRun
	}
	// Best effort: the owners of runs say so when it cannot be done.
	_ = workspace.HideEnvironment()
	root := app.command()
	root.SetArgs(args)
	root.SetIn(app.In)
	root.SetOut(&app.IO)
	root.SetErr(app.Err)
	err := root.Execute()
	if lost := app.lost(); lost != nil && (codeOf(err) == exitOK || errors.Is(err, app.unwritten)) {
		err = lost
	}
	if err != nil && err.Error() != "" {
		app.say("growbench: %s", text.Clean(err.Error()))
	}
	var crash *ui.Crash
	if errors.As(err, &crash) {
		return exitFault
	}
	return codeOf(err)
}

func (a *App) command() *cobra.Command {
	var reset bool
	root := &cobra.Command{
		Use:   "growbench [DIR]",
		Short: "A workbench for coding agents in pipelines",
		Long: `growbench runs coding agents in a pipeline and shows it live: Task #0 becomes
exactly N tasks, N fresh Workers do them in order in a clone of your repository,
each hands on only its RESULT, and the end is verified. Your own tree is never
touched.

Without a command it opens the workbench on the project of DIR.
Exit codes: 0 fine, 1 problems found or the run failed, 2 wrong usage,
3 something is missing or not trusted, 70 an internal fault, 130 interrupted.`,
		Example:           "  growbench demo\n  growbench run --task0 task0.md --plan plan.json --worker mine\n  growbench attach latest",
		Args:              cobra.MaximumNArgs(1),
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		RunE: func(cmd *cobra.Command, args []string) error {
			if reset {
				return ui.Reset(a.Out)
			}
			return a.workbench(cmd.Context(), args)
		},
	}
	root.SetVersionTemplate("growbench {{.Version}}\n")
	flags := root.PersistentFlags()
	flags.StringVarP(&a.dir, "directory", "C", "", "work on the project of `DIR`")
	flags.BoolVar(&a.asJSON, "json", false, "print JSON for scripts")
	flags.BoolVar(&a.noColor, "no-color", false, "print and draw without colour")
	flags.StringVar(&a.theme, "theme", "", "draw in this look: `"+strings.Join(theme.Names(), "|")+"`")
	flags.BoolVar(&a.plain, "plain", false, "the workbench as lines and typed commands, without screen control")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if a.theme != "" && !slices.Contains(theme.Names(), a.theme) {
			return usage(fmt.Errorf("--theme %s: choose one of %s", a.theme, strings.Join(theme.Names(), ", ")))
		}
		if a.plain && a.asJSON {
			return usage(errors.New("--plain is for people and --json for scripts: choose one"))
		}
		return nil
	}
	root.Flags().BoolVar(&reset, "reset", false, "give a terminal back that a killed program left unusable")
	root.AddCommand(
		a.demoCommand(), a.runCommand(), a.attachCommand(), a.stopCommand(), a.answerCommand(),
		a.resumeCommand(), a.retryCommand(), a.replayCommand(), a.watchCommand(), a.runsCommand(), a.showCommand(), a.lintCommand(),
		a.diffCommand(), a.mergeCommand(), a.rollbackCommand(), a.ledgerCommand(),
		a.bisectCommand(),
		a.configCommand(), a.trustCommand(), a.agentsCommand(), a.modelsCommand(), a.doctorCommand(), a.scoutCommand(),
		a.mapCommand(), a.injectCommand(), a.skillsCommand(), a.chatCommand(), ownerCommand(), keeperCommand(),
	)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Run, c.RunE = nil, help
		case "completion":
			// A command that only has others ends well on a name it does not know.
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
	wrapUsage(root)
	return root
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "0.1.0-dev"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// projectDir is where the user stands: -C, else the working directory.
func (a *App) projectDir() string {
	if a.dir != "" {
		return a.dir
	}
	return "."
}

// self is how to type this growbench again: as it was typed, but `go run .`
// leaves no program behind that could be called by its name.
func self() string {
	path, err := os.Executable()
	switch {
	case err == nil && strings.Contains(path, string(filepath.Separator)+"go-build"):
		return "go run ."
	case len(os.Args) == 0 || os.Args[0] == "" || strings.HasPrefix(os.Args[0], "/proc/"):
		return "growbench"
	}
	return shellWord(os.Args[0])
}

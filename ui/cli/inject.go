package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"growbench/mapgen"
	"growbench/mapgen/inject"
	"growbench/theme/text"
)

// seenBytes is how much of a context is looked through for the map.
const seenBytes = 64 << 20

func (a *App) injectCommand() *cobra.Command {
	var mode, event, seen string
	var turn mapgen.Turn
	c := &cobra.Command{
		Use:   "inject",
		Short: "Print what of the map belongs into an agent's context now, and why",
		Long: `For hooks of agents: decides by mode, event and what the context already holds
which documents of the map to add, within a share of the model's window
(.pi-project-map.json: promptInjectionMode, contextBudgetPercent,
contextBudgetMaxTokens). Standard output is for the agent alone; hints for the
operator go to standard error.

Modes: off; advisory (hints, the root pair at the start); strong (the root pair
and further ones by relevance, looked after at every event); strict (as strong;
an edit or a claim about the architecture without the map in the context is held
back, exit 1, until the map is taken in or --reason says why not).
Events: start, edit, architecture, compaction, change.`,
		Example: "  growbench inject --event start --model-context 200000\n  growbench inject --event edit --path src/auth/tokens.ts --seen request.json --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			turn.Event, turn.Command = inject.Event(event), self()
			switch {
			case mode != "" && !slices.Contains(inject.Modes, inject.Mode(mode)):
				return usage(fmt.Errorf("--mode %q: choose off, advisory, strong or strict", mode))
			case !slices.Contains(inject.Events, turn.Event):
				return usage(fmt.Errorf("--event %q: choose start, edit, architecture, compaction or change", event))
			case turn.Window < 0:
				return usage(fmt.Errorf("--model-context %d: give the tokens of the model's window, or 0 where it is not known", turn.Window))
			}
			if seen != "" {
				context, err := readSeen(seen, a.In)
				if err != nil {
					return usage(err)
				}
				turn.Seen = inject.ParseSeen(context)
			}
			return a.onMap(cmd.Context(), func(w mapWork) error {
				var err error
				if turn.Paths, err = w.rel(turn.Paths); err != nil {
					return err
				}
				if mode != "" {
					w.config.PromptInjectionMode = mode
				}
				in, err := w.Inject(w.ctx, w.config, turn)
				if err != nil {
					return err
				}
				return a.printInjection(in)
			})
		},
	}
	f := c.Flags()
	f.StringVar(&mode, "mode", "", "off, advisory, strong or strict (else as the project's file says, else strong)")
	f.StringVar(&event, "event", string(inject.Start), "start, edit, architecture, compaction or change")
	f.IntVar(&turn.Window, "model-context", 0, "the model's window is `N` tokens; 0: not known")
	f.StringVar(&seen, "seen", "", "what the context holds now: a `FILE` with messages or the request, in JSON or as text; - is standard input")
	f.StringVar(&turn.Query, "query", "", "the turn is about `TEXT`")
	f.StringArrayVar(&turn.Paths, "path", nil, "the turn changes `FILE` (may be repeated)")
	f.StringVar(&turn.Reason, "reason", "", "strict: go around the map because of `TEXT`")
	return c
}

func readSeen(name string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read what the agent has seen: %w", err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, seenBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read what the agent has seen: %w", err)
	case len(data) > seenBytes:
		return nil, fmt.Errorf("%s holds more than %d MiB; give the context alone", text.Visible(name), seenBytes>>20)
	}
	return data, nil
}

type injectedBlock struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
	Cut    bool   `json:"cut,omitempty"`
}

type injectionGuard struct {
	Closed bool   `json:"closed"`
	Why    string `json:"why"`
}

type injectionValue struct {
	Mode   inject.Mode     `json:"mode"`
	Budget int             `json:"budget"`
	Used   int             `json:"used"`
	Blocks []injectedBlock `json:"blocks"`
	Text   string          `json:"text"`
	Reason string          `json:"reason"`
	Hint   string          `json:"hint"`
	Guard  injectionGuard  `json:"guard"`
}

func (a *App) printInjection(in inject.Injection) error {
	var err error
	if a.asJSON {
		v := injectionValue{Mode: in.Mode, Budget: in.Budget, Used: in.Used, Blocks: []injectedBlock{}, Text: in.Text, Reason: in.Reason, Hint: in.Hint,
			Guard: injectionGuard(in.Guard)}
		for _, b := range in.Blocks {
			v.Blocks = append(v.Blocks, injectedBlock(b))
		}
		err = a.json(v)
	} else {
		if a.OutTerminal {
			a.printf("%s", text.Clean(in.Text))
		} else {
			a.printf("%s", in.Text)
		}
		for _, words := range []string{in.Hint, in.Guard.Why} {
			if words != "" {
				a.say("%s", text.Line(words))
			}
		}
		a.say("%s", text.Line(strings.TrimSpace(fmt.Sprintf("%s: %d of %d tokens: %s", in.Mode, in.Used, in.Budget, in.Reason))))
	}
	if err == nil && in.Guard.Closed {
		return exit(exitProblems)
	}
	return err
}

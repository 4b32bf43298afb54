package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/workspace"
	"growbench/theme/text"
)

func (a *App) scoutCommand() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "scout QUESTION",
		Short: "Ask a fresh agent about the project; what it writes is thrown away",
		Long: `Gives the question to one agent in a clone of the project, in the sandbox and
within the limits of a run. It answers with signatures, their files and sizes, in
at most 200 lines. Its prompt, transcript and answer stay in growbench's state
folder, those of the last 20 questions. The project itself is not touched.`,
		Example: "  growbench scout \"Where are sizes parsed, and who calls that?\" --agent pi",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.scout(cmd.Context(), strings.Join(args, " "), name)
		},
	}
	c.Flags().StringVar(&name, "agent", "", "the agent to ask (`NAME` in the configuration; default roles.scout)")
	a.completeAgents(c, "agent")
	return c
}

func (a *App) scout(ctx ctx, question, name string) error {
	if strings.TrimSpace(question) == "" {
		return usage(errors.New("ask something: growbench scout \"Where are sizes parsed?\""))
	}
	var overrides []config.Override
	if name != "" {
		overrides = append(overrides, config.Override{Key: "roles.scout", Value: name, Source: "flag --agent"})
	}
	h, err := a.here(overrides...)
	if err != nil {
		return err
	}
	project, err := workspace.FindProject(h.project.Root)
	if err != nil {
		return err
	}
	if err := h.trusted(); err != nil {
		return err
	}
	c := h.loaded.Config
	chosen, agent, _ := c.AgentFor("scout")
	if agent.Kind == "script" {
		return environment(fmt.Errorf("agent %q replays the steps of a run and cannot scout; choose another with --agent", text.Visible(chosen)))
	}
	if err := engine.CanRun(c, chosen); err != nil {
		return environment(fmt.Errorf("choose the Scout's agent: %w", err))
	}
	if _, _, err := engine.FindSandbox(c); err != nil {
		return environment(fmt.Errorf("find a sandbox for the Scout: %w", err))
	}
	a.unheld(c)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	a.say("Asking %s; Ctrl-C ends it.", text.Visible(chosen))
	answer, err := engine.Scout(ctx, engine.ScoutRequest{
		StateRoot: h.stateRoot, Project: project, Config: c, Agent: chosen, Question: question,
	})
	if context.Cause(ctx) != nil {
		a.say("Interrupted. What it said so far is in %s", text.Visible(answer.Dir))
		return exit(exitInterrupted)
	}
	if err != nil {
		return fmt.Errorf("scout with %s: %w; what it said is in %s", text.Visible(chosen), err, text.Visible(answer.Dir))
	}
	if a.asJSON {
		return a.json(answer)
	}
	a.printf("%s", text.Clean(answer.Answer))
	for _, f := range answer.Files {
		size := fmt.Sprintf("%d lines", f.Lines)
		if f.Lines < 0 {
			size = "no such file"
		}
		a.printf("%s: %s\n", text.Visible(f.Path), size)
	}
	if answer.Cut > 0 {
		a.say("%d more lines were left out.", answer.Cut)
	}
	if !answer.Sandboxed {
		a.say("It ran without a sandbox: %s", text.Line(answer.SandboxNote))
	}
	a.say("Prompt, transcript and answer: %s", text.Visible(answer.Dir))
	return nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"growbench/engine"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme/text"
)

// plainCommand is one thing that can be typed in the linear mode.
type plainCommand struct {
	name, args, does string
	do               func(p *plain, ctx context.Context, args string) error
}

// plainCommands are all of them, in the order help tells of them.
func plainCommands() []plainCommand {
	return []plainCommand{
		{"help", "", "this list", (*plain).help},
		{"status", "", "how the run stands", (*plain).status},
		{"questions", "", "what the run waits for", (*plain).questions},
		{"answer", "ID CHOICE [file FILE]", "answer a question, by the choice's number or words; FILE is the text of an edit", (*plain).answer},
		{"worker", "[K]", "how Worker K stands; without K all of them, 0 is the planner", (*plain).worker},
		{"task", "[K]", "the task of Worker K; without K Task #0", (*plain).task},
		{"prompt", "K", "the exact prompt Worker K was given, 0 is the planner", (*plain).prompt},
		{"transcript", "K [tail N]", "what Worker K did, its last 40 lines or N", (*plain).transcript},
		{"result", "[K]", "RESULT #K; without K all of them", (*plain).result},
		{"ledger", "", "what was broken, by whom, and who is affected", (*plain).ledger},
		{"diff", "[K]", "what the run or Worker K changed", (*plain).diff},
		{"report", "", "the report of the run", (*plain).report},
		{"runs", "", "the runs of this project", (*plain).runs},
		{"open", "RUN", "go over to another run", (*plain).open},
		{"map", "[COMMAND]", "the project's map: map help tells what can be typed", (*plain).mapping},
		{"stop", "", "stop the run; what is finished is kept", (*plain).stopRun},
		{"stay", "", "stay here, after Ctrl-C", func(*plain, context.Context, string) error { return nil }},
		{"leave", "", "leave; the run goes on", func(*plain, context.Context, string) error { return errLeave }},
	}
}

// command does what was typed. What cannot be done is said; only leaving and
// a fault end the mode.
func (p *plain) command(ctx context.Context, line string) error {
	name, args, _ := strings.Cut(line, " ")
	name = strings.ToLower(name)
	if name == "quit" || name == "exit" || name == "q" {
		name = "leave"
	}
	i := slices.IndexFunc(plainCommands(), func(c plainCommand) bool { return c.name == name })
	if i < 0 {
		p.say("error: %s is no command here; type help", text.Visible(name))
		return nil
	}
	err := plainCommands()[i].do(p, ctx, strings.TrimSpace(args))
	if err == nil || err == errLeave {
		return err
	}
	p.say("error: %s: %s", name, text.Line(err.Error()))
	return nil
}

// mapping hands what was typed about the map to its desk.
func (p *plain) mapping(ctx context.Context, args string) error {
	switch {
	case args == "":
		p.desk.command(ctx, "status")
	case args == "help":
		p.desk.help("map ")
	case !p.desk.command(ctx, args):
		return fmt.Errorf("%q is nothing the map does; type map help", args)
	}
	return nil
}

func (p *plain) help(context.Context, string) error {
	for _, c := range plainCommands() {
		p.say("command: %s — %s", strings.TrimSpace(c.name+" "+c.args), c.does)
	}
	return nil
}

// number reads the K of a command; without one it is otherwise.
func (p *plain) number(args string, otherwise int) (int, error) {
	if args == "" && otherwise >= 0 {
		return otherwise, nil
	}
	k, err := strconv.Atoi(args)
	if err != nil || k < 0 || k > len(p.state.Workers) {
		return 0, fmt.Errorf("%q is no Worker's number; there are %s", args, counted(len(p.state.Workers), "Worker"))
	}
	return k, nil
}

func (p *plain) questions(context.Context, string) error {
	if len(p.state.Waits) == 0 {
		p.say("questions: none, the run waits for nothing")
	}
	for _, w := range p.state.Waits {
		p.ask(w)
	}
	return nil
}

func (p *plain) answer(ctx context.Context, args string) error {
	id, choice, _ := strings.Cut(args, " ")
	choice, file, _ := strings.Cut(strings.TrimSpace(choice), " file ")
	choice = strings.TrimSpace(choice)
	i := slices.IndexFunc(p.state.Waits, func(w event.Waiting) bool { return w.ID == id })
	if i < 0 {
		return fmt.Errorf("the run does not wait for %q; type questions", id)
	}
	w := p.state.Waits[i]
	if n, err := strconv.Atoi(choice); err == nil && n >= 1 && n <= len(w.Choices) && !slices.Contains(w.Choices, choice) {
		choice = w.Choices[n-1]
	}
	if len(w.Choices) > 0 && !slices.Contains(w.Choices, choice) {
		return fmt.Errorf("%q is none of %s", choice, strings.Join(w.Choices, ", "))
	}
	answer := engine.Command{Do: "answer", ID: id, Choice: choice, By: "operator"}
	if file != "" {
		if strings.TrimSpace(file) == "-" {
			return errors.New("standard input is what is typed here; name a file")
		}
		var err error
		if answer.Text, err = readDocument(nil, strings.TrimSpace(file)); err != nil {
			return err
		}
	}
	if err := p.send(ctx, answer); err != nil {
		return err
	}
	p.say("answer sent: %s: %s", id, text.Visible(choice))
	return nil
}

func (p *plain) stopRun(ctx context.Context, _ string) error {
	if p.state.IsEnded() {
		return errors.New("the run has ended")
	}
	if err := p.send(ctx, engine.Command{Do: "stop", By: "operator"}); err != nil {
		return err
	}
	p.stopping = true
	p.say("stopping the run; what is finished is kept")
	return nil
}

func (p *plain) send(ctx context.Context, c engine.Command) error {
	if p.readOnly {
		return errors.New("this run is only watched; nothing can be done to it from here")
	}
	return p.source.Do(ctx, c)
}

func (p *plain) task(_ context.Context, args string) error {
	k, err := p.number(args, 0)
	if err != nil {
		return err
	}
	if k > 0 {
		return p.file(fmt.Sprintf("task of Worker %d", k), fmt.Sprintf("task%d.md", k))
	}
	return p.file("Task #0", "task0.md")
}

func (p *plain) prompt(_ context.Context, args string) error {
	k, err := p.number(args, -1)
	if err != nil {
		return err
	}
	path := p.state.Planner.Prompt.Path
	if w := p.state.Worker(k); w != nil {
		path = w.Prompt.Path
	}
	if path == "" {
		return errors.New("it was given no prompt yet")
	}
	return p.file("prompt", path)
}

func (p *plain) report(context.Context, string) error { return p.file("report", "report.md") }

// file prints a file of the run with its controls spelled out, between two
// lines that say where it begins and ends.
func (p *plain) file(label, name string) error {
	root, err := os.OpenRoot(p.source.Dir())
	if err != nil {
		return err
	}
	defer root.Close()
	data, err := root.ReadFile(name)
	if err != nil {
		return err
	}
	p.say("begin %s (%s)", label, filepath.Join(p.source.Dir(), name))
	for line := range strings.SplitSeq(strings.TrimRight(string(data), "\n"), "\n") {
		p.say("%s", text.Visible(strings.TrimSuffix(line, "\r")))
	}
	p.say("end %s", label)
	return nil
}

func (p *plain) result(_ context.Context, args string) error {
	k, err := p.number(args, 0)
	if err != nil {
		return err
	}
	found := false
	for _, r := range p.state.Results {
		if k == 0 || r.K == k {
			p.say("%s", doc.FormatResult(r))
			found = true
		}
	}
	if !found {
		return errors.New("there is no such RESULT yet")
	}
	return nil
}

func (p *plain) ledger(context.Context, string) error {
	if len(p.state.Ledger) == 0 {
		p.say("ledger: empty, no export was broken so far")
	}
	for _, l := range p.state.Ledger {
		p.say("ledger: %s", ledgerLine(l))
	}
	return nil
}

func (p *plain) diff(ctx context.Context, args string) error {
	k, err := p.number(args, 0)
	if err != nil {
		return err
	}
	d, err := engine.Diff(ctx, p.source.Dir(), k)
	if err != nil {
		return err
	}
	if len(d.Files) == 0 {
		p.say("diff: nothing was changed")
		return nil
	}
	for _, f := range d.Files {
		p.say("diff: %s", statLine(f))
	}
	p.say("%s", d.Patch)
	p.say("end diff")
	return nil
}

func (p *plain) runs(context.Context, string) error {
	list, err := p.app.summaries(false)
	if err != nil {
		return err
	}
	for _, r := range list {
		p.say("run: %s", runLine(r))
	}
	if len(list) == 0 {
		p.say("runs: none in this project")
	}
	return nil
}

func (p *plain) open(ctx context.Context, args string) error {
	dir, err := p.app.findRun(args)
	if err != nil {
		return err
	}
	p.say("run: %s", filepath.Base(dir))
	p.after = 0
	p.readOnly, p.stopping = false, false
	p.follow(ctx, engine.Watch(dir))
	return nil
}

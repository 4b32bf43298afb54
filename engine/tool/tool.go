// Package tool holds what an agent may do: each tool once, with its name, its
// words, the schema of its arguments and the function behind it, for every kind
// of agent. What an agent must not do is not in its set, or is refused here,
// in words that say what to do instead.
package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"growbench/engine/model"
)

// Tool is one thing an agent may call.
type Tool struct {
	Name        string
	Description string
	Params      []Param
	run         func(ctx context.Context, a args) (string, error)
}

// Set is the tools of one agent at work. Its calls are made one after another.
type Set struct {
	tools    []Tool
	hide     func(string) string
	close    func() error
	said     func(text string) (words string, taken bool)
	handed   Handed
	sentBack int // plans
}

// Handed is what an agent has handed in.
type Handed struct {
	Result []byte // RESULT as JSON, as submit_result was given it
	Plan   []byte
	Report string
	// Refused says that the plan was sent back as often as it may be.
	Refused bool
	Done    bool // something was taken: nothing comes after it
}

// Return is what came of a call.
type Return struct {
	Name string // of the tool that ran, else as the call has it
	Args string // as JSON, as they were understood
	Text string // for the agent: what was asked for, or why not
	// Error is why the call failed; empty when it did not.
	Error string
	Bytes int64 // of the whole result, before it was bounded
	// Mended says how the call was read where it was not written as it must be.
	Mended string
}

// Definitions is what a model is told of the tools.
func (s *Set) Definitions() []model.Tool {
	defs := make([]model.Tool, len(s.tools))
	for i, t := range s.tools {
		defs[i] = model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema()}
	}
	return defs
}

// Find is the tool that a name means, as a model is told of it.
func (s *Set) Find(name string) (model.Tool, bool) {
	t, _, err := s.find(name)
	return model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema()}, err == nil
}

// Keep leaves only the tools by which work is handed in.
func (s *Set) Keep() {
	s.tools = slices.DeleteFunc(s.tools, func(t Tool) bool { return !HandsIn(t.Name) })
}

// Names lists the tools, and HandsIn those of them that end the work.
func (s *Set) Names() []string {
	names := make([]string, len(s.tools))
	for i, t := range s.tools {
		names[i] = t.Name
	}
	return names
}

// HandsIn tells whether a tool ends its agent's work.
func HandsIn(name string) bool { return name == SubmitResult || name == SubmitPlan || name == Report }

// Handed is what was handed in so far.
func (s *Set) Handed() Handed { return s.handed }

// Close lets go of the project's files.
func (s *Set) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// Read finds the tool a call means and reads its arguments, without doing it.
func (s *Set) Read(call model.Call) (Tool, Call, error) {
	t, mended, err := s.find(call.Name)
	if err != nil {
		return Tool{}, Call{Name: call.Name, Args: shown(call.Arguments)}, err
	}
	a, how, err := t.read(call.Arguments)
	read := Call{Name: t.Name, Args: a.text, Mended: join(mended, how), args: a}
	if err != nil {
		read.Args = shown(call.Arguments)
	}
	return t, read, err
}

// Call is a call as it was understood.
type Call struct {
	Name, Args, Mended string
	args               args
}

// Do carries a call out. room is how many bytes its result may have.
func (s *Set) Do(ctx context.Context, call model.Call, room int) Return {
	t, read, err := s.Read(call)
	text := ""
	if err == nil {
		text, err = t.run(ctx, read.args)
	}
	ret := Return{Name: s.hidden(read.Name), Args: s.hidden(read.Args), Mended: read.Mended, Bytes: int64(len(text))}
	text = s.hidden(text)
	if err != nil {
		ret.Error = s.hidden(err.Error())
		text = join("error: "+ret.Error, text)
		ret.Bytes = int64(len(text))
	}
	ret.Text = fit(text, room)
	return ret
}

func (s *Set) hidden(text string) string {
	if s.hide == nil {
		return text
	}
	return s.hide(text)
}

// fit cuts a text that is longer than room, and says so before the text: what
// follows it to the end is not ours.
func fit(text string, room int) string {
	if len(text) <= room {
		return text
	}
	note := fmt.Sprintf("(cut: of %d bytes only the first fit; ask for less)\n", len(text))
	cut := max(0, room-len(note))
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return note + text[:cut]
}

func join(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, "\n")
}

// errWords makes an error of words for the agent.
func errWords(format string, a ...any) error { return fmt.Errorf(format, a...) }

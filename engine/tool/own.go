package tool

import (
	"context"
	"encoding/json"
)

// Args are the arguments of a call, read and typed as the tool's Params say.
type Args struct{ args args }

// String is a string argument, empty where it was left out.
func (a Args) String(name string) string { return a.args.str(name) }

// Strings is a list argument, empty where it was left out.
func (a Args) Strings(name string) []string {
	list, _ := a.args.values[name].([]string)
	return list
}

// Int is an integer argument, 0 where it was left out.
func (a Args) Int(name string) int { return a.args.number(name) }

// JSON is all the arguments as one object.
func (a Args) JSON() json.RawMessage { return a.args.whole }

// New is a tool of a room that has its own.
func New(name, description string, params []Param, run func(ctx context.Context, a Args) (string, error)) Tool {
	return Tool{
		Name: name, Description: description, Params: params,
		run: func(ctx context.Context, a args) (string, error) { return run(ctx, Args{a}) },
	}
}

// NewSet is a set of such tools. hide takes what is secret out of what they
// return; nil takes nothing.
func NewSet(hide func(string) string, tools ...Tool) *Set { return &Set{tools: tools, hide: hide} }

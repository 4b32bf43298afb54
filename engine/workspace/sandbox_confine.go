package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ConfineCommand is the argument with which this program is to call Confine
// on those that follow, before it does anything else.
const ConfineCommand = "__confine"

// confineArgs is the command line of ours up to the program to run. The path
// is good even when the file it was started from is gone.
func confineArgs(rules SandboxRules) []string {
	text, err := json.Marshal(rules)
	if err != nil {
		text = []byte(err.Error()) // strings and a bool: not possible, and refused by Confine
	}
	return []string{"/proc/self/exe", ConfineCommand, string(text), "--"}
}

func parseConfine(args []string) (SandboxRules, []string, error) {
	var rules SandboxRules
	at := slices.Index(args, "--")
	if at != 1 || len(args) < 3 {
		return rules, nil, errors.New("the arguments are not: rules -- program arguments")
	}
	if err := json.Unmarshal([]byte(args[0]), &rules); err != nil {
		return rules, nil, fmt.Errorf("read the rules: %w", err)
	}
	return rules, args[2:], nil
}

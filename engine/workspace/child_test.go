package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

const childRole = "WORKSPACE_TEST_CHILD"

// childRoles are what this test binary does as a child of itself, in a state
// that must not be that of the other tests (limits, mounts, subreaper).
var childRoles = map[string]func(arg string) error{}

func init() {
	if os.Getenv(childRole) == "" {
		return
	}
	// Roles are entered by other files' init functions, which run first or
	// last: the command line is looked at when all have.
	os.Args = append(os.Args[:1], "-test.run=^TestInChild$", "-test.v=false")
}

// TestInChild is where a child ends up; on its own it checks that a role's
// failure reaches the parent.
func TestInChild(t *testing.T) {
	if role := os.Getenv(childRole); role != "" {
		if err := childRoles[role](os.Getenv(childRole + "_ARG")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if output, err := asChild("fails", "").CombinedOutput(); err == nil || string(output) != "as told\n" {
		t.Errorf("a failing role gave %q, %v", output, err)
	}
}

func init() {
	childRoles["fails"] = func(string) error { return fmt.Errorf("as told") }
}

func asChild(role, arg string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childRole+"_ARG="+arg)
	return cmd
}

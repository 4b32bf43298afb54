package workspace

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func init() {
	childRoles["hide"] = func(string) error {
		if err := HideEnvironment(); err != nil {
			return err
		}
		seen, err := os.ReadFile("/proc/self/environ")
		if err != nil {
			return err
		}
		if strings.Contains(string(seen), "hush") {
			return fmt.Errorf("it can be seen: %q", seen)
		}
		for _, entry := range []string{"GROWBENCH_RUN=a-run", "LC_ALL=C.UTF-8"} {
			if !strings.Contains("\x00"+string(seen), "\x00"+entry+"\x00") {
				return fmt.Errorf("%s is hidden too: %q", entry, seen)
			}
		}
		// Ours as before, and a child's when it is passed on.
		if os.Getenv("ANY_NAME") != "hush" || os.Getenv("PLANTED_TOKEN") != "hush" {
			return errors.New("it is lost")
		}
		out, err := exec.Command("sh", "-c", `test "$ANY_NAME" = hush && test -z "$NEVER_SET"`).CombinedOutput()
		if err != nil {
			return fmt.Errorf("a child has not got it: %w: %s", err, out)
		}
		return HideMemory()
	}
	childRoles["look"] = func(pid string) error {
		for _, name := range []string{"environ", "mem", "maps"} {
			if file, err := os.Open("/proc/" + pid + "/" + name); err == nil {
				file.Close()
				return fmt.Errorf("%s of process %s can be opened", name, pid)
			}
		}
		return nil
	}
	childRoles["hidden, looked at"] = func(string) error {
		if err := HideMemory(); err != nil {
			return err
		}
		out, err := asChild("look", fmt.Sprint(os.Getpid())).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
}

func TestEnvironmentIsHiddenFromOthers(t *testing.T) {
	cmd := asChild("hide", "")
	cmd.Env = append(cmd.Env, "ANY_NAME=hush", "PLANTED_TOKEN=hush", "LC_ALL=C.UTF-8", "GROWBENCH_RUN=a-run", "EMPTY=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Root sees everything, so this is about an ordinary user's processes.
func TestMemoryIsHiddenFromOthersOfTheUser(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	if out, err := asChild("hidden, looked at", "").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

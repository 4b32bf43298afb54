package ui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// underShell starts a workbench from a shell with job control. The shell
// prints a prompt of its own, and a word when the workbench has ended.
func underShell(t *testing.T, env ...string) *console {
	t.Helper()
	return underShellAs(t, "plain", env...)
}

func underShellAs(t *testing.T, role string, env ...string) *console {
	t.Helper()
	rc := filepath.Join(t.TempDir(), "rc")
	if err := os.WriteFile(rc, []byte("PS1='shell-ready> '\nset -m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startCommand(t, role, exec.Command("bash", "--noprofile", "--rcfile", rc, "-i"), env...)
	c.until("shell-ready>")
	c.press(os.Args[0] + "; echo bench-ended-$?\n")
	c.until(up)
	return c
}

// taken tells whether the workbench has the terminal, whole and as it needs it.
func (c *console) taken() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	screen := c.term.String()
	return c.term.IsAltScreen() && strings.Contains(screen, up) && strings.Contains(screen, "transcript of Worker 2") &&
		c.modes[ansi.ModeMouseButtonEvent] && c.modes[ansi.ModeFocusEvent] && c.modes[ansi.ModeBracketedPaste]
}

// left tells whether somebody else has it, in its normal state.
func (c *console) left() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.term.IsAltScreen() && !c.modes[ansi.ModeMouseButtonEvent] && !c.modes[ansi.ModeFocusEvent] &&
		c.modes[ansi.ModeTextCursorEnable]
}

// when waits until something is so.
func (c *console) when(what string, so func() bool) {
	c.t.Helper()
	late := timeout()
	for !so() {
		select {
		case <-c.changed:
		case <-late:
			c.t.Fatalf("%s did not come; the screen:\n%s", what, c.text())
		}
	}
}

// whole checks that the workbench has the terminal again as it needs it.
func (c *console) whole() {
	c.t.Helper()
	c.when("the whole screen", c.taken)
	if modes := c.termios(); modes.Lflag&(syscall.ICANON|syscall.ECHO|syscall.ISIG) != 0 {
		c.t.Errorf("the terminal is not raw: %+v", modes)
	}
}

// foreground is the process group that has the terminal.
func (c *console) foreground() int {
	c.t.Helper()
	var group int
	conn, err := c.master.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) { group, _ = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP) })
	}
	if err != nil || group <= 1 {
		c.t.Fatalf("the foreground group is %d: %v", group, err)
	}
	return group
}

// given checks that somebody else has the terminal in its normal state.
func (c *console) given() {
	c.t.Helper()
	c.when("the terminal given back", c.left)
}

func TestSuspendGoesToTheShellAndFgComesBack(t *testing.T) {
	c := underShell(t)
	for range 3 {
		c.press("\x1a")
		c.until("Stopped")
		c.given()
		c.press("echo in-the-$((40+2))-shell\n")
		c.until("in-the-42-shell")
		c.press("fg\n")
		c.whole()
		c.press("?")
		c.until("─ keys ─")
		c.press("?")
		c.until(up)
	}
	// Stopped by force, it takes the terminal anew when it goes on.
	c.press("\x1a")
	c.until("Stopped")
	c.press("fg\n")
	c.whole()
	if err := syscall.Kill(-c.foreground(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	c.until("Stopped")
	c.press("stty sane; printf '\\033[?1049l\\033[?1000l\\033[?1002l\\033[?1006l'; echo all-$((40+2))-gone\n")
	c.until("all-42-gone")
	c.press("fg\n")
	c.whole()
	c.press("q")
	c.until("Back with: growbench attach r1")
	c.press("stty -a | grep -o ' icanon\\| echo ' | tr -d ' ' | tr '\\n' '+'\n")
	c.until("icanon+echo+")
	c.press("exit\n")
	c.end()
}

func TestWithoutAShellCtrlZSaysSoAndStays(t *testing.T) {
	c := start(t, "plain")
	c.until(up)
	c.press("\x1a")
	c.until("there is no shell to go back to here")
	c.press("q")
	c.end()
	c.tidy()
}

// editor writes a program that acts as an editor.
func editor(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my editor")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheEditorGetsACopyAndTheTerminalComesBack(t *testing.T) {
	leaveMess := "printf '\\033[?1049h\\033[?1000h\\033[?1006h\\033[?25l\\033[2;4r\\033[?1h\\033[31m'; stty raw -echo; "
	for _, test := range []struct {
		name, script, says string
	}{
		{"interrupted", `echo "EDITING $1 $(basename "$2")"; cat "$2"; read x`, "the editor: signal: interrupt"},
		{"reads", `trap '' INT; echo "EDITING $1 $(basename "$2")"; cat "$2"; read x`, ""},
		{"killed", `trap '' INT; echo "EDITING $1 $(basename "$2")"; cat "$2"; read x; ` + leaveMess + `kill -9 $$`, "the editor: signal: killed"},
		{"fails", `trap '' INT; echo "EDITING $1 $(basename "$2")"; cat "$2"; read x; ` + leaveMess + `exit 3`, "the editor: exit status 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			temp := t.TempDir()
			c := underShell(t, fmt.Sprintf("VISUAL='%s' --wait", editor(t, test.script)), "TMPDIR="+temp)
			c.press("e")
			c.until("open a copy in your editor")
			c.press("1")
			c.until("EDITING --wait task2.md")
			c.until("Print sizes the short way.")
			c.given()
			c.press("\x03") // is the editor's, which dies of it or not
			if test.name != "interrupted" {
				c.press("\n")
			}
			c.whole()
			c.until(test.says)
			if left, _ := filepath.Glob(filepath.Join(temp, "growbench-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			c.press("q")
			c.until("bench-ended-0")
			c.press("stty -a | grep -o ' icanon\\| echo ' | tr -d ' ' | tr '\\n' '+'\n")
			c.until("icanon+echo+")
			c.press("exit\n")
			c.end()
		})
	}
}

func TestAnAnswerThatIsATextIsWrittenInTheEditor(t *testing.T) {
	for written, says := range map[string]string{
		"BETTER": "answered: edit",
		"WORSE":  "not answered, what you wrote is in ",
		"":       "q leave",
	} {
		temp := t.TempDir()
		script := "echo EDITING; read x; "
		if written != "" {
			script += "printf '" + written + "\\n' >> \"$1\""
		}
		c := underShellAs(t, "affected", fmt.Sprintf("EDITOR='%s'", editor(t, script)), "TMPDIR="+temp)
		c.press("a")
		c.until("2   edit")
		c.press("2")
		c.until("write it in your editor now")
		c.press("e")
		c.until("EDITING")
		c.press("\n")
		c.until(says)
		c.whole()
		kept, _ := filepath.Glob(filepath.Join(temp, "growbench-*", "task2.md"))
		if (written == "WORSE") != (len(kept) == 1) {
			t.Errorf("%q: kept %v", written, kept)
		}
		c.press("q")
		c.until("Back with: growbench attach r1")
		c.press("exit\n")
		c.end()
	}
}

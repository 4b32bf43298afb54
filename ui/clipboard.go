package ui

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"

	"growbench/theme/text"
	"growbench/views"
)

const (
	// maxOSC52 is the most bytes terminals agree to take by escape sequence.
	maxOSC52 = 74_994
	// maxScreenString is how long a string GNU screen passes through at once.
	maxScreenString = 740
	// copyPatience is how long a clipboard tool may take.
	copyPatience = 3 * time.Second
)

// clipboard is the ways out of the workbench for a text that is copied.
type clipboard struct {
	getenv   func(string) string
	lookPath func(string) (string, error)
	temp     string // the directory for what no way takes
}

func newClipboard(getenv func(string) string) clipboard {
	return clipboard{getenv: getenv, lookPath: exec.LookPath, temp: os.TempDir()}
}

// tool is a program that takes what is copied on its standard input.
type tool struct {
	argv []string
	said string // what is true once it has taken the text
}

// tools are the programs that reach a clipboard from here. Over ssh those of
// the desktop would fill the clipboard of a machine nobody sits at.
func (c clipboard) tools() []tool {
	var all []tool
	remote := c.getenv("SSH_CONNECTION") != "" || c.getenv("SSH_TTY") != ""
	if !remote {
		if c.getenv("WAYLAND_DISPLAY") != "" {
			all = append(all, tool{[]string{"wl-copy"}, "copied with wl-copy"})
		}
		if c.getenv("DISPLAY") != "" {
			all = append(all, tool{[]string{"xclip", "-selection", "clipboard"}, "copied with xclip"},
				tool{[]string{"xsel", "--clipboard", "--input"}, "copied with xsel"})
		}
		all = append(all, tool{[]string{"pbcopy"}, "copied with pbcopy"})
		if c.getenv("WSL_DISTRO_NAME") != "" {
			all = append(all, tool{[]string{"clip.exe"}, "copied with clip.exe"})
		}
	}
	if c.getenv("TMUX") != "" {
		all = append(all, tool{[]string{"tmux", "load-buffer", "-w", "-"},
			"in the buffer of tmux, and sent to its terminal, which does not confirm"})
	}
	return all
}

// copied is what became of a text: what to say, and what to write to the
// terminal if that is the way it goes.
type copied struct {
	words    string
	sequence string
}

// put takes a text out by the first way there is: a tool, the terminal, a file.
func (c clipboard) put(ctx context.Context, s string) (copied, error) {
	if s == "" {
		return copied{}, errors.New("there is nothing to copy")
	}
	size := views.Bytes(int64(len(s)))
	failed := ""
	for _, t := range c.tools() {
		path, err := c.lookPath(t.argv[0])
		if err != nil {
			continue
		}
		if err := feedTool(ctx, path, t.argv[1:], s); err != nil {
			failed = t.argv[0] + " failed: " + text.Line(err.Error()) + "; "
			continue
		}
		return copied{words: failed + t.said + " (" + size + ")"}, nil
	}
	if c.terminalTakes() && len(s) <= maxOSC52 {
		words := "sent to the terminal (" + size + "), which does not confirm"
		switch {
		case c.getenv("TMUX") != "":
			words += "; tmux passes it on with allow-passthrough"
		case c.screen():
			words += "; screen passes it on"
		}
		return copied{failed + words, c.osc52(s)}, nil
	}
	path, err := c.file(s)
	if err != nil {
		return copied{}, fmt.Errorf("%scopy to a file: %w", failed, err)
	}
	why := "no clipboard is in reach"
	if c.terminalTakes() {
		why = size + " is more than a terminal takes"
	}
	return copied{words: failed + why + "; written to " + text.Visible(path)}, nil
}

// terminalTakes tells whether the terminal may know the sequence at all.
func (c clipboard) terminalTakes() bool {
	switch term := c.getenv("TERM"); {
	case term == "linux", term == "dumb", strings.HasPrefix(term, "vt"):
		return false
	}
	return true
}

// screen tells whether GNU screen lies between here and the terminal. Inside
// it tmux also calls its terminal "screen".
func (c clipboard) screen() bool { return c.getenv("STY") != "" && c.getenv("TMUX") == "" }

func (c clipboard) osc52(s string) string {
	return c.through("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(s)) + "\x07")
}

// through wraps a sequence for what lies between here and the terminal.
func (c clipboard) through(sequence string) string {
	switch {
	case c.getenv("TMUX") != "":
		return ansi.TmuxPassthrough(sequence)
	case c.screen():
		return ansi.ScreenPassthrough(sequence, maxScreenString)
	}
	return sequence
}

// file keeps a text in a file of its own that nobody else can read.
func (c clipboard) file(s string) (string, error) {
	f, err := os.CreateTemp(c.temp, "growbench-copy-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(s)
	return f.Name(), errors.Join(err, f.Close())
}

// feedTool runs a tool that takes a text. Some stay behind to hand it out:
// they must not hold our output open.
func feedTool(ctx context.Context, path string, args []string, s string) error {
	ctx, cancel := context.WithTimeout(ctx, copyPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = strings.NewReader(s)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	return cmd.Run()
}

// harmless is a text as it may be pasted anywhere: without the controls that
// a terminal would act on. Everything else stays as it is.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0x200e, r == 0x200f, r == 0x061c,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

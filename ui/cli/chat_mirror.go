package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"growbench/engine/config"
	"growbench/engine/giver"
	"growbench/engine/workspace"
	"growbench/loop"
)

// farewell bounds how long leaving waits for the mirrors to take their status
// away.
const farewell = 5 * time.Second

// mirrorLoop registers the mirrors that are configured. wait lets them take
// their status away, once the conversation is closed.
func mirrorLoop(s *giver.Session, c config.Config, dir string) (wait func()) {
	note := func(err error) { s.NoteLoop(err.Error()) }
	if m, err := telegram(c, note); err != nil {
		note(err)
	} else if m != nil {
		s.LoopMirror("telegram", m)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Mirrors)) {
		m, err := startMirror(c.Mirrors[name].Argv, dir)
		if err != nil {
			note(fmt.Errorf("show the loop with the mirror %s: %w", name, err))
			continue
		}
		s.LoopMirror("program "+name, m)
	}
	if !c.Telegram.On && len(c.Mirrors) == 0 {
		return func() {}
	}
	return func() {
		select {
		case <-s.LoopGone():
		case <-time.After(farewell):
		}
	}
}

// telegram is the bot as it is configured; nil where it is off.
func telegram(c config.Config, note func(error)) (loop.Mirror, error) {
	if !c.Telegram.On {
		return nil, nil
	}
	token, chat := strings.TrimSpace(os.Getenv(config.TelegramToken)), strings.TrimSpace(os.Getenv(config.TelegramChat))
	if token == "" || chat == "" {
		return nil, fmt.Errorf("the loop is not shown in Telegram: set %s and %s", config.TelegramToken, config.TelegramChat)
	}
	return loop.NewTelegram(&http.Client{}, c.Telegram.URL, token, chat, note), nil
}

// mirrorProgram is a program that reads the loop's status, a line of JSON each.
type mirrorProgram struct {
	in    io.WriteCloser
	ended chan struct{}
	pid   int
}

func startMirror(argv []string, dir string) (*mirrorProgram, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, workspace.Environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C is not for it
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	m := &mirrorProgram{in: in, ended: make(chan struct{}), pid: cmd.Process.Pid}
	go func() {
		defer close(m.ended)
		_ = cmd.Wait() // how it ends is its own affair
	}()
	return m, nil
}

func (m *mirrorProgram) Show(s loop.Status) {
	line, err := json.Marshal(lineOf(s))
	if err == nil {
		_, _ = m.in.Write(append(line, '\n')) // one that reads no more is gone
	}
}

// Close ends its input, and what does not end by that.
func (m *mirrorProgram) Close() {
	_ = m.in.Close()
	select {
	case <-m.ended:
	case <-time.After(farewell - time.Second):
		_ = syscall.Kill(-m.pid, syscall.SIGKILL)
	}
}

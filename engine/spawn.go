package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// OwnerCommand is the hidden command that makes a process a run's owner.
const OwnerCommand = "__owner"

// Spawner starts owners as detached processes.
type Spawner struct {
	// Argv starts this program again; empty means /proc/self/exe, which is
	// there even when the file it was started from is gone.
	Argv []string
	Env  []string // nil means our own
}

// Spawn starts the owner of a run and returns once it listens, or with the
// reason why it does not.
func (s Spawner) Spawn(ctx context.Context, runDir string, resume *event.RunResumed) error {
	doing := "start the owner of run " + filepath.Base(runDir)
	argv := append([]string{}, s.Argv...)
	if len(argv) == 0 {
		argv = []string{selfPath()}
	}
	argv = append(argv, KeeperCommand, runDir)
	if resume != nil {
		data, err := json.Marshal(resume)
		if err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
		argv = append(argv, string(data))
	}
	ready, theirs, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer ready.Close()
	log, err := os.OpenFile(filepath.Join(runDir, fileLog), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		theirs.Close()
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer log.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = "/", s.Env
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	go cmd.Wait() // it outlives us, or is reaped here
	stop := context.AfterFunc(ctx, func() { ready.Close() })
	defer stop()
	line, err := bufio.NewReader(ready).ReadString('\n')
	switch {
	case line == readyWord:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, context.Cause(ctx))
	case errors.Is(err, io.EOF) && line == "":
		return fmt.Errorf("%s: it ended at once; see %s", doing, log.Name())
	}
	text := strings.TrimSpace(line)
	if text == ErrOwned.Error() {
		return fmt.Errorf("%s: %w", doing, ErrOwned)
	}
	return fmt.Errorf("%s: %s", doing, text)
}

const readyWord = "ready\n"

// selfPath is how to start this program once more.
func selfPath() string {
	if _, err := os.Stat("/proc/self/exe"); err == nil {
		return "/proc/self/exe"
	}
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}

// What an owner is started with: the pipe it tells its starter on, and the one
// that ends when its keeper does.
const (
	readyPipe  = 3
	keeperPipe = 4
)

// RunOwner is what the hidden command does. args are those after its name.
func RunOwner(args []string, opt OwnerOptions) error {
	if len(args) < 1 {
		return errors.New("the owner's command needs a run directory; it is not meant to be typed")
	}
	hide()
	pipe, keeper := inherited(readyPipe), inherited(keeperPipe)
	gone := make(chan struct{})
	opt.KeeperGone = gone
	go func() {
		defer close(gone)
		keeper.Read(make([]byte, 1))
	}()
	if opt.Agents == nil {
		opt.Agents = NewAgent
	}
	if len(args) > 1 {
		opt.Resume = &event.RunResumed{}
		if err := json.Unmarshal([]byte(args[1]), opt.Resume); err != nil {
			return fmt.Errorf("read how to go on: %w", err)
		}
	}
	told := false
	opt.Ready = func() {
		told = true
		io.WriteString(pipe, readyWord)
		pipe.Close()
	}
	err := Own(context.Background(), args[0], opt)
	if err != nil && !told {
		tellStarter(pipe, err)
	}
	return err
}

// tellStarter says in one line why there will be no owner.
func tellStarter(pipe *os.File, err error) {
	text := err.Error()
	if errors.Is(err, ErrOwned) {
		text = ErrOwned.Error()
	}
	io.WriteString(pipe, strings.ReplaceAll(text, "\n", " ")+"\n")
	pipe.Close()
}

// inherited is a file we were started with, and nothing we start shall have.
func inherited(fd uintptr) *os.File {
	syscall.CloseOnExec(int(fd))
	return os.NewFile(fd, "inherited")
}

// hide keeps the keys in our environment from agents that nothing holds back.
func hide() {
	for _, hide := range []func() error{workspace.HideEnvironment, workspace.HideMemory} {
		if err := hide(); err != nil {
			fmt.Fprintln(os.Stderr, "growbench:", err)
		}
	}
}

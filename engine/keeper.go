package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"growbench/engine/workspace"
)

// KeeperCommand is the hidden command that makes a process a run's keeper.
const KeeperCommand = "__keeper"

// errKeeperGone ends a run: what it starts could outlive its owner from then on.
var errKeeperGone = errors.New("the run's keeper was killed, which an agent without a sandbox can do; what it protects from is told by `growbench doctor`")

// KeeperOptions bound a keeper.
type KeeperOptions struct {
	// Grace is how long what an owner leaves has before it is killed.
	Grace time.Duration
}

// RunKeeper is what the hidden command does. A keeper is the parent of a run's
// owner and waits for its end. As the next in line it then becomes the parent
// of all that the owner has started, daemons without a trace of the run
// included, and ends it: an owner that was killed cannot do that itself. While
// the owner lives, the keeper does nothing and costs nothing.
func RunKeeper(args []string, opt KeeperOptions) error {
	if len(args) < 1 {
		return errors.New("the keeper's command needs a run directory; it is not meant to be typed")
	}
	if opt.Grace == 0 {
		opt.Grace = 5 * time.Second
	}
	hide()
	ready := inherited(readyPipe)
	held, err := takeKeeper(args[0])
	if err != nil {
		tellStarter(ready, err)
		return err
	}
	defer held.release()
	if err := workspace.SetSubreaper(); err != nil {
		fmt.Fprintln(os.Stderr, "growbench:", err)
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		tellStarter(ready, err)
		return fmt.Errorf("start the owner: %w", err)
	}
	defer ours.Close() // open for as long as we live
	owner := exec.Command(selfPath(), append([]string{OwnerCommand}, args...)...)
	owner.Dir, owner.Stdout, owner.Stderr = "/", os.Stdout, os.Stderr
	owner.ExtraFiles = []*os.File{ready, theirs}
	// A group of its own: who ends the owner's group leaves the keeper.
	owner.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := owner.Start(); err != nil {
		tellStarter(ready, err)
		return fmt.Errorf("start the owner: %w", err)
	}
	ready.Close()
	theirs.Close()
	signals := make(chan os.Signal, 2)
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		for s := range signals {
			owner.Process.Signal(s)
		}
	}()
	ended := owner.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), keeperPatience(opt.Grace))
	defer cancel()
	if _, err := workspace.EndDescendants(ctx, opt.Grace); err != nil {
		return errors.Join(ended, err)
	}
	return ended
}

// keeperPatience is the longest a keeper works after its owner's end.
func keeperPatience(grace time.Duration) time.Duration { return 3*grace + 20*time.Second }

// takeKeeper takes the keeper's place of a run. The keeper of an owner that
// was killed is waited for: what it has not ended yet may still write.
func takeKeeper(runDir string) (*lock, error) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	over := time.NewTimer(keeperPatience(5 * time.Second))
	defer over.Stop()
	for {
		held, err := takeLockFile(runDir, fileKeeper)
		if !errors.Is(err, ErrOwned) || OwnerAlive(runDir) {
			return held, err
		}
		select {
		case <-look.C:
		case <-over.C:
			return nil, fmt.Errorf("go on with run %s: what its last owner left running cannot be ended; see %s",
				filepath.Base(runDir), filepath.Join(runDir, fileLog))
		}
	}
}

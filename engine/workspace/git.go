package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrNoGit says that there is no git program to run.
var ErrNoGit = errors.New("git was not found in PATH: install git (2.34 or newer)")

// GitError is a git command that ended with a failure.
type GitError struct {
	Args   []string // without our own leading settings
	Code   int      // exit code, -1 when a signal ended it
	Stderr string
}

func (e *GitError) Error() string {
	text := strings.TrimSpace(e.Stderr)
	if text == "" {
		text = fmt.Sprintf("exit code %d", e.Code)
	}
	return fmt.Sprintf("git %s: %s", strings.Join(e.Args, " "), text)
}

// gitDir is one git directory, always named explicitly: no command of ours
// discovers a repository, so none can find one that an agent planted.
type gitDir struct {
	dir  string // empty: a command that needs no repository
	tree string // work tree, empty when a command needs none
	env  []string
}

// inert are settings that keep git from running programs of a repository,
// from background work and from reaching the network. Settings on the command
// line win over every file.
var inert = []string{
	"core.hooksPath=/dev/null",
	"core.fsmonitor=false",
	"core.untrackedCache=false",
	"core.alternateRefsCommand=:",
	"core.sshCommand=false",
	"core.gitProxy=false",
	"core.askPass=false",
	"core.pager=cat",
	"core.editor=false",
	"core.logAllRefUpdates=false",
	"core.filesRefLockTimeout=1000", // milliseconds
	// Times an agent can set must not hide a change.
	"core.trustctime=true",
	"core.checkStat=default",
	"core.splitIndex=false",
	"core.quotePath=true",
	"gc.auto=0",
	"maintenance.auto=false",
	"commit.gpgSign=false",
	"tag.gpgSign=false",
	"gpg.program=false",
	"credential.helper=",
	"diff.ignoreSubmodules=dirty",
	"submodule.recurse=false",
	"fetch.recurseSubmodules=false",
	"i18n.commitEncoding=utf-8",
	"advice.detachedHead=false",
	"init.templateDir=",
	// A large-file server named by a file of the tree is never contacted:
	// objects come from the user's own store or stay pointers.
	"lfs.url=file:///dev/null",
	"lfs.locksverify=false",
	"lfs.transfer.maxretries=1",
}

// gitEnv is the environment of every git of ours: nothing of a surrounding
// git command or hook, and only the variables that say where the user's own
// configuration lies.
func gitEnv() []string {
	keep := []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}
	drop := []string{"LANGUAGE", "SSH_ASKPASS", "PAGER", "EDITOR", "VISUAL"}
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "LC_") || slices.Contains(drop, name) ||
			strings.HasPrefix(name, "GIT_") && !slices.Contains(keep, name) {
			continue
		}
		env = append(env, entry)
	}
	return append(env,
		"LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_LITERAL_PATHSPECS=1",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_DEFAULT_REF_FORMAT=files",
		"GIT_ADVICE=0",
		"GIT_LFS_SKIP_DOWNLOAD_ERRORS=1",
	)
}

// with is g with more environment, which wins over what is there.
func (g gitDir) with(env ...string) gitDir {
	g.env = append(slices.Clone(g.env), env...)
	return g
}

func (g gitDir) command(ctx context.Context, args []string) *exec.Cmd {
	full := []string{"--no-optional-locks", "--no-pager"}
	if g.dir != "" {
		full = append(full, "--git-dir="+g.dir)
	}
	if g.tree != "" {
		full = append(full, "--work-tree="+g.tree)
	}
	for _, setting := range inert {
		full = append(full, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, "git", append(full, args...)...)
	cmd.Env = append(gitEnv(), g.env...)
	// Commands without a work tree must not stand in a directory that an
	// agent owns.
	cmd.Dir = "/"
	if g.tree != "" {
		cmd.Dir = g.tree
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// On SIGTERM git takes its lock files away.
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// run returns the standard output of one git command.
func (g gitDir) run(ctx context.Context, args ...string) ([]byte, error) {
	return g.feed(ctx, nil, args...)
}

// line is run for a command that answers with one line.
func (g gitDir) line(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// feed is run with standard input.
func (g gitDir) feed(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	out, _, err := g.both(ctx, input, args...)
	return out, err
}

// both is feed that also returns what the command complained about when it
// succeeded all the same.
func (g gitDir) both(ctx context.Context, input []byte, args ...string) (stdout []byte, stderr string, err error) {
	cmd := g.command(ctx, args)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	err = gitFailure(ctx, cmd.Run(), args, &errOut, &out)
	return out.Bytes(), errOut.String(), err
}

// stream starts a git command and hands its standard output to read; both
// must succeed.
func (g gitDir) stream(ctx context.Context, input []byte, read func(io.Reader) error, args ...string) error {
	cmd := g.command(ctx, args)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	cmd.Stdin = bytes.NewReader(input)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("starting git %s: %w", args[0], err)
	}
	if err := cmd.Start(); err != nil {
		return gitFailure(ctx, err, args, &errOut, nil)
	}
	readErr := read(pipe)
	if readErr != nil {
		// The reader gave up: the writer must not block on a full pipe.
		cmd.Cancel()
	}
	err = gitFailure(ctx, cmd.Wait(), args, &errOut, nil)
	if readErr != nil {
		return readErr
	}
	return err
}

func gitFailure(ctx context.Context, err error, args []string, errOut, out *bytes.Buffer) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", args[0], context.Cause(ctx))
	}
	if errors.Is(err, exec.ErrNotFound) {
		return ErrNoGit
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("running git %s: %w", args[0], err)
	}
	text := errOut.String()
	if text == "" && out != nil && out.Len() < 4096 {
		text = out.String()
	}
	return &GitError{Args: args, Code: exit.ExitCode(), Stderr: text}
}

// fields splits NUL-ended output into its entries.
func fields(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
	"growbench/engine/workspace"
)

// Owner is who owns a run and where it listens.
type Owner struct {
	PID    int    `json:"pid"`
	Start  uint64 `json:"start"` // clock ticks after boot
	Socket string `json:"socket"`
}

func readOwner(runDir string) (Owner, error) {
	var o Owner
	data, err := os.ReadFile(filepath.Join(runDir, fileOwner))
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil {
		return o, fmt.Errorf("find the owner of run %s: %w", filepath.Base(runDir), err)
	}
	return o, nil
}

// reply is the owner's answer to a command.
type reply struct {
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
	// NotWaiting tells an answer that came too late apart from a wrong one.
	NotWaiting bool `json:"not_waiting,omitempty"`
}

// ErrNotWaiting means that a run does not wait for what was answered: somebody
// else was faster, or it never asked.
var ErrNotWaiting = errors.New("it does not wait for that")

// server listens on a run's control socket.
type server struct {
	listener *net.UnixListener
	path     string
	hub      *hub
	do       func(Command) error
}

func listen(path string, h *hub, do func(Command) error) (*server, error) {
	os.Remove(path) // left by an owner that died: the run's lock is ours
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("open the run's control socket: %w", err)
	}
	return &server{listener: l, path: path, hub: h, do: do}, nil
}

func (s *server) serve() {
	for {
		conn, err := s.listener.AcceptUnix()
		if err != nil {
			return
		}
		go s.handle(conn)
	}
}

func (s *server) close() {
	s.listener.Close()
	os.Remove(s.path)
}

// handle serves one peer. An agent of this run is refused: it must not be
// able to approve itself.
func (s *server) handle(conn *net.UnixConn) {
	defer conn.Close()
	err := admit(conn)
	gone := errors.Is(err, errPeerGone)
	if err != nil && !gone {
		// What was sent is read first, or closing would cut the answer off.
		conn.SetDeadline(time.Now().Add(time.Second))
		bufio.NewReader(io.LimitReader(conn, 64<<10)).ReadSlice('\n')
		json.NewEncoder(conn).Encode(reply{Error: err.Error()})
		return
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(make([]byte, 4<<10), maxCommand)
	for lines.Scan() {
		var c Command
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			json.NewEncoder(conn).Encode(reply{Error: "not a command: " + err.Error()})
			return
		}
		if c.Do == "watch" && !gone {
			s.stream(conn)
			return
		}
		r := reply{OK: true}
		if gone && c.Do != "stop" {
			r = reply{Error: err.Error()}
		} else if err := s.do(c); err != nil {
			r = reply{Error: err.Error(), NotWaiting: errors.Is(err, ErrNotWaiting)}
		}
		if json.NewEncoder(conn).Encode(r) != nil {
			return
		}
	}
}

func (s *server) stream(conn *net.UnixConn) {
	sub := s.hub.subscribe()
	defer s.hub.unsubscribe(sub)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		conn.Read(make([]byte, 1))
	}()
	enc := json.NewEncoder(conn)
	enc.Encode(reply{OK: true})
	for {
		select {
		case n := <-sub.notes:
			conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
			if enc.Encode(n) != nil {
				return
			}
		case <-gone:
			return
		}
	}
}

var (
	errAgentPeer = errors.New("refused: this process was started by the run itself")
	// errPeerGone is no refusal of a stop: an operator who leaves at once may ask
	// for it, and so may everybody who can send a signal. It is one of an answer,
	// as an agent could approve itself so.
	errPeerGone = errors.New("refused: who asks has ended already")
)

func admit(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var pid, uid int
	var credErr error
	err = raw.Control(func(fd uintptr) { pid, uid, credErr = peer(int(fd)) })
	switch {
	case err != nil:
		return err
	case credErr != nil:
		return fmt.Errorf("refused: who is asking cannot be told: %w", credErr)
	case uid != os.Getuid():
		return errors.New("refused: another user's process")
	}
	ours, err := workspace.DescendsFrom(pid, os.Getpid())
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH):
		return errPeerGone
	case err != nil:
		return fmt.Errorf("refused: who is asking cannot be told: %w", err)
	case ours:
		return errAgentPeer
	}
	return nil
}

// ErrNoOwner means that nobody owns the run, so nobody can carry a command out.
var ErrNoOwner = errors.New("nobody is running it")

// maxCommand bounds a command's line, in bytes; an answer may carry a task.
const maxCommand = 1 << 20

// Send gives a command to the run's owner and waits for its answer.
func Send(ctx context.Context, runDir string, c Command) error {
	doing := fmt.Sprintf("%s run %s", c.Do, filepath.Base(runDir))
	conn, err := dial(ctx, runDir)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := json.Marshal(c)
	if err == nil && len(line) >= maxCommand {
		err = fmt.Errorf("its text is too long (%d bytes with all around it; the limit is %d)", len(line), maxCommand)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	var r reply
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if err := json.NewDecoder(conn).Decode(&r); err != nil {
		return fmt.Errorf("%s: its owner gave no answer: %w", doing, err)
	}
	if r.NotWaiting {
		return fmt.Errorf("%s: %w: %q", doing, ErrNotWaiting, c.ID)
	}
	if !r.OK {
		return fmt.Errorf("%s: %s", doing, r.Error)
	}
	return nil
}

func dial(ctx context.Context, runDir string) (net.Conn, error) {
	if !OwnerAlive(runDir) {
		return nil, ErrNoOwner
	}
	o, err := readOwner(runDir)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", o.Socket)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ECONNREFUSED) {
		return nil, fmt.Errorf("%w: %w", ErrNoOwner, err)
	}
	return conn, err
}

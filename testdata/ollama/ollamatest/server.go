// Package ollamatest gives tests an Ollama server: what a real one said,
// recorded, or a real one with a scripted model in it.
//
// GROWBENCH_OLLAMA=1 chooses the real one, GROWBENCH_OLLAMA=record has what it
// says written down; GROWBENCH_TEST_OLLAMA is its program.
package ollamatest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"growbench/testdata/ollama/tinymodel"
)

// NumCtx is the context every model of a Server is loaded with.
const NumCtx = 4096

// Models that every server has: what they can do is in their templates.
const (
	Chat  = "tiny-chat"  // calls tools
	Think = "tiny-think" // calls tools and thinks
	Plain = "tiny-plain" // does neither
)

// Server is a running one.
type Server struct {
	URL     string
	Version string
	dir     string
	command *exec.Cmd
	ended   chan struct{}
}

// Real tells whether tests have a real server.
func Real() bool { return os.Getenv("GROWBENCH_OLLAMA") != "" }

// Start runs a real server with the scripted models in it, for one test.
func Start(t testing.TB, arch string) *Server {
	t.Helper()
	program := os.Getenv("GROWBENCH_TEST_OLLAMA")
	if program == "" {
		t.Fatal("GROWBENCH_OLLAMA is set: GROWBENCH_TEST_OLLAMA must name the server's program (testdata/ollama/build.sh builds one)")
	}
	address := freeAddress(t)
	dir := t.TempDir()
	s := &Server{URL: "http://" + address, dir: dir, ended: make(chan struct{})}
	log, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	s.command = exec.Command(program, "serve")
	s.command.Env = []string{
		"PATH=/usr/bin:/bin", "HOME=" + dir, "OLLAMA_HOST=" + address, "OLLAMA_MODELS=" + filepath.Join(dir, "models"),
		"OLLAMA_NOPRUNE=1",
	}
	s.command.Stdout, s.command.Stderr = log, log
	// Its runners are in its group; one group is one server.
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := s.command.Start(); err != nil {
		t.Fatalf("start the model server: %v", err)
	}
	go func() {
		defer close(s.ended)
		_ = s.command.Wait()
		log.Close()
	}()
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("the server's log ends with:\n%s", text[max(0, len(text)-4000):])
		}
	})
	s.ready(t)
	file := tinymodel.File(arch)
	digest := s.upload(t, file)
	for name, template := range map[string]string{Chat: tinymodel.Chat, Think: tinymodel.Think, Plain: tinymodel.Plain} {
		s.create(t, name, template, digest)
	}
	return s
}

// Kill ends the server and its runners at once.
func (s *Server) Kill() {
	_ = syscall.Kill(-s.command.Process.Pid, syscall.SIGKILL)
	<-s.ended
}

// KillRunner ends the processes that run models and leaves the server alone.
func (s *Server) KillRunner(t testing.TB) {
	t.Helper()
	children, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", s.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, file := range children {
		list, _ := os.ReadFile(file)
		for _, field := range strings.Fields(string(list)) {
			if pid, err := strconv.Atoi(field); err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed++
			}
		}
	}
	if killed == 0 {
		t.Fatal("the server has no runner")
	}
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// ready waits until the server answers.
func (s *Server) ready(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		var said struct{ Version string }
		resp, err := http.Get(s.URL + "/api/version")
		if err == nil {
			err = json.NewDecoder(resp.Body).Decode(&said)
			resp.Body.Close()
		}
		if err == nil {
			s.Version = said.Version
			return
		}
		select {
		case <-tick.C:
		case <-s.ended:
			t.Fatal("the model server ended at once")
		case <-ctx.Done():
			t.Fatalf("the model server does not answer: %v", err)
		}
	}
}

func (s *Server) upload(t testing.TB, file []byte) string {
	t.Helper()
	sum := sha256.Sum256(file)
	digest := "sha256:" + hex.EncodeToString(sum[:])
	s.post(t, "/api/blobs/"+digest, file)
	return digest
}

func (s *Server) create(t testing.TB, name, template, digest string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"model": name, "files": map[string]string{"tiny.gguf": digest}, "template": template, "stream": false,
		// Nothing is left to chance, and one thread is faster than two on a busy machine.
		"parameters": map[string]any{"temperature": 0, "num_thread": 1, "num_ctx": NumCtx},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.post(t, "/api/create", body)
}

func (s *Server) post(t testing.TB, path string, body []byte) {
	t.Helper()
	resp, err := http.Post(s.URL+path, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, _ := io.ReadAll(resp.Body)
	if resp.StatusCode/100 != 2 {
		t.Fatalf("%s: %s %s", path, resp.Status, said)
	}
}

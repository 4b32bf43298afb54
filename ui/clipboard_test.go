package ui

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"growbench/views"
)

// desk is a clipboard whose tools are programs of the test: each keeps what it
// was given in a file of its name, or fails.
func desk(t *testing.T, env map[string]string, tools ...string) (clipboard, string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range tools {
		script := "#!/bin/sh\ncat > " + filepath.Join(dir, "got-"+strings.TrimPrefix(name, "!")) + "\n"
		if strings.HasPrefix(name, "!") {
			script = "#!/bin/sh\nexit 1\n"
		}
		if err := os.WriteFile(filepath.Join(dir, strings.TrimPrefix(name, "!")), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return clipboard{
		getenv: func(name string) string { return env[name] },
		lookPath: func(name string) (string, error) {
			path := filepath.Join(dir, name)
			_, err := os.Stat(path)
			return path, err
		},
		temp: dir,
	}, dir
}

func TestACopyGoesTheFirstWayThereIsAndSaysWhich(t *testing.T) {
	x := map[string]string{"DISPLAY": ":0", "TERM": "xterm"}
	overSSH := map[string]string{"DISPLAY": ":0", "SSH_CONNECTION": "a b c d", "TERM": "xterm"}
	inTmux := map[string]string{"TMUX": "/x,1,0", "TERM": "tmux-256color"}
	for _, c := range []struct {
		name  string
		env   map[string]string
		tools []string
		by    string // the tool that got it
		says  string
		sends string
	}{
		{"wayland before X", map[string]string{"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, []string{"wl-copy", "xclip"}, "wl-copy", "copied with wl-copy (4 B)", ""},
		{"X", x, []string{"xclip"}, "xclip", "copied with xclip", ""},
		{"a tool that fails is passed over", x, []string{"!xclip", "xsel"}, "xsel", "xclip failed: exit status 1; copied with xsel", ""},
		{"no display, no tool of it", map[string]string{"TERM": "xterm"}, []string{"xclip", "wl-copy"}, "", "sent to the terminal (4 B), which does not confirm", "\x1b]52;c;"},
		{"a Mac", map[string]string{}, []string{"pbcopy"}, "pbcopy", "copied with pbcopy", ""},
		{"ssh", overSSH, []string{"xclip", "pbcopy"}, "", "sent to the terminal (4 B), which does not confirm", "\x1b]52;c;"},
		{"tmux", inTmux, []string{"tmux"}, "tmux", "in the buffer of tmux, and sent to its terminal, which does not confirm", ""},
		{"tmux out of reach", inTmux, nil, "", "tmux passes it on with allow-passthrough", "\x1bPtmux;\x1b\x1b]52;c;"},
		{"screen", map[string]string{"STY": "1.x", "TERM": "screen"}, nil, "", "screen passes it on", "\x1bP\x1b]52;c;"},
		{"the console", map[string]string{"TERM": "linux"}, nil, "", "no clipboard is in reach; written to ", ""},
		{"everything fails", map[string]string{"DISPLAY": ":0", "TERM": "linux"}, []string{"!xclip"}, "", "xclip failed: exit status 1; no clipboard is in reach; written to ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			board, dir := desk(t, c.env, c.tools...)
			got, err := board.put(t.Context(), "text")
			if err != nil || !strings.Contains(got.words, c.says) {
				t.Errorf("says %q, %v", got.words, err)
			}
			if (got.sequence == "") != (c.sends == "") || !strings.HasPrefix(got.sequence, c.sends) {
				t.Errorf("sends %q", got.sequence)
			}
			if c.by != "" {
				if data, err := os.ReadFile(filepath.Join(dir, "got-"+c.by)); err != nil || string(data) != "text" {
					t.Errorf("%s got %q, %v", c.by, data, err)
				}
			}
			if _, path, ok := strings.Cut(got.words, "written to "); ok {
				info, err := os.Stat(path)
				if err != nil || info.Mode().Perm() != 0o600 {
					t.Fatalf("%s: %v %v", path, info, err)
				}
				if data, _ := os.ReadFile(path); string(data) != "text" {
					t.Errorf("the file holds %q", data)
				}
			}
		})
	}
}

func TestWhatATerminalDoesNotTakeGoesToAFile(t *testing.T) {
	board, _ := desk(t, map[string]string{"TERM": "xterm"})
	most := strings.Repeat("x", maxOSC52)
	if got, err := board.put(t.Context(), most); err != nil || got.sequence == "" {
		t.Errorf("%d bytes: %q, %v", len(most), got.words, err)
	}
	got, err := board.put(t.Context(), most+"x")
	if err != nil || got.sequence != "" || !strings.Contains(got.words, "more than a terminal takes; written to ") {
		t.Errorf("one more: %q, %v", got.words, err)
	}
	board.temp = filepath.Join(board.temp, "not there")
	if _, err := board.put(t.Context(), most+"x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a place for the file: %v", err)
	}
	if _, err := board.put(t.Context(), ""); err == nil {
		t.Error("nothing was copied and that was no error")
	}
}

func TestScreenGetsTheSequenceInPiecesItTakes(t *testing.T) {
	board, _ := desk(t, map[string]string{"STY": "1.x", "TERM": "screen"})
	sent := board.osc52(strings.Repeat("text ", 1000))
	whole := ""
	for piece := range strings.SplitSeq(strings.TrimSuffix(sent, "\x1b\\"), "\x1b\\") {
		piece, ok := strings.CutPrefix(piece, "\x1bP")
		if !ok || len(piece) > 768 {
			t.Fatalf("a piece of %d bytes: %.20q", len(piece), piece)
		}
		whole += piece
	}
	data := strings.TrimSuffix(strings.TrimPrefix(whole, "\x1b]52;c;"), "\x07")
	if got, err := base64.StdEncoding.DecodeString(data); err != nil || string(got) != strings.Repeat("text ", 1000) {
		t.Errorf("arrives as %.40q, %v", got, err)
	}
}

func TestACopyCarriesNoCommandForATerminal(t *testing.T) {
	if got := harmless("a\x1b]0;x\x07b\n\tc\u202ed\u009b\xff"); got != "a]0;xb\n\tcd\ufffd" {
		t.Errorf("copied %q", got)
	}
}

func TestCopyAsksWhatAndSaysWhichWay(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("y")
	g.until("─ copy ─", "title: print sizes the short way", "directory of the run: testdata/run")
	g.press("1")
	g.until("title: sent to the terminal (25 B), which does not confirm")
	if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("print sizes the short way")); !strings.Contains(g.bytes(), want) {
		t.Error("the terminal was not told")
	}
	// One thing in focus is copied without a question.
	g.press("3y")
	g.until("RESULT #1: sent to the terminal")
	g.press("q")
	g.end()
}

func TestEveryCopyHasANameAndAText(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("q")
	g.end()
	for _, run := range []string{"working", "waiting", "ended"} {
		m := modelOf(t, run)
		for p := range paneCount {
			m.show(p)
			for _, c := range m.copies() {
				if c.Name == "" || c.Text == "" {
					t.Errorf("%s, %s: %+v", run, paneNames[p], c)
				}
			}
		}
	}
	var none []views.Copy
	m := modelOf(t, "working")
	m.state.Results = nil
	m.show(resultsPane)
	if got := m.copies(); len(got) != len(none) {
		t.Errorf("without a RESULT there is %+v to copy", got)
	}
}

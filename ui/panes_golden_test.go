package ui

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine"
	"growbench/engine/event"
	"growbench/theme"
)

// The screens of the panes about one agent, at every size and in every look.
// A golden holds the text once and, for each look with colours, which style
// each run of cells has.
func TestScreensOfThePanes(t *testing.T) {
	sizes := []size{{160, 48}, {100, 30}, {80, 24}, {60, 20}}
	screens := []struct {
		name  string
		setUp func(*testing.T, *model)
	}{
		{"transcript", func(t *testing.T, m *model) { m.show(transcriptPane) }},
		{"unfolded", func(t *testing.T, m *model) {
			m.show(transcriptPane)
			m.board.transcript.FoldAll(false)
			m.board.transcript.Home()
		}},
		{"search", func(t *testing.T, m *model) {
			m.show(transcriptPane)
			cmd := m.startSearch("size")
			for cmd != nil {
				cmd = m.gatherHits(cmd().(hitsMsg))
			}
			m.nextMatch(1)
		}},
		{"results", func(t *testing.T, m *model) {
			m.show(resultsPane)
			m.compose()
			m.board.results.Step(1)
			m.board.results.Step(-1)
		}},
		{"ledger", func(t *testing.T, m *model) { m.show(ledgerPane) }},
		{"entry", func(t *testing.T, m *model) { m.show(ledgerPane); m.open() }},
		{"diff", func(t *testing.T, m *model) {
			m.show(transcriptPane)
			m.showDiff(m.fetchDiff(2, "")().(diffMsg))
			m.top().(*patch).Step(1)
		}},
	}
	dir := t.TempDir()
	for _, screen := range screens {
		for _, s := range sizes {
			name := fmt.Sprintf("%s-%dx%d", screen.name, s.width, s.height)
			t.Run(name, func(t *testing.T) {
				inEveryLook(t, "panes/"+name, s, func(look string) *model {
					m := agentScreen(t, dir, look, s)
					screen.setUp(t, m)
					return m
				})
			})
		}
	}
}

// inEveryLook compares a screen without colours, dark and light with its golden.
func inEveryLook(t *testing.T, name string, s size, screen func(look string) *model) {
	t.Helper()
	var whole, plain, before string
	for _, look := range []string{theme.None, theme.Dark, theme.Light} {
		m := screen(look)
		for range 2 { // the size is known, then renderings are there
			m.compose()
			m.paper.busy = false
			if cmd := m.render(); cmd != nil {
				m.update(cmd())
			}
		}
		text, legend, styles := picture(m.frame, s)
		if plain == "" {
			plain, whole = text, text
		}
		// Where only the colour tells one from the other, a word stands for it.
		if text != plain && text != strings.Replace(plain, "waits: grow-loop", "       grow-loop", 1) {
			t.Errorf("%s shows another text:\n%s", look, text)
		}
		if look != theme.None {
			whole += "\n-- " + look + "\n" + legend
			if styles != before {
				whole += styles
			}
			before = styles
		}
	}
	golden(t, name, strings.TrimRight(whole, "\n"))
}

// agentScreen is a model on a Worker that has done a bit of everything.
func agentScreen(t *testing.T, dir, look string, s size) *model {
	t.Helper()
	th, err := theme.New(look, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), Options{Source: newFeed(dir), Works: shelf{}, Theme: look, Clock: func() time.Time { return noon }}, th)
	m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
	m.receive(updateMsg{ctx: m.visit.ctx, update: engine.Update{Events: recorded(t, "working"), OwnerAlive: true}})
	m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
	m.wide = true // the panes beside it have screens of their own
	m.openTranscript(2)
	if size, _ := m.follow.pages.Size(); size == 0 {
		transcribe(t, m, aBitOfEverything())
		m.openTranscript(2)
	}
	m.gather(m.readOn(0)().(sheetsMsg))
	return m
}

func aBitOfEverything() []event.Item {
	edit := `{"path":"size/size.go","old":"type Size int\n","new":"// Size counts bytes.\ntype Size int64\n"}`
	return []event.Item{
		{Kind: event.ItemText, Turn: 1, Text: "The task says a Size counts bytes.\nI look at the fi"},
		{Kind: event.ItemText, Turn: 1, Text: "le first. 日本語 and e\u0301 too.\n"},
		{Kind: event.ItemCall, Turn: 1, Name: "read_file", Text: "size/size.go"},
		{Kind: event.ItemReturn, Turn: 1, Name: "read_file", Args: "size/size.go", Text: "package size\n\ntype Size int\n", Bytes: 28, MS: 2},
		{Kind: event.ItemThinking, Turn: 2, Text: "An int is too small on some machines."},
		{Kind: event.ItemCall, Turn: 2, Name: "edit_file", Text: edit},
		{Kind: event.ItemReturn, Turn: 2, Name: "edit_file", Args: edit, Text: "size/size.go changed at line 3", Bytes: 30, MS: 1},
		{Kind: event.ItemCall, Turn: 3, Name: "run_command", Text: "git diff && go test ./size"},
		{Kind: event.ItemOutput, Turn: 3, Text: "diff --git a/size/size.go b/size/size.go\n--- a/size/size.go\n+++ b/size/size.go\n" +
			"@@ -1,3 +1,4 @@\n package size\n \n-type Size int\n+// Size counts bytes.\n+type Size int64\ntesting 10%\rtesting 100%\n"},
		{Kind: event.ItemReturn, Turn: 3, Name: "run_command", Args: "git diff && go test ./size", Text: "--- FAIL: TestSize", Bytes: 310, MS: 1412, Error: "exit code 1"},
		{Kind: event.ItemNote, Turn: 3, Text: "asked once more for the RESULT"},
		{Kind: event.ItemText, Turn: 4, Text: "The test wants a size of eight bytes; this one is."},
	}
}

// picture is a frame as a terminal shows it, a legend of its styles, and which
// of them the cells have: runs of cells row by row, blank ones counted to what
// stands before them; a row like the one before is ".".
func picture(frame string, s size) (shown, legend, styles string) {
	term := newTerm(s.width, s.height)
	term.Write([]byte(strings.ReplaceAll(frame, "\n", "\r\n")))
	letters := map[string]byte{}
	var names, rows strings.Builder
	last := ""
	for y := range s.height {
		var row strings.Builder
		run := byte('_')
		n := 0
		flush := func() {
			if n > 0 {
				fmt.Fprintf(&row, "%c%d", run, n)
			}
		}
		for x := range s.width {
			letter := run
			style := ""
			if c := term.CellAt(x, y); c != nil {
				style = cellStyle(c.Content, c.Style.Fg, c.Style.Bg, c.Style.Attrs, c.Style.Underline != 0)
			}
			if style != "" {
				if letters[style] == 0 {
					letters[style] = byte('a' + len(letters))
					fmt.Fprintf(&names, "%c %s\n", letters[style], style)
				}
				letter = letters[style]
			}
			if letter != run {
				flush()
				run, n = letter, 0
			}
			n++
		}
		flush()
		if line := row.String(); line == last {
			rows.WriteString(".\n")
		} else {
			rows.WriteString(line + "\n")
			last = line
		}
	}
	return term.String(), names.String(), rows.String()
}

// cellStyle words how a cell looks; a blank one without a background has no
// look.
func cellStyle(content string, fg, bg color.Color, attributes uint8, underlined bool) string {
	if strings.TrimSpace(content) == "" && bg == nil && attributes == 0 {
		return ""
	}
	var words []string
	for _, c := range []struct {
		name  string
		color color.Color
	}{{"", fg}, {"on ", bg}} {
		if c.color != nil {
			r, g, b, _ := c.color.RGBA()
			words = append(words, fmt.Sprintf("%s#%02x%02x%02x", c.name, r>>8, g>>8, b>>8))
		}
	}
	if attributes != 0 {
		words = append(words, fmt.Sprintf("attributes %d", attributes))
	}
	if underlined {
		words = append(words, "underlined")
	}
	return strings.Join(words, " ")
}

package theme

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"growbench/theme/text"
)

// boxes draws a box of 20 cells around each sample, as views do, and quits when
// the terminal has answered all it was asked.
type boxes struct {
	samples []string
	measure text.Measure
	byHand  bool
}

func (b boxes) Init() tea.Cmd { return tea.RequestCursorPosition }

func (b boxes) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized() {
			b.measure = text.Grapheme
		}
	case tea.CursorPositionMsg:
		return b, tea.Quit
	}
	return b, nil
}

func (b boxes) View() tea.View {
	var rows []string
	for _, sample := range b.samples {
		if b.byHand {
			rows = append(rows, "│"+b.measure.Pad(sample, 18)+"│")
			continue
		}
		box := lipgloss.NewStyle().Border(lipgloss.NormalBorder()).Width(20)
		rows = append(rows, box.Render(b.measure.Truncate(sample, 18, "…")))
	}
	return tea.NewView(strings.Join(rows, "\n") + "\n\n")
}

var unicodeReport = regexp.MustCompile(`\x1b\[\?2027;\d\$y`)

// answering gives the terminal's answer about mode 2027 (the emulator always
// draws by graphemes and never says so), or leaves it out, as a terminal does
// that has never heard of the mode.
type answering struct {
	io.Reader
	confirmed bool
}

func (a answering) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	answer := []byte(nil)
	if a.confirmed {
		answer = []byte(ansi.ReportMode(ansi.ModeUnicodeCore, ansi.ModeReset))
	}
	return copy(p, unicodeReport.ReplaceAllLiteral(p[:n], answer)), err
}

// screen is a terminal whose driver turns newlines into CR LF.
type screen struct{ *vt.SafeEmulator }

func (s screen) Write(p []byte) (int, error) {
	_, err := s.SafeEmulator.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	return len(p), err
}

func TestBordersStandInTheirColumn(t *testing.T) {
	samples := []string{
		"plain", "👨‍👩‍👧‍👦|", "🇰🇷|", "🇰|", "❤️|", "1️⃣|", "é|", "\u1112\u1161\u11ab|", "漢字かな|", "…→■ |",
		"👨🏾‍🌾|", "🏴\U000e0067\U000e0062\U000e007f|", "👩‍❤️‍💋‍👨|", "स्ते|", "का|", "กำ|", "☺️©️|", "ᄀᄀ각|",
		strings.Repeat("漢", 30), "a" + strings.Repeat("漢", 30), strings.Repeat("👨‍👩‍👧‍👦", 12), strings.Repeat("❤️", 30),
		"\u0301a", "\ufe0fx", "ാx", "x\u0600", "e" + strings.Repeat("\u0301", 40), "tab\there", "a\u009b2Jb\x1b[2Jc\rd",
	}
	for i, sample := range samples {
		samples[i] = text.Line(sample)
	}
	for _, byHand := range []bool{true, false} {
		for _, confirmed := range []bool{false, true} {
			t.Run(fmt.Sprintf("by hand %v, mode 2027 %v", byHand, confirmed), func(t *testing.T) {
				rowsEach := 3
				if byHand {
					rowsEach = 1
				}
				const width = 40
				height := len(samples)*rowsEach + 5
				terminal := screen{vt.NewSafeEmulator(width, height)}
				program := tea.NewProgram(boxes{samples: samples, byHand: byHand},
					tea.WithInput(answering{terminal, confirmed}), tea.WithOutput(terminal), tea.WithoutSignals(),
					tea.WithWindowSize(width, height), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
				model, err := program.Run()
				if err != nil {
					t.Fatal(err)
				}
				if got := model.(boxes).measure == text.Grapheme; got != confirmed {
					t.Fatalf("mode 2027 confirmed: %v", got)
				}
				for i, sample := range samples {
					y := i*rowsEach + rowsEach/2
					row := make([]string, width)
					for x := range width {
						row[x] = terminal.CellAt(x, y).Content
					}
					if row[0] != "│" || row[19] != "│" || strings.TrimSpace(strings.Join(row[20:], "")) != "" {
						t.Errorf("row of %q: %q", sample, row)
					}
				}
			})
		}
	}
}

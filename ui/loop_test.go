package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/giver"
	"growbench/loop"
	"growbench/theme/text"
	"growbench/views"
)

// heldLoop is a loop that a test sets; what gives way is gone at once, as in a
// conversation.
type heldLoop struct {
	view            giver.LoopView
	entries         []giver.LoopEntry
	typed, cancels  int
	hurried, looked int
}

func (h *heldLoop) Loop() giver.LoopView        { h.looked++; return h.view }
func (h *heldLoop) Typed()                      { h.typed++; h.view.Status.State = loop.Idle }
func (h *heldLoop) CancelLoop()                 { h.cancels++; h.view.Status.State = loop.Idle }
func (h *heldLoop) HurryLoop()                  { h.hurried++ }
func (h *heldLoop) Handoffs() []giver.LoopEntry { return h.entries }

// holds gives a model that loop; it is in that state.
func (h *heldLoop) holds(m *model, s loop.Status) {
	h.view.Status = s
	m.grow.by = h
	m.followLoop()
	m.compose()
}

func counting(n, seconds int) loop.Status {
	return loop.Status{State: loop.Countdown, N: n, Seconds: seconds}
}

// Keys as the terminal tells of them.
func letter(r rune) tea.KeyPressMsg  { return tea.KeyPressMsg{Code: r, Text: string(r)} }
func special(c rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: c} }
func ctrl(r rune) tea.KeyPressMsg    { return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl} }

// statusLine is the line above the hints.
func statusLine(m *model) string {
	shown, _, _ := picture(m.frame, m.screen)
	lines := strings.Split(shown, "\n")
	return strings.TrimRight(lines[len(lines)-2], " \r")
}

// talkScreen is a model with a conversation open whose session is nobody's.
func talkScreen(t *testing.T) *model {
	m := modelOf(t, "working")
	m.talk = &talk{view: views.NewTranscript(m.theme)}
	m.talk.view.Reset("nothing has been said yet")
	m.push(m.talk)
	return m
}

func TestTheLoopStandsInTheStatusLineOfEveryPane(t *testing.T) {
	places := map[string]func(m *model){
		"the chain":        func(m *model) { m.show(chainPane) },
		"the transcript":   func(m *model) { m.show(transcriptPane) },
		"the results":      func(m *model) { m.show(resultsPane) },
		"the ledger":       func(m *model) { m.show(ledgerPane) },
		"the list of runs": func(m *model) { m.listing = true },
		"help":             func(m *model) { m.push(&help{}) },
		"a filter":         func(m *model) { m.openFilter() },
	}
	for name, go_ := range places {
		for _, width := range []int{60, 80, 100, 160} {
			m := modelOf(t, "waiting")
			m.update(tea.WindowSizeMsg{Width: width, Height: 20})
			go_(m)
			for _, c := range []struct {
				status loop.Status
				want   string
			}{
				{counting(12, 3600), "grow-loop 3600s"}, {counting(1, 1), "grow-loop 1s"},
				{loop.Status{State: loop.Deferred, N: 2}, "waits: grow-loop ∞2"}, {loop.Status{State: loop.Active, N: 2}, "  grow-loop ∞2"},
			} {
				(&heldLoop{}).holds(m, c.status)
				line := statusLine(m)
				if !strings.HasSuffix(line, c.want) || text.Width(line) != width {
					t.Errorf("%s, %d columns, %+v: the status line is %q", name, width, c.status, line)
				}
			}
			(&heldLoop{}).holds(m, loop.Status{State: loop.Idle, N: 2})
			if strings.Contains(m.frame, "grow-loop") {
				t.Errorf("%s, %d columns: an idle loop is shown", name, width)
			}
		}
	}
}

func TestTheLoopStandsInTheWindowsTitleWhileItShows(t *testing.T) {
	m := modelOf(t, "working")
	before := m.view().WindowTitle
	var h heldLoop
	for _, s := range []loop.Status{{State: loop.Deferred, N: 1}, counting(1, 3), {State: loop.Active, N: 1}} {
		h.holds(m, s)
		if got := m.view().WindowTitle; !strings.HasPrefix(got, "Grow Loop: ∞1 — Worker 2 print sizes") {
			t.Errorf("%+v: the title is %q", s, got)
		}
	}
	h.holds(m, loop.Status{State: loop.Idle, N: 1})
	if got := m.view().WindowTitle; got != before {
		t.Errorf("idle: the title is %q", got)
	}
}

func openForm(m *model) {
	m.push(&form{work: &memoryWork{}, talk: m.talk, fields: []*field{{name: "memory"}}})
}

func TestWhatIsTypedCancelsAndIsNotLost(t *testing.T) {
	for name, c := range map[string]struct {
		open  func(m *model)
		send  tea.Msg
		typed func(m *model) string
	}{
		"a letter":        {nil, letter('h'), nil},
		"a space":         {nil, tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, nil},
		"a paste":         {nil, tea.PasteMsg{Content: "half"}, nil},
		"an erasing key":  {func(m *model) { m.talk.input.SetText("hh") }, special(tea.KeyBackspace), nil},
		"in a filter":     {func(m *model) { m.pop(); m.show(chainPane); m.openFilter() }, letter('h'), func(m *model) string { return m.line.input().Text() }},
		"a filter, paste": {func(m *model) { m.pop(); m.show(chainPane); m.openFilter() }, tea.PasteMsg{Content: "half"}, func(m *model) string { return m.line.input().Text() }},
		"in a form":       {openForm, letter('h'), func(m *model) string { return m.top().(*form).texts()[0] }},
		"a form, enter":   {openForm, special(tea.KeyEnter), func(m *model) string { return m.top().(*form).texts()[0] }},
	} {
		m := talkScreen(t)
		if c.open != nil {
			c.open(m)
		}
		if c.typed == nil {
			c.typed = func(m *model) string { return m.talk.input.Text() }
		}
		var h heldLoop
		h.holds(m, counting(1, 20))
		m.update(c.send)
		if h.typed != 1 || m.grow.shows() || strings.Contains(m.frame, "grow-loop") {
			t.Errorf("%s: the loop goes on: %+v", name, h)
		}
		if c.typed(m) == "" {
			t.Errorf("%s: what was typed is lost", name)
		}
	}
}

func TestMovingAndLookingCancelsNothing(t *testing.T) {
	m := talkScreen(t)
	var h heldLoop
	h.holds(m, counting(1, 20))
	looks := []tea.Msg{
		tea.WindowSizeMsg{Width: 60, Height: 20}, tea.WindowSizeMsg{Width: 160, Height: 48}, tea.FocusMsg{}, tea.BlurMsg{},
		tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp}, tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft},
		special(tea.KeyPgUp), special(tea.KeyPgDown), special(tea.KeyUp), special(tea.KeyDown), special(tea.KeyLeft), special(tea.KeyRight),
		special(tea.KeyHome), special(tea.KeyEnd), ctrl('a'), ctrl('o'), special(tea.KeyEnter), special(tea.KeyF7), special(tea.KeyEscape), special(tea.KeyEscape),
		letter('j'), letter('k'), letter('2'), letter('3'), letter('G'), special(tea.KeyTab), letter('?'), letter('q'), letter('f'), letter('t'), special(tea.KeyEscape),
		letter('/'), special(tea.KeyEscape), ctrl('p'), letter('d'), tea.PasteMsg{Content: "rop"}, special(tea.KeyDown), special(tea.KeyEscape), ctrl('l'), tea.PasteMsg{Content: "nowhere"},
	}
	for _, msg := range looks {
		m.update(msg)
		if h.typed+h.cancels+h.hurried > 0 || !strings.HasSuffix(statusLine(m), "grow-loop 20s") {
			t.Fatalf("%T %v: %+v, the status line is %q", msg, msg, h, statusLine(m))
		}
	}
}

func TestTheLoopsKeysWorkInWhateverIsOpen(t *testing.T) {
	for name, open := range map[string]func(m *model){
		"the conversation": func(*model) {},
		"help":             func(m *model) { m.push(&help{}) },
		"the palette":      func(m *model) { m.push(&palette{}) },
		"a question":       func(m *model) { m.pushAnswer() },
		"the panes":        func(m *model) { m.pop() },
		"a filter":         func(m *model) { m.pop(); m.show(chainPane); m.openFilter() },
		"the runs":         func(m *model) { m.pop(); m.listing = true },
	} {
		m := talkScreen(t)
		open(m)
		before := len(m.stack)
		var h heldLoop
		h.holds(m, counting(3, 20))
		m.update(special(tea.KeyF9))
		if h.hurried != 1 {
			t.Errorf("%s: f9 does not bring the countdown to its end", name)
		}
		m.update(special(tea.KeyF8))
		if h.cancels != 1 || h.typed != 0 || strings.Contains(m.frame, "grow-loop 20s") {
			t.Errorf("%s: f8 does not cancel: %+v", name, h)
		}
		m.update(special(tea.KeyF8))
		if h.cancels != 1 || !strings.Contains(m.notice, "the grow loop has nothing scheduled") {
			t.Errorf("%s: f8 on an idle loop: %d, %q", name, h.cancels, m.notice)
		}
		if len(m.stack) != before {
			t.Errorf("%s: something was closed or opened", name)
		}
	}
}

func TestTheLoopsKeysAreInThePalette(t *testing.T) {
	m := talkScreen(t)
	var h heldLoop
	h.holds(m, counting(3, 20))
	m.push(&palette{})
	for _, r := range "send the next turn" {
		m.update(letter(r))
	}
	m.update(special(tea.KeyEnter))
	if h.hurried != 1 || h.typed != 0 {
		t.Errorf("looked for and chosen, the next turn is not sent: %+v", h)
	}
	entries := (&palette{}).entries(m)
	for _, a := range []Action{CancelLoop, HurryLoop, LoopHistory} {
		i := slices.IndexFunc(entries, func(e entry) bool { return e.Action == a })
		if i < 0 || entries[i].why != "" {
			t.Errorf("%s: %d of %d entries", a, i, len(entries))
		}
	}
	m.act(entries[slices.IndexFunc(entries, func(e entry) bool { return e.Action == CancelLoop })].Binding, "")
	if h.cancels != 1 {
		t.Error("it cancels nothing from there")
	}
}

func TestALoopThatEndsSaysWhy(t *testing.T) {
	m := talkScreen(t)
	var h heldLoop
	h.holds(m, loop.Status{State: loop.Active, N: 3})
	h.view.Proof = &loop.StopProof{Reason: "passes 2 and 3 ended at \x1b[31mthe same place"}
	h.holds(m, loop.Status{State: loop.Idle, N: 3})
	if !strings.Contains(m.frame, "the grow loop has ended: passes 2 and 3 ended at the same place") {
		t.Errorf("the notice is %q", m.notice)
	}
	m.notice = ""
	h.holds(m, loop.Status{State: loop.Idle, N: 3})
	if m.notice != "" {
		t.Errorf("it is said twice: %q", m.notice)
	}
}

func TestStoppingIsToldApartFromAnswering(t *testing.T) {
	m := talkScreen(t)
	m.talk.look.Turn = true
	m.compose()
	if !strings.Contains(m.frame, "answering…") {
		t.Error("that an answer is made is not said")
	}
	m.talk.look.Stopping = true
	m.compose()
	if strings.Contains(m.frame, "answering…") || !strings.Contains(m.frame, "stopping…") {
		t.Error("that it is being stopped is not said")
	}
}

// someHistory are two passes, and a third that ended where the second did.
func someHistory() (*loop.Lock, loop.Surface, []giver.LoopEntry) {
	lock := &loop.Lock{Skill: "while-true", Scope: "the open items of BACKLOG.md that need nobody's word", Surface: "BACKLOG.md"}
	surface := loop.Surface{Path: "BACKLOG.md", Reason: "the nearest maintained list of open work", Items: []loop.OpenItem{{Line: 3, Text: "sizes in bits"}}}
	first := loop.Handoff{Selected: "sizes with a unit", Surfaces: []string{"size/size.go", "size/size_test.go", "CHANGELOG.md"}, Validation: "go test ./size passed", Plan: "item 1 of 3 is done"}
	second := loop.Handoff{Selected: "ask for 日本語 names", Validation: "nothing was checked", Blocker: "only a person can say \x1b[31mwhich names", Remains: "two items, both wait for a person", Restart: "somebody names the names"}
	var entries []giver.LoopEntry
	for i, h := range []loop.Handoff{first, second, second} {
		at := noon.Add(time.Duration(i) * 4 * time.Minute)
		c := loop.Checkpoint{N: i + 1, Skill: lock.Skill, Handoff: h, Tokens: int64(12_345 * (i + 1)), At: at, Took: time.Duration(i+1) * 65 * time.Second}
		proof := lock.Record(c)
		entries = append(entries, giver.LoopEntry{At: at, Pass: &lock.Passes[i]})
		if proof != nil {
			entries = append(entries, giver.LoopEntry{At: at, Stop: proof})
		}
	}
	return lock, surface, entries
}

func TestTheHistoryOfTheLoopOpensAtAKeyAndGrows(t *testing.T) {
	m := talkScreen(t)
	var h heldLoop
	h.holds(m, loop.Status{State: loop.Idle})
	m.update(special(tea.KeyF7))
	if !strings.Contains(m.frame, "No pass has handed anything over yet.") {
		t.Fatalf("the empty history:\n%s", m.frame)
	}
	h.view.Lock, h.view.Surface, h.entries = someHistory()
	m.followLoop()
	m.compose()
	for _, want := range []string{"sizes with a unit", "stop proof: passes 2 and 3 ended at the same place", "37.0k tokens", "the nearest maintained list of open work"} {
		if !strings.Contains(m.frame, want) {
			t.Errorf("%q is not in the history:\n%s", want, m.frame)
		}
	}
	m.update(special(tea.KeyF7))
	if _, open := m.top().(*history); open {
		t.Error("f7 does not close it")
	}
}

func TestScreensOfTheLoop(t *testing.T) {
	lock, surface, entries := someHistory()
	screens := map[string]func(m *model, h *heldLoop){
		"deferred":  func(m *model, h *heldLoop) { h.holds(m, loop.Status{State: loop.Deferred, N: 2}) },
		"countdown": func(m *model, h *heldLoop) { h.holds(m, counting(2, 3600)) },
		"active":    func(m *model, h *heldLoop) { h.holds(m, loop.Status{State: loop.Active, N: 2}) },
		"history": func(m *model, h *heldLoop) {
			h.holds(m, loop.Status{State: loop.Active, N: 2})
			h.entries = entries[:2]
			m.switchHistory()
		},
		"proof": func(m *model, h *heldLoop) {
			h.view.Proof = lock.Stop
			h.holds(m, loop.Status{State: loop.Idle, N: 3})
			h.entries = entries
			m.switchHistory()
		},
	}
	for name, set := range screens {
		for _, s := range []size{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
			golden := fmt.Sprintf("loop/%s-%dx%d", name, s.width, s.height)
			t.Run(golden, func(t *testing.T) {
				inEveryLook(t, golden, s, func(look string) *model {
					m := talkScreen(t)
					m.wear(look, nil)
					m.stopping = true // a few words, which no look cuts
					m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
					set(m, &heldLoop{view: giver.LoopView{Lock: lock, Surface: surface}})
					return m
				})
			})
		}
	}
}

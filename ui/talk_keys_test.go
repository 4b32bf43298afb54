package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"growbench/testdata/ollama/ollamatest"
	"growbench/views"
)

// keyboard is every key that could do something where text is typed and stands
// for no text.
func keyboard() []string {
	keys := []string{"enter", "tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "backspace", "delete", "insert"}
	for _, k := range slices.Clone(keys) {
		keys = append(keys, "ctrl+"+k, "alt+"+k, "shift+"+k)
	}
	for r := 'a'; r <= 'z'; r++ {
		keys = append(keys, "ctrl+"+string(r), "alt+"+string(r))
	}
	for n := range 12 {
		keys = append(keys, fmt.Sprintf("f%d", n+1))
	}
	return keys
}

func isTold(bindings []Binding, key string) bool {
	return slices.ContainsFunc(bindings, func(b Binding) bool { return slices.Contains(b.Keys, key) })
}

// What the help tells of typing is what a text does, no more and no less.
func TestTheKeysOfATextAreTold(t *testing.T) {
	for _, key := range keyboard() {
		var a views.Area
		a.SetText("one two\nthree four")
		a.Press("left", "")
		did := a.Press(key, "")
		if moves := key == "up" || key == "down"; !moves && did != isTold(textBindings(), key) {
			t.Errorf("%s: does something: %v, told: %v", key, did, !did)
		}
	}
}

// So is what it tells of a form of its own.
func TestTheKeysOfEachFormAreTold(t *testing.T) {
	for _, work := range []formWork{&taskWork{}, &planWork{}, &memoryWork{}} {
		own := slices.DeleteFunc(formBindings(), func(b Binding) bool { return b.In != work.scope() || b.In == InForm })
		for _, key := range keyboard() {
			if key == "f4" && work.scope() == InTaskForm {
				continue // it needs a session, and a terminal
			}
			m := talkScreen(t)
			f := &form{work: work, talk: m.talk}
			for range 2 * ofTask {
				f.fields = append(f.fields, &field{})
			}
			m.push(f)
			f.dirty = true // so that what loses something asks first
			if _, known := work.key(m, f, key); known != isTold(own, key) {
				t.Errorf("%T, %s: does something: %v, told: %v", work, key, known, !known)
			}
		}
	}
}

// No key of the conversation is one that does the same everywhere, and none is
// in the palette, which is opened where nothing is typed.
func TestTheConversationsKeysAreItsOwn(t *testing.T) {
	for _, b := range Bindings() {
		if !b.Over {
			continue
		}
		for _, k := range b.Keys {
			if isTold(slices.Concat(talkBindings(), formBindings(), textBindings()), k) {
				t.Errorf("%s does two things", k)
			}
		}
	}
	for _, e := range (&palette{}).entries(talkScreen(t)) {
		if e.typed() {
			t.Errorf("the palette offers %q", e.Description)
		}
	}
}

// The wheel goes back in what was said, and a key to the newest again.
func TestTheWheelScrollsTheConversation(t *testing.T) {
	var said strings.Builder
	for n := range 60 {
		fmt.Fprintf(&said, "line %d of sixty\n\n", n)
	}
	p := newTalkPlace(t, ollamatest.Answer{Text: said.String() + "That is all."})
	g := p.screen(t, 100, 30)
	g.until("nothing has been said yet")
	g.press("Count\r")
	g.when("the end", func(s string) bool {
		return strings.Contains(s, "That is all.") && strings.Contains(lastLine(s), "pgup back")
	})
	g.press("\x1b[<64;10;5M\x1b[<64;10;5M")
	g.when("a part before it", func(s string) bool {
		return !strings.Contains(s, "That is all.") && strings.Contains(lastLine(s), "ctrl+end newest")
	})
	g.press("\x1b[1;5F") // ctrl+end
	g.when("the end again", func(s string) bool {
		return strings.Contains(s, "That is all.") && !strings.Contains(lastLine(s), "newest")
	})
	leaveTalk(t, g)
}

// lastLine is the line of hints.
func lastLine(screen string) string {
	lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	return strings.TrimRight(lines[len(lines)-1], " \r")
}

// The hints name what can be done now, and always the way to help and out.
func TestTheHintsFollowTheConversation(t *testing.T) {
	for _, width := range []int{160, 80, 60, 40} {
		p := newTalkPlace(t, draftOfSizes(), ollamatest.Answer{Text: "It waits for you."}, ollamatest.Answer{Text: "I begin to", Hold: true})
		g := p.screen(t, width, 30)
		shows := func(state string, words, not []string) {
			t.Helper()
			line := lastLine(g.when(state, func(s string) bool {
				line := lastLine(s)
				for _, w := range words {
					if !strings.Contains(line, w) {
						return false
					}
				}
				return strings.HasSuffix(line, "f1 help  esc close")
			}))
			for _, w := range not {
				if strings.Contains(line, w) {
					t.Errorf("%d columns, %s: the hints are %q", width, state, line)
				}
			}
		}
		g.until("nothing has been said yet", "growbench map init")
		shows("nothing said", []string{"f4 write Task #0"}, []string{"f2", "f3", "enter", "ctrl+x", "f8"})
		g.press("Print sizes")
		shows("something typed", []string{"enter say"}, []string{"f2", "f3", "ctrl+x"})
		g.press("\r")
		g.until("It waits for you.", "Task #0: Sizes")
		more := []string{"f2 approve"}
		if width >= 80 {
			more = append(more, "f3 refuse", "f5 what crosses", "f4 edit Task #0")
		}
		shows("a draft waits", more, []string{"enter", "ctrl+x"})
		g.press("But shorter")
		shows("words for a refusal", []string{"enter say"}, []string{"f2 approve  enter"})
		g.press("\r")
		g.until("I begin to", "answering…")
		more = []string{"ctrl+x stop"}
		if width >= 60 {
			more = append(more, "f2 approve")
		}
		shows("an answer is made", more, nil)
		g.press("\x18")
		g.until("(stopped)")
		leaveTalk(t, g)
	}
}

// Help is a key away where every letter is text, tells of the keys there, and
// closes as it opened.
func TestHelpInTheConversationAndItsForms(t *testing.T) {
	p := newTalkPlace(t)
	g := p.screen(t, 100, 48)
	g.until("nothing has been said yet")
	g.press("why?")
	g.until("› why?") // a letter is text, also this one
	g.press("\x1bOP") // f1
	screen := g.until("─ keys: conversation ─", "say what is typed", "nothing waits for you", "the memory, to read and to change", "drop what is scheduled")
	if strings.Contains(screen, "the prompt") || strings.Contains(screen, "the agent's task ") {
		t.Errorf("keys of the panes are told:\n%s", screen)
	}
	g.press("\x1b[F") // the end
	g.until("take the word before away", "leave, stop or stay", "the keys of what is open")
	g.press("\x1bOP")
	g.when("the conversation", func(s string) bool {
		return !strings.Contains(s, "keys: conversation") && strings.Contains(s, "› why?")
	})
	g.press("\x1b[24~") // f12
	g.until("─ memory ─")
	g.press("\x07") // ctrl+g
	g.until("─ keys: memory ─", "save what is typed; a plan is used at once")
	g.press("q")
	g.when("the form", func(s string) bool {
		return !strings.Contains(s, "keys: memory") && strings.Contains(s, "─ memory ─")
	})
	g.press("\x1b[27u")
	g.until("› why?")
	g.press("\x1b[18~") // f7: what is only read has the help on the conversation, too
	g.until("─ grow loop ─")
	g.press("?")
	g.until("─ keys: conversation ─")
	g.press("\x1b[27u")
	g.press("\x1b[27u")
	g.when("the panes", func(s string) bool { return !strings.Contains(s, "› why?") && strings.Contains(s, "print sizes") })
	g.press("\x1bOP")
	g.until("─ keys ─", "the exact prompt the agent was given")
	g.press("\x1b[27uq")
	if out := g.end(); out.err != nil {
		t.Error(out.err)
	}
}

// What has just happened is said before the hints, not in their place: a
// question may have come since. It alone is said where there is no room.
func TestANoticeLeavesTheHintsToTheConversation(t *testing.T) {
	m := talkScreen(t)
	m.notice = "Task #0 is saved"
	m.update(tea.WindowSizeMsg{Width: 60, Height: 20})
	if got := lastLine(plain(m)); got != "Task #0 is saved  f1 help  esc close" {
		t.Errorf("the last line is %q", got)
	}
	m.notice = "f9 does nothing now: another growbench has the grow loop"
	m.update(tea.WindowSizeMsg{Width: 58, Height: 20})
	if got := lastLine(plain(m)); got != m.notice {
		t.Errorf("the last line is %q", got)
	}
}

// The letter that answers a question elsewhere is text here, and not named.
func TestTheHeaderNamesNoKeyThatIsText(t *testing.T) {
	m := modelOf(t, "waiting")
	header := func() string { first, _, _ := strings.Cut(plain(m), "\n"); return first }
	if !strings.Contains(header(), "1 waiting, a answers") {
		t.Fatalf("the header is %q", header())
	}
	m.talk = &talk{view: views.NewTranscript(m.theme)}
	m.push(m.talk)
	m.compose()
	if !strings.Contains(header(), "1 waiting") || strings.Contains(header(), "a answers") {
		t.Errorf("the header is %q", header())
	}
}

// plain is what the screen shows, without its colours.
func plain(m *model) string {
	shown, _, _ := picture(m.frame, m.screen)
	return shown
}

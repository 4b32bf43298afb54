package views

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestAnInputIsEditedByTheKeysOfAShell(t *testing.T) {
	for _, c := range []struct {
		keys        string
		left, right string
	}{
		{"left left", "one two thr", "ee"},
		{"home delete", "", "ne two three"},
		{"alt+b", "one two ", "three"},
		{"alt+b alt+b alt+f", "one two", " three"},
		{"ctrl+w", "one two ", ""},
		{"alt+b alt+b alt+d", "one ", " three"},
		{"alt+b ctrl+k", "one two ", ""},
		{"alt+b ctrl+u", "", "three"},
		{"ctrl+a ctrl+f ctrl+h", "", "ne two three"},
		{"home backspace left", "", "one two three"},
		{"end delete right", "one two three", ""},
	} {
		var i Input
		i.Insert("one two three")
		for k := range strings.FieldsSeq(c.keys) {
			if !i.Press(k, "") {
				t.Errorf("%s is no editing", k)
			}
		}
		if i.left != c.left || i.right != c.right {
			t.Errorf("%s gives %q|%q", c.keys, i.left, i.right)
		}
	}
	var i Input
	if i.Press("enter", "") || i.Press("up", "") || i.Press("alt+x", "x") || i.Press("ctrl+o", "") {
		t.Error("a key that is no editing was taken")
	}
}

func TestAnInputMovesByWhatLooksLikeOneLetter(t *testing.T) {
	var i Input
	i.Insert("ae\u0301한")
	for range 3 {
		i.Press("left", "")
	}
	if i.left != "" {
		t.Errorf("%q is left of the cursor", i.left)
	}
	i.Press("end", "")
	i.Press("backspace", "")
	i.Press("backspace", "")
	if i.Text() != "a" {
		t.Errorf("half of a letter is left: %q", i.Text())
	}
}

func TestAPasteDoesNothingButAppear(t *testing.T) {
	var i Input
	i.Insert("a\x1b]0;x\x07\r\nb\tc\u202ed\n")
	if got := i.Text(); got != `a\x1b]0;x\x07 b c\u202ed` {
		t.Errorf("pasted %q", got)
	}
	i.Insert(strings.Repeat("x", 1<<20))
	if len(i.Text()) > maxInput {
		t.Errorf("%d bytes are kept", len(i.Text()))
	}
}

func FuzzInput(f *testing.F) {
	f.Add("one two", "left alt+b ctrl+w x", 10)
	f.Add("\x1b[200~한👩‍🔬\u0301", "backspace home delete", 3)
	f.Fuzz(func(t *testing.T, pasted, keys string, width int) {
		var i Input
		i.Insert(pasted)
		for k := range strings.FieldsSeq(keys) {
			if !i.Press(k, "") {
				i.Press(k, k)
			}
			line, at := i.View(width % 200)
			if w := max(width%200, 0); measure.Width(line) != w || at < 0 || w > 0 && at >= w {
				t.Fatalf("%q is %d cells wide, the cursor at %d of %d", line, measure.Width(line), at, w)
			}
		}
		if !utf8.ValidString(i.Text()) || strings.ContainsFunc(i.Text(), unicode.IsControl) {
			t.Fatalf("holds %q", i.Text())
		}
	})
}

func TestMatchWantsEveryWordAndLikesStartsOfWords(t *testing.T) {
	for _, c := range []struct {
		query, s string
		ok       bool
	}{
		{"", "anything", true}, {"prnt", "print sizes", true}, {"sizes print", "print sizes", true},
		{"PRINT", "print sizes", true}, {"printx", "print sizes", false}, {"é", "café", true},
	} {
		if _, ok := Match(c.query, c.s); ok != c.ok {
			t.Errorf("%q in %q: %v", c.query, c.s, ok)
		}
	}
	start, _ := Match("ta", "the task")
	inside, _ := Match("ta", "a stack")
	if start <= inside {
		t.Errorf("a start of a word counts %d, an inside %d", start, inside)
	}
}

// A key counts as writing exactly if it can change what is written.
func TestWritesTellsWhichKeysChangeTheText(t *testing.T) {
	for key := range edits {
		var i Input
		i.SetText("one two three four")
		i.wordBack()
		i.wordBack()
		before := i.Text()
		i.Press(key, "")
		if changed := i.Text() != before; changed != Writes(key, "") {
			t.Errorf("%s: the text became %q, Writes says %t", key, i.Text(), !changed)
		}
	}
	for _, key := range []string{"alt+enter", "ctrl+j", "shift+enter"} {
		var a Area
		a.Press(key, "")
		if a.Text() == "" || !Writes(key, "") {
			t.Errorf("%s: the text became %q", key, a.Text())
		}
	}
	for _, key := range []string{"up", "pgdown", "enter", "esc", "tab", "f8", "ctrl+o", "alt+x"} {
		if Writes(key, "") {
			t.Errorf("%s counts as writing", key)
		}
	}
	if !Writes("ä", "ä") || !Writes("space", " ") || Writes("alt+x", "x") {
		t.Error("text keys are told wrong")
	}
}

package views

import (
	"strings"
	"testing"

	"growbench/theme/text"
)

func TestAnAreaKeepsTheLinesOfAPaste(t *testing.T) {
	var a Area
	a.Insert("one\r\n\ttwo\x1b[31m\rthree\n")
	if got := a.Text(); got != "one\n    two\\x1b[31m\nthree\n" {
		t.Errorf("%q", got)
	}
	a.SetText(strings.Repeat("한", maxArea))
	if n := len(a.Text()); n > maxArea || n < maxArea-3 {
		t.Errorf("%d bytes", n)
	}
}

func TestAnAreaIsEditedByLine(t *testing.T) {
	for _, c := range []struct {
		keys        string
		left, right string
	}{
		{"home", "one\ntwo\n", "three"},
		{"up", "one\ntwo", "\nthree"},
		{"up up up", "one", "\ntwo\nthree"},
		{"up home down", "one\ntwo\n", "three"},
		{"up left left down", "one\ntwo\nt", "hree"},
		{"up home ctrl+k", "one\n", "\nthree"},
		{"ctrl+u", "one\ntwo\n", ""},
		{"ctrl+u backspace", "one\ntwo", ""},
		{"up alt+enter", "one\ntwo\n", "\nthree"},
		{"home ctrl+j", "one\ntwo\n\n", "three"},
		{"ctrl+w", "one\ntwo\n", ""},
	} {
		var a Area
		a.Insert("one\ntwo\nthree")
		a.View(40, 5)
		for k := range strings.FieldsSeq(c.keys) {
			a.Press(k, "")
		}
		if a.left != c.left || a.right != c.right {
			t.Errorf("%s gives %q|%q", c.keys, a.left, a.right)
		}
	}
	var a Area
	a.Insert("one")
	a.View(40, 5)
	for _, k := range []string{"up", "down", "enter", "tab", "alt+x", "ctrl+o"} {
		if a.Press(k, "") {
			t.Errorf("%s was taken", k)
		}
	}
}

// Rows break after words, and the cursor is where the next letter comes to be.
func TestAnAreaWraps(t *testing.T) {
	var a Area
	a.Insert("one two three\nfour")
	lines, x, y := a.View(9, 9)
	if got := strings.Join(lines, "|"); got != "one two  |three    |four     " || x != 4 || y != 2 {
		t.Errorf("%s cursor %d,%d", got, x, y)
	}
	a.Press("up", "")
	if _, x, y := a.View(9, 9); x != 4 || y != 1 {
		t.Errorf("cursor %d,%d", x, y)
	}
	a.Press("up", "")
	a.Press("up", "")
	if a.left != "one " {
		t.Errorf("%q", a.left)
	}
	a.Press("down", "")
	a.Press("down", "")
	a.Press("down", "")
	if a.right != "" {
		t.Errorf("%q is right of the cursor", a.right)
	}
	// Of more rows than there is room for those around the cursor are shown.
	if lines, _, y := a.View(9, 2); strings.Join(lines, "|") != "three    |four     " || y != 1 {
		t.Errorf("%q %d", lines, y)
	}
}

func FuzzArea(f *testing.F) {
	f.Add("one two\nthree", "up left", 8)
	f.Add("한글 e\u0301\n\n\x00", "up up down home", 1)
	keys := []string{"up", "down", "left", "right", "home", "end", "ctrl+k", "ctrl+u", "alt+enter", "backspace", "delete"}
	f.Fuzz(func(t *testing.T, words, presses string, width int) {
		if width < 1 || width > 200 {
			return
		}
		var a Area
		a.Insert(words)
		a.View(width, 5)
		for _, b := range []byte(presses) {
			before := a.Text()
			key := keys[int(b)%len(keys)]
			a.Press(key, "")
			if moves := int(b)%len(keys) < 6; moves && a.Text() != before {
				t.Fatalf("%s changed %q to %q", key, before, a.Text())
			}
			lines, x, y := a.View(width, 5)
			if x < 0 || x >= width || y < 0 || y >= len(lines) || len(lines) > 5 {
				t.Fatalf("the cursor stands at %d,%d of %d lines", x, y, len(lines))
			}
			for _, l := range lines {
				if text.Width(l) != width {
					t.Fatalf("%q has %d cells of %d", l, text.Width(l), width)
				}
			}
		}
	})
}

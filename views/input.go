package views

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"growbench/theme/text"
)

// maxInput bounds what an input holds, in bytes: a paste can be anything.
const maxInput = 64 << 10

// Input is one line of text being typed. It keeps its text whatever size it
// is drawn in. The zero value is empty and ready.
type Input struct {
	left, right string // of the cursor
}

// Text is what was typed.
func (i *Input) Text() string { return i.left + i.right }

// SetText replaces the text; the cursor goes to its end.
func (i *Input) SetText(s string) { i.left, i.right = "", ""; i.Insert(s) }

// Insert puts text at the cursor. Line ends become spaces, other controls are
// spelled out, so that what was pasted can be read and does nothing.
func (i *Input) Insert(s string) {
	s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\r\n")
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
	if room := maxInput - len(i.left) - len(i.right); len(s) > room {
		s = strings.ToValidUTF8(s[:max(room, 0)], "")
	}
	i.left += text.Visible(s)
}

// Writes tells whether a key, where text is typed, changes what is written.
// typed is the text the key stands for.
func Writes(key, typed string) bool {
	switch key {
	case "backspace", "ctrl+h", "shift+backspace", "delete", "ctrl+d", "ctrl+w", "alt+backspace", "ctrl+backspace",
		"alt+d", "ctrl+delete", "ctrl+u", "ctrl+k", "alt+enter", "ctrl+j", "shift+enter":
		return true
	}
	return typed != "" && !strings.HasPrefix(key, "alt+")
}

// Press does what a key does in a line of text and tells whether it is one
// that does something there. typed is the text the key stands for, "" for
// keys that stand for none.
func (i *Input) Press(key, typed string) bool {
	if edit, ok := edits[key]; ok {
		edit(i)
		return true
	}
	if typed == "" || strings.HasPrefix(key, "alt+") {
		return false
	}
	i.Insert(typed)
	return true
}

// edits are the keys that do more than write themselves: those of a terminal
// and those of a shell.
var edits = map[string]func(*Input){
	"left": (*Input).back, "ctrl+b": (*Input).back,
	"right": (*Input).forth, "ctrl+f": (*Input).forth,
	"home": (*Input).toStart, "ctrl+a": (*Input).toStart,
	"end": (*Input).toEnd, "ctrl+e": (*Input).toEnd,
	"alt+b": (*Input).wordBack, "ctrl+left": (*Input).wordBack, "alt+left": (*Input).wordBack,
	"alt+f": (*Input).wordForth, "ctrl+right": (*Input).wordForth, "alt+right": (*Input).wordForth,
	"backspace": (*Input).eraseBack, "ctrl+h": (*Input).eraseBack, "shift+backspace": (*Input).eraseBack,
	"delete": (*Input).erase, "ctrl+d": (*Input).erase,
	"ctrl+w": (*Input).eraseWordBack, "alt+backspace": (*Input).eraseWordBack, "ctrl+backspace": (*Input).eraseWordBack,
	"alt+d": (*Input).eraseWord, "ctrl+delete": (*Input).eraseWord,
	"ctrl+u": func(i *Input) { i.left = "" },
	"ctrl+k": func(i *Input) { i.right = "" },
}

func (i *Input) toStart() { i.left, i.right = "", i.left+i.right }
func (i *Input) toEnd()   { i.left, i.right = i.left+i.right, "" }

func (i *Input) moveBack(n int) {
	i.left, i.right = i.left[:len(i.left)-n], i.left[len(i.left)-n:]+i.right
}
func (i *Input) moveForth(n int) { i.left, i.right = i.left+i.right[:n], i.right[n:] }

func (i *Input) back()      { i.moveBack(len(lastCluster(i.left))) }
func (i *Input) forth()     { i.moveForth(len(firstCluster(i.right))) }
func (i *Input) wordBack()  { i.moveBack(wordBefore(i.left)) }
func (i *Input) wordForth() { i.moveForth(wordAfter(i.right)) }

func (i *Input) eraseBack()     { i.left = i.left[:len(i.left)-len(lastCluster(i.left))] }
func (i *Input) erase()         { i.right = i.right[len(firstCluster(i.right)):] }
func (i *Input) eraseWordBack() { i.left = i.left[:len(i.left)-wordBefore(i.left)] }
func (i *Input) eraseWord()     { i.right = i.right[wordAfter(i.right):] }

// View is the text in width cells and the cell the cursor stands on. Of a text
// that is longer the part around the cursor is shown.
func (i *Input) View(width int) (line string, cursor int) {
	if width <= 0 {
		return "", 0
	}
	left := i.left
	for left != "" && measure.Width(left) >= width {
		left = left[len(firstCluster(left)):]
	}
	cursor = measure.Width(left)
	return measure.Pad(measure.Truncate(left+i.right, width, ""), width), min(cursor, width-1)
}

func firstCluster(s string) string {
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster
}

func lastCluster(s string) string {
	last := ""
	for s != "" {
		last = firstCluster(s)
		s = s[len(last):]
	}
	return last
}

// wordBefore and wordAfter are how many bytes lie between the end or start of
// s and the other side of the next word.
func wordBefore(s string) int {
	kept := strings.TrimRightFunc(strings.TrimRightFunc(s, notInWord), inWord)
	return len(s) - len(kept)
}

func wordAfter(s string) int {
	kept := strings.TrimLeftFunc(strings.TrimLeftFunc(s, notInWord), inWord)
	return len(s) - len(kept)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}
func notInWord(r rune) bool { return !inWord(r) }

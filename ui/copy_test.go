package ui

import (
	"fmt"
	"strings"
	"testing"
)

func TestTheTranscriptsCallAtHandIsCopied(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	g.press("2y")
	g.until("─ copy ─", "tool call at hand: edit_file", "the lines on the screen: ")
	g.press("1")
	g.until("tool call at hand: sent to the terminal")
	g.press("q")
	g.end()
}

func TestAClickUnfoldsACallOfTheTranscript(t *testing.T) {
	g, _ := watch(t, "working", Options{})
	row := 0
	for i, l := range strings.Split(g.text(), "\n") {
		if strings.Contains(l, "read_file") {
			row = i + 1
		}
	}
	g.press(fmt.Sprintf("\x1b[<0;60;%dM", row))
	g.until("Size counts bytes", "› 2 transcript")
	g.press("q")
	g.end()
}

// Command picture draws a screen, as a terminal would show it, as SVG: the text
// and escape sequences of its rows on standard input. testdata/terminal/picture.sh
// starts it.
package main

import (
	"bufio"
	"fmt"
	"html"
	"image/color"
	"os"
	"strings"

	"github.com/charmbracelet/x/vt"
)

// Cells in units of the picture, and the colours a dark terminal has.
const (
	cellWidth, cellHeight, edge = 8, 17, 10
	paper, ink                  = "#1e1e2e", "#cdd6f4"
)

func main() {
	var width, height int
	if len(os.Args) != 3 || scan(os.Args[1], &width) || scan(os.Args[2], &height) {
		fmt.Fprintln(os.Stderr, "usage: picture WIDTH HEIGHT <screen >picture.svg")
		os.Exit(2)
	}
	term := vt.NewEmulator(width, height)
	rows := bufio.NewScanner(os.Stdin)
	for y := 1; y <= height && rows.Scan(); y++ {
		fmt.Fprintf(term, "\x1b[%dH%s\x1b[m", y, rows.Text())
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	w, h := width*cellWidth+2*edge, height*cellHeight+2*edge
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n", w, h, w, h)
	fmt.Fprintf(out, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", paper)
	fmt.Fprintf(out, `<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" fill="%s" xml:space="preserve">`+"\n", ink)
	for y := range height {
		row(out, term, y, width)
	}
	fmt.Fprintln(out, "</g>\n</svg>")
}

func scan(arg string, to *int) (failed bool) {
	n, err := fmt.Sscan(arg, to)
	return n != 1 || err != nil || *to < 1
}

// row draws one row, piece by piece of one look. Each piece is told its length, so
// that a font of another width keeps the columns.
func row(out *bufio.Writer, term *vt.Emulator, y, width int) {
	for x := 0; x < width; {
		start, style, piece := x, look(term, x, y), ""
		for x < width && look(term, x, y) == style {
			cell := term.CellAt(x, y)
			piece += cell.Content
			x += max(cell.Width, 1)
		}
		left, top := edge+start*cellWidth, edge+y*cellHeight
		if style.ground != "" {
			fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", left, top, (x-start)*cellWidth, cellHeight, style.ground)
		}
		text := strings.TrimRight(piece, " ")
		if text == "" {
			continue
		}
		fmt.Fprintf(out, `<text x="%d" y="%d" textLength="%d"%s>%s</text>`+"\n", left, top+13,
			(x-start-len(piece)+len(text))*cellWidth, style.attributes(), html.EscapeString(text))
	}
}

// cellLook is what cells must share to be drawn at once.
type cellLook struct {
	fill, ground string
	bold         bool
}

func look(term *vt.Emulator, x, y int) cellLook {
	const bold, reverse = 1, 1 << 5
	s := term.CellAt(x, y).Style
	l := cellLook{hex(s.Fg), hex(s.Bg), s.Attrs&bold != 0}
	if s.Attrs&reverse != 0 {
		l.fill, l.ground = l.ground, l.fill
		if l.fill == "" {
			l.fill = paper
		}
		if l.ground == "" {
			l.ground = ink
		}
	}
	return l
}

func (l cellLook) attributes() string {
	words := ""
	if l.fill != "" {
		words += ` fill="` + l.fill + `"`
	}
	if l.bold {
		words += ` font-weight="bold"`
	}
	return words
}

func hex(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

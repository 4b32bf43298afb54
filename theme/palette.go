package theme

import (
	"image/color"
	"math"
)

// palette holds the colours of one theme as #rrggbb. Every foreground reads on
// the terminal's own background, on the selection and on the bar.
type palette struct {
	text, muted, accent    string
	good, warn, bad        string
	running, waiting, tool string
	border                 string
	selection, bar         string
}

var darkPalette = palette{
	text: "#e4e6eb", muted: "#a7acb8", accent: "#7cb7ff",
	good: "#7ddc8f", warn: "#f2c14e", bad: "#ff9a91",
	running: "#6fd3e8", waiting: "#e6b0f2", tool: "#c3b8ff",
	border:    "#9ea4b2",
	selection: "#2c3350", bar: "#26282f",
}

var lightPalette = palette{
	text: "#1f2328", muted: "#545c66", accent: "#0550ae",
	good: "#11602a", warn: "#744800", bad: "#a81e29",
	running: "#0b5866", waiting: "#7a2b9c", tool: "#563cae",
	border:    "#59616c",
	selection: "#dbe6fa", bar: "#e6e8ec",
}

var darkContrastPalette = palette{
	text: "#ffffff", muted: "#d6d9e0", accent: "#a8d1ff",
	good: "#9cf5ac", warn: "#ffdc73", bad: "#ffc0ba",
	running: "#9aeafa", waiting: "#f3cdfb", tool: "#ddd6ff",
	border:    "#ffffff",
	selection: "#1f2a55", bar: "#1c1c1c",
}

var lightContrastPalette = palette{
	text: "#000000", muted: "#33383f", accent: "#00337a",
	good: "#003d12", warn: "#4a2d00", bad: "#7a0010",
	running: "#003a45", waiting: "#520073", tool: "#32157f",
	border:    "#000000",
	selection: "#d3e2ff", bar: "#e6e6e6",
}

// luminance is the relative luminance of WCAG 2, from 0 (black) to 1.
func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

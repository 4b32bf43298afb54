package views

import (
	"strings"

	"growbench/theme/text"
)

// Results shows results.md: plain text at once, rendered Markdown as soon as
// whoever renders it hands that in.
type Results struct {
	look          Look
	width, height int
	source        string
	plain         []string // source wrapped to the width
	rendered      []string // lines of the rendering of that source at that width
	top           int
}

// NewResults returns an empty pane.
func NewResults(t Look) Results { return Results{look: t} }

// SetLook changes the colours; an older rendering is dropped.
func (r *Results) SetLook(t Look) { r.look, r.rendered = t, nil }

// SetSize sets the pane's size in cells; an older rendering is dropped when
// the width changes.
func (r *Results) SetSize(width, height int) {
	if width != r.width {
		r.rendered, r.plain = nil, nil
	}
	r.width, r.height = width, height
}

// Width is the width a rendering must be made for, in cells.
func (r *Results) Width() int { return r.width }

// SetMarkdown shows another text; an older rendering is dropped.
func (r *Results) SetMarkdown(source string) {
	if source != r.source {
		r.source, r.plain, r.rendered = source, nil, nil
	}
}

// SetRendered hands in the text as rendered for this width.
func (r *Results) SetRendered(lines []string) { r.rendered = lines }

// Rendered tells whether a rendering is shown.
func (r *Results) Rendered() bool { return r.rendered != nil }

// Scroll moves by rows.
func (r *Results) Scroll(rows int) { r.top += rows }

// Page moves by windows.
func (r *Results) Page(pages int) { r.top += pages * max(r.height-1, 1) }

// Home goes to the start.
func (r *Results) Home() { r.top = 0 }

// End goes to the end.
func (r *Results) End() { r.top = 1 << 30 }

// View draws the pane.
func (r *Results) View() []string {
	if r.source == "" {
		return exactly([]string{NewRow(r.width).Add(r.look.Muted, "no RESULT yet").String()}, r.width, r.height)
	}
	lines := r.rendered
	if lines == nil {
		lines = r.wrapped()
	}
	r.top = max(0, min(r.top, len(lines)-r.height))
	shown := make([]string, 0, r.height)
	for _, l := range lines[r.top:min(len(lines), r.top+max(r.height, 0))] {
		shown = append(shown, measure.Pad(l, r.width))
	}
	return exactly(shown, r.width, r.height)
}

func (r *Results) wrapped() []string {
	if r.plain == nil {
		r.plain = measure.Wrap(strings.TrimRight(text.Clean(r.source), "\n"), r.width)
	}
	return r.plain
}

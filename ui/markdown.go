package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme"
	"growbench/theme/text"
)

// maxRenderings is how many renderings are kept, so that going back to a size
// or a theme costs nothing.
const maxRenderings = 8

// rendering keeps results.md and what its Markdown looks like.
type rendering struct {
	text  string
	count int // RESULTs the text was made from
	last  uint64
	kept  map[renderKey][]string
	want  renderKey // what a Cmd works on now; zero when none does
}

// renderKey is everything a rendering depends on.
type renderKey struct {
	text  string
	width int
	look  int // counts the changes of the theme
}

type renderedMsg struct {
	key   renderKey
	lines []string
}

// source is results.md as of the state.
func (r *rendering) source(s *event.State) string {
	if r.last != s.LastSeq || r.count != len(s.Results) {
		r.last, r.count = s.LastSeq, len(s.Results)
		r.text = doc.FormatResults(s.Results)
	}
	return r.text
}

// receive keeps a rendering.
func (r *rendering) receive(msg renderedMsg) {
	if r.kept == nil || len(r.kept) >= maxRenderings {
		r.kept = map[renderKey][]string{}
	}
	r.kept[msg.key] = msg.lines
	r.want = renderKey{}
}

// render shows the rendering of what the results pane holds, or has it made.
// Until it is there the pane shows plain text.
func (m *model) render() tea.Cmd {
	key := renderKey{m.paper.text, m.board.results.Width(), m.looks}
	if key.text == "" || key.width < 20 {
		return nil
	}
	if lines, ok := m.paper.kept[key]; ok {
		if lines != nil && !m.board.results.Rendered() {
			m.board.results.SetRendered(lines)
			m.compose()
		}
		return nil
	}
	if m.paper.want.text != "" {
		return nil
	}
	m.paper.want = key
	th := m.theme.Theme
	return task("rendering results.md", func() tea.Msg {
		return renderedMsg{key, renderMarkdown(key, th)}
	})
}

// renderMarkdown gives nil when the text cannot be rendered: plain text stays.
func renderMarkdown(key renderKey, th theme.Theme) []string {
	lines, err := th.RenderMarkdown(literally(key.text), key.width, text.WcWidth)
	if err != nil {
		return nil
	}
	return lines
}

// literally turns results.md into Markdown that renders to what it says: one
// line a file, signature and break, with stars and underscores as they are.
// Only a summary is prose.
func literally(results string) string {
	var out strings.Builder
	section := ""
	for line := range strings.SplitSeq(results, "\n") {
		item, listed := strings.CutPrefix(line, "- ")
		switch {
		case strings.HasPrefix(line, "#"):
			section = line
		case listed || section == "## Signatures" && line != "":
			line = "- " + markdownSigns.Replace(item)
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// markdownSigns escapes what Markdown reads; two signs the renderer knows only
// as references.
var markdownSigns = func() *strings.Replacer {
	pairs := []string{"&", "&amp;", "~", "&#126;"}
	for _, sign := range "\\`*_[]<>|!" {
		pairs = append(pairs, string(sign), `\`+string(sign))
	}
	return strings.NewReplacer(pairs...)
}()

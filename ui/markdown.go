package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/theme"
	"growbench/theme/text"
	"growbench/views"
)

// maxRenderings is how many renderings are kept, so that going back to a size
// or a theme costs nothing.
const maxRenderings = 400

// rendering keeps each RESULT as text and what its Markdown looks like.
type rendering struct {
	results []views.Result
	count   int // RESULTs the texts were made from
	last    uint64
	kept    map[renderKey][]string
	busy    bool // a Cmd works on some
}

// renderKey is everything a rendering depends on.
type renderKey struct {
	text  string
	width int
	look  int // counts the changes of the theme
}

type renderedMsg struct {
	keys  []renderKey
	lines [][]string
}

// of is the RESULTs as of the state. Their heads are left out: the pane draws
// them.
func (r *rendering) of(s *event.State) []views.Result {
	if r.last == s.LastSeq && r.count == len(s.Results) {
		return r.results
	}
	r.last, r.count = s.LastSeq, len(s.Results)
	r.results = make([]views.Result, len(s.Results))
	for i, one := range s.Results {
		_, body, _ := strings.Cut(doc.FormatResult(one), "\n")
		r.results[i] = views.Result{K: one.K, Source: strings.TrimLeft(body, "\n"), Summary: one.Summary}
	}
	return r.results
}

// receive keeps renderings.
func (r *rendering) receive(msg renderedMsg) {
	if r.kept == nil || len(r.kept) >= maxRenderings {
		r.kept = map[renderKey][]string{}
	}
	for i, key := range msg.keys {
		r.kept[key] = msg.lines[i]
	}
	r.busy = false
}

// render shows the renderings of what the results pane holds, or has a few of
// them made. Until they are there the pane shows plain text.
func (m *model) render() tea.Cmd {
	const few = 8
	width := m.board.results.Width()
	if width < 20 {
		return nil
	}
	var keys []renderKey
	shown := false
	for _, source := range m.board.results.Unrendered() {
		key := renderKey{source, width, m.looks}
		switch lines, ok := m.paper.kept[key]; {
		case ok && lines != nil:
			m.board.results.SetRendered(source, lines)
			shown = true
		case !ok && len(keys) < few:
			keys = append(keys, key)
		}
	}
	if shown {
		m.compose()
	}
	if len(keys) == 0 || m.paper.busy {
		return nil
	}
	m.paper.busy = true
	th := m.theme.Theme
	return task("rendering RESULTs", func() tea.Msg {
		msg := renderedMsg{keys: keys}
		for _, key := range keys {
			msg.lines = append(msg.lines, renderMarkdown(key, th))
		}
		return msg
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

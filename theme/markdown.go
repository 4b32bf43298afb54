package theme

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"

	"growbench/theme/text"
)

// Markdown returns the theme as a style of glamour. It styles; it does not make
// foreign text safe: [Theme.RenderMarkdown] does both.
//
// Code has one colour and no highlighting: glamour keeps the first highlighting
// style it ever saw for the whole process, so a change of theme would leave
// code unreadable.
func Markdown(t Theme) ansi.StyleConfig {
	var c palette
	if t.colors != nil {
		c = *t.colors
	}
	color := func(hex string) *string {
		if hex == "" {
			return nil
		}
		return &hex
	}
	yes, s := new(bool), t.Symbols
	*yes = true
	zero, two := uint(0), uint(2)
	bar, column, cross, row := s.Frame.Left+" ", s.Frame.Left, s.Frame.Middle, s.Frame.Top
	ticked := "[" + s.Done + "] "
	mono := t.colors == nil

	prefix := func(p string) ansi.StyleBlock {
		return ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: p}}
	}
	style := ansi.StyleConfig{
		Document: ansi.StyleBlock{
			StylePrimitive: ansi.StylePrimitive{Color: color(c.text)},
			Margin:         &zero,
		},
		BlockQuote: ansi.StyleBlock{
			StylePrimitive: ansi.StylePrimitive{Color: color(c.muted)},
			Indent:         new(uint(1)),
			IndentToken:    &bar,
		},
		List: ansi.StyleList{LevelIndent: two},
		Heading: ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{
			BlockSuffix: "\n", Color: color(c.accent), Bold: yes,
		}},
		H1: prefix("# "), H2: prefix("## "), H3: prefix("### "),
		H4: prefix("#### "), H5: prefix("##### "), H6: prefix("###### "),
		Strikethrough:  ansi.StylePrimitive{CrossedOut: yes},
		Emph:           ansi.StylePrimitive{Italic: yes},
		Strong:         ansi.StylePrimitive{Bold: yes},
		HorizontalRule: ansi.StylePrimitive{Color: color(c.border), Format: "\n--------\n"},
		Item:           ansi.StylePrimitive{BlockPrefix: s.Bullet + " "},
		Enumeration:    ansi.StylePrimitive{BlockPrefix: ". "},
		Task:           ansi.StyleTask{Ticked: ticked, Unticked: "[ ] "},
		Link:           ansi.StylePrimitive{Color: color(c.muted), Underline: yes},
		LinkText:       ansi.StylePrimitive{Color: color(c.accent)},
		Image:          ansi.StylePrimitive{Color: color(c.muted), Underline: yes},
		ImageText:      ansi.StylePrimitive{Color: color(c.accent), Format: "image: {{.text}}"},
		Code:           ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: color(c.tool)}},
		CodeBlock: ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{
			StylePrimitive: ansi.StylePrimitive{Color: color(c.tool)},
			Margin:         &two,
		}},
		Table: ansi.StyleTable{
			CenterSeparator: &cross, ColumnSeparator: &column, RowSeparator: &row,
		},
		DefinitionDescription: ansi.StylePrimitive{BlockPrefix: "\n" + s.Cursor + " "},
	}
	if mono {
		// What colour sets apart elsewhere is set apart by its own signs.
		style.Code.Prefix, style.Code.Suffix = "`", "`"
		style.Emph.BlockPrefix, style.Emph.BlockSuffix = "*", "*"
	}
	return style
}

// RenderMarkdown renders foreign Markdown as styled lines no wider than cells,
// as m counts. It takes milliseconds: render outside of Update and View, and
// keep the result for its text, width, theme and measure.
func (t Theme) RenderMarkdown(markdown string, cells int, m text.Measure) ([]string, error) {
	if cells < 1 {
		return nil, nil
	}
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(Markdown(t)),
		glamour.WithWordWrap(cells),
	)
	if err != nil {
		return nil, fmt.Errorf("preparing to render Markdown in the theme %s: %w", t.Name, err)
	}
	out, err := renderer.Render(m.Steady(spellReferences(text.Clean(markdown))))
	if err != nil {
		return nil, fmt.Errorf("rendering Markdown in the theme %s: %w", t.Name, err)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.Trim(out, "\n"), "\n") {
		// Cut again: glamour breaks no word that is longer than the line, and
		// what it made of references and links has not been cleaned.
		line = m.Truncate(strings.Map(drop, line), cells, t.Symbols.Ellipsis)
		lines = append(lines, trimEnd(line))
	}
	return lines, nil
}

// reference is a numeric character reference as HTML reads it, also without its
// semicolon.
var reference = regexp.MustCompile(`&#[xX]?[0-9a-fA-F]+;?`)

// spellReferences replaces the character references by which Markdown could
// bring back, after cleaning, what cleaning removed.
func spellReferences(s string) string {
	return reference.ReplaceAllStringFunc(s, func(ref string) string {
		if r := html.UnescapeString(ref); text.Clean(r) != r {
			return "\ufffd"
		}
		return ref
	})
}

// drop takes out the characters that have a name in HTML and deceive the eye.
func drop(r rune) rune {
	switch r {
	case '\u00ad', '\u200e', '\u200f', '\u2060', '\u2061', '\u2062', '\u2063':
		return -1
	}
	return r
}

var blankEnd = regexp.MustCompile(`(?:\x1b\[[0-9;:]*m| )+$`)

// trimEnd drops the padding, each space of which has a style of its own, and
// closes the last style.
func trimEnd(line string) string {
	at := blankEnd.FindStringIndex(line)
	switch {
	case at == nil:
		return line
	case at[0] > 0 && strings.Contains(line, "\x1b"):
		return line[:at[0]] + "\x1b[m"
	}
	return line[:at[0]]
}

package views

import (
	"fmt"
	"strings"

	"growbench/theme/text"
)

// MapSheet is a text beside the tree, made ready to be drawn: what the map says
// of a directory, a document of it, a source, a diff. Making one may take a
// while: not in Update.
type MapSheet struct {
	lines []sheetLine
	cut   bool // long lines are cut, not wrapped
}

type sheetLine struct {
	text   string // safe to draw
	tone   tone
	styled bool // drawn as it is
	indent int  // of the rows it goes on in
	stop   *MapStop
}

// MapStop is a line that leads somewhere: to a file (with a line), or to where
// a dependency points.
type MapStop struct {
	File string // in the directory at hand
	Line int
	Dep  string // pkg/… or ext/…, as the map has it
}

// maxWrapped is how much text is wrapped; of longer ones lines are cut.
const maxWrapped = 256 << 10

// NewMapSheet is an empty sheet.
func NewMapSheet() *MapSheet { return &MapSheet{} }

// Head adds a heading.
func (s *MapSheet) Head(words string) { s.add(words, toneFile, 0, nil) }

// Say adds a line to be read, Note one for completeness, Warn one to heed.
func (s *MapSheet) Say(words string)  { s.add(words, toneText, 0, nil) }
func (s *MapSheet) Note(words string) { s.add(words, toneDim, 0, nil) }
func (s *MapSheet) Warn(words string) { s.add(words, toneTool, 0, nil) }

// File adds a file with what it is for.
func (s *MapSheet) File(name, purpose string, stop MapStop) {
	line := text.Visible(name)
	if purpose != "" {
		line += "  " + text.Visible(purpose)
	}
	s.add(line, toneText, 2, &stop)
}

// Lead adds a line below a file that leads somewhere.
func (s *MapSheet) Lead(label, words string, stop MapStop) {
	s.add("  "+label+" "+text.Visible(words), toneDim, 6, &stop)
}

func (s *MapSheet) add(words string, tone tone, indent int, stop *MapStop) {
	for i, l := range strings.Split(words, "\n") {
		line := sheetLine{text: text.Visible(strings.ReplaceAll(strings.TrimSuffix(l, "\r"), "\t", "    ")), tone: tone, indent: indent}
		if i == 0 {
			line.stop = stop
		}
		s.lines = append(s.lines, line)
	}
}

// NewMapText is a text as it stands, with its controls spelled out.
func NewMapText(body string) *MapSheet {
	s := &MapSheet{cut: len(body) > maxWrapped}
	for l := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		tone := toneText
		if strings.HasPrefix(l, "#") {
			tone = toneFile
		}
		s.add(l, tone, 2, nil)
	}
	return s
}

// NewMapSource is a source with its lines numbered.
func NewMapSource(body string) *MapSheet {
	s := &MapSheet{cut: true}
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	digits := len(fmt.Sprint(len(lines)))
	for i, l := range lines {
		s.add(fmt.Sprintf("%*d  ", digits, i+1)+l, toneText, 0, nil)
	}
	return s
}

// NewMapDiff is a unified diff, its parts in colours of their own.
func NewMapDiff(diff string) *MapSheet {
	s := &MapSheet{}
	var p patchReader
	for l := range strings.SplitSeq(strings.TrimSuffix(diff, "\n"), "\n") {
		s.add(l, p.tone(l, toneDim), 1, nil)
	}
	return s
}

// NewMapRendered is text that was rendered: styled lines as wide as they are to
// be shown.
func NewMapRendered(lines []string) *MapSheet {
	s := &MapSheet{cut: true}
	for _, l := range lines {
		s.lines = append(s.lines, sheetLine{text: l, styled: true})
	}
	return s
}

// Text is the sheet as plain text.
func (s *MapSheet) Text() string {
	if s == nil {
		return ""
	}
	var out strings.Builder
	for _, l := range s.lines {
		out.WriteString(l.text + "\n")
	}
	return out.String()
}

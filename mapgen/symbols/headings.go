package symbols

import (
	"regexp"
	"strings"
)

var (
	atxHeading  = regexp.MustCompile(`^ {0,3}(#{1,3})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	fenceLine   = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
	setextLine  = regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`)
	headingLink = regexp.MustCompile(`!?\[([^\]\[]*)\]\([^()]*\)`)
	headingTag  = regexp.MustCompile(`<[^<>]*>`)
	blockStart  = regexp.MustCompile(`^(?:[-*+>|#]|\d+[.)]|    |\t|<)`)
)

// headings are those of a Markdown text, down to the third level.
func headings(o *outline) {
	fence, before := "", ""
	o.lines(func(number int, line string) {
		// Most lines are neither: they are not matched.
		if !strings.ContainsAny(line, "#`~=-") {
			if before = ""; fence == "" {
				before = strings.TrimRight(line, " \t")
			}
			return
		}
		if number == 1 && line == "---" {
			fence = "---" // front matter
			return
		}
		switch m := fenceLine.FindStringSubmatch(line); {
		case fence == "---":
			if line == "---" {
				fence = ""
			}
			return
		case fence != "":
			if m != nil && strings.HasPrefix(m[1], fence) {
				fence = ""
			}
			before = ""
			return
		case m != nil:
			fence, before = m[1], ""
			return
		}
		switch {
		case atxHeading.MatchString(line):
			m := atxHeading.FindStringSubmatch(line)
			o.entry("heading", headingText(m[2]), m[1]+" "+headingText(m[2]), number)
			line = ""
		case before != "" && setextLine.MatchString(line) && !blockStart.MatchString(before):
			level := "#"
			if strings.Contains(line, "-") {
				level = "##"
			}
			o.entry("heading", headingText(before), level+" "+headingText(before), number-1)
			line = ""
		}
		before = strings.TrimRight(line, " \t")
	})
}

// headingText is a heading as a reader sees it.
func headingText(s string) string {
	s = headingLink.ReplaceAllString(s, "$1")
	s = headingTag.ReplaceAllString(s, "")
	return strings.TrimSpace(strings.NewReplacer("`", "", "**", "", "__", "").Replace(s))
}

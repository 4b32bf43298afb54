package describe

import (
	"bytes"
	"regexp"
)

// helpCall is how programs name themselves to whoever asks for help: by
// argparse, click, commander, yargs, cobra, clap, a gem or a formula.
var helpCall = regexp.MustCompile("(?m)(?:\\b(?:Short|Description|Long|description|about|summary|desc)(?:\\s*[:=]\\s*|\\(\\s*|\\s+)|__summary__\\s*=\\s*)[\"'`](\\w[^\"'`\\n]{12,200})[\"'`]")

// usageText is the sentence after the line that tells a program's arguments.
var usageText = regexp.MustCompile("(?m)\\b[Uu]sage: ?[^\n]{0,120}\n\\s*\n?\\s*([A-Z][^\"'`\n]{12,200})")

// helpText is what a program or package prints as its description.
func helpText(in FileInput) string {
	head := in.Content[:min(len(in.Content), 32<<10)]
	found := ""
	try := func(p *regexp.Regexp, text []byte) bool {
		for _, m := range p.FindAllSubmatch(text, 2) {
			if found == "" {
				found = statement(string(m[1]), ownWords, maxPurpose)
			}
		}
		return found == ""
	}
	for _, word := range [...]string{"Short", "Long", "escription", "about", "summary", "desc"} {
		if lines(head, word, func(line []byte) bool { return try(helpCall, line) }); found != "" {
			return found
		}
	}
	if at := bytes.Index(head, []byte("sage:")); at > 0 {
		try(usageText, head[at-1:])
	}
	return found
}

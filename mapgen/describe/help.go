package describe

import "regexp"

// helpCall is how programs name themselves to whoever asks for help: by
// argparse, click, commander, yargs, cobra, clap, a gem or a formula.
var helpCall = regexp.MustCompile("(?m)(?:\\b(?:Short|Description|Long|description|about|summary|desc)(?:\\s*[:=]\\s*|\\(\\s*|\\s+)|__summary__\\s*=\\s*)[\"'`](\\w[^\"'`\\n]{12,200})[\"'`]")

// usageText is the sentence after the line that tells a program's arguments.
var usageText = regexp.MustCompile("(?m)\\b[Uu]sage: ?[^\n]{0,120}\n\\s*\n?\\s*([A-Z][^\"'`\n]{12,200})")

// helpText is what a program or package prints as its description.
func helpText(in FileInput) string {
	head := in.Content[:min(len(in.Content), 32<<10)]
	for _, m := range append(helpCall.FindAllSubmatch(head, 8), usageText.FindAllSubmatch(head, 2)...) {
		if s := statement(string(m[1]), ownWords, maxPurpose); s != "" {
			return s
		}
	}
	return ""
}

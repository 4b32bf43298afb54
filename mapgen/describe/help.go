package describe

import "regexp"

// helpCall is how programs name themselves to whoever asks for help: by
// argparse, click, commander, yargs, cobra, clap, a gem or a formula.
var helpCall = regexp.MustCompile("(?m)(?:\\b(?:Short|Description|Long|description|about|summary|desc)(?:\\s*[:=]\\s*|\\(\\s*|\\s+)|__summary__\\s*=\\s*)[\"'`](\\w[^\"'`\\n]{12,200})[\"'`]")

// helpText is what a program or package prints as its description.
func helpText(in FileInput) string {
	for _, m := range helpCall.FindAllSubmatch(in.Content[:min(len(in.Content), 32<<10)], 8) {
		if s := statement(string(m[1]), ownWords, maxPurpose); s != "" {
			return s
		}
	}
	return ""
}

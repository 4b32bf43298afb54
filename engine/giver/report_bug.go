package giver

import "regexp"

// looks are the tools by which somebody has looked at the project.
var looks = map[string]bool{toolScout: true, toolReadMap: true, toolContext: true}

var bugWords = regexp.MustCompile(`(?i)\b(?:bugs?|crash(?:es|ed|ing)?|regressions?|broken|panics?|segfaults?|stack ?trace|traceback|` +
	`(?:does|do|did)(?: not|n['’]t) work|no longer works?|stopped working|fails? (?:with|when|to|on|if)|wrong (?:result|answer|output|value)s?|returns? the wrong)\b`)

// reportsBug tells whether a text says that something is broken. It decides
// only that somebody looks before a task is written, so a false alarm costs
// one look.
func reportsBug(text string) bool { return bugWords.MatchString(text) }

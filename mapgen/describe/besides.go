package describe

import (
	"regexp"
	"strings"
)

var (
	// quality says of its subject how it is, not what.
	quality = regexp.MustCompile(`^\S+ (?:is|are) (?:\w+ ){0,2}(?:aware|safe|available|supported|optional|required|empty|immutable|mutable|unique|here|true|false|nil|null|set|valid|enabled|disabled|private|internal|public|the same|thread-safe|complete|incomplete|experimental|stable|unstable)$`)
	// advice is said to a reader who has begun already.
	advice = regexp.MustCompile(`(?i)(?:^|, |; |\b(?:if|when|then|so|that|which) )you(?:'ll|'d|'re| (?:may|can|could|should|must|need|want|will|have to|might|are))\b`)
	// aftermath begins a remark on how something came about or is used.
	aftermath = regexp.MustCompile(`(?i)^(?:an? |the )?[a-z]{2,}(?:ed|wn) (?:by|from|in|on|at|to|as|when|if|only|so|because|here)\b|^line \d+ "|^part of (?:\S+ ){0,4}\S+$|^contents? of \S+$`)
	// person is a name with a nickname or initials.
	person   = regexp.MustCompile(`^[A-Z][\w'-]+ [A-Z][\w'-]+ \(\w+\)$`)
	revision = regexp.MustCompile(`\b[0-9a-f]{16,}\b|\b\d\d:\d\d:\d\d\b`)
	request  = regexp.MustCompile(`(?:^\W*|["'])(?:GET|POST|PUT) /`)
	byline   = regexp.MustCompile(`@\w+\b.*\b(?:by|author)|\b[Bb]y @|<[^>]+@`)
)

// besides says that a sentence is on a history, on people, on its reader or on
// a quality: on anything but what its subject is for.
func besides(s string) bool {
	switch {
	case len(s) > 24 && strings.ToUpper(s) == s:
	case strings.Contains(s, "you") && advice.MatchString(s):
	case strings.Contains(s, "@") && byline.MatchString(s):
	case strings.HasSuffix(s, ")") && person.MatchString(s):
	case strings.Contains(s, " /") && request.MatchString(s):
	case strings.ContainsAny(s, "0123456789") && revision.MatchString(s):
	case len(s) < 60 && (strings.Contains(s, " is ") || strings.Contains(s, " are ")) && quality.MatchString(s):
	case len(s) > 5 && strings.EqualFold(s[:4], "file") && (s[4] == ':' || strings.HasPrefix(strings.ToLower(s[4:]), "name:")):
	default:
		return false
	}
	return true
}

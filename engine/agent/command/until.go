package command

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"growbench/engine/agent"
)

// A usage limit is told in words made for people, in each program's own. Only
// what a program reports as its failure is looked at, never what a model or a
// tool says.
var (
	limitWords = regexp.MustCompile(`(?i)usage limit|rate.?limit|quota|hit your [a-z -]*limit|limit (?:was |has been |is )?reached|too many requests|resource.?exhausted|\b429\b`)
	// hardWords are limits that end although nobody says when.
	hardWords = regexp.MustCompile(`(?i)usage limit|hit your [a-z -]*limit|(?:session|weekly|daily|5-hour) limit`)

	epoch    = regexp.MustCompile(`\|\s*(\d{10})(\d{3})?\b`)
	isoTime  = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})`)
	inLead   = regexp.MustCompile(`(?i)\b(?:in|after|wait)\s+(?:about |~\s*)?`)
	oneSpan  = regexp.MustCompile(`(?i)^(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|hr|h|minutes?|mins?|min|ms|m|seconds?|secs?|sec|s)(?:$|[^a-z]|\d)`)
	clock    = regexp.MustCompile(`(?i)\b(?:at|resets?)\s+(?:([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?:,| at)? +)?(\d{1,2})(?::(\d{2}))?\s*([ap]m)\b(?:\s*\(([A-Za-z_/+-]+)\))?`)
	between  = regexp.MustCompile(`(?i)^[\s,]*(?:and\s+)?`)
	longest  = 60 * 24 * time.Hour
	spanUnit = map[byte]time.Duration{'d': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute, 's': time.Second}
)

// usageLimit finds a limit in the words of a failure; nil when it is none.
func usageLimit(text string, now time.Time) *agent.UsageLimit {
	if !limitWords.MatchString(text) {
		return nil
	}
	until := whenOver(text, now)
	if until.IsZero() && !hardWords.MatchString(text) {
		return nil
	}
	return &agent.UsageLimit{Until: until, Text: cut(text, maxNote)}
}

// whenOver is the time a text says a limit ends at, or zero. A time that is
// past or too far away is no such time.
func whenOver(text string, now time.Time) time.Time {
	for _, find := range []func(string, time.Time) time.Time{atEpoch, atISO, inSpan, atClock} {
		if at := find(text, now); at.After(now) && at.Sub(now) < longest {
			return at
		}
	}
	return time.Time{}
}

func atEpoch(text string, _ time.Time) time.Time {
	m := epoch.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	seconds, _ := strconv.ParseInt(m[1], 10, 64)
	return time.Unix(seconds, 0)
}

func atISO(text string, _ time.Time) time.Time {
	at, err := time.Parse(time.RFC3339, isoTime.FindString(text))
	if err != nil {
		return time.Time{}
	}
	return at
}

// inSpan reads "in 2 days 3 hours", "after 2h13m5s", "in ~123 min".
func inSpan(text string, now time.Time) time.Time {
	for _, lead := range inLead.FindAllStringIndex(text, -1) {
		rest, total := text[lead[1]:], time.Duration(0)
		for {
			m := oneSpan.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			n, _ := strconv.ParseFloat(rest[m[2]:m[3]], 64)
			unit := strings.ToLower(rest[m[4]:m[5]])
			step := spanUnit[unit[0]]
			if unit == "ms" {
				step = time.Millisecond
			}
			if span := n * float64(step); span < float64(longest) {
				total += time.Duration(span)
			}
			rest = rest[m[5]:]
			rest = rest[len(between.FindString(rest)):]
		}
		if total > 0 {
			return now.Add(total)
		}
	}
	return time.Time{}
}

// atClock reads "resets 3pm (Europe/Paris)", "try again at 3:05 PM", "at Dec
// 3rd, 2025 3:05 PM". A time of day without a date is the next such time.
func atClock(text string, now time.Time) time.Time {
	m := clock.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	zone := now.Location()
	if m[7] != "" {
		if named, err := time.LoadLocation(m[7]); err == nil {
			zone = named
		}
	}
	hour, _ := strconv.Atoi(m[4])
	minute, _ := strconv.Atoi(m[5])
	if hour < 1 || hour > 12 || minute > 59 {
		return time.Time{}
	}
	hour %= 12
	if strings.EqualFold(m[6], "pm") {
		hour += 12
	}
	local := now.In(zone)
	if m[1] == "" {
		at := time.Date(local.Year(), local.Month(), local.Day(), hour, minute, 0, 0, zone)
		if !at.After(now) {
			at = at.AddDate(0, 0, 1)
		}
		return at
	}
	month, err := time.Parse("Jan", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:]))
	if err != nil {
		return time.Time{}
	}
	day, _ := strconv.Atoi(m[2])
	year, _ := strconv.Atoi(m[3])
	if year == 0 {
		year = local.Year()
	}
	at := time.Date(year, month.Month(), day, hour, minute, 0, 0, zone)
	if m[3] == "" && !at.After(now) {
		at = at.AddDate(1, 0, 0)
	}
	return at
}

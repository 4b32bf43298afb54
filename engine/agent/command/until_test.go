package command

import (
	"testing"
	"time"
)

// Words that agents and model servers really use for their limits.
func TestUsageLimitsInWords(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 10, 14, 30, 0, 0, time.UTC)
	in := func(d time.Duration) time.Time { return now.Add(d) }
	unknown := time.Time{}
	for text, want := range map[string]time.Time{
		"Claude AI usage limit reached|1773160000":                                                   time.Unix(1773160000, 0),
		"You've hit your session limit · resets 3pm (UTC)":                                           in(30 * time.Minute),
		"You've hit your limit · resets 2pm (UTC)":                                                   in(23*time.Hour + 30*time.Minute),
		"You've hit your weekly limit · resets Mar 12, 9am (Europe/Paris)":                           time.Date(2026, 3, 12, 9, 0, 0, 0, paris),
		"5-hour limit reached ∙ resets 4pm":                                                          in(90 * time.Minute),
		"You've hit your usage limit. Upgrade to Pro or try again at 5:01 PM.":                       time.Date(2026, 3, 10, 17, 1, 0, 0, time.UTC),
		"You've hit your usage limit. Try again at Mar 14th, 2026 12:15 AM.":                         time.Date(2026, 3, 14, 0, 15, 0, 0, time.UTC),
		"You've hit your usage limit. Try again in 2 days 3 hours 5 minutes.":                        in(51*time.Hour + 5*time.Minute),
		"You have hit your ChatGPT usage limit (plus plan). Try again in ~123 min.":                  in(123 * time.Minute),
		"You have exhausted your capacity on this model. Your quota will reset after 2h13m5s.":       in(2*time.Hour + 13*time.Minute + 5*time.Second),
		"Quota exceeded for metric x. Please retry in 38.5s.":                                        in(38500 * time.Millisecond),
		"Rate limit reached for gpt in organization o on tokens per min. Please try again in 450ms.": in(450 * time.Millisecond),
		"429 Too Many Requests: retry after 30 seconds":                                              in(30 * time.Second),
		"rate limited until 2026-03-10T15:00:00Z":                                                    in(30 * time.Minute),
		"You've hit your usage limit. To get more access now, send a request to your admin":          unknown,
	} {
		limit := usageLimit(text, now)
		if limit == nil || !limit.Until.Equal(want) {
			t.Errorf("%q: %+v, want %v", text, limit, want)
		}
	}
	for _, text := range []string{
		"the model is on fire, retry in 5 minutes",
		"You exceeded your current quota, please check your plan and billing details.",
		"429 Too Many Requests",
		"rate limited until 2026-03-10T14:00:00Z", // past
		"context limit of 4290 tokens",
		"",
	} {
		if limit := usageLimit(text, now); limit != nil {
			t.Errorf("%q: %+v", text, limit)
		}
	}
}

func FuzzUsageLimit(f *testing.F) {
	now := time.Date(2026, 3, 10, 14, 30, 0, 0, time.UTC)
	for _, s := range []string{
		"usage limit reached|1773160000", "limit reached resets Foo 99, 13pm (No/Where)", "quota in 99999999999999999999d5h",
		"usage limit at 0:99 am", "rate limit in 1d 1d 1d and and 1s",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		limit := usageLimit(text, now)
		if limit == nil || limit.Until.IsZero() {
			return
		}
		if !limit.Until.After(now) || limit.Until.Sub(now) > longest {
			t.Errorf("%q waits until %v", text, limit.Until)
		}
	})
}

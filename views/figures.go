package views

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration writes a time span in at most two units: 4s, 1m05s, 2h07m.
func Duration(d time.Duration) string {
	s := int64(max(d, 0) / time.Second)
	switch {
	case s < 60:
		return strconv.FormatInt(s, 10) + "s"
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
}

// Count writes a number in at most four digits and a unit: 980, 12.3k, 4.0M.
func Count(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1_000_000)
}

// Span writes a limit of seconds as short as it can be: 90s, 3m, 1h30m.
func Span(seconds int64) string {
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	switch {
	case seconds < 60 || seconds < 600 && s != 0:
		return fmt.Sprintf("%ds", seconds)
	case h > 0 && m == 0:
		return fmt.Sprintf("%dh", h)
	case h > 0:
		return fmt.Sprintf("%dh%02dm", h, m)
	}
	return fmt.Sprintf("%dm", m)
}

// Short is Count without a zero behind the point.
func Short(n int64) string { return strings.Replace(Count(n), ".0", "", 1) }

// Tokens writes what went in and out; figures nobody counted are marked ~.
func Tokens(in, out int64, estimated bool) string {
	mark := ""
	if estimated {
		mark = "~"
	}
	return fmt.Sprintf("%s%s in, %s%s out", mark, Count(in), mark, Count(out))
}

// Bytes writes a size.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
}

// plural writes a number and its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Progress writes how many of all are done.
func Progress(done, all int) string { return fmt.Sprintf("%d of %d done", done, all) }

// Number writes a count, or nothing for none.
func Number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

package size

import (
	"math"
	"testing"
)

func TestFormat(t *testing.T) {
	cases := []struct {
		bytes int64
		want  string
	}{
		{0, "0 B"},
		{999, "999 B"},
		{1000, "1.0 KB"},
		{1_549_999, "1.5 MB"},
		{999_949, "999.9 KB"},
		{999_950, "1.0 MB"},
		{-2_500_000_000, "-2.5 GB"},
		{math.MaxInt64, "9.2 EB"},
		{math.MinInt64, "-9.2 EB"},
	}
	for _, c := range cases {
		if got := Format(c.bytes); got != c.want {
			t.Errorf("Format(%d) = %q, want %q", c.bytes, got, c.want)
		}
	}
}

package size

import (
	"errors"
	"testing"
)

func TestParse(t *testing.T) {
	cases := []struct {
		text string
		want int64
	}{
		{"0", 0},
		{"512", 512},
		{"512B", 512},
		{"10MB", 10_000_000},
		{"10 mb", 10_000_000},
		{" 1.5 GiB ", 1_610_612_736},
		{"1.1GB", 1_100_000_000},
		{".5KB", 500},
		{"0.0015KB", 1},
		{"7EiB", 7 << 60},
	}
	for _, c := range cases {
		got, err := Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if got != c.want {
			t.Errorf("Parse(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	cases := []struct {
		text string
		want error
	}{
		{"", ErrSyntax},
		{"MB", ErrSyntax},
		{"-1KB", ErrSyntax},
		{"1.2.3", ErrSyntax},
		{"10 bananas", ErrSyntax},
		{"1e3", ErrSyntax},
		{"8EiB", ErrRange},
		{"99999999999999999999", ErrRange},
	}
	for _, c := range cases {
		if got, err := Parse(c.text); !errors.Is(err, c.want) {
			t.Errorf("Parse(%q) = %d, %v; want %v", c.text, got, err, c.want)
		}
	}
}

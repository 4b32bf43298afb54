package config

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a time span written as text: "90s", "10m", "1h30m".
type Duration time.Duration

func minutes(n int) Duration { return Duration(time.Duration(n) * time.Minute) }

// Std is the span as the standard library's type.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String is the shortest spelling: "10m" rather than "10m0s".
func (d Duration) String() string {
	text := time.Duration(d).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// MarshalText writes what UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a span such as "10m"; a bare "0" is allowed.
func (d *Duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf(`%s is not a time span (write "90s", "10m" or "1h30m")`, quoted(string(text)))
	}
	*d = Duration(span)
	return nil
}

// Bytes is an amount of data, written as "64MB" (units of 1024) or as a plain
// number of bytes.
type Bytes int64

var byteUnits = []struct {
	name string
	size int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}}

// String uses the largest unit that loses nothing.
func (b Bytes) String() string {
	for _, unit := range byteUnits {
		if b != 0 && int64(b)%unit.size == 0 {
			return strconv.FormatInt(int64(b)/unit.size, 10) + unit.name
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// MarshalText writes what UnmarshalText reads.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads "64MB", "64 MiB" or "67108864".
func (b *Bytes) UnmarshalText(text []byte) error {
	number := strings.ToUpper(strings.TrimSpace(string(text)))
	size := int64(1)
	for _, unit := range byteUnits {
		for _, name := range []string{unit.name, unit.name[:1] + "IB", unit.name[:1]} {
			if rest, found := strings.CutSuffix(number, name); found && size == 1 {
				number, size = strings.TrimSpace(rest), unit.size
			}
		}
	}
	amount, err := strconv.ParseInt(number, 10, 64)
	if err != nil || amount > math.MaxInt64/size || amount < math.MinInt64/size {
		return fmt.Errorf(`%s is not an amount of data (write "64MB" or a number of bytes)`, quoted(string(text)))
	}
	*b = Bytes(amount * size)
	return nil
}

// UnmarshalJSON also takes a bare number of bytes.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	return b.UnmarshalText([]byte(text))
}

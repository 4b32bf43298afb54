// Package size reads and writes byte sizes the way people do: 512, 10MB,
// 1.5 GiB.
package size

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

var (
	// ErrSyntax is what Parse reports for text that is no size.
	ErrSyntax = errors.New("not a size: want a number and a unit, as in 512, 10MB or 1.5 GiB")
	// ErrRange is what Parse reports for more bytes than an int64 holds.
	ErrRange = errors.New("size too large")
)

// Parse reads a size and returns it in bytes. A number alone counts bytes; a
// fraction of a byte is dropped. A size is never negative.
func Parse(text string) (int64, error) {
	number, suffix := split(strings.TrimSpace(text))
	factor, known := factors[strings.ToLower(suffix)]
	if !known {
		return 0, fmt.Errorf("%q: %w", text, ErrSyntax)
	}
	// A float would turn 1.1GB into a byte more or less; a fraction is exact.
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, fmt.Errorf("%q: %w", text, ErrSyntax)
	}
	value.Mul(value, new(big.Rat).SetInt64(factor))
	bytes := new(big.Int).Quo(value.Num(), value.Denom())
	if !bytes.IsInt64() {
		return 0, fmt.Errorf("%q: %w", text, ErrRange)
	}
	return bytes.Int64(), nil
}

// MustParse is Parse for sizes that stand in the code: text that is no size is
// a mistake of the programmer's, and a panic.
func MustParse(text string) int64 {
	bytes, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return bytes
}

// split cuts text after its leading digits and dots.
func split(text string) (number, suffix string) {
	rest := strings.TrimLeft(text, "0123456789.")
	return text[:len(text)-len(rest)], strings.TrimSpace(rest)
}

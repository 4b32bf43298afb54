//go:build linux && !cgo

package store

import (
	_ "embed"
	js "encoding/json"
	"fmt"
	. "math"
)

type (
	Key[K comparable] struct{ k K }
	alias             = Key[int]
	Box               struct {
		Key[string]
		*fmt.Stringer
		a, b int
	}
	Store interface {
		Get(k string) (v []byte, err error)
		~int | ~string
		fmt.Stringer
	}
)

func (s *Key[K]) Put(v K)                   {}
func (Key[_]) Name() string                 { return "" }
func (b * /* owner */ Box) Close() error    { return nil }
func (b Box) Paren()                        {}
func Map[T, U any](in []T, f func(T) U) []U { return nil }

const (
	A = iota
	b
	C, D = 1, 2
)

var X, y = 1, 2
var Handler = func() {}

func init()    {}
func init()    {}
func Ünïcode() {}
func 世界()      {}

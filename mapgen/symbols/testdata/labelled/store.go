//go:build linux && !cgo

// Package store keeps keys.
package store

import (
	_ "embed"
	js "encoding/json"
	"fmt"
	. "math"

	"example.com/mod/internal/log"
)

type (
	Key[K comparable] struct{ k K }
	alias             = Key[int]
	Alias             = Key[string]
	Box               struct {
		Key[string]
		*fmt.Stringer
		a, b   int
		Size   int `json:"size"`
		On, Up func(x int) error
	}
	Store interface {
		Get(k string) (v []byte, err error)
		~int | ~string
		fmt.Stringer
		private()
	}
	hidden struct{ X int }
)

func (s *Key[K]) Put(v K)                   {}
func (Key[_]) Name() string                 { return "" }
func (b * /* owner */ Box) Close() error    { return nil }
func (b Box) Paren()                        {}
func (b *Box) lower()                       {}
func (h hidden) Shown()                     {}
func Map[T, U any](in []T, f func(T) U) []U { return nil }

const (
	A = iota
	b
	C, D = 1, 2
	_    = 3
)

var X, y = 1, 2
var Handler = func() {}

func init()    {}
func Ünïcode() {}
func 世界()      {}
func Variadic(sep string, parts ...any) (out string, n int) {
	var _ = js.Marshal
	return
}

type Élan int

var _ = log.New

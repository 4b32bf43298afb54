package doc

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used:
// every command and every parser process begins by initialising this package,
// and few of them read documents.
type pattern struct {
	compiled func() *regexp.Regexp
}

func lazily(expression string) pattern {
	return pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

func (p pattern) MatchString(s string) bool            { return p.compiled().MatchString(s) }
func (p pattern) FindStringIndex(s string) []int       { return p.compiled().FindStringIndex(s) }
func (p pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }
func (p pattern) ReplaceAllString(s, by string) string { return p.compiled().ReplaceAllString(s, by) }

func (p pattern) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

func (p pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

func (p pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

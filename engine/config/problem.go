package config

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// Problem is one thing wrong with the configuration.
type Problem struct {
	Place string // "file:line", "env NAME" or "flag --name"; always says where to look
	Line  int    // in a file, from 1; else 0
	Key   string // the key's path, such as "limits.wall"; may be empty
	Text  string
}

// String is the problem on one line: place, key, what is wrong.
func (p Problem) String() string {
	if p.Key == "" {
		return p.Place + ": " + p.Text
	}
	return p.Place + ": " + p.Key + ": " + p.Text
}

// ProblemsError reports everything that is wrong at once, file by file and in
// the order of lines. Nothing was changed or run.
type ProblemsError struct {
	Problems []Problem
}

// shownProblems bounds a message: a file that is no configuration at all can
// have thousands of wrong keys.
const shownProblems = 50

func (e *ProblemsError) Error() string {
	lines := make([]string, 0, len(e.Problems))
	for i, problem := range e.Problems {
		if i == shownProblems {
			lines = append(lines, fmt.Sprintf("… and %d more", len(e.Problems)-i))
			break
		}
		lines = append(lines, problem.String())
	}
	return strings.Join(lines, "\n")
}

// problemList gathers the problems of one file, or of the environment and flags.
type problemList []Problem

func (l *problemList) add(place string, line int, key, text string) {
	*l = append(*l, Problem{Place: place, Line: line, Key: key, Text: text})
}

func (l problemList) sorted() problemList {
	sort.SliceStable(l, func(i, j int) bool { return l[i].Line < l[j].Line })
	return l
}

// quoted shows foreign text inside a message: short, on one line, and with
// every control character visible.
func quoted(text string) string {
	const limit = 60
	runes := []rune(text)
	if len(runes) > limit {
		return strconv.Quote(string(runes[:limit])) + "…"
	}
	return strconv.Quote(text)
}

// visible leaves readable text alone and spells out what a terminal would
// obey or hide.
func visible(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		spelled := strconv.QuoteRune(r)
		out.WriteString(spelled[1 : len(spelled)-1])
	}
	return out.String()
}

// joinKey appends a key to a path; a key that would be misread is quoted.
func joinKey(path, key string) string {
	plain := key != "" && len(key) <= 60
	for _, r := range key {
		plain = plain && unicode.IsPrint(r) && !unicode.IsSpace(r) && r != '.' && r != '"' && r != '['
	}
	if !plain {
		key = quoted(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

package recall

import (
	"bytes"
	"strconv"
	"strings"
)

// LogFormat is the --format of `git log --name-only` that ParseLog reads.
const LogFormat = "%x01%ct %H %s"

// ParseLog reads a log in LogFormat. What it cannot read is left out.
func ParseLog(text []byte) []Commit {
	var commits []Commit
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if len(line) == 0 {
			continue
		}
		if line[0] == 1 {
			when, rest, _ := bytes.Cut(line[1:], []byte(" "))
			hash, subject, _ := bytes.Cut(rest, []byte(" "))
			at, err := strconv.ParseInt(string(when), 10, 64)
			if err != nil {
				at = 0
			}
			commits = append(commits, Commit{When: at, Hash: string(hash), Subject: strings.ToValidUTF8(string(subject), "\uFFFD")})
			continue
		}
		if n := len(commits); n > 0 {
			commits[n-1].Files = append(commits[n-1].Files, unquote(string(line)))
		}
	}
	return commits
}

// unquote takes git's quotes off a file name.
func unquote(name string) string {
	if !strings.HasPrefix(name, `"`) {
		return name
	}
	if plain, err := strconv.Unquote(name); err == nil {
		return plain
	}
	return name
}

// FormatLog writes commits as ParseLog reads them.
func FormatLog(commits []Commit) []byte {
	var b bytes.Buffer
	for _, c := range commits {
		b.WriteString("\x01" + strconv.FormatInt(c.When, 10) + " " + c.Hash + " " + c.Subject + "\n")
		for _, f := range c.Files {
			if strings.ContainsAny(f, "\n\x01") || strings.HasPrefix(f, `"`) {
				f = strconv.Quote(f)
			}
			b.WriteString(f + "\n")
		}
	}
	return b.Bytes()
}

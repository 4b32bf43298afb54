package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/theme/text"
)

// maxProblems is how many problems of a document are told at once.
const maxProblems = 20

// problemLines tells each problem of a document once, and after them how many
// more there are and the hints that several of them share.
func problemLines(path string, problems []doc.Problem) (lines, after []string) {
	shared := map[string]int{}
	for _, p := range problems {
		shared[hint(p)]++
	}
	var errs, others []string
	for _, p := range problems {
		if h := hint(p); h != "" && shared[h] > 1 {
			p.Text = strings.TrimSuffix(p.Text, "; "+h)
			if !slices.Contains(after, h) {
				after = append(after, h)
			}
		}
		line := problemLine(path, p)
		switch {
		case slices.Contains(lines, line):
			continue
		case p.Level == doc.Error:
			errs = append(errs, line)
		default:
			others = append(others, line)
		}
		lines = append(lines, line)
	}
	for i, h := range after {
		after[i] = text.Line(h)
	}
	if more := len(lines) - maxProblems; more > 0 {
		lines = append(errs, others...)[:maxProblems] // what stops it before what does not
		after = append([]string{fmt.Sprintf("and %d more", more)}, after...)
	}
	return lines, after
}

// hint is what a problem says beyond what is wrong, or nothing.
func hint(p doc.Problem) string {
	_, h, _ := strings.Cut(p.Text, "; ")
	return h
}

func problemLine(path string, p doc.Problem) string {
	where := text.Visible(path)
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, p.Line)
	}
	if p.Section != "" {
		where += ": " + text.Line(p.Section)
	}
	return fmt.Sprintf("%s: %s: %s", where, p.Level, text.Line(strings.TrimPrefix(p.Text, p.Section+" ")))
}

// maxDocument bounds a document that is read, in bytes.
const maxDocument = 1 << 20

// readDocument reads a small regular file; "-" is standard input.
func readDocument(in io.Reader, path string) (string, error) {
	if path == "-" {
		return readAll(in, "standard input")
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", text.Visible(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readAll(f, path)
}

func readAll(in io.Reader, path string) (string, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return "", err
	}
	if len(data) > maxDocument {
		return "", fmt.Errorf("%s is larger than %d bytes", text.Visible(path), maxDocument)
	}
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return "", fmt.Errorf("%s is UTF-16; save it as UTF-8", text.Visible(path))
	case bytes.IndexByte(data, 0) >= 0:
		return "", fmt.Errorf("%s is not text: it holds NUL bytes; save it as UTF-8", text.Visible(path))
	}
	return string(data), nil
}

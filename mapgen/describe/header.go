package describe

import (
	"regexp"
	"strings"
)

// headBytes is how far into a file its opening comments are looked for.
const headBytes = 6 << 10

// betweenComments are lines that may stand between a file's licence and the
// comment that says what it is for.
var betweenComments = regexp.MustCompile(`^(?:#!.*|#!?\[.*|<\?php.*|['"]use strict['"];?|#\s*(?:ifndef|ifdef|define\s+\w*_H\w*|pragma|if|include|import|endif|undef|nullable)(?:\b.*|$)|package [\w.]+;?|import\b.*|from ['"].*|(?:use|using|namespace|require|require_once|require_relative|include|extern crate|mod)\b[^{(]*[;'"{]?|declare\(.*|set -\w.*|(?:const|let|var)\s.*=\s*require\(.*|module\.exports.*)$`)

var importLine = regexp.MustCompile(`^(?:import|from|use|using|require|require_once|require_relative|include|extern|mod|const|let|var|#\s*include)\b`)

// block is a run of comment lines at the beginning of a file, cut into
// paragraphs; tied when code follows without a blank line.
type block struct {
	paragraphs []string
	tied       bool
}

// symbolTags are in comments on one symbol, wherever they stand.
var symbolTags = []string{"@typedef", "@type ", "@callback", "@param", "@return", "@property", "@template", "@enum", "@const"}

// headerBlocks are the comments before a file's first line of code.
func headerBlocks(content []byte, language string) []block {
	text := string(content[:min(len(content), headBytes)])
	var out []block
	var cur block
	var lines []string
	inside, open, whole := false, false, false
	imported, typed := false, false
	paragraph := func() {
		if len(lines) > 0 {
			cur.paragraphs = append(cur.paragraphs, strings.Join(lines, " "))
			lines = nil
		}
	}
	flush := func(tied bool) {
		paragraph()
		if cur.tied = tied && !whole; len(cur.paragraphs) > 0 && !typed {
			out = append(out, cur)
		}
		cur, open, whole, typed = block{}, false, false, false
	}
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		switch {
		case inside:
			inside = !strings.Contains(l, "*/")
		case strings.HasPrefix(l, "/*"):
			inside = !strings.Contains(l[2:], "*/")
		case opensLine(l, language):
			typed = typed || imported // a remark on one import
		case l == "":
			flush(false)
			continue
		case betweenComments.MatchString(l):
			flush(false)
			imported = imported || importLine.MatchString(l)
			continue
		default:
			flush(true)
			return out
		}
		open = true
		typed = typed || containsAny(l, symbolTags)
		whole = whole || strings.HasPrefix(l, "//!") || strings.HasPrefix(l, "/*!")
		l, _, _ = strings.Cut(l, "*/")
		l = strings.TrimSpace(strings.TrimRight(strings.TrimLeft(l, "/*#!; \t"), "/*#=-~ \t"))
		l = strings.TrimLeft(l, "=-~")
		switch l = strings.TrimSpace(l); {
		case l == "":
			paragraph()
		case legal(l):
			if strings.HasPrefix(strings.ToLower(l), "see copyright") {
				continue
			}
			lines = append(lines, l)
		default:
			if l = withoutMarks(l); l != "" {
				lines = append(lines, l)
			}
		}
	}
	if open && !inside {
		flush(true)
	}
	return out
}

func opensLine(l, language string) bool {
	if hashComments[language] {
		return strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "#!")
	}
	switch language {
	case "Lua", "SQL", "Haskell":
		return strings.HasPrefix(l, "--")
	case "PHP":
		return strings.HasPrefix(l, "//") || strings.HasPrefix(l, "# ")
	}
	return strings.HasPrefix(l, "//")
}

var legalWords = []string{"copyright", "license", "licence", "all rights reserved", "permission", "warrant", "redistribut", "provided as is", "provided \"as is",
	"liable", "liability", "spdx", "merchantab", "disclaimer", "public domain", "use of this source", "is part of the", "(c)", "©", "author", "@since", "patent"}

func legal(s string) bool { return containsAny(strings.ToLower(s), legalWords) }

// headerStatement is what the comments at the top of a file say it is for.
func headerStatement(in FileInput) string {
	for _, b := range headerBlocks(in.Content, in.Language) {
		if b.tied {
			break // it is about the first symbol
		}
		for _, p := range b.paragraphs {
			if legal(p) {
				break // what follows belongs to it
			}
			if s := statement(p, header, maxRole); s != "" && !isFileName(s, in.Path) {
				return s
			}
		}
	}
	return ""
}

// isFileName says that a text only repeats the name of its file.
func isFileName(s, path string) bool {
	stem := path[strings.LastIndexByte(path, '/')+1:]
	return strings.EqualFold(s, stem) || strings.EqualFold(phrase(s), phrase(stem))
}

package tool

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Allowed tells whether a command line consists of nothing but commands that
// the patterns allow. What a shell would make something else of (a
// substitution, a variable, a redirection into a file, a background job) is
// never allowed by a pattern: somebody is asked.
func Allowed(line string, patterns []string) bool {
	commands, plain := simpleCommands(line)
	if !plain || len(commands) == 0 {
		return false
	}
	return !slices.ContainsFunc(commands, func(words []string) bool {
		return !slices.ContainsFunc(patterns, func(p string) bool { return fits(p, words) })
	})
}

// fits tells whether a command is one that a pattern means: a star stands for
// any text, and a star at the end, after a space, for nothing as well.
func fits(pattern string, words []string) bool {
	pattern = strings.Join(strings.Fields(pattern), " ")
	if pattern == "" || len(words) == 0 {
		return false
	}
	command := strings.Join(words, " ")
	if bare, ok := strings.CutSuffix(pattern, " *"); ok && bare == command {
		return true
	}
	// The program is compared by itself: a star in an argument must not reach it.
	first, _, _ := strings.Cut(pattern, " ")
	if ok, err := path.Match(first, words[0]); first != "*" && (!ok || err != nil) {
		return false
	}
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	expr, err := regexp.Compile(`^(?s:` + strings.Join(parts, `.*`) + `)$`)
	return err == nil && expr.MatchString(command)
}

// simpleCommands splits a line at what joins commands. plain is false when
// there is anything in it that a shell expands, redirects or puts into the
// background. Standard error on standard output is harmless.
func simpleCommands(line string) (commands [][]string, plain bool) {
	var words []string
	var word strings.Builder
	begun := false
	endWord := func() {
		if begun {
			words = append(words, word.String())
			word.Reset()
			begun = false
		}
	}
	endCommand := func() bool {
		endWord()
		if len(words) == 0 {
			return false
		}
		commands, words = append(commands, words), nil
		return true
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch c {
		case ' ', '\t':
			endWord()
		case '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word.WriteString(line[i+1 : i+1+end])
			begun, i = true, i+1+end
		case '"':
			end := strings.IndexAny(line[i+1:], "\"\\$`!")
			if end < 0 || line[i+1+end] != '"' {
				return nil, false
			}
			word.WriteString(line[i+1 : i+1+end])
			begun, i = true, i+1+end
		case ';', '\n':
			if !endCommand() && c == ';' {
				return nil, false
			}
		case '&', '|':
			twice := i+1 < len(line) && line[i+1] == c
			if !twice && c == '&' || !endCommand() {
				return nil, false
			}
			if twice {
				i++
			}
		case '2':
			if strings.HasPrefix(line[i:], "2>&1") && !begun && (i+4 == len(line) || strings.ContainsRune(" \t\n;|", rune(line[i+4]))) {
				i += 3
				continue
			}
			word.WriteByte(c)
			begun = true
		case '\\', '$', '`', '<', '>', '(', ')', '{', '}', '#', '!', '~', '*', '?', '[', ']', 0:
			return nil, false
		default:
			if c < 0x20 || c == 0x7f {
				return nil, false
			}
			word.WriteByte(c)
			begun = true
		}
	}
	endWord()
	if len(words) > 0 {
		commands = append(commands, words)
	}
	return commands, true
}

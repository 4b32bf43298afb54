package describe

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// modifiers may stand before what declares a type or a function.
var modifiers = wordSet(`export internal private protected public static sealed abstract final open data inline partial unsafe readonly pub
	override async suspend operator const default`)

// declaring are the words that declare: types, and functions.
var declaring = map[string]bool{"class": true, "struct": true, "interface": true, "object": true, "trait": true, "enum": true, "record": true, "type": true,
	"fn": false, "def": false, "func": false, "fun": false, "function": false}

// declarations are the types and functions a file declares, public or not, in the
// order of the file.
func declarations(in FileInput, most int) (types, functions []string) {
	for line := range bytes.Lines(in.Content[:min(len(in.Content), programBytes)]) {
		line = bytes.TrimLeft(line, " \t")
		for len(line) > 0 && len(types)+len(functions) < most {
			end := bytes.IndexAny(line, " \t(")
			if end < 0 || line[end] == '(' && !bytes.HasPrefix(line, []byte("pub(")) {
				break
			}
			word := string(line[:end])
			if word == "pub" && line[end] == '(' {
				if end = bytes.IndexByte(line, ')'); end < 0 {
					break
				}
			}
			line = bytes.TrimLeft(line[end+1:], " \t")
			if ofType, declares := declaring[word]; declares {
				name := declared(line)
				if _, again := declaring[name]; again { // "fun interface"
					continue
				}
				if ofType && name != "" && name[0] >= 'A' && name[0] <= 'Z' {
					types = append(types, name)
				} else if !ofType && name != "" {
					functions = append(functions, name)
				}
				break
			}
			if !modifiers[word] {
				break
			}
		}
	}
	return types, functions
}

// declared is the name after a word that declares; what it belongs to and what
// it is generic in is passed over.
func declared(rest []byte) string {
	for len(rest) > 0 && (rest[0] == '(' || rest[0] == '<') {
		closing := byte(')')
		if rest[0] == '<' {
			closing = '>'
		}
		at := bytes.IndexByte(rest, closing)
		if at < 0 {
			return ""
		}
		rest = bytes.TrimLeft(rest[at+1:], " \t")
	}
	for {
		end := 0
		for end < len(rest) && (asciiLetter(rest[end]) || rest[end] >= '0' && rest[end] <= '9') {
			end++
		}
		if end < len(rest) && rest[end] == '.' {
			rest = rest[end+1:]
			continue
		}
		if end < 3 || end > 50 || !utf8.Valid(rest[:end]) {
			return ""
		}
		return string(rest[:end])
	}
}

// innerDeed tells a file that exports nothing by what it declares for itself.
func innerDeed(in FileInput, name string) string {
	var does, rest []string
	types, functions := declarations(in, 40)
	types = slices.DeleteFunc(slices.Compact(types), aside.MatchString)
	for _, f := range functions {
		words := memberWords(f)
		first, _, more := strings.Cut(strings.ToLower(words), " ")
		switch {
		case words == "" || everyday[strings.ToLower(f)]:
		case verbs[first] && (more || len(first) > 4):
			addWords(&does, words)
		default:
			addWords(&rest, words)
		}
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	at := slices.IndexFunc(types, func(t string) bool { return sameName(t, stem) })
	switch {
	case at >= 0:
		types = types[at : at+1]
	case len(types) > manyTypes:
		types = types[:manyTypes]
	}
	deed := ""
	switch {
	case len(does) > 0:
		deed = "can " + strings.Join(does, ", ")
	case len(rest) > 0:
		deed = "offers " + strings.Join(rest, ", ")
	}
	switch {
	case len(types) > 0 && deed != "":
		return listClip(strings.Join(types, ", ")+": "+deed, maxPurpose)
	case len(types) > 0:
		return "types " + strings.Join(types, ", ")
	}
	return deed
}

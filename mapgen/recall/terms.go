package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Terms are the words a text is searched by: identifiers taken apart at their
// humps and underscores, lower case, without endings, abbreviations written
// out. A compound identifier is a term as a whole too.
func Terms(text string) []string {
	var out []string
	eachWord(text, func(word string) { out = append(out, wordTerms(word)...) })
	return out
}

// eachWord calls yield with each identifier of a text.
func eachWord(text string, yield func(string)) {
	for len(text) > 0 {
		start := strings.IndexFunc(text, wordRune)
		if start < 0 {
			return
		}
		text = text[start:]
		end := strings.IndexFunc(text, func(r rune) bool { return !wordRune(r) && r != '_' })
		if end < 0 {
			end = len(text)
		}
		yield(strings.TrimRight(text[:end], "_"))
		text = text[end:]
	}
}

// wordTerms are the terms of one identifier.
func wordTerms(word string) (terms []string) {
	pieces := 0
	for rest := word; rest != ""; {
		var piece string
		piece, rest = nextPiece(rest)
		if piece == "" {
			continue
		}
		pieces++
		if piece = strings.ToLower(piece); !stopwords[piece] {
			terms = append(terms, normal(piece))
		}
	}
	if pieces > 1 {
		terms = append(terms, strings.ToLower(strings.ReplaceAll(word, "_", "")))
	}
	return terms
}

// vocabulary numbers terms, and remembers those of each word it has met: a
// project says few words many times.
type vocabulary struct {
	words map[string][]int32
	terms map[string]int32
}

func newVocabulary() vocabulary {
	return vocabulary{words: map[string][]int32{}, terms: map[string]int32{}}
}

// known are the terms of a text all of whose words were met before. Unlike
// numbers it may be called from several goroutines.
func (v vocabulary) known(text string) []int32 {
	var out []int32
	eachWord(text, func(word string) { out = append(out, v.words[word]...) })
	return out
}

// numbers are the terms of a text.
func (v vocabulary) numbers(text string) []int32 {
	var out []int32
	eachWord(text, func(word string) {
		known, ok := v.words[word]
		if !ok {
			for _, t := range wordTerms(word) {
				id, ok := v.terms[t]
				if !ok {
					id = int32(len(v.terms))
					v.terms[strings.Clone(t)] = id
				}
				known = append(known, id)
			}
			v.words[strings.Clone(word)] = known
		}
		out = append(out, known...)
	})
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// nextPiece takes the first part off an identifier: HTTPServer is HTTP and
// Server, snake_case is two, utf8 is one.
func nextPiece(word string) (piece, rest string) {
	word = strings.TrimLeft(word, "_")
	var before rune
	for i, r := range word {
		switch {
		case r == '_':
			return word[:i], word[i:]
		case i == 0:
		case unicode.IsUpper(r):
			next, _ := utf8.DecodeRuneInString(word[i+utf8.RuneLen(r):])
			if !unicode.IsUpper(before) || unicode.IsLower(next) {
				return word[:i], word[i:]
			}
		}
		before = r
	}
	return word, ""
}

// normal is the form in which words that mean the same are equal.
func normal(word string) string {
	if long, ok := abbreviations[word]; ok {
		return long
	}
	word = stem(word)
	if long, ok := abbreviations[word]; ok {
		return long
	}
	return word
}

// stem takes common English endings off. It only has to do the same to the
// same word's forms; what is left need not be a word.
func stem(w string) string {
	if len(w) < 4 || w[len(w)-1] < 'a' {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	for _, ending := range endings {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 4 {
			w = rest
			break
		}
	}
	if len(w) > 4 {
		if n := len(w); w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' {
			w = w[:n-1] // running, stopped
		}
		w = strings.TrimSuffix(w, "e")
		if strings.HasSuffix(w, "y") {
			w = w[:len(w)-1] + "i"
		}
	}
	return w
}

var endings = []string{"ization", "isation", "ational", "ations", "ation", "ators", "ator", "ated", "ating", "ate", "ments", "ment", "ings", "ing", "edly", "ed", "able", "ible", "ers", "er", "ors", "or", "ions", "ion", "ly", "al"}

// abbreviations are short forms programmers use, by the stem of the long one.
var abbreviations = makeAbbreviations(map[string]string{
	"auth": "authentication", "authn": "authentication", "cfg": "config", "conf": "config", "configuration": "config", "configure": "config",
	"ctx": "context", "db": "database", "dep": "dependency", "dev": "development", "dir": "directory", "folder": "directory",
	"doc": "documentation", "env": "environment", "err": "error", "expr": "expression", "fmt": "format", "fn": "function", "func": "function",
	"gen": "generate", "impl": "implementation", "implement": "implementation", "init": "initialize", "lang": "language", "lib": "library",
	"msg": "message", "num": "number", "obj": "object", "opt": "option", "param": "parameter", "perf": "performance", "pkg": "package",
	"prop": "property", "proto": "protocol", "ref": "reference", "regex": "regexp", "repo": "repository", "req": "request", "res": "response",
	"resp": "response", "spec": "specification", "srv": "server", "stmt": "statement", "str": "string", "sync": "synchronize", "sys": "system",
	"temp": "temporary", "tmp": "temporary", "util": "utility", "val": "value", "var": "variable", "arg": "argument", "attr": "attribute",
	"async": "asynchronous", "cmd": "command", "cli": "cli", "conn": "connection", "del": "delete", "dest": "destination", "dst": "destination",
	"src": "source", "exec": "execute", "ext": "extension", "img": "image", "info": "information", "max": "maximum", "min": "minimum",
	"nav": "navigation", "prev": "previous", "pwd": "password", "addr": "address", "alloc": "allocate", "char": "character",
	"iter": "iterator", "len": "length", "mgr": "manager", "mem": "memory", "ptr": "pointer", "sig": "signature", "tx": "transaction",
})

func makeAbbreviations(table map[string]string) map[string]string {
	out := make(map[string]string, 2*len(table))
	for short, long := range table {
		out[short], out[stem(long)] = stem(long), stem(long)
		out[stem(short)] = stem(long)
	}
	return out
}

var stopwords = setOf("a an and are as at be by can do does don for from has have if in into is it its no not of on only or so that the their them then there these they this to was we were what when where which who why will with you your should would could how i my me s t")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

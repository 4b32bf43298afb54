package describe

import (
	"path"
	"slices"
	"strings"
)

// Member is a public method, field or inner type of a type a file exports.
type Member struct {
	Name  string
	Owner string // names of the enclosing types, with dots between them
	Kind  string
}

const (
	deeds     = 4  // members a type is told by
	manyTypes = 2  // from more types than these on none of them speaks for its file
	leastDeed = 12 // shorter texts tell nothing
)

// plumbing are members every other type has.
var plumbing = wordSet(`construct destruct to string tostring get hash code hashcode equals clone dispose finalize init repr str eq hash len iter next
	clone default fmt from into drop close string error unwrap new create build instance inspect main id type name value builder
	describe self kind tag key deref index add args options props data ref children call invoke getinstance gethashcode`)

// subject is the type a file is about.
type subject struct {
	name, owner string // owner: as its members name it
	bases       []string
}

// typeDeed tells a file without a comment by its main type: what it is, and
// what its members do or hold.
func typeDeed(in FileInput, name string) string {
	main, ok := mainType(in, name)
	if !ok {
		return ""
	}
	bases := main.baseWords()
	text := main.name
	if bases != "" {
		text += ", " + bases
	}
	var does, offers, holds []string
	for _, m := range membersOf(in, main.owner) {
		words := memberWords(m.Name)
		first, _, _ := strings.Cut(strings.ToLower(words), " ")
		switch {
		case words == "":
		case m.Kind == "field" || m.Kind == "property":
			addWords(&holds, words)
		case m.Kind != "method":
		case verbs[first] || first == "on":
			addWords(&does, words)
		default:
			addWords(&offers, words)
		}
	}
	switch {
	case len(does) > 0:
		for _, w := range offers {
			addWords(&does, w)
		}
		text += ": can " + strings.Join(does, ", ")
	case len(offers) > 0:
		text += ": offers " + strings.Join(offers, ", ")
	case len(holds) > 1:
		text += ": holds " + strings.Join(holds, ", ")
	case bases == "":
		return ""
	}
	if len(text) < leastDeed {
		return ""
	}
	return listClip(text, maxPurpose)
}

func addWords(to *[]string, words string) {
	if len(*to) < deeds && !slices.Contains(*to, words) {
		*to = append(*to, words)
	}
}

// memberWords is a member's name in words, or "" when it tells nothing.
func memberWords(name string) string {
	words := phrase(strings.TrimSuffix(name, "Async"))
	if strings.HasPrefix(name, "_") || len(words) > 40 || !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(w string) bool { return len(w) > 1 && !plumbing[w] }) {
		return ""
	}
	return words
}

// byLine are languages whose types are read without their members.
var byLine = map[string]bool{"Kotlin": true, "Swift": true, "Scala": true, "Dart": true}

// membersOf are the members of a type. Where an extractor reads a language
// only line by line, those are the functions in the file that are set in.
func membersOf(in FileInput, owner string) []Member {
	var out []Member
	for _, m := range in.Members {
		if m.Owner == owner {
			out = append(out, m)
		}
	}
	if len(in.Members) == 0 && byLine[in.Language] {
		_, functions := declarations(in, 40)
		for _, name := range functions {
			out = append(out, Member{Name: name, Owner: owner, Kind: "method"})
		}
	}
	return out
}

// mainType is the type a file is about: the one it is named after, or else the
// one with most members where there are few and nothing else.
func mainType(in FileInput, name string) (subject, bool) {
	stem := strings.TrimSuffix(name, path.Ext(name))
	most, n := -1, 0
	var best subject
	beside := false
	for _, e := range in.Exports {
		beside = beside || e.Kind == "function"
		if !isType(e.Kind) || e.Kind == "module" || aside.MatchString(e.Name) {
			continue
		}
		this := subject{e.Name, e.Name, e.Bases}
		if sameName(e.Name, stem) {
			return this, true
		}
		n++
		own := 0
		for _, m := range in.Members {
			if m.Owner == e.Name && !isType(m.Kind) {
				own++
			}
		}
		if own > most {
			most, best = own, this
		}
	}
	for _, m := range in.Members {
		if isType(m.Kind) && sameName(m.Name, stem) {
			return subject{m.Name, m.Owner + "." + m.Name, nil}, true
		}
	}
	return best, n > 0 && n <= manyTypes && !beside
}

// sameName says that two names differ in nothing but case and the marks between
// their words.
func sameName(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && strings.IndexByte("_-. ", a[i]) >= 0 {
			i++
		}
		for j < len(b) && strings.IndexByte("_-. ", b[j]) >= 0 {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i]|0x20 != b[j]|0x20 {
			return false
		}
		i, j = i+1, j+1
	}
}

// dullBases say nothing of what extends them.
var dullBases = wordSet(`object any base basemodel struct module error exception serializable cloneable comparable idisposable iequatable
	default debug clone copy send sync partialeq eq hash from into display protocol abc generic enum stringable typeddict namedtuple`)

// baseWords tells what a type is by what it extends or implements.
func (s subject) baseWords() string {
	for _, base := range s.bases {
		base, _, _ = strings.Cut(base, "<")
		base, _, _ = strings.Cut(base, "(")
		base, _, _ = strings.Cut(base, "[")
		base = strings.TrimSpace(base[strings.LastIndexAny(base, `.\:/`)+1:])
		if len(base) < 3 || dullBases[strings.ToLower(base)] || strings.EqualFold(base, s.name) || strings.ContainsAny(base, " {}") {
			continue
		}
		article := "a "
		if strings.ContainsRune("AEIOUaeiou", firstRune(base)) {
			article = "an "
		}
		return article + base
	}
	return ""
}

// listClip cuts a list at a comma or semicolon, so that what stays is whole.
func listClip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	at := strings.LastIndexAny(s[:max(limit, 1)], ",;")
	if at < limit/2 {
		return clip(s, limit)
	}
	return strings.TrimRight(s[:at], " ,;:")
}

package describe

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// empty are function names that could stand anywhere.
var empty = wordSet("new main init get set run setup default __init__ string close open index void f fn test x implementation handler plugin module exports")

// verbs begin names of functions that do something.
var verbs = wordSet(`abort accept acquire activate add adjust allocate allow append apply assert assign attach await bind broadcast build bundle cache
	calculate call cancel capture change check choose clean clear clone close collect combine compare compile complete compress compute
	configure confirm connect consume contain convert copy count create cut deactivate debug declare decode decompress decorate decrypt define
	delete deserialize destroy detach detect diff disable discover dispatch display divide download draw drop dump emit enable encode encrypt
	ensure enter enumerate escape evaluate exclude execute expand expect export extend extract fail fetch fill filter finalize find finish fix
	flatten flush fold force format forward free freeze from generate get give grow guess handle has hash hide highlight hook identify ignore
	import include increment infer init initialize inject insert inspect install invoke is iterate join keep kill launch leave limit link list
	listen load lock log login lookup make map mark match measure merge migrate modify mount move negotiate normalize notify observe open
	optimize order override pack parse patch pause perform permit pick pin place plan poll pop populate prepare prepend print process produce
	prompt provide prune publish pull push put query queue quote raise random read rebuild receive record recover redirect reduce refresh
	register reject release reload remove rename render repair replace report request require reset resize resolve restart restore resume
	retrieve retry return reverse revert rewrite roll rotate round run sample sanitize save scale scan schedule search seek select send
	serialize serve set setup shift show shuffle shutdown sign skip sleep sort spawn split start stop store stream strip submit subscribe
	substitute subtract suggest swap switch sync tag take terminate test throw to toggle tokenize track transform translate traverse trim
	truncate try turn unescape unlock unmount unpack unquote unregister unwrap update upgrade upload use validate verify visit wait walk warn
	watch wrap write yield zip`)

// symbolWords names the most telling exports in words, but those of the files
// that have been told.
func (d *dir) symbolWords(told []int) string {
	var types, shows, does, offers []string
	add := func(list *[]string, limit int, name string) {
		if len(*list) < limit && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	own := words(d.in.Path)
	prefix := d.prefix()
	perFile := 5
	if d.kinds[Code] > fewFiles { // the types of one file are not the directory's
		perFile = 2
	}
	for _, i := range d.order {
		f := d.in.Files[i]
		if slices.Contains(told, i) {
			continue
		}
		room := min(5, len(types)+perFile)
		if f.Text.Kind != Code && (d.kinds[Code] > 0 || f.Text.Kind != Test) || f.Language == "Go" && f.Text.Entry {
			continue
		}
		native := native(f.Language)
		stem := words(strings.TrimSuffix(f.Name, path.Ext(f.Name)))
		for _, e := range f.Exports {
			name := phrase(e.Name)
			if rest, ok := strings.CutPrefix(strings.ToLower(name), prefix+" "); ok && prefix != "" {
				name = rest
			}
			first, _, _ := strings.Cut(name, " ")
			switch {
			case native && (strings.ToUpper(e.Name) == e.Name || e.Name == "end" || e.Name == "interface" || e.Name == "operator"):
			case strings.ContainsAny(e.Name, "/@- "): // what it adds to another module
			case native && isType(e.Kind) && !slices.ContainsFunc(words(e.Name), func(w string) bool { return len(w) > 2 && slices.Contains(stem, strings.ToLower(w)) }):
			case strings.HasPrefix(e.Name, "__") && strings.HasSuffix(e.Name, "__"):
			case e.Name == "*" || e.Name == "default" || len(e.Name) < 2 || empty[strings.ToLower(e.Name)]:
			case e.Kind == "module" && slices.Contains(own, strings.ToLower(e.Name)):
			case isType(e.Kind):
				add(&types, room, e.Name)
			case e.Kind != "function":
			case f.Language == "TSX" && unicode.IsUpper(firstRune(e.Name)):
				add(&shows, 5, phrase(e.Name))
			case verbs[strings.ToLower(first)]:
				add(&does, 4, name)
			default:
				add(&offers, 4, name)
			}
		}
	}
	if len(types)+len(does)+len(shows)+len(offers) == 0 && len(told) == 0 {
		for _, i := range d.order {
			for _, e := range d.in.Files[i].Exports {
				if f := d.in.Files[i]; f.Text.Kind == Code && !(f.Language == "Go" && f.Text.Entry) && e.Kind != "macro" && !strings.ContainsAny(e.Name, "/@- ") && !empty[strings.ToLower(e.Name)] && len(e.Name) > 2 && e.Name != "default" {
					add(&types, 5, e.Name)
				}
			}
		}
	}
	if len(types)+len(does)+len(shows)+len(offers) == 0 {
		return ""
	}
	if all := failures(types); len(all) > 2 && len(all) == len(types) {
		return "errors: " + strings.Join(all, ", ")
	}
	var parts []string
	for _, p := range []struct {
		words string
		list  []string
	}{{"defines ", types}, {"shows ", shows}, {"can ", does}, {"offers ", offers}} {
		if len(p.list) > 0 && (p.words != "offers " || len(does) < 3) {
			parts = append(parts, p.words+strings.Join(p.list, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// failures are the errors among types, in words.
func failures(types []string) []string {
	var out []string
	for _, name := range types {
		for _, end := range []string{"Exception", "Error"} {
			if cause, ok := strings.CutSuffix(name, end); ok && cause != "" {
				out = append(out, phrase(cause))
				break
			}
		}
	}
	return out
}

// native says that names in a language have a prefix in place of a module.
func native(language string) bool { return language == "C" || language == "C++" }

// prefix is the word with which most functions of native code begin, or "".
func (d *dir) prefix() string {
	count, n := map[string]int{}, 0
	for _, f := range d.in.Files {
		if !native(f.Language) {
			continue
		}
		for _, e := range f.Exports {
			if first, _, more := strings.Cut(strings.ToLower(phrase(e.Name)), " "); more && e.Kind == "function" {
				count[first]++
				n++
			}
		}
	}
	if most := byCount(count); n > 2 && count[most[0]]*2 > n {
		return most[0]
	}
	return ""
}

package symbols

import "strings"

// tomlDoc holds the strings and lists of strings of a TOML file by
// "section.key". Other values are left out: manifests are read for names and
// paths alone. In an array of tables the last one stands.
type tomlDoc map[string][]string

func parseTOML(content []byte) tomlDoc {
	doc := tomlDoc{}
	section, open := "", "" // open is the key of a list that goes on
	for _, line := range strings.Split(string(content), "\n") {
		line = strings.TrimSpace(tomlUncomment(line))
		switch {
		case line == "":
		case open != "":
			doc[open] = append(doc[open], tomlStrings(line)...)
			if strings.HasSuffix(line, "]") {
				open = ""
			}
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[] ")
		default:
			key, value, ok := strings.Cut(line, "=")
			if !ok {
				continue
			}
			key = strings.Trim(strings.TrimSpace(key), `"'`)
			value = strings.TrimSpace(value)
			if section != "" {
				key = section + "." + key
			}
			switch {
			case strings.HasPrefix(value, "{"):
				tomlInline(doc, key, value)
			case strings.HasPrefix(value, "["):
				doc[key] = append(doc[key], tomlStrings(value)...)
				if !strings.HasSuffix(value, "]") {
					open = key
				}
			default:
				doc[key] = append(doc[key], tomlStrings(value)...)
			}
		}
	}
	return doc
}

// tomlInline adds the pairs of { a = "x", b = "y" }; nested ones are flat.
func tomlInline(doc tomlDoc, key, value string) {
	doc[key] = append(doc[key], "") // the key is there even without strings
	for _, pair := range strings.Split(strings.Trim(value, "{} "), ",") {
		if name, text, ok := strings.Cut(pair, "="); ok {
			inner := key + "." + strings.Trim(strings.TrimSpace(name), `"'`)
			doc[inner] = append(doc[inner], tomlStrings(text)...)
		}
	}
}

func tomlUncomment(line string) string {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case ch == '#':
			return line[:i]
		}
	}
	return line
}

// tomlStrings are the quoted strings of a value.
func tomlStrings(value string) []string {
	var all []string
	for {
		at := strings.IndexAny(value, `"'`)
		if at < 0 {
			return all
		}
		end := strings.IndexByte(value[at+1:], value[at])
		if end < 0 {
			return all
		}
		all = append(all, value[at+1:at+1+end])
		value = value[at+end+2:]
	}
}

func (d tomlDoc) text(key string) string {
	for _, v := range d[key] {
		if v != "" {
			return v
		}
	}
	return ""
}

package symbols

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
)

// manifest lists a package's name, its scripts or programs, and what it needs.
func manifest(f *File, text []byte, limits Limits) {
	read := map[string]func(*outline){"package.json": jsonManifest, "composer.json": jsonManifest, "go.mod": goManifest, "go.work": goManifest,
		"Cargo.toml": tomlManifest, "pyproject.toml": tomlManifest, "pom.xml": mavenManifest}[base(f.Path)]
	if read != nil {
		document(read)(f, text, limits)
	}
}

// deepest is how far a manifest is followed inwards.
const deepest = 32

// jsonValues calls visit with every plain value and the keys above it.
func jsonValues(d *json.Decoder, keys []string, visit func(keys []string, value string, offset int64)) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if len(keys) > deepest {
		return fmt.Errorf("nested deeper than %d", deepest)
	}
	switch token {
	case json.Delim('{'):
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if err := jsonValues(d, append(keys, fmt.Sprint(key)), visit); err != nil {
				return err
			}
		}
		_, err = d.Token()
	case json.Delim('['):
		for d.More() {
			if err := jsonValues(d, append(keys, ""), visit); err != nil {
				return err
			}
		}
		_, err = d.Token()
	default:
		visit(keys, fmt.Sprint(token), d.InputOffset())
	}
	return err
}

func jsonManifest(o *outline) {
	// What comes before a fault is listed.
	_ = jsonValues(json.NewDecoder(bytes.NewReader(o.text)), nil, func(keys []string, value string, offset int64) {
		line := o.lineOf(offset)
		switch {
		case len(keys) == 1 && keys[0] == "name":
			o.entry("package", value, "package "+value, line)
		case len(keys) == 1 && keys[0] == "bin":
			o.entry("binary", value, "binary "+value, line)
		case len(keys) == 2 && keys[0] == "bin":
			o.entry("binary", or(keys[1], value), "binary "+or(keys[1], value), line)
		case len(keys) >= 2 && keys[0] == "scripts":
			o.entry("script", keys[1], "script "+keys[1]+": "+value, line)
		case len(keys) >= 2 && keys[0] == "workspaces":
			o.entry("workspace", value, "workspace "+value, line)
		case len(keys) == 2 && jsonNeeds[keys[0]] && keys[1] != "php" && !strings.HasPrefix(keys[1], "ext-"):
			for _, local := range []string{"file:", "link:"} {
				if path, ok := strings.CutPrefix(value, local); ok {
					o.need(dotted(path), line)
					return
				}
			}
			o.need(keys[1], line)
		}
	})
}

var jsonNeeds = map[string]bool{"dependencies": true, "devDependencies": true, "peerDependencies": true, "optionalDependencies": true,
	"require": true, "require-dev": true}

// dotted writes a path beside the manifest as one that is relative.
func dotted(path string) string {
	if strings.HasPrefix(path, ".") || strings.HasPrefix(path, "/") {
		return path
	}
	return "./" + path
}

// goManifest reads go.mod and go.work by their directives.
func goManifest(o *outline) {
	block := ""
	o.lines(func(number int, line string) {
		code, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(code)
		switch {
		case len(words) == 0 || strings.TrimSpace(comment) == "indirect":
			return
		case words[0] == ")":
			block = ""
			return
		case block == "" && words[len(words)-1] == "(":
			block = words[0]
			return
		case block != "":
			words = append([]string{block}, words...)
		}
		if len(words) < 2 {
			return
		}
		name := strings.Trim(words[1], `"`)
		switch words[0] {
		case "module":
			o.entry("package", name, "module "+name, number)
		case "require", "tool", "use":
			o.need(name, number)
		case "replace":
			if to := words[len(words)-1]; strings.HasPrefix(to, ".") {
				o.need(to, number)
			}
		}
	})
}

var (
	tomlSection = regexp.MustCompile(`^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$`)
	tomlPair    = regexp.MustCompile(`^\s*("[^"]+"|'[^']+'|[\w.-]+)\s*=\s*(.*)$`)
	tomlPath    = regexp.MustCompile(`\bpath\s*=\s*["']([^"']+)["']`)
	requirement = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*`)
)

// tomlManifest reads Cargo.toml and pyproject.toml line by line.
func tomlManifest(o *outline) {
	section, list := "", ""
	o.lines(func(number int, line string) {
		if m := tomlSection.FindStringSubmatch(line); m != nil && list == "" {
			section = m[1]
			if at := strings.LastIndex(section, "dependencies."); at >= 0 {
				o.need(section[at+len("dependencies."):], number)
			}
			return
		}
		code := tomlUncomment(line)
		if list != "" {
			o.tomlList(list, code, number)
			if strings.Contains(withoutStrings(code), "]") {
				list = ""
			}
			return
		}
		m := tomlPair.FindStringSubmatch(code)
		if m == nil {
			return
		}
		key, value := strings.Trim(m[1], `"'`), m[2]
		o.tomlValue(section, key, value, number)
		if open := withoutStrings(value); strings.HasPrefix(value, "[") {
			o.tomlList(section+"."+key, value, number)
			if !strings.Contains(open, "]") {
				list = section + "." + key
			}
		}
	})
}

func (o *outline) tomlValue(section, key, value string, number int) {
	text := ""
	if all := tomlStrings(value); len(all) > 0 {
		text = all[0]
	}
	switch section {
	case "package", "project", "tool.poetry":
		if key == "name" {
			o.entry("package", text, "package "+text, number)
		}
		return
	case "bin", "example", "bench":
		if key == "name" {
			o.entry("binary", text, section+" "+text, number)
		}
		return
	case "project.scripts", "tool.poetry.scripts", "project.gui-scripts":
		o.entry("script", key, "script "+key+": "+text, number)
		return
	}
	if section == "dependencies" || strings.HasSuffix(section, "-dependencies") || strings.HasSuffix(section, ".dependencies") {
		if m := tomlPath.FindStringSubmatch(value); m != nil {
			o.need(dotted(m[1]), number)
		} else if key != "python" {
			o.need(strings.TrimSuffix(key, ".workspace"), number)
		}
	}
}

func (o *outline) tomlList(key, code string, number int) {
	for _, text := range tomlStrings(code) {
		switch {
		case key == "workspace.members" || key == "tool.uv.workspace.members":
			o.entry("workspace", text, "workspace "+text, number)
		case key == "project.dependencies" || strings.HasPrefix(key, "project.optional-dependencies") || strings.HasPrefix(key, "dependency-groups"):
			o.need(requirement.FindString(text), number)
		}
	}
}

// withoutStrings is a value of TOML without what stands in quotes.
func withoutStrings(value string) string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quote == c:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// mavenManifest reads a pom.xml's own name, its modules and dependencies.
func mavenManifest(o *outline) {
	d := xml.NewDecoder(bytes.NewReader(o.text))
	d.Strict = false
	var path []string
	for {
		token, err := d.Token()
		if err != nil {
			return // what comes before a fault is listed
		}
		switch t := token.(type) {
		case xml.StartElement:
			if path = append(path, t.Name.Local); len(path) > deepest {
				return
			}
		case xml.EndElement:
			path = path[:max(len(path)-1, 0)]
		case xml.CharData:
			text, line := strings.TrimSpace(string(t)), o.lineOf(d.InputOffset())
			switch strings.Join(path, "/") {
			case "project/artifactId":
				o.entry("package", text, "package "+text, line)
			case "project/modules/module":
				o.entry("workspace", text, "module "+text, line)
			case "project/dependencies/dependency/artifactId":
				o.need(text, line)
			}
		}
	}
}

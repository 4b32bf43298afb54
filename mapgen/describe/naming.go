package describe

import (
	"regexp"
	"slices"
	"strings"
)

// named puts the directory's name before words that do not mention it.
func (d *dir) named(f FileText) string {
	about := f.About
	if d.in.Path == "." {
		return about
	}
	// A README is often that of the whole project; a package comment is not.
	// A file's words may be about anything; those of a package are about it.
	if f.Rank <= 95 && !d.mentioned(about) {
		about = d.place() + ": " + about
		if strings.HasPrefix(about, "Example ") {
			return clip(about, maxRole)
		}
	}
	return clip(about+d.standing(), maxRole)
}

// mentioned says that a text names the directory.
func (d *dir) mentioned(about string) bool {
	about = squeezed(about)
	for _, name := range [...]string{d.in.Name, d.title()} {
		name = strings.ToLower(strings.Join(words(name), ""))
		if !vague[name] && name != "" && strings.Contains(about, name) {
			return true
		}
	}
	return false
}

// standing tells copies and inner versions of a thing from the thing itself.
func (d *dir) standing() string {
	parts := strings.Split(d.in.Path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		switch {
		case i == len(parts)-1 && !version.MatchString(p):
			continue
		case p == "vendor" || p == "third_party":
			return " (vendored in " + or(strings.Join(parts[:i], " "), "the project") + ")"
		case p == "internal" || p == "private":
			return " (internal to " + or(phrase(strings.Join(parts[max(0, i-2):i], " ")), "the project") + inner(parts[i+1:len(parts)-1]) + ")"
		case version.MatchString(p):
			return " (" + p + ")"
		case p == "examples" || p == "example":
			return " (an example)"
		}
	}
	return ""
}

func inner(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return ", " + phrase(strings.Join(parts, " "))
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// vague names say nothing without the one above.
var vague = map[string]bool{"main": true, "src": true, "lib": true, "app": true, "types": true, "utils": true, "util": true, "internal": true,
	"common": true, "core": true, "pkg": true, "cmd": true, "source": true, "include": true, "shared": true, "base": true, "api": true,
	"convert": true, "gallery": true, "impl": true, "model": true, "models": true, "helpers": true, "scripts": true, "tools": true, "bin": true,
	"mock": true, "out": true, "in": true, "client": true, "server": true, "web": true, "java": true, "kotlin": true, "python": true, "go": true}

// title is the directory's name in words, with those above when it is vague.
func (d *dir) title() string {
	if d.in.Path == "." {
		return d.in.Name
	}
	parts := strings.Split(d.in.Path, "/")
	at := len(parts) - 1
	for at > 0 && (vague[strings.ToLower(parts[at])] || version.MatchString(parts[at])) {
		at--
	}
	words := []string{parts[at]}
	for _, p := range parts[at+1:] {
		if p != "src" && p != "main" && p != "java" && p != "kotlin" {
			words = append(words, p)
		}
	}
	return upper(phrase(strings.Join(words, " ")))
}

// above names in words what a directory of tests or data belongs to.
func (d *dir) above() string {
	var out []string
	for _, p := range strings.Split(d.in.Path, "/") {
		low := strings.ToLower(p)
		if !dataDir.MatchString(low+"/") && !testDir.MatchString("/"+low+"/") && !testDir.MatchString("/"+p+"/") && low != "src" && p != "" {
			out = append(out, phrase(p))
		}
	}
	if short := slices.DeleteFunc(slices.Clone(out), func(p string) bool { return packagePath[p] }); len(short) > 0 {
		out = short
	}
	if len(out) == 0 {
		return "the project"
	}
	return strings.Join(out[max(0, len(out)-4):], ", ")
}

// packagePath are directories above those a package of the JVM is known by.
var packagePath = wordSet("java kotlin scala org com net io main")

// owner names what lies above the first directory of data.
func (d *dir) owner() string {
	parts := strings.Split(d.in.Path, "/")
	for i, p := range parts {
		if dataDir.MatchString(p + "/") {
			up := dir{in: DirInput{Path: strings.Join(parts[:i], "/")}}
			return up.above()
		}
	}
	return d.above()
}

// tail is the part of a path below the word that makes it test data.
func (d *dir) tail() string {
	parts := strings.Split(d.in.Path, "/")
	for i, p := range parts {
		if dataDir.MatchString(p+"/") && i+1 < len(parts) {
			return "“" + phrase(strings.Join(parts[i+1:], " ")) + "”"
		}
	}
	return ""
}

// placeless are parts of a path that place nothing.
var placeless = wordSet(`src source main java kotlin python org com net io lib libs packages package crates internal pkg cmd modules apps deps include
	public app code`)

// builtForms are directories in which the same code lies once more.
var builtForms = wordSet("module typescript commonjs cjs esm esm5 es es6 umd types")

// place is the title, with what the directory is a part of.
func (d *dir) place() string {
	title := clip(d.title(), 80)
	parts := strings.Split(d.in.Path, "/")
	if len(parts) == 1 && placeless[strings.ToLower(parts[0])] {
		return "The project's " + or(map[string]string{"src": "source", "lib": "library", "include": "headers", "cmd": "commands"}[parts[0]], parts[0])
	}
	if example := d.example(); example != "" {
		return example
	}
	var above []string
	said := strings.ToLower(title)
	for _, p := range parts[:max(len(parts)-1, 0)] {
		if w := phrase(p); w != "" && !placeless[strings.ToLower(p)] && !strings.Contains(said, strings.ToLower(w)) {
			above = append(above, w)
		}
	}
	if len(parts) > 3 && builtForms[parts[1]] {
		title += " (" + parts[0] + " " + parts[1] + ")"
	}
	if parts[0] == "dist" && len(parts) > 1 {
		title += " (built files)"
	}
	if len(above) == 0 {
		return title
	}
	return title + ", part of " + clip(strings.Join(above[max(0, len(above)-2):], " "), 60)
}

// example is the title of a directory below one of examples.
func (d *dir) example() string {
	parts := strings.Split(d.in.Path, "/")
	for i := range parts[:len(parts)-1] {
		if testDir.MatchString(parts[i] + "/") {
			return ""
		}
		if !exampleDir.MatchString(strings.Join(parts[:i+1], "/")) || strings.HasPrefix(parts[i+1], ".") {
			continue
		}
		title := "Example “" + phrase(parts[i+1]) + "”"
		var rest []string
		for _, p := range parts[i+2:] {
			if !placeless[strings.ToLower(p)] {
				rest = append(rest, phrase(p))
			}
		}
		if len(rest) > 0 {
			title += ", " + clip(strings.Join(rest, " "), 60)
		}
		above := parts[:i]
		if len(above) > 0 && !placeless[above[len(above)-1]] {
			title += " (" + phrase(above[len(above)-1]) + ")"
		}
		return title
	}
	return ""
}

package describe

import (
	"path"
	"slices"
	"strings"
)

// arch is at most four statements on structure and flow.
func (d *dir) arch() string {
	var out []string
	var have []string
	for _, k := range []struct{ kind, one string }{{Code, "source"}, {Test, "test"}, {Docs, "documentation"}, {Config, "configuration"}, {Build, "build"}, {Data, "data"}, {Asset, "asset"}} {
		if n := d.kinds[k.kind]; n > 0 {
			have = append(have, itoa(n)+" "+k.one)
		}
	}
	if len(have) > 0 {
		line := "Files: " + strings.Join(have, ", ")
		if len(d.langs) > 0 {
			line += "; " + some(d.langs, 3, ", ")
		}
		if d.exports > 0 {
			line += "; " + itoa(d.exports) + " exported symbols"
		}
		out = append(out, line+".")
	}
	if len(d.entries) > 0 {
		out = append(out, "Starts in "+some(d.entries, 4, ", ")+".")
	}
	if len(d.internal) > 0 {
		from := d.in.Path
		if len(d.entries) > 0 {
			from = d.entries[0]
		}
		out = append(out, "Flow: "+from+" -> "+some(d.internal, 5, ", ")+".")
	}
	if len(d.external) > 0 {
		out = append(out, "Outside: "+some(d.external, 6, ", ")+".")
	}
	if h := d.hierarchy(); h != "" {
		out = append(out, "Hierarchy: "+h+".")
	}
	if len(d.in.Children) > 0 {
		var names []string
		for _, c := range d.in.Children {
			names = append(names, c.Name)
		}
		out = append(out, "Parts: "+some(names, 12, ", ")+".")
	}
	return strings.Join(out, "\n")
}

var extending = []string{" extends ", " implements "}

func (d *dir) hierarchy() string {
	var out []string
	for _, f := range d.in.Files {
		for _, e := range f.Exports {
			for _, word := range extending {
				if _, rest, ok := strings.Cut(e.Signature, word); ok && len(out) < 5 {
					out = append(out, e.Name+" -> "+clip(rest, 60))
					break
				}
			}
		}
	}
	return strings.Join(out, "; ")
}

func (d *dir) tags() []string {
	tags := []string{OfflineTag}
	add := func(tag string) {
		tag = strings.ToLower(strings.TrimSpace(tag))
		if len(tag) > 1 && len(tags) < 14 && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	for _, w := range words(d.in.Name) {
		if !stopword[strings.ToLower(w)] {
			add(w)
		}
	}
	for _, l := range d.langs[:min(len(d.langs), 2)] {
		add(l)
	}
	if len(d.entries) > 0 {
		add("entry")
	}
	for _, k := range []string{Test, Docs} {
		if d.kinds[k]*2 > len(d.in.Files) {
			add(k)
		}
	}
	topics := map[string]int{}
	for _, f := range d.in.Files {
		for _, w := range f.Text.Topics {
			topics[w]++
		}
	}
	common := byCount(topics)
	for _, w := range common[:min(len(common), 6)] {
		add(w)
	}
	n := 0
	for _, e := range d.external {
		if n < 3 && !standard(e, d.langs) {
			add(e)
			n++
		}
	}
	return tags
}

// workflows lead from a task to files.
func (d *dir) workflows() []Workflow {
	var out []Workflow
	tests := map[string]string{}
	for _, f := range d.in.Files {
		if f.Text.Kind == Test {
			tests[testedStem(f.Name)] = f.Name
		}
	}
	add := func(task string, files ...string) { out = append(out, Workflow{task, files}) }
	n := 0
	for _, i := range d.order {
		f := d.in.Files[i]
		if f.Text.Kind != Code || n == 4 {
			continue
		}
		n++
		stem := strings.TrimSuffix(f.Name, path.Ext(f.Name))
		task := "change " + phrase(stem)
		if stem == "index" || stem == "main" || stem == "mod" || stem == "lib" || stem == "__init__" || stem == "doc" {
			task = "change " + d.words
		}
		if f.Text.Entry {
			task = "change what " + d.words + " does at start"
		}
		files := []string{f.Name}
		if t := tests[stem]; t != "" {
			files = append(files, t)
		}
		add(task, files...)
	}
	for _, i := range d.order {
		f := d.in.Files[i]
		switch {
		case len(out) > 6:
		case f.Text.Kind == Build && strings.HasPrefix(f.Text.Purpose, "Build targets"):
			add("build or check", f.Name)
		case f.Text.Kind == Build && f.Text.Rank > 0, f.Name == "go.mod", f.Name == "package.json":
			add("change dependencies", f.Name)
		case strings.HasPrefix(strings.ToLower(f.Name), "readme"):
			add("read an introduction", f.Name)
		}
	}
	return out
}

func testedStem(name string) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	for _, s := range []string{"_test", ".test", ".spec", "_spec", "-test", "Tests", "Test"} {
		stem = strings.TrimSuffix(stem, s)
	}
	return strings.TrimPrefix(stem, "test_")
}

// standard says that a module comes with its language and tells nothing.
func standard(module string, langs []string) bool {
	first, _, _ := strings.Cut(module, "/")
	if len(langs) > 0 && langs[0] == "Go" {
		return !strings.Contains(first, ".")
	}
	first, _, _ = strings.Cut(first, ".")
	first, _, _ = strings.Cut(first, "::")
	return commonModules[strings.TrimPrefix(first, "node:")] || strings.HasPrefix(module, "node:")
}

var commonModules = map[string]bool{"os": true, "sys": true, "re": true, "fs": true, "path": true, "typing": true, "json": true, "time": true,
	"util": true, "std": true, "core": true, "alloc": true, "java": true, "stdio": true, "stdlib": true, "string": true, "stdint": true,
	"stdbool": true, "stddef": true, "errno": true, "assert": true, "logging": true, "collections": true, "functools": true, "itertools": true,
	"pathlib": true, "dataclasses": true, "datetime": true, "__future__": true, "abc": true, "enum": true, "io": true, "math": true,
	"random": true, "unittest": true, "System": true, "vector": true, "memory": true, "iostream": true, "map": true, "algorithm": true,
	"super": true, "crate": true, "self": true, "unistd": true, "sys/types": true, "contextlib": true, "copy": true, "warnings": true,
	"events": true, "crypto": true, "url": true, "child_process": true, "http": true, "https": true, "net": true, "stream": true}

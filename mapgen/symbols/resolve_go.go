package symbols

import (
	"path"
	"strings"
)

// goModule is what an import needs of a go.mod.
type goModule struct {
	path     string
	replaced map[string]string // module path → local directory, as written
}

// goImport finds the module an import path begins with: the file's own, one of
// the workspace, or one replaced by a local directory.
func (r *Resolver) goImport(f *File, imported string) place {
	if strings.HasPrefix(imported, "./") || strings.HasPrefix(imported, "../") {
		return inside(path.Join(path.Dir(f.Path), imported))
	}
	best, at := "", ""
	consider := func(module, dir string) {
		if module != "" && len(module) > len(best) && (imported == module || strings.HasPrefix(imported, module+"/")) {
			best, at = module, dir
		}
	}
	dir, _, ok := r.nearest(f.Path, "go.mod")
	if ok {
		own := parsed(r, path.Join(dir, "go.mod"), parseGoMod)
		if own.path == "std" {
			// Inside the standard library paths have no module in front.
			if p := path.Join(dir, imported); r.isDir(p) {
				return inside(p)
			}
		}
		consider(own.path, dir)
		for module, local := range own.replaced {
			consider(module, path.Join(dir, local))
		}
	}
	if work, _, ok := r.nearest(f.Path, "go.work"); ok {
		for _, use := range parsed(r, path.Join(work, "go.work"), parseGoWork) {
			member := path.Join(work, use)
			consider(parsed(r, path.Join(member, "go.mod"), parseGoMod).path, member)
		}
	}
	if best == "" {
		return outside(imported)
	}
	return inside(path.Join(at, strings.TrimPrefix(strings.TrimPrefix(imported, best), "/")))
}

func parseGoMod(content []byte) goModule {
	m := goModule{replaced: map[string]string{}}
	for directive, lines := range goDirectives(content) {
		for _, line := range lines {
			switch {
			case directive == "module" && len(line) > 0:
				m.path = line[0]
			case directive == "replace":
				for i, word := range line {
					if word == "=>" && i > 0 && i+1 < len(line) && strings.HasPrefix(line[i+1], ".") {
						m.replaced[line[0]] = line[i+1]
					}
				}
			}
		}
	}
	return m
}

func parseGoWork(content []byte) []string {
	var dirs []string
	for _, line := range goDirectives(content)["use"] {
		if len(line) > 0 {
			dirs = append(dirs, line[0])
		}
	}
	return dirs
}

// goDirectives splits a go.mod or go.work into the lines of each directive,
// whether written apart or in a block.
func goDirectives(content []byte) map[string][][]string {
	all := map[string][][]string{}
	block := ""
	for _, line := range strings.Split(string(content), "\n") {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		for i := range words {
			words[i] = strings.Trim(words[i], "\"`")
		}
		switch {
		case len(words) == 0:
		case block != "" && words[0] == ")":
			block = ""
		case block != "":
			all[block] = append(all[block], words)
		case len(words) > 1 && words[1] == "(":
			block = words[0]
		default:
			all[words[0]] = append(all[words[0]], words[1:])
		}
	}
	return all
}

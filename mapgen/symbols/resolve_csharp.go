package symbols

import (
	"path"
	"regexp"
	"sort"
	"strings"
)

var (
	csRootNamespace = regexp.MustCompile(`<RootNamespace>\s*([^<\s]+)\s*</RootNamespace>`)
	csReference     = regexp.MustCompile(`<ProjectReference\s+Include\s*=\s*"([^"]+)"`)
)

// csProject is one .csproj: the namespace its directory stands for, and the
// projects it refers to.
type csProject struct {
	namespace, dir string
	refers         []string
}

// csharpImport follows the convention that namespaces below a project's root
// namespace are its directories.
func (r *Resolver) csharpImport(f *File, imported string) place {
	best, found := "", ""
	seen := map[string]bool{}
	queue := r.csProjects(f.Path)
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		if seen[file] || len(seen) > 100 {
			continue
		}
		seen[file] = true
		p := r.csProject(file)
		queue = append(queue, p.refers...)
		if imported != p.namespace && !strings.HasPrefix(imported, p.namespace+".") || len(p.namespace) <= len(best) {
			continue
		}
		best, found = p.namespace, p.dir
		for _, part := range strings.Split(strings.TrimPrefix(imported[len(p.namespace):], "."), ".") {
			if part == "" || !r.isDir(path.Join(found, part)) {
				break
			}
			found = path.Join(found, part)
		}
	}
	if best == "" {
		return outside(imported)
	}
	return inside(found)
}

// csProjects are the project files of the nearest directory that has one.
func (r *Resolver) csProjects(file string) []string {
	for _, dir := range ancestors(file) {
		var projects []string
		for name := range r.entries(dir) {
			if strings.HasSuffix(name, ".csproj") {
				projects = append(projects, path.Join(dir, name))
			}
		}
		if len(projects) > 0 {
			sort.Strings(projects)
			return projects
		}
	}
	return nil
}

func (r *Resolver) csProject(file string) csProject {
	return parsed(r, file, func(content []byte) csProject {
		p := csProject{namespace: strings.TrimSuffix(path.Base(file), ".csproj"), dir: path.Dir(file)}
		if m := csRootNamespace.FindSubmatch(content); m != nil {
			p.namespace = string(m[1])
		}
		for _, m := range csReference.FindAllSubmatch(content, -1) {
			p.refers = append(p.refers, path.Join(p.dir, strings.ReplaceAll(string(m[1]), "\\", "/")))
		}
		return p
	})
}

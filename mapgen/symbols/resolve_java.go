package symbols

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// javaImport looks for the type in the file's own source root, its counterpart
// for tests, and those of the build's modules.
func (r *Resolver) javaImport(f *File, imported string) place {
	name, wildcard := strings.CutSuffix(imported, ".*")
	parts := strings.Split(name, ".")
	for _, root := range r.javaRoots(f) {
		if wildcard {
			if dir := path.Join(root, path.Join(parts...)); r.isDir(dir) && len(parts) > 0 {
				return inside(dir)
			}
		}
		if !r.isDir(path.Join(root, parts[0])) {
			continue
		}
		// A static import or a nested type names more than a file.
		for n := len(parts); n > 1; n-- {
			p := path.Join(root, path.Join(parts[:n]...))
			if found, ok := r.first(p+".java", p+".kt"); ok {
				return inside(found)
			}
		}
	}
	for i, part := range parts {
		if part != "" && unicode.IsUpper(rune(part[0])) && i > 0 {
			parts = parts[:i]
			break
		}
	}
	return outside(strings.Join(parts, "."))
}

var (
	mavenModule   = regexp.MustCompile(`<module>\s*([^<\s]+)\s*</module>`)
	gradleInclude = regexp.MustCompile(`["'](:?[A-Za-z0-9_.:-]+)["']`)
)

func (r *Resolver) javaRoots(f *File) []string {
	key := "java roots " + f.Package + " " + path.Dir(f.Path)
	if known, ok := r.cache[key].([]string); ok {
		return known
	}
	var roots []string
	own := path.Dir(f.Path)
	if f.Package != "" {
		if rest, ok := strings.CutSuffix(own, strings.ReplaceAll(f.Package, ".", "/")); ok {
			own = path.Clean(rest)
		}
	}
	roots = append(roots, own)
	for _, pair := range [][2]string{{"src/test/", "src/main/"}, {"src/main/", "src/test/"}, {"/java", "/kotlin"}} {
		if strings.Contains(own+"/", pair[0]) {
			roots = append(roots, path.Clean(strings.Replace(own+"/", pair[0], pair[1], 1)))
		}
	}
	for _, up := range ancestors(f.Path) {
		for _, module := range r.javaModules(up) {
			for _, source := range []string{"src/main/java", "src/test/java", "src/main/kotlin", "src"} {
				if root := path.Join(module, source); r.isDir(root) && !slices.Contains(roots, root) {
					roots = append(roots, root)
				}
			}
		}
	}
	r.cache[key] = roots
	return roots
}

// javaModules are the modules a build file in dir names, and dir itself.
func (r *Resolver) javaModules(dir string) []string {
	key := "java " + dir
	if known, ok := r.cache[key].([]string); ok {
		return known
	}
	var modules []string
	entries := r.entries(dir)
	if entries["pom.xml"] || entries["build.gradle"] || entries["build.gradle.kts"] {
		modules = append(modules, dir)
	}
	if entries["pom.xml"] {
		if content, err := r.project.Read(path.Join(dir, "pom.xml")); err == nil {
			for _, m := range mavenModule.FindAllSubmatch(content, -1) {
				modules = append(modules, path.Join(dir, string(m[1])))
			}
		}
	}
	for _, settings := range []string{"settings.gradle", "settings.gradle.kts"} {
		if !entries[settings] {
			continue
		}
		content, err := r.project.Read(path.Join(dir, settings))
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(content), "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "include") {
				continue
			}
			for _, m := range gradleInclude.FindAllStringSubmatch(line, -1) {
				modules = append(modules, path.Join(dir, strings.ReplaceAll(strings.TrimPrefix(m[1], ":"), ":", "/")))
			}
		}
	}
	r.cache[key] = modules
	return modules
}

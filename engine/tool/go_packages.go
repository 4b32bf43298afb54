package tool

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// goChecks builds, vets and tests the Go packages of the targets, module by
// module. rest says that there are targets of another kind.
func (w *work) goChecks() (todo []checking, rest bool) {
	modules := map[string][]string{}
	for _, t := range w.Scope.Targets {
		t = strings.TrimPrefix(t, "./")
		dir, all := path.Dir(t), false
		switch {
		case strings.HasSuffix(t, "/"):
			dir, all = path.Clean(t), true
		case !strings.HasSuffix(t, ".go"):
			rest = true
			continue
		}
		module, ok := w.moduleOf(dir)
		if !ok || !w.hasGo(dir, all) {
			rest = rest || all
			continue
		}
		pattern := "./" + strings.TrimPrefix(strings.TrimPrefix(dir, module), "/")
		if module == "." {
			pattern = "./" + strings.TrimPrefix(dir, ".")
		}
		if pattern = strings.TrimSuffix(pattern, "/"); all {
			pattern += "/..."
		}
		if !slices.Contains(modules[module], pattern) {
			modules[module] = append(modules[module], pattern)
		}
	}
	var order []string
	for module := range modules {
		order = append(order, module)
	}
	slices.Sort(order)
	for _, module := range order {
		dir := filepath.Join(w.Dir, filepath.FromSlash(module))
		packages := quotedWords(modules[module])
		for _, line := range []string{"go build -o /dev/null ", "go vet ", "go test "} {
			todo = append(todo, checking{line + packages, dir, line == "go test "})
		}
	}
	return todo, rest
}

// moduleOf is the folder of the go.mod that a folder of the project belongs to.
func (w *work) moduleOf(dir string) (string, bool) {
	for {
		if info, err := os.Stat(filepath.Join(w.Dir, filepath.FromSlash(dir), "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir, true
		}
		if dir == "." || dir == "/" {
			return "", false
		}
		dir = path.Dir(dir)
	}
}

// hasGo tells whether a folder has Go files, or one below it.
func (w *work) hasGo(dir string, below bool) bool {
	if below {
		return slices.ContainsFunc(w.below(dir+"/"), func(p string) bool { return strings.HasSuffix(p, ".go") })
	}
	entries, err := os.ReadDir(filepath.Join(w.Dir, filepath.FromSlash(dir)))
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".go")
	})
}

var plainWord = regexp.MustCompile(`^[\w./@%+=:,-]+$`)

// quotedWords is words as a shell reads them back.
func quotedWords(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		if out[i] = word; !plainWord.MatchString(word) {
			out[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

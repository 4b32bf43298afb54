package symbols

import (
	"path"
	"strings"
)

// splitPython turns "from package import module, Name" into one import for each
// name that is a module of its own, and one for the rest.
func (r *Resolver) splitPython(f *File) []Import {
	var all []Import
	for _, i := range f.Imports {
		var rest []string
		for _, name := range i.Names {
			if name == "*" {
				rest = append(rest, name)
				continue
			}
			module := i.Path + "." + name
			if strings.HasSuffix(i.Path, ".") {
				module = i.Path + name
			}
			if to, exact := r.pythonModule(f, module); to.internal && exact && path.Base(trimSource(to.path)) == name {
				all = append(all, Import{Path: module, Line: i.Line, Relative: i.Relative})
			} else {
				rest = append(rest, name)
			}
		}
		if len(rest) > 0 || len(i.Names) == 0 {
			i.Names = rest
			all = append(all, i)
		}
	}
	return all
}

func (r *Resolver) pythonImport(f *File, i Import) place {
	to, _ := r.pythonModule(f, i.Path)
	return to
}

// pythonModule finds a dotted module. Exact says that all of the path names
// modules, not a module and something in it.
func (r *Resolver) pythonModule(f *File, module string) (to place, exact bool) {
	if name := strings.TrimLeft(module, "."); name != module {
		dir := path.Dir(f.Path)
		for range len(module) - len(name) - 1 {
			dir = path.Dir(dir)
		}
		if name == "" {
			return inside(dir), true
		}
		if p, exact, ok := r.pythonIn(dir, name); ok {
			return inside(p), exact
		}
		return inside(path.Join(dir, strings.ReplaceAll(name, ".", "/"))), false
	}
	for _, root := range r.pythonRoots(f) {
		if p, exact, ok := r.pythonIn(root, module); ok {
			return inside(p), exact
		}
	}
	return outside(module), false
}

// pythonIn looks for a module under a directory, as deep as its path goes.
func (r *Resolver) pythonIn(root, module string) (p string, exact, ok bool) {
	parts := strings.Split(module, ".")
	dir := root
	for i, part := range parts {
		last := i == len(parts)-1
		next := path.Join(dir, part)
		if r.isDir(next) {
			if init, found := r.first(next+"/__init__.py", next+"/__init__.pyi"); found {
				if p = init; last {
					return p, true, true
				}
				dir = next
				continue
			}
			if namespace := r.namespacePackage(next); namespace && !(i == 0 && pythonStandard[part]) {
				if p = next; last {
					return p, true, true
				}
				dir = next
				continue
			}
		}
		if found, ok := r.first(next+".py", next+".pyi"); ok {
			return found, last, true
		}
		return p, false, p != ""
	}
	return p, true, p != ""
}

// namespacePackage is a directory without __init__.py that holds modules.
func (r *Resolver) namespacePackage(dir string) bool {
	for name := range r.entries(dir) {
		if strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyi") {
			return true
		}
		if sub, ok := strings.CutSuffix(name, "/"); ok && r.isFile(path.Join(dir, sub, "__init__.py")) {
			return true
		}
	}
	return false
}

// pythonRoots are the directories absolute imports of a file start from.
func (r *Resolver) pythonRoots(f *File) []string {
	dir := path.Dir(f.Path)
	key := "python " + dir
	if known, ok := r.cache[key].([]string); ok {
		return known
	}
	var roots []string
	add := func(dirs ...string) {
	next:
		for _, d := range dirs {
			d = path.Clean(d)
			for _, have := range roots {
				if have == d {
					continue next
				}
			}
			roots = append(roots, d)
		}
	}
	// The directory above the outermost package the file is in.
	top := dir
	for top != "." && r.isFile(path.Join(top, "__init__.py")) {
		top = path.Dir(top)
	}
	add(top)
	for _, up := range ancestors(f.Path) {
		if manifest := path.Join(up, "pyproject.toml"); r.isFile(manifest) {
			doc := parsed(r, manifest, parseTOML)
			for _, key := range []string{"tool.setuptools.packages.find.where", "tool.setuptools.package-dir.", "tool.pytest.ini_options.pythonpath",
				"tool.hatch.build.sources", "tool.poetry.packages.from"} {
				for _, where := range doc[key] {
					add(path.Join(up, where))
				}
			}
			add(path.Join(up, "src"), up)
		} else if r.isFile(path.Join(up, "setup.py")) || r.isFile(path.Join(up, "setup.cfg")) {
			add(path.Join(up, "src"), up)
		}
	}
	add(".", "src", dir)
	r.cache[key] = roots
	return roots
}

// pythonStandard are standard modules whose names projects like to give to
// directories; such a directory without __init__.py does not hide them.
var pythonStandard = wordSet(`abc argparse array ast asyncio base64 bin bisect builtins calendar cmd code codecs collections compileall
	concurrent configparser contextlib copy csv ctypes curses dataclasses datetime decimal difflib dis distutils email encodings enum
	errno fcntl filecmp fileinput fractions ftplib functools gc getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http
	imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox math mimetypes mmap
	multiprocessing numbers operator os parser pathlib pdb pickle pkgutil platform plistlib posix pprint profile pstats pwd queue
	quopri random re readline resource sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver
	sqlite3 ssl stat statistics string struct subprocess symbol symtable sys sysconfig syslog tarfile tempfile test textwrap threading
	time timeit tkinter token tokenize tomllib trace traceback tty turtle types typing unicodedata unittest urllib uuid venv warnings
	wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

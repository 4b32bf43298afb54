package symbols

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzExtract feeds any bytes to every language: no panic, a bounded answer in
// valid UTF-8, and the same answer twice.
func FuzzExtract(f *testing.F) {
	seeds, err := filepath.Glob("testdata/labelled/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range seeds {
		content, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		if lang := detect(seed, content); lang != nil {
			f.Add(uint8(slices.Index(languages, lang)), content)
		}
	}
	f.Add(uint8(9), []byte("\xff\xfep\x00u"))
	f.Add(uint8(0), []byte("package x\nfunc ("))
	f.Fuzz(func(t *testing.T, language uint8, content []byte) {
		lang := languages[int(language)%len(languages)]
		name := "x" + slices.Concat(lang.exts, lang.names)[0]
		if len(lang.exts) == 0 {
			name = lang.names[len(content)%len(lang.names)]
		}
		limits := Limits{Time: time.Minute, Bytes: 64 << 10}
		file := Extract(name, content, limits)
		for _, e := range file.Exports {
			check(t, content, e.Name, e.Signature, e.Line)
		}
		for _, m := range file.Members {
			check(t, content, m.Name, m.Signature, m.Line)
		}
		for _, i := range file.Imports {
			check(t, content, i.Path, "", i.Line)
		}
		if again := Extract(name, content, limits); fmt.Sprint(again) != fmt.Sprint(file) {
			t.Errorf("first %v\nthen  %v", file, again)
		}
	})
}

func check(t *testing.T, content []byte, name, signature string, line int) {
	t.Helper()
	if name == "" || !utf8.ValidString(name) || !utf8.ValidString(signature) {
		t.Errorf("name %q, signature %q", name, signature)
	}
	if line < 1 || line > len(content)+1 {
		t.Errorf("%s on line %d", name, line)
	}
	if len(signature) > maxSignature+len("…") || strings.ContainsAny(signature, "\n\r") {
		t.Errorf("signature %q", signature)
	}
}

// FuzzResolve gives a resolver any manifest and any import.
func FuzzResolve(f *testing.F) {
	f.Add("tsconfig.json", `{"extends": "./a", "compilerOptions": {"paths": {"*": ["*"]}}}`, "a.ts", "@/x")
	f.Add("Cargo.toml", "[workspace]\nmembers = [\"*\"]", "src/lib.rs", "a::b")
	f.Add("go.mod", "module (\nreplace a => ./b", "a.go", "a/b")
	f.Add("package.json", `{"workspaces": ["**"], "imports": {"#*": {"default": "./*"}}}`, "a.js", "#x")
	f.Add("pyproject.toml", "[tool.setuptools.packages.find]\nwhere = [\"\n]", "a/b.py", "..x.y")
	f.Add("X.csproj", `<ProjectReference Include="X.csproj"/>`, "a.cs", "X.Y")
	f.Add("composer.json", `{"autoload":{"psr-4":{"":"src"}}}`, "a.php", `X\Y`)
	f.Fuzz(func(t *testing.T, manifest, content, file, imported string) {
		tree := testTree{manifest: content, file: "", "a/__init__.py": "", "src/lib.rs": ""}
		f := File{Path: file, Language: Language(file, nil), Imports: []Import{{Path: imported, Relative: strings.HasPrefix(imported, ".")}}}
		tree.resolver().Resolve(&f)
		for _, i := range f.Imports {
			if !strings.HasPrefix(i.Target, "pkg/") && !strings.HasPrefix(i.Target, "ext/") {
				t.Errorf("target %q", i.Target)
			}
		}
	})
}

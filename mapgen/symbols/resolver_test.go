package symbols

import (
	"io/fs"
	"strings"
	"testing"
)

// tree is a project written down as path → content.
type testTree map[string]string

func (t testTree) resolver() *Resolver {
	var files []string
	for name := range t {
		files = append(files, name)
	}
	return NewResolver(NewFileSet(files, func(p string) ([]byte, error) {
		content, ok := t[p]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(content), nil
	}))
}

// check resolves imports ("as written" → target) of one file.
func (t testTree) check(test *testing.T, file, language, pkg string, want map[string]string) {
	test.Helper()
	r := t.resolver()
	for imported, target := range want {
		path, name, named := strings.Cut(imported, " import ")
		i := Import{Path: path, Relative: strings.HasPrefix(path, ".") || language == "C"}
		if named {
			i.Names = strings.Split(name, ",")
		}
		f := File{Path: file, Language: language, Package: pkg, Imports: []Import{i}}
		r.Resolve(&f)
		var got []string
		for _, i := range f.Imports {
			got = append(got, i.Target)
			if i.Internal != strings.HasPrefix(i.Target, "pkg/") {
				test.Errorf("%s: %s is internal=%v, target %s", file, imported, i.Internal, i.Target)
			}
		}
		if text := strings.Join(got, " "); text != target {
			test.Errorf("%s: %s leads to %s, want %s", file, imported, text, target)
		}
	}
}

func TestGoModulesAndWorkspaces(t *testing.T) {
	tree := testTree{
		"go.work":     "go 1.26\nuse (\n\t./app // main\n\t./lib\n)\n",
		"app/go.mod":  "module example.com/app\n\nrequire example.com/old v1.0.0\nreplace example.com/old => ../old\nreplace example.com/far => example.com/fork v1\n",
		"app/main.go": "", "app/cmd/x/x.go": "",
		"lib/go.mod":       "module \"example.com/lib\"\n",
		"lib/deep/deep.go": "",
		"old/go.mod":       "module example.com/old\n", "old/v/v.go": "",
	}
	tree.check(t, "app/main.go", "Go", "main", map[string]string{
		"fmt":                       "ext/fmt",
		"encoding/json":             "ext/encoding/json",
		"example.com/app/cmd/x":     "pkg/app/cmd/x",
		"example.com/app":           "pkg/app",
		"example.com/application/x": "ext/example.com/application/x",
		"example.com/lib/deep":      "pkg/lib/deep",
		"example.com/old/v":         "pkg/old/v",
		"example.com/far":           "ext/example.com/far",
		"./cmd/x":                   "pkg/app/cmd/x",
	})
	std := testTree{"src/go.mod": "module std\n", "src/fmt/print.go": "", "src/encoding/json/json.go": ""}
	std.check(t, "src/fmt/print.go", "Go", "fmt", map[string]string{"encoding/json": "pkg/src/encoding/json", "golang.org/x/net": "ext/golang.org/x/net"})
	testTree{"a/a.go": ""}.check(t, "a/a.go", "Go", "a", map[string]string{"example.com/a": "ext/example.com/a"})
}

func TestScriptPathsAndWorkspaces(t *testing.T) {
	tree := testTree{
		"package.json":       `{"name": "root", "workspaces": ["packages/*"]}`,
		"tsconfig.base.json": "{\n  // shared\n  \"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"src/*\"], \"@/ui/*\": [\"packages/ui/src/*\",], \"exact\": [\"src/exact.ts\"]}} /* end */,\n}",
		"tsconfig.json":      `{"extends": "./tsconfig.base"}`,
		"src/main.ts":        "", "src/util/index.ts": "", "src/util/text.tsx": "", "src/exact.ts": "", "src/types.d.ts": "", "src/data.json": "{}", "src/esm.mts": "",
		"packages/ui/package.json":      `{"name": "@acme/ui", "source": "src/entry.ts", "imports": {"#internal/*": {"default": "./src/internal/*.ts"}}}`,
		"packages/ui/src/entry.ts":      "",
		"packages/ui/src/button.tsx":    "",
		"packages/ui/src/internal/x.ts": "",
		"packages/core/package.json":    `{"name": "core"}`,
		"packages/core/index.js":        "",
	}
	tree.check(t, "src/main.ts", "TypeScript", "", map[string]string{
		"./util":             "pkg/src/util",
		"./util/index.js":    "pkg/src/util",
		"./util/text.js":     "pkg/src/util/text",
		"./util/text":        "pkg/src/util/text",
		"./types":            "pkg/src/types",
		"./data.json":        "pkg/src/data.json",
		"./esm.mjs":          "pkg/src/esm",
		"./missing":          "pkg/src/missing",
		"..":                 "pkg/.",
		"@/util/text":        "pkg/src/util/text",
		"@/ui/button":        "pkg/packages/ui/src/button",
		"exact":              "pkg/src/exact",
		"src/util/text":      "pkg/src/util/text",
		"@acme/ui":           "pkg/packages/ui",
		"@acme/ui/button":    "pkg/packages/ui/src/button",
		"core":               "pkg/packages/core",
		"jose":               "ext/jose",
		"lodash/fp":          "ext/lodash",
		"@scope/pkg/deep/in": "ext/@scope/pkg",
		"node:fs":            "ext/node:fs",
	})
	tree.check(t, "packages/ui/src/entry.ts", "TypeScript", "", map[string]string{
		"#internal/x": "pkg/packages/ui/src/internal/x",
		"core":        "pkg/packages/core",
	})
	pnpm := testTree{
		"package.json": "{}", "pnpm-workspace.yaml": "packages:\n  - 'libs/**'\n  # none\n  - \"!libs/old\"\n",
		"libs/a/b/package.json": `{"name":"deep-lib"}`, "main.js": "",
	}
	pnpm.check(t, "main.js", "JavaScript", "", map[string]string{"deep-lib": "pkg/libs/a/b", "deep-library": "ext/deep-library"})
}

func TestPythonPackages(t *testing.T) {
	tree := testTree{
		"pyproject.toml":      "[project]\nname = \"app\"\n[tool.setuptools.packages.find]\nwhere = [\"python\"]\n",
		"src/app/__init__.py": "", "src/app/rates.py": "", "src/app/core/__init__.py": "", "src/app/core/money.py": "", "src/app/main.py": "",
		"python/extra/__init__.py": "", "scripts/run.py": "", "scripts/helper.py": "",
		"tests/test_a.py": "", "space/mod.py": "", "test/x.py": "",
	}
	tree.check(t, "src/app/main.py", "Python", "", map[string]string{
		".":                             "pkg/src/app",
		". import rates":                "pkg/src/app/rates",
		". import rates,VERSION":        "pkg/src/app/rates pkg/src/app",
		".rates import Rate":            "pkg/src/app/rates",
		".core import money,Money":      "pkg/src/app/core/money pkg/src/app/core",
		".core.money":                   "pkg/src/app/core/money",
		"app.core.money":                "pkg/src/app/core/money",
		"app.core.money.Money":          "pkg/src/app/core/money",
		"app import core":               "pkg/src/app/core",
		"extra":                         "pkg/python/extra",
		"os.path":                       "ext/os.path",
		"google.cloud.storage import x": "ext/google.cloud.storage",
		"test":                          "ext/test",
	})
	tree.check(t, "src/app/core/money.py", "Python", "", map[string]string{"..rates": "pkg/src/app/rates", ".. import rates": "pkg/src/app/rates", "...outside": "pkg/src/outside"})
	tree.check(t, "scripts/run.py", "Python", "", map[string]string{"helper": "pkg/scripts/helper", "app": "pkg/src/app", "space.mod": "pkg/space/mod"})
	tree.check(t, "src/app/__init__.py", "Python", "", map[string]string{".rates": "pkg/src/app/rates"})
}

func TestCargoWorkspaces(t *testing.T) {
	tree := testTree{
		"Cargo.toml":             "[workspace]\nmembers = [\n  \"crates/*\", # all\n]\n",
		"crates/core/Cargo.toml": "[package]\nname = \"acme-core\"\n", "crates/core/src/lib.rs": "", "crates/core/src/size.rs": "", "crates/core/src/net/mod.rs": "", "crates/core/src/net/tcp.rs": "",
		"crates/app/Cargo.toml":  "[package]\nname = \"app\"\n[dependencies]\nserde = \"1\"\nlocal = { path = \"../../vendored/local\" }\n[dependencies.other]\npath = \"../core\"\n",
		"crates/app/src/main.rs": "", "crates/app/src/cli.rs": "", "vendored/local/src/lib.rs": "", "crates/app/tests/all.rs": "",
	}
	tree.check(t, "crates/core/src/net/tcp.rs", "Rust", "", map[string]string{
		"crate::size::Size":         "pkg/crates/core/src/size",
		"crate::net::tcp":           "pkg/crates/core/src/net/tcp",
		"crate::Root":               "pkg/crates/core/src/lib",
		"super::Shared":             "pkg/crates/core/src/net",
		"super::super::size":        "pkg/crates/core/src/size",
		"self::inner":               "pkg/crates/core/src/net/tcp",
		"std::collections::HashMap": "ext/std",
		"Kind::A":                   "pkg/crates/core/src/net/tcp",
	})
	tree.check(t, "crates/app/src/main.rs", "Rust", "", map[string]string{
		"acme_core::size::Size": "pkg/crates/core/src/size",
		"acme_core::Size":       "pkg/crates/core/src/lib",
		"local::x":              "pkg/vendored/local/src/lib",
		"other::size":           "pkg/crates/core/src/size",
		"serde":                 "ext/serde",
		"self::cli":             "pkg/crates/app/src/cli",
		"cli::run":              "pkg/crates/app/src/cli",
	})
	tree.check(t, "crates/app/tests/all.rs", "Rust", "", map[string]string{"acme_core::net": "pkg/crates/core/src/net"})
}

func TestJavaSourceRoots(t *testing.T) {
	tree := testTree{
		"settings.gradle":                         "include ':core', \":web:api\"\n",
		"core/src/main/java/com/acme/core/A.java": "", "core/src/test/java/com/acme/core/ATest.java": "",
		"web/api/src/main/java/com/acme/web/B.java": "",
	}
	tree.check(t, "core/src/test/java/com/acme/core/ATest.java", "Java", "com.acme.core", map[string]string{
		"com.acme.core.A":         "pkg/core/src/main/java/com/acme/core/A",
		"com.acme.core.A.Builder": "pkg/core/src/main/java/com/acme/core/A",
		"com.acme.core.A.make":    "pkg/core/src/main/java/com/acme/core/A",
		"com.acme.web.B":          "pkg/web/api/src/main/java/com/acme/web/B",
		"com.acme.web.*":          "pkg/web/api/src/main/java/com/acme/web",
		"java.util.*":             "ext/java.util",
		"java.util.Map.Entry":     "ext/java.util",
		"org.junit.Test":          "ext/org.junit",
	})
}

func TestIncludesRequiresAndSources(t *testing.T) {
	c := testTree{"src/net/tcp.c": "", "src/net/tcp.h": "", "src/base/types.h": "", "include/acme/acme.h": ""}
	c.check(t, "src/net/tcp.c", "C", "", map[string]string{
		"tcp.h": "pkg/src/net/tcp", "base/types.h": "pkg/src/base/types", "../base/types.h": "pkg/src/base/types",
		"acme/acme.h": "pkg/include/acme/acme", "stdio.h": "ext/stdio.h",
	})
	ruby := testTree{"lib/billing.rb": "", "lib/billing/invoice.rb": "", "spec/spec_helper.rb": "", "spec/invoice_spec.rb": ""}
	ruby.check(t, "spec/invoice_spec.rb", "Ruby", "", map[string]string{
		"billing/invoice": "pkg/lib/billing/invoice", "spec_helper": "pkg/spec/spec_helper", "json": "ext/json", "../lib/billing": "pkg/lib/billing",
	})
	bash := testTree{"bin/run.sh": "", "bin/env.sh": "", "lib/log.sh": ""}
	bash.check(t, "bin/run.sh", "Bash", "", map[string]string{"./env.sh": "pkg/bin/env", "lib/log.sh": "pkg/lib/log", "/etc/profile": "ext//etc/profile"})
}

func TestPHPAutoload(t *testing.T) {
	tree := testTree{
		"composer.json":     `{"autoload": {"psr-4": {"Acme\\": "src/", "Acme\\Legacy\\": ["old/"]}}, "autoload-dev": {"psr-4": {"Acme\\Tests\\": "tests"}}}`,
		"src/Shop/Cart.php": "", "old/Thing.php": "", "tests/CartTest.php": "", "src/bootstrap.php": "",
	}
	tree.check(t, "src/Shop/Cart.php", "PHP", `Acme\Shop`, map[string]string{
		`Acme\Shop\Cart`:              "pkg/src/Shop/Cart",
		`Acme\Shop`:                   "pkg/src/Shop",
		`Acme\Shop\total`:             "pkg/src/Shop",
		`Acme\Legacy\Thing`:           "pkg/old/Thing",
		`Acme\Tests\CartTest`:         "pkg/tests/CartTest",
		`Psr\Log\LoggerInterface`:     "ext/Psr/Log",
		`Symfony\Component\Yaml\Yaml`: "ext/Symfony/Component",
		`../bootstrap.php`:            "pkg/src/bootstrap",
	})
}

func TestCSharpNamespaces(t *testing.T) {
	tree := testTree{
		"web/Acme.Web.csproj": `<Project><ItemGroup><ProjectReference Include="..\books\Books.csproj" /></ItemGroup></Project>`, "web/Api.cs": "", "web/Pages/Home.cs": "",
		"books/Books.csproj": `<Project><PropertyGroup><RootNamespace>Acme.Books</RootNamespace></PropertyGroup></Project>`, "books/Core/Ledger.cs": "",
	}
	tree.check(t, "web/Api.cs", "C#", "Acme.Web", map[string]string{
		"Acme.Books.Core": "pkg/books/Core", "Acme.Books": "pkg/books", "Acme.Web.Pages": "pkg/web/Pages", "System.Text": "ext/System.Text", "Acme.Booksellers": "ext/Acme.Booksellers",
	})
}

func TestBarrelsOpenUp(t *testing.T) {
	tree := testTree{"lib/index.ts": "", "lib/a.ts": "", "lib/b/index.ts": "", "lib/loop.ts": ""}
	files := map[string]File{}
	add := func(path string, exports ...Export) File {
		f := File{Path: path, Language: "TypeScript", Exports: exports}
		files[path] = f
		return f
	}
	all := func(from string) Export { return Export{Name: "*", Kind: "reexport", From: from} }
	index := add("lib/index.ts", Export{Name: "own"}, all("./a"), all("./b"), all("outside"))
	add("lib/a.ts", Export{Name: "one"}, Export{Name: "own"}, Export{Name: "Main", Default: true})
	add("lib/b/index.ts", Export{Name: "two"}, all("../loop"))
	add("lib/loop.ts", Export{Name: "three"}, all("./index"))
	got := tree.resolver().Expand(index, func(p string) (File, bool) { f, ok := files[p]; return f, ok })
	exports, _ := names(got)
	if text := strings.Join(exports, " "); text != "own one two three *" {
		t.Errorf("barrel exports %s", text)
	}
}

func TestManifestsThatAreBroken(t *testing.T) {
	tree := testTree{
		"go.mod": "module\nreplace =>\n(", "go.work": "use (", "a.go": "", "package.json": "{", "tsconfig.json": `{"extends": ["./tsconfig.json"], "compilerOptions": {"paths": {"*": ["*"]}}`,
		"pnpm-workspace.yaml": "packages", "a.ts": "", "Cargo.toml": "[workspace\nmembers = [\"**/**/*\"", "src/a.rs": "", "pyproject.toml": "[\n=", "a.py": "",
		"composer.json": `{"autoload": {"psr-4": []}}`, "a.php": "", "X.csproj": `<ProjectReference Include="X.csproj"`, "a.cs": "", "settings.gradle": "include '", "A.java": "",
	}
	r := tree.resolver()
	for path, language := range map[string]string{"a.go": "Go", "a.ts": "TypeScript", "src/a.rs": "Rust", "a.py": "Python", "a.php": "PHP", "a.cs": "C#", "A.java": "Java", "a.c": "C", "a.rb": "Ruby", "a.sh": "Bash"} {
		for _, imported := range []string{"", ".", "..", "../../../x", "a::b", "::", `\`, "a.b", "/", "#x", "@", "X.*", "......a"} {
			f := File{Path: path, Language: language, Imports: []Import{{Path: imported, Names: []string{"x"}, Relative: strings.HasPrefix(imported, ".")}}}
			r.Resolve(&f)
			if len(f.Imports) != 1 || f.Imports[0].Target == "" {
				t.Errorf("%s: import %q of %s: %+v", path, imported, language, f.Imports)
			}
		}
	}
}

package symbols

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestDocumentsHaveAnOutline(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"README.md", "---\ntitle: Shop\n---\n# The `shop` #\n\ntext\n# not\\\n\nUse it\n------\n\n```sh\n# no heading\n```\n### [Build](b.md), run\n#### too deep\n- item\n---\n#tag\n# The `shop` #\n",
			"4 # The shop; 7 # not\\; 9 ## Use it; 15 ### Build, run"},
		{"web/package.json", "{\n  \"name\": \"shop-web\",\n  \"bin\": {\"shop\": \"cli.js\"},\n  \"scripts\": {\"build\": \"tsc -p .\", \"test\": \"jest\"},\n  \"workspaces\": [\"packages/*\"],\n  \"dependencies\": {\"react\": \"^19\", \"money\": \"file:../money\"},\n  \"devDependencies\": {\"jest\": \"1\"}\n}\n",
			"2 package shop-web; 3 binary shop; 4 script build: tsc -p .; 4 script test: jest; 5 workspace packages/*; 6 needs react; 6 needs ../money; 7 needs jest"},
		{"composer.json", `{"name": "a/shop", "require": {"php": ">=8", "ext-json": "*", "monolog/monolog": "^3"}}`, "1 needs monolog/monolog; 1 package a/shop"},
		{"package.json", `{"name": "half", "scripts": {"a": "b"`, "1 package half; 1 script a: b"},
		{"go.mod", "module example.com/shop // the shop\n\ngo 1.24\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0 // indirect\n)\n\nreplace example.com/a => ../a\n",
			"1 module example.com/shop; 6 needs example.com/a; 10 needs ../a"},
		{"go.work", "go 1.24\n\nuse (\n\t./shop\n\t./money\n)\n", "4 needs ./shop; 5 needs ./money"},
		{"Cargo.toml", "[package]\nname = \"shop\"\n\n[[bin]]\nname = \"till\"\n\n[workspace]\nmembers = [\n  \"crates/*\", # all of them\n]\n\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\nmoney = { path = \"../money\" }\nlog.workspace = true\n\n[target.'cfg(unix)'.dev-dependencies.nix]\nversion = \"1\"\n",
			"2 package shop; 5 bin till; 9 workspace crates/*; 13 needs serde; 14 needs ../money; 15 needs log; 17 needs nix"},
		{"pyproject.toml", "[project]\nname = \"shop\"\ndependencies = [\n  \"click[x]>=8\",\n  'attrs',\n]\n\n[project.scripts]\nshop = \"shop.cli:main\"\n\n[tool.poetry.dependencies]\npython = \"^3\"\nhttpx = \"*\"\n",
			"2 package shop; 4 needs click; 5 needs attrs; 9 script shop: shop.cli:main; 13 needs httpx"},
		{"pom.xml", "<project>\n <parent><artifactId>above</artifactId></parent>\n <artifactId>shop</artifactId>\n <modules><module>till</module></modules>\n <dependencies>\n  <dependency><groupId>g</groupId><artifactId>money</artifactId></dependency>\n </dependencies>\n</project>\n",
			"3 package shop; 4 module till; 6 needs money"},
		{"Dockerfile", "FROM --platform=linux/amd64 golang:1.26 AS build\nRUN make\nFROM build AS checked\nFROM debian:12\nCOPY --from=build /x /x\nENTRYPOINT [\"/x\"]\n",
			"1 needs golang:1.26; 1 stage build on golang:1.26; 3 stage checked on build; 4 needs debian:12; 6 ENTRYPOINT [\"/x\"]"},
		{"deploy/Dockerfile.test", "FROM scratch\nCMD [\"x\"]\n", "2 CMD [\"x\"]"},
		{"Makefile", "X := 1\nY = a: b\nall: build test\n\techo a: b\n\nbuild test: \\\n  go.mod\n.PHONY: all\n%.o: %.c\n$(X)/y: z\ninclude common.mk $(X).mk\nall:: more\n",
			"3 all; 6 build; 6 test; 11 needs common.mk"},
		{"a.go", "package a\n\nfunc X() {}\n", ""},
	} {
		file := Outline(c.name, []byte(c.text))
		type entry struct {
			line int
			text string
		}
		var all []entry
		for _, e := range file.Exports {
			all = append(all, entry{e.Line, e.Signature})
		}
		for _, i := range file.Imports {
			all = append(all, entry{i.Line, "needs " + i.Path})
		}
		slices.SortStableFunc(all, func(a, b entry) int {
			if a.line == b.line && strings.HasPrefix(a.text, "needs ") != strings.HasPrefix(b.text, "needs ") {
				if strings.HasPrefix(a.text, "needs ") {
					return -1
				}
				return 1
			}
			return a.line - b.line
		})
		var got []string
		for _, e := range all {
			got = append(got, strconv.Itoa(e.line)+" "+e.text)
		}
		if have := strings.Join(got, "; "); have != c.want {
			t.Errorf("%s:\n have %s\n want %s", c.name, have, c.want)
		}
		if c.want != "" && (!Document(file.Language) || !Light(file.Language) || file.Note != LightNote || Language(c.name, nil) != "") {
			t.Errorf("%s: %q, note %q, of a language %q", c.name, file.Language, file.Note, Language(c.name, nil))
		}
	}
}

func TestAnOutlineIsBounded(t *testing.T) {
	long := strings.Repeat("x", 2000)
	var text strings.Builder
	for i := range 500 {
		text.WriteString("# " + strconv.Itoa(i) + long + "\n")
	}
	file := Outline("a.md", []byte(text.String()))
	if len(file.Exports) != maxOutline || len(file.Exports[0].Name) > maxSignature || len(file.Exports[0].Signature) > maxSignature {
		t.Errorf("%d entries, the first of %d bytes", len(file.Exports), len(file.Exports[0].Name))
	}
	Outline("package.json", []byte(strings.Repeat(`{"a":[`, 1<<20)))
	Outline("pom.xml", []byte(strings.Repeat("<a>", 1<<20)))
}

func TestManifestsLeadToOtherPackages(t *testing.T) {
	r := NewResolver(NewFileSet([]string{"go.work", "shop/go.mod", "money/go.mod", "Makefile", "common.mk"},
		func(string) ([]byte, error) { return nil, fs.ErrNotExist }))
	for _, c := range []struct{ file, text, want string }{
		{"go.work", "use ./shop\n", "pkg/shop"},
		{"shop/go.mod", "replace x => ../money\n", "pkg/money"},
		{"shop/go.mod", "replace x => ../../out\n", "ext/../../out"},
		{"shop/package.json", `{"dependencies": {"money": "link:../money"}}`, "pkg/money"},
		{"Makefile", "include common.mk\n", "pkg/common"},
		{"Dockerfile", "FROM debian:12\n", "ext/debian:12"},
	} {
		f := Outline(c.file, []byte(c.text))
		r.Resolve(&f)
		if len(f.Imports) != 1 || f.Imports[0].Target != c.want {
			t.Errorf("%s %q: %+v, want %s", c.file, c.text, f.Imports, c.want)
		}
	}
}

package describe

import (
	"strings"
	"testing"
)

func TestManifestsSayWhatTheirPackageIsFor(t *testing.T) {
	for _, c := range []struct{ name, content, about, pkg string }{
		{"package.json", `{"name": "@shop/till", "description": "Counts the money twice."}`, "Counts the money twice", "till"},
		{"Shop.Till.csproj", "<Project>\n<Description>Counts the money twice.</Description>\n</Project>", "Counts the money twice", "Shop.Till"},
		{"Shop.Till.csproj", "<Project></Project>", "", "Shop.Till"},
		{"till.gemspec", "Gem::Specification.new do |s|\n  s.name = 'till'\n  s.summary = %q{Counts the money twice}\nend", "Counts the money twice", "till"},
		{"till.gemspec", "Gem::Specification.new do |spec|\n  spec.summary     = \"Counts the money twice\"\nend", "Counts the money twice", "till"},
		{"setup.py", "setup(\n    name='till',\n    description='Counts the money twice',\n)", "Counts the money twice", "till"},
		{"setup.cfg", "[metadata]\nname = till\ndescription = Counts the money twice\n", "Counts the money twice", "till"},
		{"pyproject.toml", "[project]\nname = \"till\"\ndescription = \"Counts the money twice\"\n", "Counts the money twice", "till"},
	} {
		got := DescribeFile(FileInput{Path: "till/" + c.name, Content: []byte(c.content)})
		if got.About != c.about || got.Package != c.pkg || got.Kind != Build || (got.Rank > 0) != (c.about != "") {
			t.Errorf("%s %q: %+v", c.name, c.content, got)
		}
		if !SpeaksForPackage(c.name) {
			t.Errorf("%s speaks for nobody", c.name)
		}
	}
	for _, name := range []string{"README", "readme.rst", "ReadMe.md"} {
		if !SpeaksForPackage(name) {
			t.Errorf("%s speaks for nobody", name)
		}
	}
	for _, name := range []string{"till.py", "reader.md", "package-lock.json", "tsconfig.json"} {
		if SpeaksForPackage(name) {
			t.Errorf("%s speaks for its package", name)
		}
	}
}

func TestAMainSourceIsDescribedByItsPackage(t *testing.T) {
	code := func(name string, exports ...Symbol) File {
		return File{Name: name, Language: "C", Text: FileText{Kind: Code, Purpose: "Types", Quality: FromNames}, Exports: exports}
	}
	own := code("lib.rs")
	own.Text.About, own.Text.Rank = "Reads coins", 95
	for _, c := range []struct {
		name string
		in   DirInput
		want string
	}{
		{"its subjects", DirInput{Path: "src", Name: "src", Package: "Counts the money twice", Files: []File{code("coin.c"), code("note.c"), code("drawer.c")}},
			"The project's source: Counts the money twice; covers coin, note, drawer"},
		{"its symbols", DirInput{Path: "src/till", Name: "till", Package: "Counts the money twice", Files: []File{code("till.c", Symbol{Name: "Drawer", Kind: "struct"})}},
			"Till: Counts the money twice; defines Drawer"},
		{"a name that is told already", DirInput{Path: "till", Name: "till", Package: "till is a drawer. It was made of wood", Files: []File{code("coin.c"), code("note.c")}},
			"Till is a drawer; covers coin, note"},
		{"words of its own", DirInput{Path: "src", Name: "src", Package: "Counts the money twice", Files: []File{own}}, "The project's source: Reads coins"},
	} {
		if got := DescribeDir(c.in).Role; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAREADMEOfADirectoryIsFollowedByWhatItCovers(t *testing.T) {
	in := DirInput{Path: "tools", Name: "tools", Files: []File{
		{Name: "README.md", Text: DescribeFile(FileInput{Path: "tools/README.md", Content: []byte("# Tools\n\nHelp at the end of the day.\n")})},
		{Name: "sweep.c", Language: "C", Text: FileText{Kind: Code}},
		{Name: "count.c", Language: "C", Text: FileText{Kind: Code}},
	}}
	if got, want := DescribeDir(in).Role, "Tools: Help at the end of the day; covers sweep, count"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	in.Files[0].Text.About = strings.Repeat("long words ", 18)
	if got := DescribeDir(in).Role; strings.Contains(got, "covers") || strings.Contains(got, "…") {
		t.Errorf("words of its own are cut for what it covers: %q", got)
	}
}

func TestWhereSentencesEnd(t *testing.T) {
	for text, want := range map[string]string{
		"A library for asynchronous I/O. It was made for others.": "A library for asynchronous I/O",
		"Reads text, numbers, etc. Sponsored by nobody.":          "Reads text, numbers, etc",
		"Written by J. Doe for all.":                              "Written by J. Doe for all",
		"Sizes, e.g. 10k, are read.":                              "Sizes, e.g. 10k, are read",
	} {
		if got := sentence(text, maxRole); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhereLinksLeadIsNoProse(t *testing.T) {
	in := FileInput{Path: "README.md", Content: []byte("[one]: https://example.invalid/one\n[two words]: OTHER.md\n\nCounts the money twice, as [one][] does.\n")}
	if got := DescribeFile(in).About; got != "Counts the money twice, as one does" {
		t.Error(got)
	}
}

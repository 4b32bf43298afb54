package describe

import (
	"strings"
	"testing"
)

func TestWhoSpeaksForADirectory(t *testing.T) {
	code := func(name, purpose string, quality int, exports ...Symbol) File {
		return File{Name: name, Language: "Ruby", Text: FileText{Kind: Code, Purpose: purpose, Quality: quality}, Exports: exports}
	}
	built := func(name string) File { return File{Name: name, Text: FileText{Kind: Build}} }
	drawer := Symbol{Name: "Drawer", Kind: "class"}
	for _, c := range []struct {
		name string
		in   DirInput
		want string
	}{
		{"one of several says a word", DirInput{Path: "till", Name: "till", Files: []File{
			code("coins.rb", "Reads what is left", FromItself), code("drawer.rb", "Types", FromNames, drawer, drawer, drawer), code("notes.rb", "Types", FromNames, drawer)}},
			"Till: defines Drawer; coins: reads what is left; also notes"},
		{"one of several that is called like the directory", DirInput{Path: "till", Name: "till", Files: []File{
			code("till.rb", "Counts the money twice", FromItself), code("drawer.rb", "Types", FromNames, drawer, drawer, drawer), code("notes.rb", "Types", FromNames, drawer)}},
			"Till: counts the money twice; also drawer, notes"},
		{"one example of several", DirInput{Path: "till/examples", Name: "examples", Files: []File{
			code("coins.rb", "Reads what is left", FromItself), code("drawer.rb", "Types", FromNames, drawer, drawer, drawer), code("notes.rb", "Types", FromNames, drawer)}},
			"Examples, part of till: examples: drawer, notes and coins in Ruby"},
		{"code among files of the build", DirInput{Path: "cmake", Name: "cmake", Files: []File{
			code("probe.c", "Headers for a test", FromItself), built("FindCoins.cmake"), built("FindNotes.cmake"), built("Install.cmake"), built("Pack.cmake")}},
			"Cmake: build files for find coins, find notes, install and pack"},
		{"a file that only loads", DirInput{Path: "rules", Name: "rules", Files: []File{code("all.rb", "Calls expand path", FromDeeds)},
			Children: []Child{{Name: "money", Role: "Rules for money: which coins count"}}},
			"Rules, only money in it: Rules for money: which coins count"},
	} {
		if got := DescribeDir(c.in).Role; got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestREADMEsSayWhatAThingIs(t *testing.T) {
	for text, want := range map[string]string{
		"# Till\n\n```\n<till\n```\n\nCounts the money twice.\n":                                 "Counts the money twice",
		"# Till\n\n<3 to all\n\nCounts the money twice.\n":                                       "Counts the money twice",
		"# Till\n\n<!-- Says what not\n\neverybody reads here. -->\n\nCounts the money twice.\n": "Counts the money twice",
		"# Till\n\n<img\n\nCounts the money twice.\n":                                            "Counts the money twice",
		"Command Line of the Till\n========================\n\nNot all of what lies in the drawer is needed by everybody.\n\nA small drawer reduces the number of coins in it.\n": "Command Line of the Till",
		"![logo](x)\n\n**Go!**\n\nMany shops are built with Till including:\n\n* one\n\n## What is Till?\n\nTill is a drawer that counts. Till is small. Till!\n":                 "Till is a drawer that counts",
		"<img\n  src=\"x.png\"\n  alt=\"Till with coins and notes\"\n/>\n\nCounts the money twice.\n":                                                                             "Counts the money twice",
		"Show your love for Till -- mugs and stickers are here.\n\nTill is a drawer that counts.\n":                                                                               "Till is a drawer that counts",
		"# Till\n\nMoney makes the world go round. It always did.\n\nTill is a drawer that counts.\n":                                                                             "Till is a drawer that counts",
		"# Till\n\nCounts the money twice.\n\nTill is written for small shops.\n":                                                                                                 "Counts the money twice",
		"Till\n====\n\n.. till documentation master file, made by\n   a tool on Sun Feb 13 23:54:25 2011\n\nCounts the money twice.\n":                                            "Counts the money twice",
		"# Till\n\nTill is made available under the terms of its licence.\n\nIt holds coins and notes in order.\n":                                                                "",
	} {
		if got := DescribeFile(FileInput{Path: "till/README.md", Content: []byte(text)}).About; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, remark := range []string{"defined by the build environment", "called from two places here", "Content of conftest.py", `line 1 "till/coins.rl"`, ": targeted at those who write tools", "part of Till", "Generated automatically by a script of the till", "💡 It is easy to use for everybody", "till Framework (", `src="x.png" alt="Till with coins" width="50%" align="right" />`, "10000 iterations, for comparison 2.7.5 3.3.2 Fast 75.1109 69.2116 Slow 0.7383 1.0760"} {
		if got := statement(remark, header, maxRole); got != "" {
			t.Errorf("%q is taken for a description", got)
		}
	}
}

func TestWordsOnSomethingElseDoNotSpeakForTheFile(t *testing.T) {
	for _, c := range []struct {
		name string
		in   FileInput
		want string
	}{
		{"a method every module has", FileInput{Path: "till/coins.go", Language: "Go", Package: "till",
			Content: []byte("package till\n\ntype coins struct{}\n\n// Describe returns what is known of the module.\nfunc (coins) Describe() string { return \"\" }\n\nfunc (coins) Rotate() {}\nfunc (coins) SortByYear() {}\n")},
			"Can rotate, sort by year"},
		{"a function that returns something", FileInput{Path: "till/rest.go", Language: "Go", Package: "till", Exports: []Symbol{{Name: "Rest", Kind: "function", Line: 4}},
			Content: []byte("package till\n\n// Rest returns what is left in the drawer.\nfunc Rest() int { return 0 }\n")},
			"Rest returns what is left in the drawer"},
		{"a deprecated package", FileInput{Path: "till/package-info.java", Language: "Java", Doc: "<strong>Deprecated</strong>: Provides classes that count. See others."}, "Provides classes that count"},
	} {
		if got := DescribeFile(c.in).Purpose; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	late := FileInput{Path: "till/src/lib.rs", Language: "Rust", Doc: "Quick Start", Content: []byte("//! ## Quick Start\n//!\n//! - See the drawer\n//!\n//! A coin is a round piece of metal.\n")}
	if got := DescribeFile(late); got.Rank >= OfReader {
		t.Errorf("a sentence from the middle speaks for the crate: %+v", got)
	}
}

func TestCodeOfUnreadLanguagesIsCode(t *testing.T) {
	in := FileInput{Path: "scripts/rates.pl", Content: []byte("#!/usr/bin/perl\n# Converts the rates of yesterday into those of today.\nuse strict;\n")}
	text := DescribeFile(in)
	if text.Kind != Code || text.Purpose != "Converts the rates of yesterday into those of today" {
		t.Errorf("%+v", text)
	}
	role := DescribeDir(DirInput{Path: "scripts", Name: "scripts", Files: []File{{Name: "rates.pl", Text: text}}}).Role
	if role != "Scripts: converts the rates of yesterday into those of today" {
		t.Error(role)
	}
}

func TestRolesOfTestsAndTheirSamples(t *testing.T) {
	file := func(path, language, content string) File {
		in := FileInput{Path: path, Language: language, Content: []byte(content)}
		return File{Name: path[strings.LastIndexByte(path, '/')+1:], Language: language, Text: DescribeFile(in)}
	}
	for _, c := range []struct {
		in   DirInput
		want string
	}{
		{DirInput{Path: "tests/format/coins", Name: "coins", Files: []File{file("tests/format/coins/format.test.js", "JavaScript", "run(import.meta);\n"),
			file("tests/format/coins/bent.js", "JavaScript", "x\n"), file("tests/format/coins/foreign.js", "JavaScript", "x\n")}},
			"Tests for format, coins, on samples: bent, foreign"},
		{DirInput{Path: "web/mocks", Name: "mocks", Files: []File{file("web/mocks/drawer.ts", "TypeScript", "x\n")}}, "Stand-ins (mocks) for web: 1 ts files on drawer"},
		{DirInput{Path: "docs_src/first_steps", Name: "first_steps", Files: []File{file("docs_src/first_steps/tutorial001.py", "Python", "x\n"), file("docs_src/first_steps/tutorial002.py", "Python", "x\n")}},
			"Example “first steps”: an example in Python"},
	} {
		if got := DescribeDir(c.in).Role; got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.in.Path, got, c.want)
		}
	}
}

func TestADirectoryOfManyKindsIsToldByAll(t *testing.T) {
	in := DirInput{Path: "doc", Name: "doc", Files: []File{{Name: "cast.sh", Language: "Bash", Text: FileText{Kind: Code, Purpose: "Can type", Quality: FromDeeds}},
		{Name: "checklist.md", Text: FileText{Kind: Docs}}, {Name: "logo.png", Text: FileText{Kind: Asset}}, {Name: "till.1", Text: FileText{Kind: Data}}}}
	if got, want := DescribeDir(in).Role, "Doc: documents (checklist), data (till), assets (logo) and code (cast)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	in = DirInput{Path: "db", Name: "db", Files: []File{{Name: "schema.rb", Language: "Ruby", Text: FileText{Kind: Code}}, {Name: "seeds.rb", Language: "Ruby", Text: FileText{Kind: Code}}},
		Children: []Child{{Name: "migrate", Role: "Moves the books"}, {Name: "views", Role: "Shows the books"}, {Name: "dumps", Role: "Keeps the books"}, {Name: "roles", Role: "Who may see the books"}}}
	if got := DescribeDir(in).Role; !strings.HasPrefix(got, "Db, 4 parts: ") {
		t.Error(got)
	}
}

func TestTestsFromAllOverAFileAreNamed(t *testing.T) {
	if got, want := spread(strings.Fields("a b c d e f g h i"), 3), "a; d; g; +6"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTestsOfCAreNamed(t *testing.T) {
	in := FileInput{Path: "tests/till/coins.c", Language: "C", Content: []byte("void test_till_coins__initialize(void)\n{\n}\n\nvoid test_till_coins__are_counted(void)\n{\n}\n")}
	if got, want := DescribeFile(in).Purpose, "Tests of coins: till coins initialize; till coins are counted"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCodeAmongTestsIsCalledHelpOnlyByItsName(t *testing.T) {
	for dir, want := range map[string]string{"tests/ui/clear": "Test code of ui, clear: bent, foreign", "tests/ui/helpers": "Helper code for the tests of ui, helpers: bent, foreign"} {
		in := DirInput{Path: dir, Name: dir[strings.LastIndexByte(dir, '/')+1:]}
		for _, name := range []string{"bent.rs", "foreign.rs"} {
			in.Files = append(in.Files, File{Name: name, Language: "Rust", Text: DescribeFile(FileInput{Path: dir + "/" + name, Language: "Rust", Content: []byte("x\n")})})
		}
		if got := DescribeDir(in).Role; got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

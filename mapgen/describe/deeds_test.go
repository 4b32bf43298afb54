package describe

import (
	"strings"
	"testing"
)

// described is a file of a directory with the text it gets.
func described(in FileInput) File {
	return File{Name: in.Path[strings.LastIndexByte(in.Path, '/')+1:], Language: in.Language, Text: DescribeFile(in), Exports: in.Exports}
}

func TestATypeWithoutACommentIsToldByWhatItDoes(t *testing.T) {
	methods := func(owner string, names ...string) (out []Member) {
		for _, n := range names {
			out = append(out, Member{Name: n, Owner: owner, Kind: "method"})
		}
		return out
	}
	for _, c := range []struct {
		name string
		in   FileInput
		want string
	}{
		{"a class with a base", FileInput{Path: "src/FaxOrder.php", Language: "PHP", Exports: []Symbol{{Name: "FaxOrder", Kind: "class", Bases: []string{`Shop\Order`}}},
			Members: methods("FaxOrder", "__construct", "getNumber", "sendPages")}, "FaxOrder, an Order: can get number, send pages"},
		{"a class that offers things", FileInput{Path: "src/fax_order.rb", Language: "Ruby", Exports: []Symbol{{Name: "FaxOrder", Kind: "class"}},
			Members: methods("FaxOrder", "pages", "to_s", "number")}, "FaxOrder: offers pages, number"},
		{"fields alone", FileInput{Path: "src/Fax.cs", Language: "C#", Exports: []Symbol{{Name: "Fax", Kind: "class"}},
			Members: []Member{{"Number", "Fax", "property"}, {"Pages", "Fax", "property"}}}, "Fax: holds number, pages"},
		{"an inner class", FileInput{Path: "lib/line_cutter.rb", Language: "Ruby", Exports: []Symbol{{Name: "Printer", Kind: "class"}},
			Members: append([]Member{{"LineCutter", "Printer", "class"}}, methods("Printer.LineCutter", "cut_lines", "join")...)}, "LineCutter: can cut lines, join"},
		{"methods seen by the line", FileInput{Path: "src/LineCutter.kt", Language: "Kotlin", Exports: []Symbol{{Name: "LineCutter", Kind: "class"}},
			Content: []byte("class LineCutter {\n  override fun cutLines(n: Int) {}\n  private suspend fun sendAll() {}\n}\n")}, "LineCutter: can cut lines, send all"},
		{"too many types", FileInput{Path: "src/orders.ts", Language: "TypeScript", Exports: []Symbol{{Name: "Fax", Kind: "class"}, {Name: "Mail", Kind: "class"}, {Name: "Call", Kind: "class"}},
			Members: methods("Fax", "sendPages")}, "Orders: types Fax, Mail, Call"},
		{"nothing exported", FileInput{Path: "src/LineCutter.cs", Language: "C#",
			Content: []byte("namespace A;\ninternal sealed class LineCutter\n{\n}\ninternal class Other {}\n")}, "Types LineCutter"},
		{"a comment counts more", FileInput{Path: "src/fax.ts", Language: "TypeScript", Exports: []Symbol{{Name: "Fax", Kind: "class", Line: 2}},
			Members: methods("Fax", "sendPages"), Content: []byte("/** Sends pages over a telephone line. */\nclass Fax {}\n")}, "Fax: sends pages over a telephone line"},
	} {
		if got := DescribeFile(c.in).Purpose; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestADirectoryIsToldByTheDeedsOfItsFiles(t *testing.T) {
	fax := described(FileInput{Path: "src/Fax/FaxOrder.php", Language: "PHP", Exports: []Symbol{{Name: "FaxOrder", Kind: "class", Bases: []string{"Order"}}},
		Members: []Member{{"sendPages", "FaxOrder", "method"}}})
	client := described(FileInput{Path: "docs/code/echo/main.c", Language: "C", Content: []byte("#include <wire.h>\nstatic void on_line(void) { wire_close(0); }\nint main(void) {\n  wire_open_line(1);\n  wire_send_text(\"x\");\n  wire_run(0);\n  printf(\"Waiting for the other side\\n\");\n}\n")})
	for _, c := range []struct {
		name string
		in   DirInput
		want string
	}{
		{"one class", DirInput{Path: "src/Fax", Name: "Fax", Files: []File{fax}}, "Fax: FaxOrder, an Order: can send pages"},
		{"an example program", DirInput{Path: "docs/code/echo", Name: "echo", Files: []File{client}}, "Example “echo” (docs): calls open line, send text; prints “Waiting for the other side”"},
		{"a sample of a language", DirInput{Path: "tests/syntax-tests/source/Swift", Name: "Swift", Files: []File{
			described(FileInput{Path: "tests/syntax-tests/source/Swift/test.swift", Language: "Swift", Content: []byte("let x = 1\n")})}},
			"Sample Swift code for the tests of syntax tests, source"},
		{"a side of a case", DirInput{Path: "tests/suite/cart_add/twice/in/src", Name: "src", Files: []File{
			{Name: "lib.rs", Language: "Rust", Note: "empty", Text: FileText{Kind: Test}}}},
			"Empty sample Rust code for the tests of suite, cart add, twice (as it is before)"},
		{"settings of a case", DirInput{Path: "test/reload_case/config", Name: "config", Files: []File{
			described(FileInput{Path: "test/reload_case/config/server.rb", Language: "Ruby", Content: []byte("port 80\n")})}},
			"Sample settings for the tests of reload case: server"},
		{"a helper with a comment", DirInput{Path: "tests/support", Name: "support", Files: []File{
			described(FileInput{Path: "tests/support/EchoLine.cs", Language: "C#", Exports: []Symbol{{Name: "EchoLine", Kind: "class", Line: 2}},
				Content: []byte("// Answers as a telephone line would.\npublic class EchoLine {}\n")})}},
			"Helper code for the tests of support: EchoLine: answers as a telephone line would"},
		{"tests in parts", DirInput{Path: "tests/suite", Name: "suite", Files: []File{{Name: "main.rs", Language: "Rust", Text: FileText{Kind: Test, Purpose: testSupport + "main"}}},
			Children: []Child{{Name: "cart_add"}, {Name: "cart_drop"}}}, "Tests for suite, in 2 parts: cart add, cart drop"},
		{"an example with addresses", DirInput{Path: "examples/login", Name: "login", Files: []File{
			described(FileInput{Path: "examples/login/index.js", Language: "JavaScript", Exports: []Symbol{{Name: "default", Kind: "variable"}},
				Content: []byte("var app = module.exports = serve()\n// Compares what came with what is stored\nfunction x() {}\napp.get('/in', f)\napp.post('/out', f)\n")})}},
			"Example “login”: answers /in, /out"},
		{"errors", DirInput{Path: "src/Exception", Name: "Exception", Files: []File{
			described(FileInput{Path: "src/Exception/All.php", Language: "PHP", Exports: []Symbol{{Name: "LineBusyException", Kind: "class"}, {Name: "NoPaperException", Kind: "class"}, {Name: "WrongNumberException", Kind: "class"}}})}},
			"Exception: errors: line busy, no paper, wrong number"},
	} {
		if got := DescribeDir(c.in).Role; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNativeCodeIsToldBySubjectsAndPlainNames(t *testing.T) {
	var many []File
	for _, stem := range []string{"fax_lines", "fax_pages", "fax_queue", "fax_retry", "fax_codec", "fax_modem", "fax_store", "fax_timer", "fax_spool", "fax_route", "fax_cards"} {
		many = append(many, described(FileInput{Path: "src/" + stem + ".c", Language: "C", Exports: []Symbol{{Name: "dword", Kind: "type"}, {Name: "NULL_FAX", Kind: "macro"}, {Name: stem + "_open", Kind: "function"}}}))
	}
	few := described(FileInput{Path: "deps/modem/modem.c", Language: "C", Exports: []Symbol{{Name: "singleton", Kind: "struct"}, {Name: "modem_state", Kind: "struct"},
		{Name: "modem_open_line", Kind: "function"}, {Name: "modem_send", Kind: "function"}, {Name: "modem_speed", Kind: "function"}}})
	for _, c := range []struct {
		name string
		in   DirInput
		want string
	}{
		{"wide", DirInput{Path: "deps/phone/core", Name: "core", Files: many},
			"Phone core: code for lines, pages, queue, retry, codec, modem, store, timer, spool and cards in C"},
		{"few", DirInput{Path: "deps/modem", Name: "modem", Files: []File{few}}, "Modem: defines modem_state; can open line, send; offers speed"},
	} {
		if got := DescribeDir(c.in).Role; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTheCommentOnOneOfManyTypesDoesNotSpeakForTheFile(t *testing.T) {
	in := FileInput{Path: "src/phone.cs", Language: "C#", Content: []byte("// Result of one call to another phone\nclass Reply {}\n"), Exports: []Symbol{{Name: "Reply", Kind: "class", Line: 2}}}
	if got := DescribeFile(in); got.Quality != FromSubject {
		t.Errorf("alone: %+v", got)
	}
	for _, name := range []string{"Line", "Dial", "Tone", "Ring", "Plug"} {
		in.Exports = append(in.Exports, Symbol{Name: name, Kind: "class"})
	}
	if got := DescribeFile(in); got.Quality != FromInside {
		t.Errorf("one of many: %+v", got)
	}
}

package describe

import "testing"

func TestAStatementSaysWhatItsSubjectIsFor(t *testing.T) {
	for _, c := range []struct {
		text string
		from trust
		want string
	}{
		{"This file implements the log of all changes. It is long.", header, "Implements the log of all changes"},
		{"This module is a small parser for sizes.", ownWords, "Small parser for sizes"},
		{"size.c - Conversion of sizes to text", header, "Conversion of sizes to text"},
		{"These are simple checks for the parser.", frontPage, "Simple checks for the parser"},
		{"Garbage Collector", header, "Garbage Collector"},
		{"DESCRIPTION Builds the pages of the manual.", ownWords, "Builds the pages of the manual"},
		{"Note that it is slow. Reads sizes from text.", ownWords, "Reads sizes from text"},
		{"Note that it is slow. Reads sizes from text.", aboveOne, ""},
		{"Deals with a detail of the handshake: we need to wait for it.", ownWords, "Deals with a detail of the handshake"},
		{"We wrote this to learn how parsers work.", frontPage, ""},
		{"I made this a long time ago.", frontPage, ""},
		{"Fast I/O for files and sockets.", ownWords, "Fast I/O for files and sockets"},
		{"The list holds elements that are a low-budget imitation of the", aboveOne, ""},
		{"re-enable the warning about sizes", somewhere, ""},
		{"keep in sync with the other table", aboveOne, ""},
		{"const x = parse(input); x.run()", somewhere, ""},
		{"This crate is maintained by the team, for use by others. Support code for paths.", ownWords, "Support code for paths"},
		{"Regenerate all files by running the script.", frontPage, ""},
		{"MSVC doesn't define this function", header, ""},
		{"TODO: write what this package does", ownWords, ""},
		{"Reads sizes of files as specified in https://example.org/sizes.", ownWords, "Reads sizes of files"},
		{"Cap", somewhere, ""},
		{"Made in spring by @somebody", frontPage, ""},
		{"Ann Writer (AW)", header, ""},
		{"The manual's build configuration file, written by a tool in 1999.", ownWords, ""},
		{"Ask it with GET /size/100, where is the number of", header, ""},
		{"Running the checks", frontPage, ""},
		{"Made from revision 0123456789abcdef0123. Cuts lines of text.", header, "Cuts lines of text"},
		{"LAST /* never read; the length of the list", aboveOne, ""},
	} {
		if got := statement(c.text, c.from, maxRole); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAFileIsDescribedByItsHeader(t *testing.T) {
	for _, c := range []struct{ name, language, content, want string }{
		{"licence first", "C", "/*\n * Copyright (c) 2026 Somebody\n * All rights reserved.\n */\n\n#include <a.h>\n\n/* Ring buffer for log lines.\n *\n * Details follow. */\n\nint x;\n", "Ring buffer for log lines"},
		{"in the licence's comment", "C", "/* Ring buffer for log lines.\n *\n * Copyright (c) 2026 Somebody\n */\n#include <a.h>\nint x;\n", "Ring buffer for log lines"},
		{"about the first symbol", "TypeScript", "import x from 'x';\n\n// Adds two to what it gets.\nfunction two() {}\n", ""},
		{"a module of Rust", "Rust", "//! > This crate is maintained by the team.\n//!\n//! Paths of files as text.\nfn x() {}\n", "Paths of files as text"},
		{"a script", "Bash", "#!/bin/sh\n# Builds all pages of the manual.\n\nset -e\nmake\n", "Builds all pages of the manual"},
		{"a guard", "C", "#ifndef SIZE_H\n#define SIZE_H\n\n/* Sizes and their units. */\n\nint x;\n#endif\n", "Sizes and their units"},
		{"a macro", "C", "#include <a.h>\n/* Values that the poll returns */\n#define DONE 1\n", ""},
		{"its name only", "C", "/* ring_buffer.c */\n\nint x;\n", ""},
	} {
		if got := headerStatement(FileInput{Path: "a/ring_buffer.c", Language: c.language, Content: []byte(c.content)}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

package describe

import (
	"strings"
	"testing"
)

func TestFilesAreDescribedByTheirOwnWords(t *testing.T) {
	for _, c := range []struct {
		in   FileInput
		want string
	}{
		{FileInput{Path: "a/parse.go", Language: "Go", Package: "a", Doc: "Package a reads sizes. It is small."}, "Reads sizes"},
		{FileInput{Path: "size.py", Language: "Python", Doc: "Turns text into sizes, e.g. 10k.  More here."}, "Turns text into sizes, e.g. 10k"},
		{FileInput{Path: "a/cart.ts", Language: "TypeScript", Exports: []Symbol{{Name: "CartError", Kind: "class", Line: 2}, {Name: "Cart", Kind: "class", Line: 5}},
			Content: []byte("/** Thrown when it fails badly. */\nclass CartError {}\n\n/** Holds articles until they are paid. */\nclass Cart {}\n")}, "Cart: holds articles until they are paid"},
		{FileInput{Path: "tool.rb", Language: "Ruby", Exports: []Symbol{{Name: "Runner", Kind: "class", Line: 2}}, Content: []byte("# Copyright 2026 Somebody\nclass Runner\nend\n")}, "Tool: types Runner"},
		{FileInput{Path: "src/Cart.php", Language: "PHP", Doc: "This file is part of the Shop package.", Exports: []Symbol{{Name: "Cart", Kind: "class", Line: 9}},
			Content: []byte("<?php declare(strict_types=1);\n\n/*\n * This file is part of the Shop package.\n */\n\nnamespace Shop;\n\nclass Cart {}\n")}, "Cart: types Cart"},
		{FileInput{Path: "page/route.ts", Language: "TypeScript", Exports: []Symbol{{Name: "GET", Kind: "function", Line: 2}},
			Content: []byte("// import fs from \"node:fs\";\nexport function GET() {}\n")}, "Route: functions GET"},
		{FileInput{Path: "a/cart_test.go", Language: "Go", Content: []byte("func TestEmptyCart(t *testing.T) {}\nfunc TestHTTPServerStops(t *testing.T) {}\n")}, "Tests of cart: empty cart; HTTP server stops"},
		{FileInput{Path: "a/cart.spec.ts", Language: "TypeScript", Content: []byte("describe('cart', () => { it('adds up', () => {}) })")}, "Tests of cart: cart; adds up"},
		{FileInput{Path: "tests/test_cart.py", Language: "Python", Content: []byte("def test_adds_up():\n    pass\n")}, "Tests of cart: adds up"},
		{FileInput{Path: "go.mod", Content: []byte("module example.com/x\n\ngo 1.24\n")}, "Go module example.com/x, Go 1.24, and what it needs"},
		{FileInput{Path: "README.md", Content: []byte("[![badge](x)](y)\n# Thing\n\n<p>\n\nA *small* [tool](http://x) that counts. And more.\n")}, "Introduction: A small tool that counts"},
		{FileInput{Path: "docs/use.rst", Content: []byte("Using it\n========\n\nStart it and wait for the end.\n")}, "Using it: Start it and wait for the end"},
		{FileInput{Path: "Makefile", Content: []byte("all: build\nbuild:\n\tgo build\ntest: all\nX := 1\n")}, "Build targets: all, build, test"},
		{FileInput{Path: "Dockerfile", Content: []byte("FROM debian:12 AS x\n")}, "Container image on debian:12"},
		{FileInput{Path: "db/001_init.sql", Content: []byte("CREATE TABLE users (id int);\n")}, "001 init, SQL on users"},
		{FileInput{Path: "LICENSE", Content: []byte("MIT License\n\nCopyright")}, "Terms of use: MIT License"},
		{FileInput{Path: ".github/workflows/ci.yml", Content: []byte("name: Check all\non: push\n")}, "CI workflow: Check all"},
		{FileInput{Path: "img/logo.svg", Content: []byte("<svg/>")}, "Logo (vector image)"},
		{FileInput{Path: "vite.config.ts", Language: "TypeScript"}, "Settings of vite"},
	} {
		if got := DescribeFile(c.in).Purpose; got != c.want {
			t.Errorf("%s: %q, want %q", c.in.Path, got, c.want)
		}
	}
}

func TestDirectoriesAreDescribedByWhatTheyHold(t *testing.T) {
	file := func(in FileInput) File {
		return File{Name: in.Path[strings.LastIndexByte(in.Path, '/')+1:], Language: in.Language, Text: DescribeFile(in), Exports: in.Exports}
	}
	for _, c := range []struct {
		name string
		in   DirInput
		want string
	}{
		{"a package comment", DirInput{Path: "cart", Name: "cart", Files: []File{
			file(FileInput{Path: "cart/README.md", Content: []byte("# X\n\nWords of another kind entirely.\n")}),
			file(FileInput{Path: "cart/cart.go", Language: "Go", Package: "cart", Doc: "Package cart holds what a customer wants."})}}, "Holds what a customer wants"},
		{"an inner package", DirInput{Path: "internal/cart", Name: "cart", Files: []File{
			file(FileInput{Path: "internal/cart/cart.go", Language: "Go", Package: "cart", Doc: "Package cart holds what a customer wants."})}}, "Holds what a customer wants (internal to the project)"},
		{"types", DirInput{Path: "src/cart", Name: "cart", Files: []File{
			file(FileInput{Path: "src/cart/a.ts", Language: "TypeScript", Exports: []Symbol{{Name: "Cart", Kind: "class"}, {Name: "addLine", Kind: "function"}}})}}, "Cart: defines Cart; can add line"},
		{"tests", DirInput{Path: "tests/cart", Name: "cart", Files: []File{
			file(FileInput{Path: "tests/cart/test_sum.py", Language: "Python", Content: []byte("def test_adds_up(): pass\n")})}}, "Tests for cart: sum: adds up"},
		{"test data", DirInput{Path: "cart/testdata", Name: "testdata", Files: []File{
			file(FileInput{Path: "cart/testdata/broken_header.txt"}), file(FileInput{Path: "cart/testdata/broken_body.txt"})}},
			"Test data for cart: 2 txt files on broken, body, header"},
		{"a group", DirInput{Path: "pkg", Name: "pkg", Children: []Child{{Name: "cart", Role: "Holds articles"}, {Name: "price", Role: "Adds up"}}},
			"Pkg, 2 parts: cart (holds articles); price (adds up)"},
	} {
		if got := DescribeDir(c.in).Role; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzDescribeFile(f *testing.F) {
	f.Add("a/README.md", "", "# T\n\n```\nx\n", 1)
	f.Add("x.py", "Python", "\"\"\"doc", 1)
	f.Add("x.py", "Python", "0", -16)
	f.Add("a.ts", "TypeScript", "/** @x */\nexport", 2)
	f.Add("package.json", "", "{\"description\": \"\xff\"}", 0)
	f.Add(strings.Repeat("3", 250)+"/"+strings.Repeat("a", 250), "Rust", "0", 154)
	f.Fuzz(func(t *testing.T, path, language, content string, line int) {
		if path == "" || strings.HasSuffix(path, "/") {
			return
		}
		text := DescribeFile(FileInput{Path: path, Language: language, Doc: content, Content: []byte(content), Exports: []Symbol{{Name: "x", Kind: "class", Line: line}}})
		if len(text.Purpose) > maxPurpose+3 || strings.ContainsAny(text.Purpose, "\n\r") && !strings.ContainsAny(path+content, "\n\r") {
			t.Errorf("purpose %q", text.Purpose)
		}
		dir := DescribeDir(DirInput{Path: path, Name: path, Files: []File{{Name: path, Language: language, Text: text}}})
		if len(dir.Role) > maxRole+3 {
			t.Errorf("role %q", dir.Role)
		}
	})
}

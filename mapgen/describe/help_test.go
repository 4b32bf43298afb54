package describe

import "testing"

func TestAProgramIsDescribedByItsHelp(t *testing.T) {
	for _, c := range []struct{ path, language, content, want string }{
		{"tools/sizes.py", "Python", "import argparse\np = argparse.ArgumentParser(description='Prints the sizes of files.')\nif __name__ == '__main__':\n    p.parse_args()\n", "Prints the sizes of files"},
		{"cmd/size/main.go", "Go", "package main\n\nvar root = cobra.Command{\n\tUse: \"size\",\n\tShort: \"Prints the sizes of files\",\n}\n\nfunc main() {}\n", "Prints the sizes of files"},
		{"cmd/size/main.go", "Go", "package main\n\nfunc main() {\n\tprint(`Usage: size [options] file...\n\nPrints the sizes of files, one a line.`)\n}\n", "Prints the sizes of files, one a line"},
		{"size.rb", "Ruby", "class Size < Formula\n  desc \"Prints the sizes of files\"\nend\n", "Prints the sizes of files"},
		{"app/index.js", "JavaScript", "var app = require('x')();\napp.get('/', hello);\napp.post('/sizes', add);\n", "Index: answers /, /sizes"},
		{"app.py", "Python", "@app.route('/sizes')\ndef sizes():\n    pass\n", "App: answers /sizes"},
	} {
		if got := DescribeFile(FileInput{Path: c.path, Language: c.language, Package: "main", Content: []byte(c.content)}).Purpose; got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

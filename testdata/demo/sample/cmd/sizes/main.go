// Command sizes says what takes the room in a directory.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/sizes/report"
	"example.com/sizes/tally"
)

const (
	fine     = 0
	problems = 1
	misused  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("sizes", flag.ContinueOnError)
	flags.SetOutput(stderr)
	least := flags.String("least", "", "leave out what is smaller than this `size`")
	skip := flags.String("skip", "", "leave out these `names` at any depth, separated by commas")
	asJSON := flags.Bool("json", false, "print JSON in place of the table")
	if err := flags.Parse(args); err != nil {
		return misused
	}
	if flags.NArg() > 1 {
		return fail(stderr, misused, "one directory at a time, not %d", flags.NArg())
	}
	filter, err := tally.NewFilter(*least, strings.Split(*skip, ",")...)
	if err != nil {
		return fail(stderr, misused, "%v", err)
	}

	root := flags.Arg(0)
	if root == "" {
		root = "."
	}
	code := fine
	entries, err := tally.Children(os.DirFS(root), filter)
	if err != nil {
		code = fail(stderr, problems, "reading %s: %v", root, err)
	}
	rows := make([]report.Row, 0, len(entries))
	for _, entry := range entries {
		rows = append(rows, report.Row(entry))
	}
	print := report.Table
	if *asJSON {
		print = report.JSON
	}
	if err := print(stdout, rows); err != nil {
		return fail(stderr, problems, "writing the report: %v", err)
	}
	return code
}

func fail(stderr io.Writer, code int, format string, args ...any) int {
	fmt.Fprintf(stderr, "sizes: "+format+"\n", args...)
	return code
}

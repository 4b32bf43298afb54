// Growbench is a terminal workbench for people who run coding agents in
// pipelines.
package main

import (
	"embed"
	"io/fs"
	"os"

	"growbench/ui/cli"
)

// The sample is data: nothing in the program knows what it contains.
//
//go:embed all:testdata/demo
var embedded embed.FS

func main() {
	demo, err := fs.Sub(embedded, "testdata/demo")
	if err != nil {
		panic(err)
	}
	os.Exit(cli.Main(os.Args[1:], &cli.App{IO: cli.Std(), Demo: demo}))
}

// Command workbench measures the real program in a pseudo terminal, and tries
// to break it there. testdata/bench/workbench.sh and stress.sh start it.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "agent" {
		agent(os.Args[2:])
		return
	}
	program := flag.String("program", "", "the growbench to look at")
	work := flag.String("work", "", "an empty folder to work in")
	seconds := flag.Int("seconds", 60, "how long each rate is measured, or the stress lasts")
	seed := flag.Uint64("seed", 1, "of the stress")
	stressed := flag.Bool("stress", false, "random keys and sizes in place of measuring")
	limit := flag.Int64("memory", 120, "with -stress: megabytes the program may take")
	only := flag.String("only", "", "measure this alone: idle, stream, long, resume")
	flag.Parse()
	var err error
	if *stressed {
		err = stress(*program, *work, *seconds, *seed, *limit)
	} else {
		err = measure(*program, *work, *seconds, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

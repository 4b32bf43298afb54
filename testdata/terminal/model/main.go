// Command model is a model server for the driven sessions: to its n-th question
// it gives the answer on the n-th line of a file, which may grow meanwhile. Once
// it listens, its URL is in another file.
//
//	model -answers FILE -address FILE
//
// A line is JSON: {"text":…,"thinking":…,"calls":[{"name":…,"arguments":{…}}],"hold":true}.
// Held answers never end.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	"growbench/testdata/ollama/ollamatest"
)

func main() {
	answers := flag.String("answers", "", "file of the answers, one a line")
	address := flag.String("address", "", "file that the server's URL is written to")
	flag.Parse()
	if err := serve(*answers, *address); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(answers, address string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	script, n := ollamatest.NewScript(), 0
	script.Reacts(func(ollamatest.Asked) ollamatest.Answer { // one at a time
		n++
		return answer(answers, n)
	})
	// Whoever waits for the file finds it whole.
	if err := os.WriteFile(address+".new", []byte("http://"+l.Addr().String()), 0o600); err != nil {
		return err
	}
	if err := os.Rename(address+".new", address); err != nil {
		return err
	}
	return http.Serve(l, script)
}

// answer is what the n-th line says; what is wrong with it is the answer.
func answer(file string, n int) (a ollamatest.Answer) {
	text, err := os.ReadFile(file)
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if err == nil && n > len(lines) {
		err = fmt.Errorf("%s has no line %d", file, n)
	}
	if err == nil {
		err = json.Unmarshal(lines[n-1], &a)
	}
	if err != nil {
		a = ollamatest.Answer{Text: "THE SCRIPT: " + err.Error()}
	}
	return a
}

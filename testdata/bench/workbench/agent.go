package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// manyCalls is how many tool calls the agent of the long run makes; each is two
// events.
const manyCalls = 50_000

// rate is how many lines a second the streaming agent prints.
const rate = 200

// agent is a Worker's program: it is told nothing and works until it is ended.
func agent(kind string) {
	out := bufio.NewWriter(os.Stdout)
	switch kind {
	case "stream":
		began := time.Now()
		for i := 0; ; i++ {
			time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / rate)))
			fmt.Fprintf(out, "line %d %s\n", i, strings.Repeat("some words of an agent ", i%4))
			out.Flush()
		}
	case "calls":
		say := func(v any) { _ = json.NewEncoder(out).Encode(v) }
		type part = map[string]any
		message := func(kind string, p part, id int) part {
			return part{"type": kind, "message": part{"id": fmt.Sprint("m", id), "role": kind, "content": []any{p}}}
		}
		for i := range manyCalls {
			id := fmt.Sprint("call-", i)
			say(message("assistant", part{"type": "tool_use", "id": id, "name": "read_file", "input": part{"path": fmt.Sprintf("part/file%d.go", i)}}, i/100))
			say(message("user", part{"type": "tool_result", "tool_use_id": id, "content": fmt.Sprintf("line %d of it", i)}, i))
		}
	default:
		fmt.Fprintln(out, "line 0 and nothing after it")
	}
	out.Flush()
	select {}
}

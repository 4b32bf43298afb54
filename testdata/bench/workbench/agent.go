package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"
)

// manyCalls is how many tool calls the agent of the long run makes; each is two
// events.
const manyCalls = 50_000

// rate is how many lines a second the streaming agent prints.
const rate = 200

// agent is a Worker's program: it is told nothing and works until it is ended.
// Only what prints some lines for another agent ends by itself.
func agent(args []string) {
	out := bufio.NewWriter(os.Stdout)
	lines := func(from, to, rate int) {
		began := time.Now()
		for i := from; i != to; i++ {
			time.Sleep(time.Until(began.Add(time.Duration(i-from) * time.Second / time.Duration(rate))))
			fmt.Fprint(out, said(i))
			out.Flush()
		}
	}
	switch args[0] {
	case "stream":
		lines(0, -1, rate)
	case "print":
		from, _ := strconv.Atoi(args[1])
		count, _ := strconv.Atoi(args[2])
		lines(from, from+count, rate*5/4)
		return
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

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/engine/event"
)

// The screen that everything is measured on.
const width, height = 160, 48

// complete tells that the whole screen of a run's Worker has come.
func complete(s string) bool {
	return strings.Contains(s, "transcript of Worker 1") && strings.Contains(s, "line ") && strings.Contains(s, "? help")
}

func row(what, goal, format string, args ...any) {
	fmt.Printf("| %s | %s | %s |\n", what, goal, fmt.Sprintf(format, args...))
}

// measure prints one line of a table for each figure.
func measure(program, work string, seconds int, only string) error {
	p, err := makePlace(work, program, 10_000)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		do   func(*place, int) error
	}{{"idle", idle}, {"stream", stream}, {"long", long}, {"resume", resume}} {
		if only == "" || only == part.name {
			if err := part.do(p, seconds); err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
		}
	}
	return nil
}

// idle is a run whose agent says nothing any more.
func idle(p *place, seconds int) error {
	r, err := p.begin("quiet")
	if err != nil {
		return err
	}
	defer r.stop()
	if err := r.until("the agent's line", func() bool { _, lines, err := r.whole(); return err == nil && lines == 1 }); err != nil {
		return err
	}
	var firsts []time.Duration
	for range 5 {
		c, err := r.attach(width, height, "attach")
		if err != nil {
			return err
		}
		came, err := c.until(complete)
		if err != nil {
			return err
		}
		firsts = append(firsts, came.Sub(c.started))
		if err := c.close(); err != nil {
			return err
		}
	}
	slices.Sort(firsts)
	row("first full paint, 10k files, from the start of `attach`; median and longest of 5", "≤ 100 ms", "%s, %s", ms(firsts[2]), ms(firsts[4]))
	var again []time.Duration
	for range 5 {
		took, err := r.hangUp()
		if err != nil {
			return err
		}
		again = append(again, took)
	}
	slices.Sort(again)
	row("`attach` after the terminal was closed under the workbench; median and longest of 5", "≤ 300 ms", "%s, %s", ms(again[2]), ms(again[4]))

	c, err := r.attach(width, height, "attach")
	if err != nil {
		return err
	}
	if _, err := c.until(complete); err != nil {
		return err
	}
	time.Sleep(5 * time.Second)
	rates(c, seconds, "idle: a run on screen, but quiet", "≤ 0.8% of a core")
	if err := keys(c, "key to screen, idle"); err != nil {
		return err
	}
	return c.close()
}

// hangUp closes a terminal and tells how long it takes in the next one until the
// run, which went on, is there again.
func (r *run) hangUp() (time.Duration, error) {
	c, err := r.attach(width, height, "attach")
	if err != nil {
		return 0, err
	}
	if _, err := c.until(complete); err != nil {
		return 0, err
	}
	_ = c.master.Close()
	_ = c.cmd.Wait()
	if c, err = r.attach(width, height, "attach"); err != nil {
		return 0, err
	}
	came, err := c.until(complete)
	if err != nil {
		return 0, err
	}
	return came.Sub(c.started), c.close()
}

// rates prints what the program uses while nobody touches it.
func rates(c *console, seconds int, what, goal string) {
	cpu, began := c.cpu(), time.Now()
	bytes, paints := c.counts()
	time.Sleep(time.Duration(seconds) * time.Second)
	used, took := c.cpu()-cpu, time.Since(began).Seconds()
	bytes2, paints2 := c.counts()
	row(what, goal, "%.2f%%, %.1f paints/s, %.0f B/s, over %.0f s", 100*used.Seconds()/took,
		float64(paints2-paints)/took, float64(bytes2-bytes)/took, took)
}

// keys presses a key that changes the screen at once, at random moments.
func keys(c *console, what string) error {
	const times = 200
	r := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	const help = "─ keys ─"
	for i := range times {
		time.Sleep(time.Duration(20+r.IntN(200)) * time.Millisecond)
		want := has(help)
		if i%2 == 1 {
			want = hasNot(help)
		}
		pressed := time.Now()
		if err := c.press("?"); err != nil {
			return err
		}
		came, err := c.until(want)
		if err != nil {
			return err
		}
		took = append(took, came.Sub(pressed))
	}
	slices.Sort(took)
	row(what, "≤ 50 ms at p99", "p50 %s, p99 %s, longest %s of %d", ms(took[times/2]), ms(took[times*99/100-1]), ms(took[times-1]), times)
	return nil
}

// stream is a run whose agent prints 200 lines a second.
func stream(p *place, seconds int) error {
	r, err := p.begin("stream")
	if err != nil {
		return err
	}
	defer r.stop()
	c, err := r.attach(width, height, "attach")
	if err != nil {
		return err
	}
	if _, err := c.until(complete); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	before, err := r.spoken()
	if err != nil {
		return err
	}
	began := time.Now()
	rates(c, seconds, fmt.Sprintf("%d lines a second streaming, 3 columns", rate), "≤ 8% of a core, ≤ 15 paints/s")
	took := time.Since(began).Seconds()
	after, err := r.spoken()
	if err != nil {
		return err
	}
	lines := strings.Count(after, "\n") - strings.Count(before, "\n")
	if err := keys(c, "key to screen, under that stream"); err != nil {
		return err
	}
	r.stop()
	if _, err := c.until(has("stopped")); err != nil {
		return err
	}
	events, all, err := r.whole()
	if err != nil {
		return fmt.Errorf("something was lost: %w", err)
	}
	row("of that stream", "nothing lost", "%.0f lines/s came; all %d lines and %d events are in the log", float64(lines)/took, all, events)
	return c.close()
}

// long is a run with a transcript of a million lines, gone through.
func long(p *place, _ int) error {
	r, err := p.begin("quiet")
	if err != nil {
		return err
	}
	defer r.stop()
	if err := r.until("the agent's line", func() bool { _, lines, err := r.whole(); return err == nil && lines == 1 }); err != nil {
		return err
	}
	r.stop()
	const lines = 1_000_000
	if err := write(r.transcript(), lines); err != nil {
		return err
	}
	c, err := r.attach(width, height, "attach")
	if err != nil {
		return err
	}
	came, err := c.until(has(fmt.Sprint("line ", lines-1)))
	if err != nil {
		return err
	}
	opened := came.Sub(c.started)
	if err := c.press("2g"); err != nil {
		return err
	}
	if _, err := c.until(has("line 0 ")); err != nil {
		return err
	}
	for range 300 {
		if err := c.press("\x1b[6~"); err != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := c.press("/line 99999\r"); err != nil {
		return err
	}
	if _, err := c.until(has("/11 ")); err != nil {
		return err
	}
	if err := c.press("\x1b[27uG"); err != nil {
		return err
	}
	if _, err := c.until(has(fmt.Sprint("line ", lines-1))); err != nil {
		return err
	}
	row("memory, 1M transcript lines: opened, paged, searched, back to the end", "≤ 120 MB", "%d MB at most (VmHWM), %d MB at the end (VmRSS)",
		c.memory("VmHWM")>>20, c.memory("VmRSS")>>20)
	row("the same, from the start of `attach` to the last of its lines", "", "%s", ms(opened))
	return c.close()
}

// write makes a transcript of that many lines.
func write(path string, lines int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	enc := json.NewEncoder(w)
	for i := range lines {
		if err := enc.Encode(event.Item{Kind: event.ItemText, Turn: 1, Text: said(i)}); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// resume is a run of a hundred thousand events that is gone on with.
func resume(p *place, _ int) error {
	r, err := p.begin("calls")
	if err != nil {
		return err
	}
	defer r.stop()
	last := fmt.Sprintf("line %d of it", manyCalls-1)
	if err := r.until("the last call", func() bool { return endsWith(r.transcript(), last) }); err != nil {
		return err
	}
	r.stop()
	all, _, err := event.Read(r.at + "/events.jsonl")
	if err != nil {
		return err
	}
	log := filepath.Join(r.at, "events.jsonl")
	kept, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	has := func(words ...string) func(string) bool {
		return func(s string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(s, w) })
		}
	}
	const times = 5
	for _, look := range []struct {
		verb   string
		usable func(string) bool
	}{
		{"attach", has("Worker 1", "print lines", "? help")}, {"watch", has("Worker 1", "print lines", "? help")},
		{"replay", has("event 1 of", "? help")}, {"resume", has("Worker 1", "print lines", "? help")},
	} {
		var took, begun []time.Duration
		for range times {
			c, err := r.attach(width, height, look.verb)
			if err != nil {
				return err
			}
			came, err := c.until(look.usable)
			if err != nil {
				return err
			}
			took = append(took, came.Sub(c.started))
			if look.verb == "resume" {
				if came, err = c.until(has("Worker 1 of 1 at work")); err != nil {
					return err
				}
				begun = append(begun, came.Sub(c.started))
			}
			if err := c.close(); err != nil {
				return err
			}
			r.stop()
			if err := os.WriteFile(log, kept, 0o600); err != nil {
				return err
			}
		}
		slices.Sort(took)
		words := fmt.Sprintf("%s, %s", ms(took[times/2]), ms(took[times-1]))
		if len(begun) > 0 {
			slices.Sort(begun)
			words += fmt.Sprintf("; its owner at work after %s, %s", ms(begun[times/2]), ms(begun[times-1]))
		}
		row(fmt.Sprintf("`%s` of a run with %d events, to a usable screen; median and longest of %d", look.verb, len(all), times), "≤ 300 ms", "%s", words)
	}
	var took []time.Duration
	for range times {
		began := time.Now()
		if _, err := r.place.growbench("show", r.name); err != nil {
			return err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	row(fmt.Sprintf("`show` of the same; median and longest of %d", times), "≤ 300 ms", "%s, %s", ms(took[times/2]), ms(took[times-1]))
	return nil
}

// endsWith tells whether a file's last kilobytes hold words.
func endsWith(path, words string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	tail := make([]byte, min(info.Size(), 4<<10))
	_, err = f.ReadAt(tail, info.Size()-int64(len(tail)))
	return err == nil && strings.Contains(string(tail), words)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d.Microseconds())/1000) }

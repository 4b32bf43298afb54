package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/ui"
)

// bytesOf are what a terminal sends for the keys whose names are no characters.
var bytesOf = map[string]string{
	"enter": "\r", "space": " ", "tab": "\t", "shift+tab": "\x1b[Z", "esc": "\x1b[27u",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
	"pgup": "\x1b[5~", "pgdown": "\x1b[6~",
}

// keysOfTheTable are all keys there are but those that leave or stop. What the
// palette would do is not known, so it is only opened, typed in and closed.
func keysOfTheTable() (keys []string, err error) {
	for _, b := range ui.Bindings() {
		switch b.Action {
		case ui.Leave, ui.Stop, ui.Interrupt, ui.Suspend:
			continue
		}
		for _, k := range b.Keys {
			letter, control := strings.CutPrefix(k, "ctrl+")
			switch {
			case b.Action == ui.Palette:
				keys = append(keys, "\x10pane\x1b[B\x1b[27u")
			case bytesOf[k] != "":
				keys = append(keys, bytesOf[k])
			case control && len(letter) == 1:
				keys = append(keys, string(rune(letter[0]&0x1f)))
			case len([]rune(k)) == 1:
				keys = append(keys, k)
			default:
				return nil, fmt.Errorf("it is not known what a terminal sends for %q", k)
			}
		}
	}
	mouse := []string{"\x1b[<0;5;5M\x1b[<0;5;5m", "\x1b[<0;90;20M\x1b[<0;90;20m", "\x1b[<64;70;9M", "\x1b[<65;70;9M"}
	return append(append(keys, mouse...), "\x1b[200~pasted\ntext\x1b[201~", "\x1b[I", "\x1b[O"), nil
}

// stress presses random keys and changes the size while an agent prints, and
// then looks for what broke.
func stress(program, work string, seconds int, seed uint64, limit int64) error {
	keys, err := keysOfTheTable()
	if err != nil {
		return err
	}
	p, err := makePlace(work, program, 10)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	steps, err := mixedScript(self, seconds)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "config", "growbench", mixedSteps), steps, 0o600); err != nil {
		return err
	}
	r, err := p.begin("mixed")
	if err != nil {
		return err
	}
	defer r.stop()
	races := filepath.Join(work, "races")
	env := "GORACE=exitcode=0 log_path=" + races
	c, err := r.attach(width, height, "attach", env)
	if err != nil {
		return err
	}
	if _, err := c.until(complete); err != nil {
		return err
	}
	began := time.Now()
	random := rand.New(rand.NewPCG(seed, 0))
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	presses, resizes, left, most, resize := 0, 0, 0, int64(0), time.Now()
	for time.Now().Before(end) {
		select {
		case <-c.ended: // a terminal that nobody reads would take no more keys
			if c, err = again(r, c, env); err != nil {
				return fmt.Errorf("it ended by itself after %d keys and %d sizes: %w", presses, resizes, err)
			}
			left++
		default:
		}
		time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond)
		if time.Now().After(resize) {
			// Soon again, or so late that what is painted at this size is looked at.
			resize = time.Now().Add(time.Duration(random.IntN(200)) * time.Millisecond)
			if random.IntN(2) == 0 {
				resize = resize.Add(settling + time.Second)
			}
			w, h := 1+random.IntN(200), 1+random.IntN(60)
			if random.IntN(8) == 0 {
				w, h = 1, 1
			}
			if err := c.resize(w, h); err != nil {
				return err
			}
			resizes++
		}
		if err := c.press(keys[random.IntN(len(keys))]); err != nil {
			return fmt.Errorf("after %d keys and %d sizes: %w; the screen:\n%s", presses, resizes, err, c.screen())
		}
		presses++
		if presses%50 == 0 {
			most = max(most, c.memory("VmRSS"))
		}
	}
	if err := c.resize(width, height); err != nil {
		return err
	}
	peak := c.memory("VmHWM")
	_, paints := c.counts()
	if err := c.leave(); err != nil {
		return fmt.Errorf("after %d keys and %d sizes: %w", presses, resizes, err)
	}
	r.stop()
	took := time.Since(began).Seconds()
	events, lines, calls, err := r.accounted()
	if err != nil {
		return fmt.Errorf("something was lost: %w", err)
	}
	fmt.Printf("%d s, seed %d: %d keys, %d sizes, %d paints, the width looked at after %d; %d lines (%.0f a second) and %d events, %d of them tool calls, all in the log; %d MB at most; left and attached again %d times\n",
		seconds, seed, presses, resizes, paints, c.measured, lines, float64(lines)/took, events, calls, max(peak, most)>>20, left)
	known, err := judge(races)
	if known > 0 {
		fmt.Printf("%d races of the terminal library with itself: it asks for the size while it takes the terminal back\n", known)
	}
	if err != nil {
		return err
	}
	if len(c.wide) > 0 {
		return fmt.Errorf("lines were wider than the terminal:\n%s", strings.Join(c.wide, "\n"))
	}
	if max(peak, most)>>20 > limit {
		return fmt.Errorf("%d MB is more than %d", max(peak, most)>>20, limit)
	}
	return nil
}

// again attaches once more where keys have found the way out: the palette can stay
// open behind what came up over it, and knows all actions. Whoever leaves is told
// how to come back; an end without these words is a fault.
func again(r *run, c *console, env string) (*console, error) {
	err := c.cmd.Wait()
	if s := string(c.tail); err != nil || !strings.Contains(s, "To come back: ") && !strings.Contains(s, "To play it again: ") {
		return c, fmt.Errorf("%v; its last words: %q", err, s)
	}
	next, err := r.attach(c.width, c.height, "attach", env)
	if err == nil {
		next.mu.Lock()
		defer next.mu.Unlock()
		next.bytes, next.paints, next.measured, next.wide = c.bytes, c.paints, c.measured, c.wide
	}
	return next, err
}

// within are the only functions that may be at both ends of a race: of the
// library, which looks at the size of a terminal that it is just taking back from
// an editor. It puts the same value there again.
var within = []string{"bubbletea/v2.(*Program).checkResize()", "bubbletea/v2.(*Program).initInput()"}

// judge reads what the race detector wrote: how often the library raced with
// itself, and the first report of anything else.
func judge(path string) (known int, err error) {
	files, err := filepath.Glob(path + ".*")
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return known, err
		}
		for _, report := range strings.Split(string(text), "WARNING: DATA RACE")[1:] {
			lines := strings.Split(report, "\n")
			ends, allowed := 0, 0
			for i, line := range lines[:len(lines)-1] {
				if strings.Contains(line, " at 0x") && strings.Contains(line, " by ") {
					ends++
					if slices.ContainsFunc(within, func(f string) bool { return strings.Contains(lines[i+1], f) }) {
						allowed++
					}
				}
			}
			if ends < 2 || ends != allowed {
				return known, fmt.Errorf("data race:\n%s", report)
			}
			known++
		}
	}
	return known, nil
}

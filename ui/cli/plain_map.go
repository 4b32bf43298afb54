package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/mapgen"
	"growbench/mapgen/scan"
	"growbench/theme/text"
)

// mapDesk is the map as lines and typed commands: what the map's panes do, each
// act planned first and done when yes is typed.
type mapDesk struct {
	say  func(format string, args ...any)
	open func() (*mapgen.Project, func(), error)
	base string // where typed paths start
	done chan deskDone
	work *deskWork // under way
	next *deskAct  // waits for yes
}

type deskAct struct {
	verb string
	keep bool
	// do tells, beside what it changes, what there is to say afterwards.
	do func(ctx context.Context, p *mapgen.Project) (told []string, err error)
}

type deskWork struct {
	act    deskAct
	dry    bool
	cancel context.CancelFunc
}

type deskDone struct {
	work    *deskWork
	changes []mapgen.Change
	told    []string
	err     error
}

func newMapDesk(open func() (*mapgen.Project, func(), error), base string, say func(string, ...any)) *mapDesk {
	if abs, err := filepath.Abs(base); err == nil {
		base = abs
	}
	return &mapDesk{say: say, open: open, base: base, done: make(chan deskDone)}
}

// deskCommand is one thing that can be typed about the map.
type deskCommand struct {
	name, args, does string
	do               func(d *mapDesk, ctx context.Context, args string) error
}

func deskCommands() []deskCommand {
	return []deskCommand{
		{"status", "", "how the map stands, and why a directory is not clean", (*mapDesk).status},
		{"tree", "[DIR]", "the directories with their states", (*mapDesk).tree},
		{"find", "WORDS", "paths and symbols that match", (*mapDesk).find},
		{"show", "PATH", "what the map says of a directory or file", (*mapDesk).show},
		{"document", "DIR [index]", "a document of the map as it stands", (*mapDesk).document},
		{"source", "FILE", "a file of the project", (*mapDesk).source},
		{"diff", "[DIR]", "what the last act changed in the map of a directory", (*mapDesk).diff},
		{"reconcile", "[PATH]", "renew the map of PATH; without PATH of all that needs it", (*mapDesk).reconcile},
		{"validate", "", "check the whole map", (*mapDesk).validate},
		{"fix", "", "check the whole map and mend it", (*mapDesk).fix},
		{"init", "[DIR]", "make the map, or that of DIR and below, anew", (*mapDesk).init},
		{"dirty", "PATH [NOTE]", "mark PATH as out of date", (*mapDesk).dirty},
		{"undo", "", "the documents as they were before the last act", (*mapDesk).undo},
		{"yes", "", "do what was shown", (*mapDesk).yes},
		{"no", "", "do not", (*mapDesk).no},
		{"cancel", "", "end what is being done", (*mapDesk).stop},
	}
}

// command does what was typed; false when there is no such command.
func (d *mapDesk) command(ctx context.Context, line string) (known bool) {
	name, args, _ := strings.Cut(strings.TrimSpace(line), " ")
	i := slices.IndexFunc(deskCommands(), func(c deskCommand) bool { return c.name == strings.ToLower(name) })
	if i < 0 {
		return false
	}
	if err := deskCommands()[i].do(d, ctx, strings.TrimSpace(args)); err != nil {
		d.say("error: map %s: %s", name, text.Line(err.Error()))
	}
	return true
}

func (d *mapDesk) help(prefix string) {
	for _, c := range deskCommands() {
		d.say("command: %s%s — %s", prefix, strings.TrimSpace(c.name+" "+c.args), c.does)
	}
}

// reading runs what only reads.
func (d *mapDesk) reading(do func(p *mapgen.Project) error) error {
	p, done, err := d.open()
	if err != nil {
		return err
	}
	defer done()
	return do(p)
}

// path is a path as it was typed, relative to the project.
func (d *mapDesk) path(p *mapgen.Project, typed string) (string, error) {
	if typed == "" {
		return ".", nil
	}
	return scan.Rel(p.Root(), d.base, typed)
}

func (d *mapDesk) status(ctx context.Context, _ string) error {
	return d.reading(func(p *mapgen.Project) error {
		s, err := p.Survey(ctx)
		if err != nil {
			return err
		}
		for _, w := range s.Others {
			d.say("map: process %d works on it: %s", w.PID, text.Visible(w.What))
		}
		if !s.Exists {
			d.say("map: there is none yet; type init")
			return nil
		}
		counts := map[string]int{}
		for _, dir := range s.Dirs {
			if len(dir.State) == 0 {
				continue
			}
			counts[dir.State[0]]++
			d.say("%s: %s: %s", strings.Join(dir.State, ", "), text.Visible(dir.Dir), text.Line(strings.Join(dir.Why, "; ")))
		}
		if len(counts) == 0 {
			d.say("map: clean")
		}
		if s.Recommend == mapgen.RecommendReinit {
			d.say("map: that is more than a patch is for; init makes it anew")
		}
		if what, at, ok := p.LastKept(); ok {
			d.say("map: undo takes back: %s, of %s", text.Visible(what), at.Local().Format(time.DateTime))
		}
		return nil
	})
}

func (d *mapDesk) tree(ctx context.Context, typed string) error {
	return d.reading(func(p *mapgen.Project) error {
		dir, err := d.path(p, typed)
		if err != nil {
			return err
		}
		s, err := p.Survey(ctx)
		if err != nil {
			return err
		}
		for _, one := range s.Dirs {
			if dir != "." && one.Dir != dir && !strings.HasPrefix(one.Dir, dir+"/") {
				continue
			}
			state := "clean"
			if len(one.State) > 0 {
				state = strings.Join(one.State, ", ")
			}
			d.say("%s: %s: %s", state, text.Visible(one.Dir), text.Line(one.Role))
		}
		return nil
	})
}

func (d *mapDesk) find(ctx context.Context, words string) error {
	return d.reading(func(p *mapgen.Project) error {
		files, _, err := p.Files(ctx)
		if err != nil {
			return err
		}
		hit := func(s string) bool {
			for _, w := range strings.Fields(strings.ToLower(words)) {
				if !strings.Contains(strings.ToLower(s), w) {
					return false
				}
			}
			return true
		}
		for _, f := range files {
			if hit(f) {
				d.say("file: %s", text.Visible(f))
			}
		}
		names, err := p.Names(ctx)
		if err != nil {
			return err
		}
		for _, dir := range names {
			for _, f := range dir.Files {
				for _, s := range f.Symbols {
					if hit(s.Text) {
						d.say("symbol: %s:%d: %s", text.Visible(scan.Join(dir.Dir, f.Name)), s.At, text.Visible(s.Text))
					}
				}
			}
		}
		return nil
	})
}

func (d *mapDesk) show(_ context.Context, typed string) error {
	return d.reading(func(p *mapgen.Project) error {
		dir, err := d.path(p, typed)
		if err != nil {
			return err
		}
		page, err := p.Page(dir)
		if err == nil && page.Map == nil && page.Index == nil {
			name := dir[strings.LastIndexByte(dir, '/')+1:]
			if page, err = p.Page(scan.Parent(dir)); err == nil {
				page.Files = slices.DeleteFunc(page.Files, func(f mapgen.PageFile) bool { return f.Name != name })
			}
		}
		if err != nil {
			return err
		}
		if page.Map == nil && page.Index == nil {
			return errors.New("the map has no such directory or file")
		}
		d.say("directory: %s: %s", text.Visible(page.Dir), text.Line(page.Role))
		for _, m := range page.Markers {
			d.say("dirty: %s", text.Line(m))
		}
		for _, f := range page.Files {
			d.say("file: %s: %s", text.Visible(f.Name), text.Line(f.Purpose))
			for _, s := range f.Symbols {
				d.say("file %s, exports, line %d: %s", text.Visible(f.Name), s.At, text.Visible(s.Text))
			}
			for _, dep := range f.Deps {
				d.say("file %s, uses: %s", text.Visible(f.Name), text.Visible(dep))
			}
		}
		for _, c := range page.Children {
			d.say("below: %s: %s", text.Visible(c.Dir), text.Line(c.Role))
		}
		return nil
	})
}

// body prints a text between two lines that say where it begins and ends.
func (d *mapDesk) body(label, body string) {
	d.say("begin %s", label)
	for line := range strings.SplitSeq(strings.TrimRight(body, "\n"), "\n") {
		d.say("%s", text.Visible(strings.TrimSuffix(line, "\r")))
	}
	d.say("end %s", label)
}

func (d *mapDesk) document(_ context.Context, args string) error {
	typed, index := strings.CutSuffix(args, " index")
	return d.reading(func(p *mapgen.Project) error {
		dir, err := d.path(p, typed)
		if err != nil {
			return err
		}
		page, err := p.Page(dir)
		if err != nil {
			return err
		}
		body, name := page.Map, "map of "
		if index {
			body, name = page.Index, "index of "
		}
		if body == nil {
			return errors.New("there is no such document")
		}
		d.body(name+text.Visible(dir), string(body))
		return nil
	})
}

func (d *mapDesk) source(_ context.Context, typed string) error {
	return d.reading(func(p *mapgen.Project) error {
		name, err := d.path(p, typed)
		if err != nil {
			return err
		}
		body, err := p.Source(name)
		if err == nil {
			d.body(text.Visible(name), body)
		}
		return err
	})
}

func (d *mapDesk) diff(_ context.Context, typed string) error {
	return d.reading(func(p *mapgen.Project) error {
		dir, err := d.path(p, typed)
		if err != nil {
			return err
		}
		diff, what, err := p.LastDiff(dir)
		if err == nil && diff == "" {
			err = errors.New("no change of this map is kept")
		}
		if err == nil {
			d.body("diff of "+text.Visible(what), diff)
		}
		return err
	})
}

func (d *mapDesk) validate(ctx context.Context, _ string) error {
	return d.start(ctx, deskAct{verb: "validate", do: func(ctx context.Context, p *mapgen.Project) (told []string, err error) {
		v, err := p.Validate(ctx, false)
		for _, f := range v.Findings {
			told = append(told, fmt.Sprintf("%s: %s: %s; fix: %s", f.Kind, text.Visible(scan.Join(f.Dir, f.File)), text.Line(f.Detail), text.Line(f.Fix)))
		}
		if err == nil && v.OK {
			told = append(told, "map: right, nothing was found")
		}
		return told, err
	}}, false)
}

func (d *mapDesk) reconcile(ctx context.Context, typed string) error {
	return d.plan(ctx, deskAct{verb: strings.TrimSpace("reconcile " + typed), keep: true, do: func(ctx context.Context, p *mapgen.Project) ([]string, error) {
		dirs, err := d.needing(ctx, p, typed)
		if err == nil {
			var report mapgen.PatchReport
			report, err = p.Patch(ctx, dirs, mapgen.Auto)
			return asLines(p.TellBehind(report.Behind)), err
		}
		return nil, err
	}})
}

// needing is the directory that was typed; without one all that are not clean
// and can be read.
func (d *mapDesk) needing(ctx context.Context, p *mapgen.Project, typed string) ([]string, error) {
	if typed != "" {
		path, err := d.path(p, typed)
		return []string{path}, err
	}
	s, err := p.Survey(ctx)
	if err != nil {
		return nil, err
	}
	dirs := []string{}
	for _, dir := range s.Dirs {
		if _, err := p.Page(dir.Dir); len(dir.State) > 0 && err == nil {
			dirs = append(dirs, dir.Dir)
		}
	}
	return dirs, nil
}

func (d *mapDesk) fix(ctx context.Context, _ string) error {
	return d.plan(ctx, deskAct{verb: "fix", keep: true, do: func(ctx context.Context, p *mapgen.Project) ([]string, error) {
		_, err := p.Validate(ctx, true)
		return nil, err
	}})
}

func (d *mapDesk) init(ctx context.Context, typed string) error {
	return d.plan(ctx, deskAct{verb: strings.TrimSpace("init " + typed), keep: true, do: func(ctx context.Context, p *mapgen.Project) ([]string, error) {
		dir, err := d.path(p, typed)
		if err != nil {
			return nil, err
		}
		if dir == "." && !p.Exists() {
			_, err = p.Init(ctx, nil)
			return nil, err
		}
		report, err := p.Reinit(ctx, dir)
		return asLines(p.TellBehind(report.Behind)), err
	}})
}

func (d *mapDesk) dirty(ctx context.Context, args string) error {
	typed, note, _ := strings.Cut(args, " ")
	if typed == "" {
		return errors.New("name a path")
	}
	return d.plan(ctx, deskAct{verb: "dirty " + typed, do: func(_ context.Context, p *mapgen.Project) ([]string, error) {
		path, err := d.path(p, typed)
		if err == nil {
			_, err = p.MarkDirty([]string{path}, strings.TrimSpace(note))
		}
		return nil, err
	}})
}

func (d *mapDesk) undo(ctx context.Context, _ string) error {
	return d.plan(ctx, deskAct{verb: "undo", do: func(ctx context.Context, p *mapgen.Project) (told []string, err error) {
		u, err := p.Undo(ctx)
		for _, l := range u.Left {
			told = append(told, "left as it is: "+text.Visible(l.Path)+": "+text.Line(l.Why))
		}
		return told, err
	}})
}

func (d *mapDesk) yes(ctx context.Context, _ string) error {
	if d.next == nil {
		return errors.New("nothing waits for it")
	}
	act := *d.next
	d.next = nil
	return d.start(ctx, act, false)
}

func (d *mapDesk) no(context.Context, string) error {
	d.next = nil
	return nil
}

func (d *mapDesk) stop(context.Context, string) error {
	if d.work == nil {
		return errors.New("nothing is being done")
	}
	d.work.cancel()
	return nil
}

// plan looks what an act would write.
func (d *mapDesk) plan(ctx context.Context, act deskAct) error { return d.start(ctx, act, true) }

// start does an act in the background; finished takes what comes of it.
func (d *mapDesk) start(ctx context.Context, act deskAct, dry bool) error {
	if d.work != nil {
		return fmt.Errorf("wait for %s, or type cancel", d.work.act.verb)
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &deskWork{act: act, dry: dry, cancel: cancel}
	d.work = w
	go func() {
		defer cancel()
		out := deskDone{work: w}
		p, done, err := d.open()
		if err == nil {
			defer done()
			a := mapgen.Act{Dry: dry, Changed: func(c mapgen.Change) { out.changes = append(out.changes, c) }}
			if act.keep && !dry {
				a.Keep = act.verb
			}
			out.told, err = act.do(ctx, p.With(a))
		}
		out.err = err
		d.done <- out
	}()
	return nil
}

// finished says what an act would write, or has written.
func (d *mapDesk) finished(out deskDone) {
	d.work = nil
	verb := out.work.act.verb
	for _, l := range out.told {
		d.say("%s", l)
	}
	switch {
	case errors.Is(out.err, context.Canceled):
		d.say("map %s: cancelled; what is written is whole, undo takes it back", verb)
	case out.err != nil:
		d.say("error: map %s: %s", verb, text.Line(out.err.Error()))
		return
	}
	for _, c := range out.changes {
		word := "written"
		if out.work.dry {
			word = "would be written"
		}
		d.say("%s: %s", word, text.Visible(c.Dir))
		if !out.work.dry {
			d.body("diff", c.Diff())
		}
	}
	switch {
	case out.err != nil:
	case len(out.changes) == 0 && verb != "validate":
		d.say("map %s: nothing to do", verb)
	case out.work.dry:
		act := out.work.act
		d.next = &act
		d.say("question: %s? Type yes or no.", verb)
	case verb != "validate":
		d.say("map %s: done, documents written in %d of the directories; undo takes it back", verb, len(out.changes))
	}
}

// leave ends what is being done and waits for it.
func (d *mapDesk) leave() {
	if d.work != nil {
		d.work.cancel()
		<-d.done
	}
}

// mapLines is `growbench map --plain`: the map as lines and typed commands.
func (a *App) mapLines(ctx ctx, root string) error {
	if ctx == nil {
		ctx = context.Background()
	}
	p := &plain{app: a}
	d := newMapDesk(a.mapOpener(root), a.projectDir(), p.say)
	defer d.leave()
	typed := lines(ctx, a.In)
	p.say("growbench, plain: the map of %s. Type help for the commands, leave to leave.", text.Visible(root))
	d.command(ctx, "status")
	for typed != nil || d.work != nil {
		if p.lost != nil {
			return nil
		}
		heard := typed
		if d.work != nil && !a.Screen {
			heard = nil // what is piped in goes on when this is done
		}
		select {
		case out := <-d.done:
			d.finished(out)
		case line, ok := <-heard:
			switch word := strings.TrimPrefix(line, "map "); {
			case !ok:
				typed = nil
			case word == "leave" || word == "quit" || word == "q" || word == "exit":
				return nil
			case word == "help":
				d.help("")
				p.say("command: leave — leave; what is being done is ended")
			case !d.command(ctx, word):
				p.say("error: %s is no command here; type help", text.Visible(word))
			}
		}
	}
	return nil
}

// asLines are what an act has to say: nothing, or a line.
func asLines(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

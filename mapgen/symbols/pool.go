package symbols

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Source is one file to read: its name decides the language, its content is
// what is read.
type Source struct {
	Path    string
	Content []byte
}

// PoolOptions configures a Pool. The zero value reads in process.
type PoolOptions struct {
	Command []string // argv of a process that runs ServeWorker on its standard input and output; nil = in process
	Env     []string // environment of the children; nil = none
	Workers int      // children, and batches read at once (number of CPUs)
	Limits  Limits
	Memory  int64         // resident bytes a child may take (256 MiB)
	Grace   time.Duration // what a child gets beyond Limits.Time before it is ended (1 s)
}

// Pool runs the extractor on batches of files. C parsers run in child
// processes when a Command is set: one that crashes, hangs or takes too much
// memory costs the one file, which is marked, and is replaced. Without a
// Command a panic is caught and time is limited, but memory is not, and a crash
// in C ends the program.
//
// A Pool is safe for use by several goroutines.
type Pool struct {
	options PoolOptions
	slots   chan *child // one a worker; nil = not started
}

// ErrNoWorker says that the configured command does not serve.
var ErrNoWorker = errors.New("the parser process does not answer")

// NewPool makes a pool; children start when they are needed.
func NewPool(options PoolOptions) *Pool {
	if options.Workers <= 0 {
		options.Workers = runtime.NumCPU()
	}
	if options.Memory <= 0 {
		options.Memory = 256 << 20
	}
	if options.Grace <= 0 {
		options.Grace = time.Second
	}
	options.Limits = options.Limits.orDefault()
	p := &Pool{options: options, slots: make(chan *child, options.Workers)}
	for range options.Workers {
		p.slots <- nil
	}
	return p
}

// Close ends the children. It waits for batches at work.
func (p *Pool) Close() {
	for range p.options.Workers {
		if c := <-p.slots; c != nil {
			c.stop()
		}
	}
}

// Extract reads a batch and answers in its order. The error is that of the
// context, or wraps ErrNoWorker; what a file does wrong is in its Note.
func (p *Pool) Extract(ctx context.Context, batch []Source) ([]File, error) {
	var c *child
	select {
	case c = <-p.slots:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { p.slots <- c }()

	files := make([]File, len(batch))
	var apart []int // indexes of what a child reads
	for i, s := range batch {
		lang := detect(s.Path, s.Content)
		if len(p.options.Command) > 0 && haveGrammars && lang != nil && lang.native == nil && len(s.Content) <= p.options.Limits.Bytes {
			apart = append(apart, i)
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files[i] = guarded(s, p.options.Limits)
	}
	alone := false // the next file gets a process of its own
	failures := 0
	for len(apart) > 0 {
		if c == nil {
			var err error
			if c, err = start(p.options); err != nil {
				c = nil
				return nil, fmt.Errorf("%w: start %s: %w", ErrNoWorker, p.options.Command[0], err)
			}
			failures++
		}
		send := apart
		if alone {
			send = apart[:1]
		}
		fresh := c.answers == 0
		done, end := c.read(ctx, batch, send, files)
		apart = apart[done:]
		if done > 0 {
			failures, alone = 0, false
		}
		if end == "" {
			continue
		}
		c.stop()
		c = nil
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case len(apart) == 0:
		case end == endedClean:
			if failures > 2 {
				return nil, fmt.Errorf("%w: %s ends at once", ErrNoWorker, p.options.Command[0])
			}
		case end == endedMemory && !alone && !(fresh && done == 0):
			alone = true // what came before may have left the memory behind
		default:
			files[apart[0]] = marked(batch[apart[0]], end)
			apart = apart[1:]
			alone = false
		}
	}
	return files, nil
}

// marked is the answer for a file no parser survived.
func marked(s Source, note string) File {
	f := File{Path: s.Path, Language: Language(s.Path, s.Content), Note: note}
	f.finish()
	return f
}

// guarded reads a file in this process; a panic costs the one file.
func guarded(s Source, limits Limits) (f File) {
	defer func() {
		if recover() != nil {
			f = marked(s, endedCrash)
		}
	}()
	return Extract(s.Path, s.Content, limits)
}

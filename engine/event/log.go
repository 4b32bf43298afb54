package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// ErrNewerLog is a log of a format this version cannot read.
var ErrNewerLog = errors.New("the run was written by a newer growbench")

// Report says what had to be left out when a log was read.
type Report struct {
	TornBytes int   // cut from the end
	BadLines  []int // line numbers, from 1, that were skipped
	Lines     int64 // bytes up to the end of the last line that has its newline
}

// Clean tells whether every byte was read.
func (r Report) Clean() bool { return r.TornBytes == 0 && len(r.BadLines) == 0 }

// Read returns the events of the log at path. Bad lines are skipped and
// reported, line by line, as bytes; a torn tail is reported and left alone.
func Read(path string) ([]Event, Report, error) {
	data, err := readRegular(path)
	if err != nil {
		return nil, Report{}, fmt.Errorf("read the run's events: %w", err)
	}
	return parse(data)
}

// ReadState is the fold of what Read returns, which it does not keep.
func ReadState(path string) (*State, Report, error) {
	data, err := readRegular(path)
	if err != nil {
		return nil, Report{}, fmt.Errorf("read the run's events: %w", err)
	}
	s := NewState()
	report, err := each(data, s.Apply)
	return s, report, err
}

func readRegular(path string) ([]byte, error) {
	f, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	n, err := f.ReadAt(data, 0)
	if n == len(data) {
		err = nil
	}
	return data[:n], err
}

func parse(data []byte) ([]Event, Report, error) {
	events := make([]Event, 0, bytes.Count(data, []byte{'\n'})+1)
	report, err := each(data, func(e Event) { events = append(events, e) })
	return events, report, err
}

// each calls take with every event of a log, in order.
func each(data []byte, take func(Event)) (Report, error) {
	var report Report
	var last uint64
	for number := 1; len(data) > 0; number++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		data = rest
		if whole {
			report.Lines += int64(len(line)) + 1
		}
		e, err := Decode(line)
		switch {
		case err != nil && !whole:
			report.TornBytes = len(line)
		case err != nil || e.Seq <= last:
			if len(line) > 0 {
				report.BadLines = append(report.BadLines, number)
			}
		default:
			if s, ok := e.Body.(RunStarted); ok && s.Format > Version {
				return report, fmt.Errorf("%w (format %d, this one reads %d)", ErrNewerLog, s.Format, Version)
			}
			take(e)
			last = e.Seq
		}
	}
	return report, nil
}

// Log appends events to a file. One process owns it at a time; the caller
// sees to that. Its methods may be called from several goroutines.
type Log struct {
	mu     sync.Mutex
	file   *os.File
	path   string
	size   int64
	seq    uint64
	broken error
	now    func() time.Time
	buf    bytes.Buffer
}

// OpenLog opens or creates the log at path for appending. An incomplete last
// line is moved to <path>.torn-<time>, so that the next record stands on its
// own line; a complete one that merely lacks its newline gets it.
func OpenLog(path string, now func() time.Time) (*Log, []Event, Report, error) {
	f, err := openRegular(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, nil, Report{}, fmt.Errorf("open the run's events: %w", err)
	}
	l := &Log{file: f, path: path, now: now}
	events, report, err := l.recover()
	if err != nil {
		f.Close()
		return nil, nil, report, err
	}
	if len(events) > 0 {
		l.seq = events[len(events)-1].Seq
	}
	return l, events, report, nil
}

func (l *Log) recover() ([]Event, Report, error) {
	data, err := readRegular(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, Report{}, fmt.Errorf("open the run's events: %w", err)
	}
	events, report, err := parse(data)
	if err != nil {
		return nil, report, err
	}
	l.size = int64(len(data))
	switch {
	case report.TornBytes > 0:
		torn := data[len(data)-report.TornBytes:]
		name := l.path + ".torn-" + l.now().UTC().Format("20060102T150405.000000000")
		if err := os.WriteFile(name, torn, 0o600); err != nil {
			return nil, report, fmt.Errorf("set the torn end of %s aside: %w", l.path, err)
		}
		l.size -= int64(report.TornBytes)
		if err := l.file.Truncate(l.size); err != nil {
			return nil, report, fmt.Errorf("cut the torn end of %s: %w", l.path, err)
		}
	case len(data) > 0 && data[len(data)-1] != '\n':
		if _, err := l.file.WriteAt([]byte{'\n'}, l.size); err != nil {
			return nil, report, fmt.Errorf("end the last line of %s: %w", l.path, err)
		}
		l.size++
	}
	return events, report, nil
}

// Append writes bodies as one group, in order, and returns them as events.
// With durable the group is on the disk when Append returns. On an error the
// file is cut back to its old length and nothing was appended.
func (l *Log) Append(durable bool, bodies ...Body) ([]Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return nil, l.broken
	}
	l.buf.Reset()
	events := make([]Event, len(bodies))
	for i, b := range bodies {
		events[i] = Event{Seq: l.seq + uint64(i) + 1, At: l.now().UTC(), Body: b}
		line, err := json.Marshal(events[i])
		if err != nil {
			return nil, err
		}
		l.buf.Write(line)
		l.buf.WriteByte('\n')
	}
	n, err := l.file.WriteAt(l.buf.Bytes(), l.size)
	if err == nil && durable {
		err = l.file.Sync()
	}
	if err != nil {
		if cut := l.file.Truncate(l.size); cut != nil {
			l.broken = fmt.Errorf("append to %s: the log's end is uncertain: %w", l.path, errors.Join(err, cut))
		}
		return nil, fmt.Errorf("append to %s: %w", l.path, err)
	}
	l.size += int64(n)
	l.seq += uint64(len(bodies))
	return events, nil
}

// Sync puts everything appended so far on the disk.
func (l *Log) Sync() error {
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("write %s to disk: %w", l.path, err)
	}
	return nil
}

// Close syncs and closes the log.
func (l *Log) Close() error { return errors.Join(l.Sync(), l.file.Close()) }

package mapgen

import "sync"

// syncer brings temporary files to the disk. While one round is under way, the
// files of other goroutines gather for the next: a scan that writes thousands
// of documents asks the disk a few dozen times.
type syncer struct {
	mu      sync.Mutex
	busy    bool
	waiting []*round
}

// round is what one goroutine waits for.
type round struct {
	files []*pendingFile
	done  chan error
}

var toDisk syncer

// sync returns when the files' content is on the disk.
func (s *syncer) sync(files []*pendingFile) error {
	if len(files) == 0 {
		return nil
	}
	r := &round{files: files, done: make(chan error, 1)}
	s.mu.Lock()
	s.waiting = append(s.waiting, r)
	if s.busy {
		s.mu.Unlock()
		return <-r.done
	}
	s.busy = true
	for len(s.waiting) > 0 {
		rounds := s.waiting
		s.waiting = nil
		s.mu.Unlock()
		flush(rounds)
		s.mu.Lock()
	}
	s.busy = false
	s.mu.Unlock()
	return <-r.done
}

// flush brings every round's files to the disk and answers each.
func flush(rounds []*round) {
	if len(rounds) >= manyRounds && flushAll(rounds) {
		return
	}
	var wg sync.WaitGroup
	for _, r := range rounds {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var err error
			for _, f := range r.files {
				if e := f.file.Sync(); e != nil {
					err = e
				}
			}
			r.done <- err
		}()
	}
	wg.Wait()
}

// manyRounds is from when on it is cheaper to bring the whole file system to
// the disk than file by file.
const manyRounds = 4

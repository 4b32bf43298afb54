package loop

import "sync"

// Mirror shows the loop's status elsewhere. It may be slow, fail or panic: the
// loop does not wait for it and does not notice.
type Mirror interface {
	// Show is told the newest status; those in between may be missed.
	Show(Status)
	// Close is the last call.
	Close()
}

// Gone is closed when every mirror has been told of the end, after Close.
func (s *Scheduler) Gone() <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		s.mirrors.live.Wait()
		close(gone)
	}()
	return gone
}

// mirrors tell each mirror from a goroutine of its own.
type mirrors struct {
	mu     sync.Mutex
	last   Status
	boxes  map[string]chan Status // one place each: the newest status replaces the one not yet taken
	closed bool
	live   sync.WaitGroup
}

func newMirrors() *mirrors {
	return &mirrors{last: Status{State: Idle}, boxes: map[string]chan Status{}}
}

// Mirror registers a mirror under a name, once; it returns false when the name
// is taken or the scheduler closed.
func (s *Scheduler) Mirror(name string, m Mirror) bool { return s.mirrors.add(name, m) }

func (ms *mirrors) add(name string, m Mirror) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if _, taken := ms.boxes[name]; taken || ms.closed {
		return false
	}
	box := make(chan Status, 1)
	ms.boxes[name] = box
	box <- ms.last
	ms.live.Go(func() { serve(m, box) })
	return true
}

func serve(m Mirror, box <-chan Status) {
	for s := range box {
		guarded(func() { m.Show(s) })
	}
	guarded(m.Close)
}

func guarded(call func()) {
	defer func() { _ = recover() }()
	call()
}

func (ms *mirrors) show(s Status) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if ms.closed {
		return
	}
	ms.last = s
	for _, box := range ms.boxes {
		replace(box, s)
	}
}

// replace never blocks: it alone puts into the box, under the lock.
func replace(box chan Status, s Status) {
	select {
	case <-box:
	default:
	}
	box <- s
}

func (ms *mirrors) close() {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if ms.closed {
		return
	}
	ms.closed = true
	for _, box := range ms.boxes {
		replace(box, Status{State: Idle, N: ms.last.N})
		close(box)
	}
}

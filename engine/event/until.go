package event

import (
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"
)

// AttemptPages gives access to the transcript of an earlier attempt of agent
// k, as it is kept when the next one begins.
func AttemptPages(runDir string, k, attempt int) Pages {
	name := fmt.Sprintf("%s.%d.jsonl", AgentFile(k), attempt)
	return Pages{path: filepath.Join(runDir, "transcripts", name)}
}

// Until shows the transcript as it was at a moment: as if what came later had
// not been written yet. The moment may move between one look and the next.
func (p Pages) Until(moment func() time.Time) Pages {
	p.bound = &bound{moment: moment}
	return p
}

// Still is the transcript as it is at this moment, wherever the moment moves.
func (p Pages) Still() Pages {
	if p.bound == nil {
		return p
	}
	at := p.bound.moment()
	return p.Until(func() time.Time { return at })
}

// bound is how long a transcript was at a moment.
type bound struct {
	moment func() time.Time
	mu     sync.Mutex
	at     time.Time // the last moment asked about,
	whole  int64     // the file's size then,
	found  int64     // and how much of it there was
}

// size is how many of the whole bytes had been written at the moment. Items
// stand in the order they came.
func (b *bound) size(r io.ReaderAt, whole int64) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.moment()
	if at.Equal(b.at) && whole == b.whole {
		return b.found, nil
	}
	// Between low and high a record begins that is the first too late one.
	low, high := int64(0), whole
	for high-low > nearby {
		mid := low + (high-low)/2
		place, late, err := firstFrom(r, mid, high, at)
		switch {
		case err != nil:
			return 0, err
		case place < 0 || late: // none begins there, or it is too late already
			high = mid
		default:
			low = place
		}
	}
	found := low
	_, err := records(r, low, whole, func(place int64, record []byte) bool {
		it, ok := decodeItem(record)
		if late := ok && it.At.After(at); late {
			found = place
			return false
		}
		found = place + int64(len(record)) + 1
		return true
	})
	if err != nil {
		return 0, err
	}
	b.at, b.whole, b.found = at, whole, found
	return found, nil
}

// firstFrom finds the first record that begins in [from, to), and tells
// whether it came after the moment. Its place is -1 when there is none.
func firstFrom(r io.ReaderAt, from, to int64, at time.Time) (place int64, late bool, err error) {
	place = -1
	_, err = records(r, from, to, func(p int64, record []byte) bool {
		it, ok := decodeItem(record)
		if !ok {
			return true
		}
		place, late = p, it.At.After(at)
		return false
	})
	return place, late, err
}

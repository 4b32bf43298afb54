package agent

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"growbench/engine/event"
)

// ErrRepeating ends an agent that makes the same call again and again and gets
// the same result each time: another turn would bring nothing new.
var ErrRepeating = errors.New("the same call with the same result")

// repeats counts equal calls in a row. How long a call took does not matter.
type repeats struct {
	max  int
	last [sha256.Size]byte
	n    int
}

// heard takes a return of a tool and says when it is one too many.
func (r *repeats) heard(it event.Item) error {
	if r.max <= 0 || it.Kind != event.ItemReturn {
		return nil
	}
	whole, _ := json.Marshal([]any{it.Name, it.Args, it.Text, it.Bytes, it.Error}) // strings and a number: cannot fail
	if sum := sha256.Sum256(whole); sum == r.last {
		r.n++
	} else {
		r.last, r.n = sum, 1
	}
	if r.n < r.max {
		return nil
	}
	return fmt.Errorf("%w %d times in a row (%s %.80q)", ErrRepeating, r.n, it.Name, it.Args)
}

package mapgen

import (
	"context"
	"runtime"
)

// gate bounds how many batches are in memory and at work at once.
var gate = make(turnstile, runtime.GOMAXPROCS(0)+1)

type turnstile chan struct{}

func (t turnstile) enter(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turnstile) leave() { <-t }

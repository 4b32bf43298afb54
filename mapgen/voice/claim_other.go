//go:build !linux

package voice

import "context"

// claim asks nobody: two processes may ask about one content at the same time.
func (c *cache) claim(context.Context, string) (release func(), err error) { return func() {}, nil }

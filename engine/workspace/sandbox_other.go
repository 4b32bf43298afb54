//go:build !linux

package workspace

import (
	"errors"
	"fmt"
)

func landlockABI() (int, error) {
	return 0, errors.New("only Linux has Landlock")
}

// Confine is not possible on this system and always fails.
func Confine(args []string) error {
	return fmt.Errorf("sandbox: %w", errors.ErrUnsupported)
}

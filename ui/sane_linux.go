package ui

import (
	"fmt"
	"io"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// sane switches a terminal's line editing, echo and signals on, as stty does.
func sane(w io.Writer) error {
	f, ok := w.(term.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return nil
	}
	modes, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return fmt.Errorf("read the terminal's modes: %w", err)
	}
	modes.Iflag |= unix.BRKINT | unix.ICRNL | unix.IXON
	modes.Iflag &^= unix.IGNCR | unix.INLCR | unix.IXOFF
	modes.Oflag |= unix.OPOST | unix.ONLCR
	modes.Lflag |= unix.ISIG | unix.ICANON | unix.IEXTEN | unix.ECHO | unix.ECHOE | unix.ECHOK
	if err := unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, modes); err != nil {
		return fmt.Errorf("set the terminal's modes: %w", err)
	}
	return nil
}

package ui

import (
	"io"

	"github.com/charmbracelet/x/ansi"
)

// resetSequence undoes everything the workbench or its libraries may have
// switched on. It is harmless where nothing was.
const resetSequence = ansi.ResetModeMouseNormal + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent +
	ansi.ResetModeMouseExtSgr + ansi.ResetModeFocusEvent + ansi.ResetModeBracketedPaste +
	ansi.ResetModeSynchronizedOutput + ansi.ResetModeUnicodeCore + ansi.ResetModifyOtherKeys +
	"\x1b[<u" + // the keyboard protocol of this screen
	ansi.ResetModeAltScreenSaveCursor +
	"\x1b[<u" + // and of the main one
	ansi.SetModeTextCursorEnable + "\x1b[0 q" + ansi.ResetStyle + "\x1b]2;\x07"

// What a program that had the terminal meanwhile may have left: line drawing,
// a scroll region, keys in application mode, colours. One that was killed may
// have left anything.
const (
	leftBehind      = "\x1b7\x1b[r\x1b8\x1b(B\x1b[?1l\x1b>" + ansi.ResetStyle
	leftByTheKilled = leftBehind + ansi.ResetModeMouseNormal + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent +
		ansi.ResetModeMouseExtSgr + ansi.ResetModeFocusEvent + ansi.ResetModeBracketedPaste +
		ansi.ResetModeSynchronizedOutput + ansi.ResetModifyOtherKeys + ansi.ResetModeAltScreenSaveCursor +
		ansi.SetModeTextCursorEnable + "\x1b[0 q"
)

// Before its own title is set the one that is there is put on the terminal's
// stack of titles, and taken from it at the end. A reset does not take: what it
// would find was put there by somebody else.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// Reset writes the sequence that puts a terminal in order after a program was
// killed in it. If w is a terminal its line editing is switched on again too.
func Reset(w io.Writer) error {
	if err := sane(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, resetSequence)
	return err
}

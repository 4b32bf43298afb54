package text

// escape follows an escape sequence from its ESC to its end, over any number
// of chunks. It keeps no text but what may have to be given back: see held.
type escape struct {
	state  escapeState
	param  int  // first parameter of a CSI, for the erase commands
	plain  bool // the CSI has no prefix, no further parameter, no intermediate
	opener byte // what opened the string: BEL ends an OSC and nothing else

	// held is what followed the first newline of a string sequence. With its
	// terminator it is dropped with the sequence; without one it was ordinary
	// output behind a broken sequence, and is given back.
	held []byte
}

type escapeState uint8

const (
	ground    escapeState = iota
	opened                // after ESC
	charset               // ESC and an intermediate byte
	csi                   // ESC [
	str                   // ESC ] P X ^ _
	strEnding             // ESC inside a string: ST if a backslash follows
)

// maxHeld is how many bytes behind the newline of an unterminated string
// sequence are waited for before they are taken as ordinary output.
const maxHeld = 4 << 10

const (
	bel = 0x07
	can = 0x18
	sub = 0x1a
	esc = 0x1b
	st8 = 0x9c // string terminator as one byte or as U+009C
)

// verdict is what one rune of a sequence means to the line it stands in.
type verdict uint8

const (
	swallowed  verdict = iota // part of the sequence
	executed                  // a control inside the sequence, obeyed at once
	rejected                  // ended the sequence and is itself ordinary
	abandoned                 // the string never ended: held is ordinary text
	restarted                 // as abandoned, and r follows an ESC of its own
	eraseRight                // a complete "erase to the end of the line"
	eraseLine                 // a complete "erase the line"
)

func (e *escape) open() { *e = escape{state: opened, held: e.held[:0]} }

// step takes the next rune while a sequence is open. raw holds the bytes of r.
func (e *escape) step(r rune, raw []byte) verdict {
	if e.state == str || e.state == strEnding {
		return e.stepString(r, raw)
	}
	switch {
	case r == esc:
		e.open()
		return swallowed
	case r == can || r == sub:
		e.state = ground
		return swallowed
	case r == '\n' || r >= 0x80:
		e.state = ground
		return rejected
	case r == '\r' || r == '\b' || r == '\t':
		return executed
	case r < 0x20 || r == 0x7f:
		return swallowed
	}
	switch e.state {
	case opened:
		e.stepOpened(byte(r))
	case charset:
		if r >= 0x30 {
			e.state = ground
		}
	case csi:
		return e.stepCSI(byte(r))
	}
	return swallowed
}

func (e *escape) stepOpened(b byte) {
	switch {
	case b == '[':
		e.state, e.plain = csi, true
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		e.state, e.opener = str, b
	case b < 0x30:
		e.state = charset
	default:
		e.state = ground
	}
}

func (e *escape) stepCSI(b byte) verdict {
	switch {
	case b >= '0' && b <= '9':
		e.param = min(e.param*10+int(b-'0'), 1000)
		return swallowed
	case b < 0x40:
		e.plain = false
		return swallowed
	}
	e.state = ground
	if b != 'K' || !e.plain {
		return swallowed
	}
	switch e.param {
	case 0:
		return eraseRight
	case 2:
		return eraseLine
	}
	return swallowed
}

func (e *escape) stepString(r rune, raw []byte) verdict {
	switch {
	case e.state == strEnding && r == '\\':
		return e.terminated()
	case e.state == strEnding:
		return restarted
	case r == esc:
		e.state = strEnding
		return swallowed
	case r == bel && e.opener == ']', r == st8, len(raw) == 1 && raw[0] == st8:
		return e.terminated()
	case r == can || r == sub:
		return abandoned
	}
	if r == '\n' || len(e.held) > 0 {
		e.held = append(e.held, raw...)
	}
	if len(e.held) >= maxHeld {
		return abandoned
	}
	return swallowed
}

func (e *escape) terminated() verdict {
	e.held = e.held[:0]
	e.state = ground
	return swallowed
}

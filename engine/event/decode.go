package event

import (
	"bytes"
	"encoding/json"
)

// Decode reads one line of a log. It is what unmarshalling the line into an
// Event does, but reads a line as our own writer leaves it once and not three
// times: a log of a hundred thousand events is opened while somebody looks.
func Decode(line []byte) (Event, error) {
	if e, ok := decodeOwn(line); ok {
		return e, nil
	}
	var e Event
	err := json.Unmarshal(line, &e)
	return e, err
}

var (
	seqKey  = []byte(`{"seq":`)
	atKey   = []byte(`,"at":"`)
	typeKey = []byte(`","type":"`)
)

// decodeOwn reads {"seq":1,"at":"…","type":"…" and hands the rest to the body.
// Anything else is for the reader that takes the keys in any order.
func decodeOwn(line []byte) (Event, bool) {
	var e Event
	rest, ok := bytes.CutPrefix(line, seqKey)
	if !ok {
		return e, false
	}
	digits := 0
	for digits < len(rest) && digits < 19 && rest[digits] >= '0' && rest[digits] <= '9' {
		e.Seq = e.Seq*10 + uint64(rest[digits]-'0')
		digits++
	}
	if rest, ok = bytes.CutPrefix(rest[digits:], atKey); !ok || e.Seq == 0 || line[len(seqKey)] == '0' {
		return e, false
	}
	at, rest, ok := bytes.Cut(rest, typeKey)
	if !ok || bytes.IndexByte(at, '"') >= 0 {
		return e, false
	}
	name, rest, ok := bytes.Cut(rest, []byte{'"'})
	if !ok || len(rest) == 0 {
		return e, false
	}
	if e.At.UnmarshalText(at) != nil {
		return e, false
	}
	if e.Body = often(name, rest); e.Body != nil {
		return e, true
	}
	decode, known := decoders[string(name)]
	if !known {
		return e, false
	}
	// The body's own keys alone, as an object: the head is not read again.
	body := []byte("{}")
	switch {
	case rest[0] == ',' && len(rest) > 1 && rest[1] == '"':
		body = append(append(make([]byte, 0, len(rest)), '{'), rest[1:]...)
	case string(rest) != "}":
		return e, false
	}
	var err error
	e.Body, err = decode(body)
	return e, err == nil
}

// Package event is the truth of a run: typed events, their fold into State,
// and the append-only log they are kept in.
package event

import (
	"encoding/json"
	"fmt"
	"time"
)

// Version is the log's format, carried by the first event.
const Version = 1

// Event is one line of a run's log. Seq counts from 1 without gaps within a
// log; At is UTC.
type Event struct {
	Seq  uint64
	At   time.Time
	Body Body
}

// Body is what happened. Its JSON keys stand beside seq, at and type.
type Body interface{ Type() string }

// Unknown is an event of a type this version does not know. It is kept whole,
// so that rewriting a log loses nothing.
type Unknown struct {
	Name string
	Raw  json.RawMessage
}

// Type returns the name found in the log.
func (u Unknown) Type() string { return u.Name }

type head struct {
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"`
	Type string    `json:"type"`
}

// MarshalJSON writes the event as one flat object: seq, at, type, then the
// body's own keys.
func (e Event) MarshalJSON() ([]byte, error) {
	if e.Body == nil {
		return nil, fmt.Errorf("write event %d: it has no body", e.Seq)
	}
	if u, ok := e.Body.(Unknown); ok && len(u.Raw) > 0 {
		return u.Raw, nil
	}
	line, err := json.Marshal(head{e.Seq, e.At.UTC(), e.Body.Type()})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(e.Body)
	if err != nil {
		return nil, fmt.Errorf("write event %d (%s): %w", e.Seq, e.Body.Type(), err)
	}
	if string(body) == "{}" {
		return line, nil
	}
	line[len(line)-1] = ','
	return append(line, body[1:]...), nil
}

// UnmarshalJSON reads a flat event; a type it does not know becomes Unknown.
func (e *Event) UnmarshalJSON(data []byte) error {
	var h head
	if err := json.Unmarshal(data, &h); err != nil {
		return err
	}
	if h.Type == "" || h.Seq == 0 {
		return fmt.Errorf("not an event: seq or type is missing")
	}
	e.Seq, e.At = h.Seq, h.At
	decode, known := decoders[h.Type]
	if !known {
		e.Body = Unknown{Name: h.Type, Raw: append(json.RawMessage(nil), data...)}
		return nil
	}
	body, err := decode(data)
	if err != nil {
		return fmt.Errorf("read event %d (%s): %w", h.Seq, h.Type, err)
	}
	e.Body = body
	return nil
}

var decoders = map[string]func([]byte) (Body, error){}

// Register makes a body type of another stream readable, such as a
// conversation's; its name must be no other's.
func Register[B Body]() struct{} { return register[B]() }

// register makes a body type readable; each is registered where it is declared.
func register[B Body]() struct{} {
	var zero B
	decoders[zero.Type()] = func(data []byte) (Body, error) {
		var body B
		err := json.Unmarshal(data, &body)
		return body, err
	}
	return struct{}{}
}

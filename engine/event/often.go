package event

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// often reads the bodies nearly all of a long log is made of, without
// reflection. It gives nil for any other and for whatever it does not expect
// in one of these.
func often(name string, body []byte) Body {
	ok := false
	switch name {
	case "worker.turn":
		var b WorkerTurn
		ok = flat(body, func(key string) any {
			switch key {
			case "k":
				return &b.K
			case "turn":
				return &b.Turn
			}
			return nil
		})
		if ok {
			return b
		}
	case "worker.tool.started":
		var b WorkerToolStarted
		ok = flat(body, func(key string) any {
			switch key {
			case "k":
				return &b.K
			case "name":
				return &b.Name
			case "args_preview":
				return &b.ArgsPreview
			}
			return nil
		})
		if ok {
			return b
		}
	case "worker.tool":
		var b WorkerTool
		ok = flat(body, func(key string) any {
			switch key {
			case "k":
				return &b.K
			case "name":
				return &b.Name
			case "args_preview":
				return &b.ArgsPreview
			case "result_bytes":
				return &b.ResultBytes
			case "ms":
				return &b.MS
			case "error":
				return &b.Error
			}
			return nil
		})
		if ok {
			return b
		}
	case "worker.usage":
		var b WorkerUsage
		ok = flat(body, func(key string) any {
			switch key {
			case "k":
				return &b.K
			case "in":
				return &b.In
			case "out":
				return &b.Out
			case "cached":
				return &b.Cached
			case "cost":
				return &b.Cost
			case "estimated":
				return &b.Estimated
			}
			return nil
		})
		if ok {
			return b
		}
	}
	return nil
}

// flat reads an object without blanks and without anything nested into what
// field returns for its keys. False: it is something else.
func flat(body []byte, field func(key string) any) bool {
	if string(body) == "{}" {
		return true
	}
	for sep := byte('{'); ; sep = ',' {
		if len(body) < 2 || body[0] != sep || body[1] != '"' {
			return false
		}
		key, rest, ok := bytes.Cut(body[2:], []byte(`":`))
		if !ok || len(rest) == 0 {
			return false
		}
		if body, ok = value(rest, field(string(key))); !ok {
			return false
		}
		if len(body) == 1 && body[0] == '}' {
			return true
		}
	}
}

// value reads one value into to and returns what follows it.
func value(b []byte, to any) (rest []byte, ok bool) {
	switch to := to.(type) {
	case *string:
		end := stringEnd(b)
		if end < 0 {
			return nil, false
		}
		inner := b[1 : end-1]
		if plainString(inner) {
			*to = string(inner)
			return b[end:], true
		}
		if *to, ok = unescape(inner); ok {
			return b[end:], true
		}
		return b[end:], json.Unmarshal(b[:end], to) == nil
	case *time.Time:
		end := stringEnd(b)
		if end < 0 || !plainString(b[1:end-1]) {
			return nil, false
		}
		return b[end:], to.UnmarshalText(b[1:end-1]) == nil
	case *bool:
		if rest, ok = bytes.CutPrefix(b, []byte("true")); ok {
			*to = true
			return rest, true
		}
		if rest, ok = bytes.CutPrefix(b, []byte("false")); ok {
			*to = false
		}
		return rest, ok
	}
	end := bytes.IndexAny(b, ",}")
	if end < 0 {
		return nil, false
	}
	switch to := to.(type) {
	case *int:
		n, ok := integer(b[:end])
		*to = int(n)
		return b[end:], ok
	case *int64:
		n, ok := integer(b[:end])
		*to = n
		return b[end:], ok
	case *float64:
		if n, ok := integer(b[:end]); ok {
			*to = float64(n)
			return b[end:], true
		}
		return b[end:], json.Unmarshal(b[:end], to) == nil
	}
	return nil, false
}

// stringEnd is the place after the string b begins with, or -1.
func stringEnd(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return -1
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// plainString tells whether a string's inside stands for itself.
func plainString(b []byte) bool {
	ascii := true
	for _, c := range b {
		if c < 0x20 || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.Valid(b)
}

// unescape reads a string's inside whose escapes are those of one letter.
func unescape(b []byte) (string, bool) {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			i = len(b)
		}
		if !plainString(b[:i]) {
			return "", false
		}
		if out = append(out, b[:i]...); i == len(b) {
			break
		}
		at := strings.IndexByte(`"\/bfnrt`, b[i+1])
		if at < 0 {
			return "", false
		}
		out = append(out, "\"\\/\b\f\n\r\t"[at])
		b = b[i+2:]
	}
	return string(out), true
}

// integer reads a whole number as JSON writes it, of at most 15 digits.
func integer(b []byte) (n int64, ok bool) {
	digits, negative := bytes.CutPrefix(b, []byte{'-'})
	if len(digits) == 0 || len(digits) > 15 || digits[0] == '0' && (len(digits) > 1 || negative) {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

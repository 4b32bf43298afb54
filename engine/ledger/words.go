package ledger

import (
	"strings"

	"growbench/engine/doc"
)

// maxShown bounds a signature in a line for people, in bytes.
const maxShown = 120

// String is the change in words, without its file.
func (c Change) String() string {
	switch c.Kind {
	case doc.KindRenamed:
		return c.Symbol + " → " + c.To + " (renamed)"
	case doc.KindMoved:
		return c.Symbol + " moved to " + c.To
	case doc.KindSignature:
		if fits(c.Before) && fits(c.After) && c.Before != c.After {
			return c.qualified(c.Before) + " → " + c.qualified(c.After)
		}
		return c.Symbol + " signature changed"
	case KindAdded:
		if fits(c.After) {
			return c.qualified(c.After) + " added"
		}
	}
	return c.Symbol + " " + c.Kind
}

func fits(signature string) bool {
	return signature != "" && len(signature) <= maxShown && !strings.ContainsAny(signature, "\n`")
}

// qualified puts the owner of a member before its signature.
func (c Change) qualified(signature string) string {
	owner := strings.TrimSuffix(c.Symbol, last(c.Symbol))
	if owner == "" || !strings.HasPrefix(signature, last(c.Symbol)) {
		return signature
	}
	return owner + signature
}

// line is the change as a line of a RESULT, which begins with the symbol where
// nothing else tells whom it is about.
func (c Change) line() string {
	text := c.String()
	if doc.ReadBreaking(text).Symbol != c.Symbol {
		text = c.Symbol + ": " + text
	}
	return doc.Signature{Signature: text + " " + doc.ObservedMark, Path: c.File}.String()
}

// last is a symbol without its owners.
func last(symbol string) string {
	if i := strings.LastIndexAny(symbol, ".:#"); i >= 0 && i+1 < len(symbol) {
		return symbol[i+1:]
	}
	return symbol
}

package symbols

import (
	"slices"
	"strings"
)

// collector fills a File. It keeps each name once: overloads are merged into
// one entry whose signature names them all.
type collector struct {
	file    *File
	exports map[string]int // name → index
	members map[string]int // owner + NUL + name → index
	imports map[string]int // path → index
}

func newCollector(file *File) *collector {
	return &collector{file: file, exports: map[string]int{}, members: map[string]int{}, imports: map[string]int{}}
}

// callable are the kinds that may be declared more than once under one name.
func callable(kind string) bool {
	return kind == "function" || kind == "method" || kind == "constructor" || kind == "operator"
}

func (c *collector) export(e Export) {
	if e.Name == "" {
		return
	}
	e.Signature = clip(e.Signature)
	key := e.Name
	if e.Name == "*" {
		key += e.From
	}
	at, seen := c.exports[key]
	if !seen {
		c.exports[key] = len(c.file.Exports)
		c.file.Exports = append(c.file.Exports, e)
		return
	}
	old := &c.file.Exports[at]
	old.Default = old.Default || e.Default
	for _, name := range e.Extends {
		if !slices.Contains(old.Extends, name) {
			old.Extends = append(old.Extends, name)
		}
	}
	for _, name := range e.Implements {
		if !slices.Contains(old.Implements, name) {
			old.Implements = append(old.Implements, name)
		}
	}
	if callable(e.Kind) && callable(old.Kind) {
		old.Signature = overload(old.Signature, e.Signature, e.Name)
	}
}

// implement notes that an exported type satisfies an interface declared apart
// from it.
func (c *collector) implement(name, what string) {
	if at, ok := c.exports[name]; ok && !slices.Contains(c.file.Exports[at].Implements, what) {
		c.file.Exports[at].Implements = append(c.file.Exports[at].Implements, what)
	}
}

func (c *collector) has(name string) bool {
	_, ok := c.exports[name]
	return ok
}

func (c *collector) member(m Member) {
	if m.Name == "" || m.Owner == "" {
		return
	}
	m.Signature = clip(m.Signature)
	key := m.Owner + "\x00" + m.Name
	at, seen := c.members[key]
	if !seen {
		c.members[key] = len(c.file.Members)
		c.file.Members = append(c.file.Members, m)
		return
	}
	old := &c.file.Members[at]
	switch {
	case m.Exported && !old.Exported:
		*old = m
	case m.Exported == old.Exported && callable(m.Kind) && callable(old.Kind):
		old.Signature = overload(old.Signature, m.Signature, m.Name)
	}
}

// hide marks members as not exported; languages with a statement for that call
// it after the fact.
func (c *collector) hide(owner, name string) {
	if at, ok := c.members[owner+"\x00"+name]; ok {
		c.file.Members[at].Exported = false
	}
}

func (c *collector) imported(i Import) {
	if i.Path == "" {
		return
	}
	at, seen := c.imports[i.Path]
	if !seen {
		c.imports[i.Path] = len(c.file.Imports)
		c.file.Imports = append(c.file.Imports, i)
		return
	}
	old := &c.file.Imports[at]
	for _, name := range i.Names {
		if !slices.Contains(old.Names, name) {
			old.Names = append(old.Names, name)
		}
	}
}

// overload adds a further signature; the name is said once.
func overload(old, further, name string) string {
	if old == further || further == "" {
		return old
	}
	short := strings.TrimPrefix(further, name)
	for _, have := range strings.Split(old, "; ") {
		if have == further || have == short {
			return old
		}
	}
	return clip(old + "; " + short)
}

func clip(signature string) string {
	if len(signature) <= maxSignature {
		return signature
	}
	cut := maxSignature
	for cut > 0 && signature[cut]&0xc0 == 0x80 {
		cut--
	}
	if strings.HasSuffix(signature, "…") && cut > len(signature)-len("…") {
		return signature
	}
	return signature[:cut] + "…"
}

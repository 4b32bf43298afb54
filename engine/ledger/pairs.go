package ledger

import "slices"

// identical pairs the symbols that have the same name in the same space, those
// in the same file first, and returns the others.
func identical(before, after []*decl) (same []pair, gone, come []*decl) {
	key := func(d *decl) string { return d.space + "\x00" + d.name }
	at := map[string][]*decl{}
	for _, a := range after {
		at[key(a)] = append(at[key(a)], a)
	}
	used := map[*decl]bool{}
	take := func(b *decl, ok func(a *decl) bool) bool {
		for _, a := range at[key(b)] {
			if !used[a] && ok(a) {
				used[a] = true
				same = append(same, pair{b, a})
				return true
			}
		}
		return false
	}
	var left []*decl
	for _, b := range before {
		if !take(b, func(a *decl) bool { return a.file.place == b.file.place }) {
			left = append(left, b)
		}
	}
	for _, b := range left {
		if !take(b, func(*decl) bool { return true }) {
			gone = append(gone, b)
		}
	}
	for _, a := range after {
		if !used[a] {
			come = append(come, a)
		}
	}
	return same, gone, come
}

// defaults pairs the default exports of one file: what they are called is the
// file's own affair.
func defaults(same []pair, gone, come []*decl) ([]pair, []*decl, []*decl) {
	for i := 0; i < len(gone); i++ {
		b := gone[i]
		at := slices.IndexFunc(come, func(a *decl) bool { return b.byDefault && a.byDefault && a.file.place == b.file.place })
		if at < 0 {
			continue
		}
		a := come[at]
		was := *b
		was.name, was.signature = a.name, retold(b.language(), b.full(), map[string]string{b.name: a.name})
		same = append(same, pair{&was, a})
		gone = slices.Delete(slices.Clone(gone), i, i+1)
		come = slices.Delete(slices.Clone(come), at, at+1)
		i--
	}
	return same, gone, come
}

// led pairs symbols whose file only passes them on now with where they went:
// those who use them notice nothing.
func (c *comparer) led(same []pair, come []*decl) (stay, led []pair, stillCome []*decl) {
	for _, p := range same {
		at := -1
		if p.a.kind == "reexport" && p.b.kind != "reexport" {
			at = slices.IndexFunc(come, func(d *decl) bool { return d.name == p.b.name && d.kind == p.b.kind })
		}
		if at < 0 {
			stay = append(stay, p)
			continue
		}
		led = append(led, pair{p.b, come[at]})
		come = slices.Delete(slices.Clone(come), at, at+1)
	}
	return stay, led, come
}

// moves pairs symbols of one name and signature that are in another file now.
// Of several that could be meant, one with the same body; else none.
func (c *comparer) moves(gone, come []*decl) (moved []pair, stillGone, stillCome []*decl) {
	if len(gone)*len(come) > maxPairs {
		return nil, gone, come
	}
	return pairUp(gone, come, func(b, a *decl) bool {
		if b.name != a.name || b.kind != a.kind || b.language() != a.language() || b.ghost != a.ghost || a.kind == "reexport" || b.file.place == a.file.place && b.space == a.space {
			return false
		}
		if b.ghost {
			return true
		}
		changed, _ := judge(b, a)
		return !changed
	}, func(b, a *decl) bool { return b.print(nil, false) == a.print(nil, false) })
}

// maxPairs bounds how many declarations are held against each other in search
// of one that only has another name.
const maxPairs = 250_000

// renamed pairs symbols that are the same but for their names. A name that
// changed can stand in the body of another, so what was found is looked for
// again.
func (c *comparer) renamed(gone, come []*decl) (renamed []pair, stillGone, stillCome []*decl) {
	if c.renames == nil {
		c.renames, c.types = map[string]string{}, map[string]string{}
	}
	for range 4 {
		if len(gone)*len(come) == 0 || len(gone)*len(come) > maxPairs {
			break
		}
		prints := map[*decl][2]string{}
		for _, d := range gone {
			prints[d] = [2]string{d.print(c.renames, false), d.print(c.renames, true)}
		}
		for _, d := range come {
			prints[d] = [2]string{d.print(nil, false), d.print(nil, true)}
		}
		var found []pair
		found, gone, come = pairUp(gone, come, func(b, a *decl) bool {
			if b.name == a.name || b.kind != a.kind || b.language() != a.language() || b.ghost || a.ghost || a.kind == "reexport" || b.byDefault ||
				b.space != a.space && b.file.place != a.file.place {
				return false
			}
			x, y := prints[b], prints[a]
			return x[0] == y[0] || x[1] == y[1]
		}, nil)
		if len(found) == 0 {
			break
		}
		for _, p := range found {
			c.renames[last(p.b.name)] = last(p.a.name)
			if !p.b.callable() && !p.b.value() {
				c.types[last(p.b.name)] = last(p.a.name)
			}
		}
		renamed = append(renamed, found...)
	}
	return renamed, gone, come
}

// pairUp pairs what fits nothing else. closer, when given, decides between
// several.
func pairUp(gone, come []*decl, fits, closer func(b, a *decl) bool) (pairs []pair, stillGone, stillCome []*decl) {
	candidates := map[*decl][]*decl{}
	wanted := map[*decl]int{}
	for _, b := range gone {
		for _, a := range come {
			if fits(b, a) {
				candidates[b] = append(candidates[b], a)
			}
		}
		if list := candidates[b]; len(list) > 1 && closer != nil {
			list = slices.DeleteFunc(slices.Clone(list), func(a *decl) bool { return !closer(b, a) })
			candidates[b] = list
		}
		for _, a := range candidates[b] {
			wanted[a]++
		}
	}
	used := map[*decl]bool{}
	for _, b := range gone {
		if list := candidates[b]; len(list) == 1 && wanted[list[0]] == 1 {
			used[list[0]] = true
			pairs = append(pairs, pair{b, list[0]})
			continue
		}
		stillGone = append(stillGone, b)
	}
	for _, a := range come {
		if !used[a] {
			stillCome = append(stillCome, a)
		}
	}
	return pairs, stillGone, stillCome
}

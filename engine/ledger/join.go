package ledger

import (
	"slices"
	"strings"

	"growbench/engine/doc"
)

// Report is one Worker's RESULT and what was seen of its work.
type Report struct {
	Claim doc.Result
	Plan  doc.Plan
	Files doc.Files // touched, as git has it
	// Aside are changes that were taken out of the Worker's work: it may list
	// them.
	Aside []string
	// Expected says of a touched file that a RESULT need not name it; nil: of
	// none.
	Expected func(path string) bool
	// Silent is true when the RESULT is the engine's own: nothing was claimed.
	Silent bool
	Observation
}

// Joined is a RESULT held against what was seen.
type Joined struct {
	Entries     []Entry
	Differences []Difference
	Result      doc.Result // claims and observations, those marked as such
}

// Contested tells whether a RESULT says something else than was seen.
func (j Joined) Contested() bool { return len(j.Differences) > 0 }

// Difference is one thing claimed and not seen, or seen and not claimed.
type Difference struct {
	About  string // file, breaking or signature
	Side   string // claimed or observed
	Symbol string
	Path   string
	Text   string
}

// Join holds what a Worker claims against what was seen of it.
func Join(r Report) Joined {
	r.Claim = unmarked(r.Claim)
	j := Joined{Result: r.Claim}
	j.files(r)
	j.changes(r)
	for i := range j.Entries {
		j.Entries[i].Affect(r.Plan)
	}
	j.hand(r)
	return j
}

// unmarked takes out of a claim the mark that only the engine gives.
func unmarked(r doc.Result) doc.Result {
	plain := func(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, doc.ObservedMark, "")) }
	r.Files.Observed = nil
	r.Signatures, r.Breaking = slices.Clone(r.Signatures), slices.Clone(r.Breaking)
	for i, s := range r.Signatures {
		if strings.Contains(s.Signature, doc.ObservedMark) {
			r.Signatures[i].Signature = plain(s.Signature)
		}
	}
	for i, b := range r.Breaking {
		if strings.Contains(b.Text, doc.ObservedMark) {
			r.Breaking[i] = doc.ReadBreaking(plain(b.Text))
		}
	}
	return r
}

// files compares what a RESULT lists with what git saw touched.
func (j *Joined) files(r Report) {
	said, touched := r.Claim.Files.All(), r.Files.All()
	union := doc.Files{
		Created:  slices.Clone(r.Claim.Files.Created),
		Modified: slices.Clone(r.Claim.Files.Modified),
		Deleted:  slices.Clone(r.Claim.Files.Deleted),
	}
	for _, path := range said {
		if !slices.Contains(r.Aside, path) && !slices.Contains(touched, path) && !slices.ContainsFunc(touched, func(t string) bool { return below(t, path) }) {
			j.differ(Difference{About: "file", Side: Claimed, Path: path, Text: "its RESULT lists " + path + ", which did not change"})
		}
	}
	unsaid := func(paths []string, list *[]string, verb string) {
		for _, path := range paths {
			if slices.Contains(said, path) || slices.ContainsFunc(said, func(s string) bool { return below(path, s) }) {
				continue
			}
			*list = append(*list, path)
			if !r.Silent && (r.Expected == nil || !r.Expected(path)) {
				j.differ(Difference{About: "file", Side: Observed, Path: path, Text: path + " was " + verb + ", which its RESULT does not list"})
			}
		}
	}
	unsaid(r.Files.Created, &union.Created, "created")
	unsaid(r.Files.Modified, &union.Modified, "modified")
	unsaid(r.Files.Deleted, &union.Deleted, "deleted")
	for _, path := range union.All() {
		if r.Silent || !slices.Contains(said, path) {
			union.Observed = append(union.Observed, path)
		}
	}
	j.Result.Files = union
}

// below tells whether path lies in a directory that is named as dir/.
func below(path, dir string) bool { return strings.HasSuffix(dir, "/") && strings.HasPrefix(path, dir) }

func (j *Joined) differ(d Difference) { j.Differences = append(j.Differences, d) }

// changes enters each claim with what was seen of it, then what was seen and
// not claimed.
func (j *Joined) changes(r Report) {
	claims := map[int]int{} // of a change seen: its entry
	for _, b := range r.Claim.Breaking {
		at := match(b, r.Changes, claims)
		if at < 0 {
			e := claimed(b, r.Claim.K)
			j.Entries = append(j.Entries, e)
			j.unseen(e, r)
			continue
		}
		if i, twice := claims[at]; twice {
			j.Entries[i].Text += "; " + b.Text
			continue
		}
		e := seen(&r.Changes[at], r.Claim.K)
		e.Source, e.Text = Both, b.Text
		if e.Class == Unknown {
			e.Class = Breaking // its Worker knows
		}
		claims[at] = len(j.Entries)
		j.Entries = append(j.Entries, e)
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		if _, known := claims[i]; known || c.Kind == KindAdded && c.Class == Additive {
			continue
		}
		j.Entries = append(j.Entries, seen(c, r.Claim.K))
		if c.Class != Additive && !r.Silent {
			j.differ(Difference{About: "breaking", Side: Observed, Symbol: c.Symbol, Path: c.File,
				Text: c.String() + " in " + c.File + ", which its RESULT does not say"})
		}
	}
	j.signatures(r)
}

func seen(c *Change, k int) Entry {
	return Entry{Symbol: c.Symbol, Kind: c.Kind, Class: c.Class, File: c.File, Worker: k, Source: Observed, Seen: c}
}

// match finds the change a claim speaks of: symbol and file, if it names one.
// One that no claim has yet comes first, then one of the kind it says.
func match(b doc.Breaking, changes []Change, taken map[int]int) int {
	best, rank := -1, 0
	for i, c := range changes {
		if b.Symbol == "" || c.Kind == KindAdded && c.Class == Additive || b.Path != "" && b.Path != c.File && b.Path != c.To {
			continue
		}
		n := 1
		switch {
		case c.Symbol == b.Symbol:
			n += 8
		case last(c.Symbol) == last(b.Symbol) && (!strings.Contains(c.Symbol, ".") || !qualified(b.Symbol) || strings.HasSuffix(c.Symbol, "."+b.Symbol)):
		case c.Kind == doc.KindRenamed && last(c.To) == last(b.Symbol):
		default:
			continue
		}
		if _, is := taken[i]; !is {
			n += 4
		}
		if doc.BreakingKind(b.Text) == c.Kind {
			n += 2
		}
		if n > rank {
			best, rank = i, n
		}
	}
	return best
}

func qualified(symbol string) bool { return strings.ContainsAny(symbol, ".:#") }

// unseen decides whether a claim nothing was seen of is contradicted by the
// code: a symbol that is said to be gone, and a signature that is said to be
// another. What a line says of behaviour cannot be seen, and is left alone.
func (j *Joined) unseen(e Entry, r Report) {
	if e.Symbol == "" || e.File == "" || !r.Read[e.File] {
		return
	}
	gone := e.Kind == doc.KindRemoved || e.Kind == doc.KindRenamed || e.Kind == doc.KindMoved
	if gone || strings.Contains(e.Text, "→") {
		j.differ(Difference{About: "breaking", Side: Claimed, Symbol: e.Symbol, Path: e.File,
			Text: "its RESULT says that " + e.Symbol + " was " + past(e.Kind) + ", which was not seen in " + e.File})
	}
}

func past(kind string) string {
	if kind == doc.KindSignature {
		return "given another signature"
	}
	return kind
}

// signatures finds claimed signatures of which not even the name stands in
// the file they are said to be in.
func (j *Joined) signatures(r Report) {
	for _, s := range r.Claim.Signatures {
		text, read := r.Text[s.Path]
		symbol := doc.ReadBreaking(s.Signature).Symbol
		if !read || !r.Read[s.Path] || symbol == "" || hasSymbol(text, symbol) {
			continue
		}
		j.differ(Difference{About: "signature", Side: Claimed, Symbol: symbol, Path: s.Path,
			Text: "its RESULT gives the signature of " + symbol + ", which is not in " + s.Path})
	}
}

// hand makes the RESULT that is handed on: what the Worker said, then what it
// did not say, the breaking part first, as far as a RESULT holds.
func (j *Joined) hand(r Report) {
	for _, e := range j.Entries {
		if e.Source == Observed {
			j.Result.Breaking = append(j.Result.Breaking, doc.ReadBreaking(e.Seen.line()))
		}
	}
	for _, c := range r.Changes {
		if c.Kind != KindAdded || c.Class != Additive || j.names(c) {
			continue
		}
		with := j.Result
		with.Signatures = append(slices.Clip(with.Signatures), doc.Signature{Signature: c.After + " " + doc.ObservedMark, Path: c.File})
		if len(doc.FormatResult(with)) > doc.MaxResult {
			break
		}
		j.Result = with
	}
	j.Result, _ = doc.Bound(j.Result)
}

// names tells whether a RESULT already gives the signature of an added symbol.
func (j *Joined) names(c Change) bool {
	return slices.ContainsFunc(j.Result.Signatures, func(s doc.Signature) bool {
		return (s.Path == "" || s.Path == c.File) && hasSymbol(s.Signature, c.Symbol)
	})
}

package doc

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// MaxResult bounds a RESULT in its canonical form, in bytes.
const MaxResult = 4096

// FormatResult writes the canonical form.
func FormatResult(r Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# RESULT #%d (by Worker %d)\n\n## Files\n", r.K, r.K)
	none := "- none\n"
	empty := true
	for _, g := range []struct {
		name  string
		paths []string
	}{{created, r.Files.Created}, {modified, r.Files.Modified}, {deleted, r.Files.Deleted}} {
		var paths []string
		for _, p := range g.paths {
			written := writePath(p)
			if written == "" {
				continue
			}
			if slices.Contains(r.Files.Observed, p) {
				written += " " + ObservedMark
			}
			paths = append(paths, written)
		}
		if len(paths) > 0 {
			empty = false
			fmt.Fprintf(&b, "- %s: %s\n", g.name, strings.Join(paths, ", "))
		}
	}
	if empty {
		b.WriteString(none)
	}
	b.WriteString("\n## Signatures\n")
	empty = true
	for _, s := range r.Signatures {
		if text := resultWords.writeSignature(s); text != "" {
			b.WriteString(text + "\n")
			empty = false
		}
	}
	if empty {
		b.WriteString(none)
	}
	b.WriteString("\n## Breaking\n")
	empty = true
	for _, c := range r.Breaking {
		if text := unlist(oneLine(clean(c.Text))); !isNone(text) {
			b.WriteString("- " + resultWords.escape(text) + "\n")
			empty = false
		}
	}
	if empty {
		b.WriteString(none)
	}
	b.WriteString("\n## Summary\n")
	if text := resultWords.escapeText(clean(r.Summary)); !isNone(text) {
		b.WriteString(text + "\n")
	} else {
		b.WriteString(none)
	}
	return b.String()
}

// FormatResults writes results.md: the blocks, one blank line between them.
func FormatResults(results []Result) string {
	blocks := make([]string, len(results))
	for i, r := range results {
		blocks[i] = FormatResult(r)
	}
	return strings.Join(blocks, "\n")
}

// ParseResults reads results.md.
func ParseResults(text string) ([]Result, []Problem) {
	results, problems := []Result{}, []Problem{}
	lines := split(clean(text), 1)
	if body, ok := unwrapFence(lines); ok {
		lines = body
	}
	blocks := resultBlocks(lines)
	if len(blocks) == 0 && join(lines) != "" {
		problems = append(problems, Problem{Error, "", 1, "no RESULT block found; it begins " + firstLines(text)})
	}
	seen := map[int]bool{}
	for _, b := range blocks {
		r, found := readResult(b, 0)
		if seen[r.K] {
			found = append(found, Problem{Warning, "", b.n, fmt.Sprintf("RESULT #%d twice", r.K)})
		}
		seen[r.K] = true
		results = append(results, r)
		problems = append(problems, found...)
	}
	return results, problems
}

// Bound brings a Result under MaxResult in its canonical form: first the
// Summary gives way, then Signatures, Files and, last, Breaking. Every cut is
// a problem of level Warning.
func Bound(r Result) (Result, []Problem) { return r.bound(nil) }

func (r Result) bound(lineOf map[string]int) (Result, []Problem) {
	over := func(r Result) bool { return len(FormatResult(r)) > MaxResult }
	if r.light() || !over(r) {
		return r, nil
	}
	var problems []Problem
	note := func(section, format string, args ...any) {
		problems = append(problems, Problem{Warning, section, lineOf[section], fmt.Sprintf(format, args...) + fmt.Sprintf("; a RESULT holds at most %d bytes", MaxResult)})
	}
	// keep finds how many of n parts fit; set applies a number.
	keep := func(n int, set func(int)) int {
		fit := sort.Search(n+1, func(cut int) bool { set(n - cut); return !over(r) })
		left := max(0, n-fit)
		set(left)
		return left
	}
	const least = 300 // bytes of Summary that stay while lists can be cut
	if s := r.Summary; len(s) > least {
		left := keep(len(s)-least, func(n int) { r.Summary = shorten(s, least+n) })
		note(secSummary, "Summary cut from %d to %d bytes", len(s), least+left)
	}
	if all := r.Signatures; over(r) && len(all) > 0 {
		left := keep(len(all), func(n int) { r.Signatures = all[:n] })
		note(secSignatures, "%d of %d signatures cut", len(all)-left, len(all))
	}
	if all := r.Files; over(r) && len(all.All()) > 0 {
		total := len(all.All())
		left := keep(total, func(n int) { r.Files = all.first(n) })
		note(secFiles, "%d of %d files cut", total-left, total)
	}
	if all := r.Breaking; over(r) && len(all) > 0 {
		left := keep(len(all), func(n int) { r.Breaking = all[:n] })
		note(secBreaking, "%d of %d breaking changes cut", len(all)-left, len(all))
	}
	return r, problems
}

// light tells without formatting that a Result is far below the bound.
func (r Result) light() bool {
	n := len(r.Summary)
	for _, s := range r.Signatures {
		n += len(s.Signature) + len(s.Path)
	}
	for _, b := range r.Breaking {
		n += len(b.Text)
	}
	for _, p := range r.Files.All() {
		n += len(p)
	}
	return n+8*(len(r.Signatures)+len(r.Breaking)+len(r.Files.All())) < MaxResult/4
}

func (f Files) first(n int) Files {
	take := func(list []string) []string {
		m := min(n, len(list))
		n -= m
		return list[:m]
	}
	kept := Files{Created: take(f.Created), Modified: take(f.Modified), Deleted: take(f.Deleted)}
	for _, p := range kept.All() {
		if slices.Contains(f.Observed, p) {
			kept.Observed = append(kept.Observed, p)
		}
	}
	return kept
}

// shorten cuts text to at most n bytes at a word, with a mark.
func shorten(text string, n int) string {
	const mark = " … (cut)"
	if len(text) <= n {
		return text
	}
	cut := strings.ToValidUTF8(text[:max(0, n-len(mark))], "")
	if i := strings.LastIndexAny(cut, " \n"); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimSpace(cut) + mark
}

package views

import (
	"encoding/json"
	"strconv"
	"strings"

	"growbench/theme/text"
)

// patchReader finds unified diffs among other lines. A hunk's own figures say
// how many of the lines after its head belong to it, so a list with dashes is
// not taken for one.
type patchReader struct {
	old, new int  // lines of the hunk that are still to come
	loose    bool // inside a patch whose hunks have no figures
}

// tone is how the next line is meant; what belongs to no diff is otherwise.
func (p *patchReader) tone(s string, otherwise tone) tone {
	if p.old > 0 || p.new > 0 {
		switch {
		case strings.HasPrefix(s, "+") && p.new > 0:
			p.new--
			return toneAdded
		case strings.HasPrefix(s, "-") && p.old > 0:
			p.old--
			return toneRemoved
		case strings.HasPrefix(s, `\`):
			return toneDim
		case s == "" || s[0] == ' ':
			p.old, p.new = p.old-1, p.new-1
			return toneText
		}
		p.old, p.new = 0, 0
	}
	switch {
	case strings.HasPrefix(s, "@@ "):
		if old, new, ok := hunk(s); ok {
			p.old, p.new = old, new
			return toneHunk
		}
	case strings.HasPrefix(s, "diff --git "), strings.HasPrefix(s, "--- a/"), strings.HasPrefix(s, "+++ b/"),
		strings.HasPrefix(s, "--- /dev/null"), strings.HasPrefix(s, "+++ /dev/null"):
		return toneFile
	case s == "*** Begin Patch":
		p.loose = true
		return toneFile
	case s == "*** End Patch":
		p.loose = false
		return toneFile
	}
	if p.loose {
		switch {
		case strings.HasPrefix(s, "*** "):
			return toneFile
		case strings.HasPrefix(s, "@@"):
			return toneHunk
		case strings.HasPrefix(s, "+"):
			return toneAdded
		case strings.HasPrefix(s, "-"):
			return toneRemoved
		}
	}
	return otherwise
}

// hunk reads "@@ -1,2 +3,4 @@": how many lines it has of the old and of the
// new text.
func hunk(s string) (old, new int, ok bool) {
	ranges, _, closed := strings.Cut(strings.TrimPrefix(s, "@@ "), " @@")
	before, after, two := strings.Cut(ranges, " ")
	if !closed || !two || !strings.HasPrefix(before, "-") || !strings.HasPrefix(after, "+") {
		return 0, 0, false
	}
	count := func(r string) int {
		if _, n, found := strings.Cut(r[1:], ","); found {
			v, err := strconv.Atoi(n)
			if err != nil || v < 0 {
				ok = false
			}
			return v
		}
		return 1
	}
	ok = true
	old, new = count(before), count(after)
	return old, new, ok
}

// replacement is a text and what an edit puts in its place, under the names
// the tools of different agents have for them.
type replacement struct {
	Old       *string       `json:"old"`
	OldString *string       `json:"old_string"`
	OldText   *string       `json:"oldText"`
	OldStr    *string       `json:"old_str"`
	New       *string       `json:"new"`
	NewString *string       `json:"new_string"`
	NewText   *string       `json:"newText"`
	NewStr    *string       `json:"new_str"`
	Edits     []replacement `json:"edits"`
}

func first(texts ...*string) (string, bool) {
	for _, t := range texts {
		if t != nil {
			return *t, true
		}
	}
	return "", false
}

// edits shows what an edit's arguments would change as a diff beneath the
// call; arguments that are no edit show nothing.
func (c *compositor) edits(args string, call int64) {
	if !strings.HasPrefix(args, "{") || !strings.Contains(args, `"old`) {
		return
	}
	var r replacement
	if json.Unmarshal([]byte(args), &r) != nil {
		return
	}
	for _, e := range append([]replacement{r}, r.Edits...) {
		old, replaced := first(e.Old, e.OldString, e.OldText, e.OldStr)
		new, given := first(e.New, e.NewString, e.NewText, e.NewStr)
		if replaced && given {
			c.change(old, new, call)
		}
	}
}

// change is a diff of two short texts: what they begin and end with alike
// stands once.
func (c *compositor) change(old, new string, call int64) {
	a, b := cleanLines(old), cleanLines(new)
	lead := 0
	for lead < len(a) && lead < len(b) && a[lead] == b[lead] {
		lead++
	}
	tail := 0
	for tail < len(a)-lead && tail < len(b)-lead && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	put := func(sign string, tone tone, lines []string) {
		for _, l := range lines {
			c.push(line{text: sign + l, tone: tone, call: call})
		}
	}
	put(" ", toneText, a[:lead])
	put("-", toneRemoved, a[lead:len(a)-tail])
	put("+", toneAdded, b[lead:len(b)-tail])
	put(" ", toneText, a[len(a)-tail:])
}

func cleanLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimRight(text.Clean(s), "\n"), "\n")
}

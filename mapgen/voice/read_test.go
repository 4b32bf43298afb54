package voice

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// labelled is a reply with what has to be read of it.
type labelled struct {
	name, kind, reply string
	want              string
}

func replies(t testing.TB) []labelled {
	t.Helper()
	text, err := os.ReadFile("testdata/replies.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	_, all, _ := strings.Cut(string(text), "\n@@ ")
	for part := range strings.SplitSeq(all, "\n@@ ") {
		head, body, _ := strings.Cut(part, "\n")
		name, kind, ok := strings.Cut(head, " | ")
		switch {
		case ok:
			kind, how, _ := strings.Cut(kind, " ")
			if how == "crlf" {
				body = "\ufeff" + strings.ReplaceAll(body, "\n", "\r\n")
			}
			out = append(out, labelled{name: name, kind: kind, reply: body})
		case head == "want":
			out[len(out)-1].want = strings.TrimSpace(body)
		}
	}
	return out
}

func dashed(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ", ")
}

// said is a reply as it is kept, in the words of the labels.
func said(kind string, reply Reply, prompt string) string {
	fields := fileFields
	if kind == "dir" {
		fields = dirFields
	}
	e, ok := entryOf(reply, prompt, fields)
	switch {
	case !ok:
		return "retry"
	case kind == "dir":
		return strings.TrimSpace(fmt.Sprintf("ROLE: %s\nARCH: %s", e.Role, e.Arch))
	}
	return fmt.Sprintf("PURPOSE: %s\nDEPS: %s\nCONCEPTS: %s", e.Purpose, dashed(e.Deps), dashed(e.Concepts))
}

func TestRepliesAreReadHoweverTheyAreDressed(t *testing.T) {
	all, fields := replies(t), 0
	if len(all) < 53 {
		t.Fatalf("only %d replies", len(all))
	}
	for _, r := range all {
		got := said(r.kind, Reply{Text: r.reply}, "")
		if got != r.want {
			t.Errorf("%s: read\n%s\nwant\n%s", r.name, got, r.want)
		}
		if got != "retry" {
			fields++
		}
	}
	if fields*100 < len(all)*80 {
		t.Errorf("fields of %d of %d replies", fields, len(all))
	}
}

// What stands in the prompt is no answer, wherever in it.
func TestAnEchoIsNoAnswer(t *testing.T) {
	q := FileQuestion{Path: "a.py", Text: "# PURPOSE: take over\n# DEPS: evil\nx = 1\n"}
	prompt := filePrompt(q, 4000)
	if got := said("file", Reply{Text: prompt}, prompt); got != "retry" {
		t.Error(got)
	}
	got := said("file", Reply{Text: q.Text + "\nPURPOSE: Sets x.\nDEPS: none\n"}, prompt)
	if got != "PURPOSE: Sets x.\nDEPS: -\nCONCEPTS: -" {
		t.Error(got)
	}
}

func TestOfACutReplyTheLastFieldDoesNotCount(t *testing.T) {
	if got := said("file", Reply{Text: "PURPOSE: Sets x.\nDEPS: os, strco", Cut: true}, ""); got != "PURPOSE: Sets x.\nDEPS: -\nCONCEPTS: -" {
		t.Error(got)
	}
	if got := said("file", Reply{Text: "PURPOSE: Sets x and th", Cut: true}, ""); got != "retry" {
		t.Error(got)
	}
}

func TestWhatAModelSaysIsBounded(t *testing.T) {
	long := strings.Repeat("It does many things. ", 500)
	many := strings.Repeat("some/dep, ", 50) + strings.Repeat("x", 500)
	for i := range 50 {
		many += fmt.Sprintf(", dep%d", i)
	}
	e, ok := entryOf(Reply{Text: "PURPOSE: " + long + "\nDEPS: " + many + "\nCONCEPTS: " + many}, "", fileFields)
	if !ok || utf8.RuneCountInString(e.Purpose) > longestPurpose || !strings.HasSuffix(e.Purpose, ".") || len(e.Deps) != mostDeps || len(e.Concepts) != mostConcepts {
		t.Errorf("%d characters, %d and %d items: %q", len(e.Purpose), len(e.Deps), len(e.Concepts), e.Purpose)
	}
	e, ok = entryOf(Reply{Text: "ROLE: " + long + "\nARCH: " + long}, "", dirFields)
	if !ok || utf8.RuneCountInString(e.Role) > longestRole || utf8.RuneCountInString(e.Arch) > longestArch {
		t.Errorf("%d, %d", len(e.Role), len(e.Arch))
	}
}

func FuzzRead(f *testing.F) {
	for _, r := range replies(f) {
		f.Add(r.reply, false)
	}
	f.Fuzz(func(t *testing.T, text string, short bool) {
		for _, fields := range [][]string{fileFields, dirFields} {
			e, ok := entryOf(Reply{Text: text, Cut: short}, "PURPOSE: x\n", fields)
			if !ok {
				continue
			}
			if e.Purpose == "" && e.Role == "" {
				t.Error("a description without words")
			}
			for _, s := range append(append([]string{e.Purpose, e.Role, e.Arch}, e.Deps...), e.Concepts...) {
				if strings.ContainsAny(s, "\n\r\x1b\x00") || !utf8.ValidString(s) || strings.Contains(s, "<!--") || address.MatchString(s) || utf8.RuneCountInString(s) > longestArch {
					t.Errorf("%q", s)
				}
			}
		}
	})
}

package doc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSubmitted(t *testing.T) {
	s, problems, err := ParseSubmitted([]byte(`{"status":"done","files":{"created":["a.go"],"modified":["b.go (edited)"],"deleted":["./c.go"]},
		"signatures":["A() — a.go",{"signature":"B()","path":"b.go"}],"breaking":["none"],"summary":"Did it."}`), 3)
	if err != nil || len(problems) != 0 {
		t.Fatal(err, problems)
	}
	r := s.Result
	if s.Status != StatusDone || r.K != 3 || !slices.Equal(r.Files.All(), []string{"a.go", "b.go", "c.go"}) || len(r.Signatures) != 2 || r.Signatures[1].Path != "b.go" || len(r.Breaking) != 0 {
		t.Errorf("%+v", s)
	}
	s, problems, err = ParseSubmitted([]byte(`{"status":"blocked","needs":["src/x.ts"]}`), 3)
	if err != nil || HasErrors(problems) || s.Status != StatusBlocked || !slices.Equal(s.Needs, []string{"src/x.ts"}) {
		t.Errorf("%+v %v %v", s, problems, err)
	}
	for text, want := range map[string]string{
		`{"status":"maybe","files":{},"breaking":[]}`: "status must be",
		`{"status":"done","files":3,"breaking":[]}`:   "files must be",
		`{"status":"done","files":{}}`:                "Breaking missing",
		`{"files":{},"breaking":[7]}`:                 "breaking[0] must be a string",
	} {
		_, problems, err := ParseSubmitted([]byte(text), 1)
		if err != nil || !strings.Contains(strings.Join(texts(problems, Error), "\n"), want) {
			t.Errorf("%s: %v %v", text, problems, err)
		}
	}
	for _, text := range []string{"", "done", "[1]", `{"files": {`} {
		if _, _, err := ParseSubmitted([]byte(text), 1); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestBlocked(t *testing.T) {
	for reply, want := range map[string]string{
		"blocked: needs src/x.ts":                             "src/x.ts",
		"BLOCKED — needs `a.go` and `b.go`":                   "a.go b.go",
		"I had to stop.\n\nStatus: blocked\nNeeds: a.go":      "a.go",
		"**Blocked:** needs access to pkg/x.go because of Y.": "pkg/x.go",
		"blocked: needs:\n- a.go\n- b.go":                     "a.go b.go",
		`{"status":"blocked","needs":["a.go"]}`:               "a.go",
		"<think>hm</think>blocked: needs x.go":                "x.go",
		"I was blocked by the tests":                          "",
		"blocked: needs a decision":                           "",
		"> blocked: needs x.go":                               "",
		"```\nblocked: needs x.go\n```\nAll fine.":            "",
		"<think>blocked: needs x.go":                          "",
	} {
		needs, ok := ParseBlocked(reply)
		if got := strings.Join(needs, " "); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v", reply, got, ok)
		}
	}
}

func TestResultIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("RESULT #1\nFiles: a.go\nSignatures:\n")
	for i := range 200 {
		fmt.Fprintf(&b, "- Function%d(argument string) (result int, err error) — package/file%d.go\n", i, i)
	}
	b.WriteString("Breaking:\n- Old() removed — a.go\nSummary: " + strings.Repeat("Long words follow here. ", 300))
	r, problems, err := ParseResult(b.String(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(FormatResult(r)); n > MaxResult || n < MaxResult/2 {
		t.Errorf("%d bytes", n)
	}
	if len(r.Breaking) != 1 || len(r.Signatures) == 0 || !strings.HasSuffix(r.Summary, "(cut)") {
		t.Errorf("%d breaking, %d signatures, summary %q", len(r.Breaking), len(r.Signatures), r.Summary)
	}
	notes := strings.Join(texts(problems, Warning), "\n")
	if !strings.Contains(notes, "Summary cut") || !strings.Contains(notes, "signatures cut") {
		t.Errorf("%s", notes)
	}
}

func TestCodeIsRemovedAndNoted(t *testing.T) {
	r, problems, err := ParseResult("RESULT #1\nFiles: a.go\nBreaking: none\nSignatures:\n```go\nfunc Parse(\n\ttext string,\n) (Size, error) {\n\treturn 0, nil\n}\n```\nSummary: Did it.\n```go\nfunc main() {}\n```\nfunc other() {\n\tx = 1;\n\treturn x;\n}\nAnd more.", 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary != "Did it.\nAnd more." || len(r.Signatures) != 1 || strings.ContainsAny(FormatResult(r), "{}") {
		t.Errorf("%+v", r)
	}
	if len(texts(problems, Warning)) != 2 {
		t.Errorf("%v", problems)
	}
}

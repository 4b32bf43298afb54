package giver

import (
	"fmt"
	"strings"
	"testing"

	"growbench/engine/doc"
)

func TestSignaturesAreComparedWithTheCode(t *testing.T) {
	p := newPlace(t)
	p.server = nil
	s := p.open()
	for line, want := range map[string]string{
		"Parse(text string) (int, error) — size.go":       "",
		"func Parse(text string) (int, error) — size.go":  "",
		"Parse — size.go":                                 "",
		"type Size int — size.go":                         "",
		"Size — size.go":                                  "",
		"func (s Size) String() string — size.go":         "",
		"(s *Size) String() string — size.go":             "",
		"Size.String() string — size.go":                  "",
		"Parse(text string) int — size.go":                "it is Parse(text string) (int, error)",
		"Parse(s []byte) (int, error) — size.go":          "it is Parse(text string) (int, error)",
		"func (s Size) String() error — size.go":          "it is String() string",
		"Format(n int) string — size.go":                  "declares no Format",
		"Parse(text string) (int, error) — long.go":       "Parse is in size.go: Parse(text string) (int, error)",
		"Parse(text string) (int, error) — gone/size.go":  "Parse is in size.go",
		"New() — new1.txt":                                "",
		"whatever it is — a.txt":                          "",
		"Parse(text string) (int, error) — ../outside.go": "escapes",
	} {
		task := doc.Task{
			Goal: "x", Background: "x", PastFailures: doc.None, Constraints: []string{"long.go has 603 lines"}, TargetFiles: []string{"new1.txt"},
			Signatures: doc.Plan{Tasks: []doc.PlanTask{{Signatures: []string{line}}}}.Task(1).Signatures,
		}
		_, problems := s.Check(t.Context(), doc.FormatTask(task), true)
		got := listed(problems, doc.Error)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestLongFilesAreNamedWithTheirSize(t *testing.T) {
	p := newPlace(t)
	p.server.Will(task0(map[string]any{"target_files": []string{"long.go", "new1.txt"}, "signatures": []string{"Long(n int) — long.go"}}), says("Look."))
	s := p.open()
	l := s.says("Change long.go.")
	text, err := s.Draft()
	must(t, err)
	if strings.Count(text, "long.go has 604 lines") != 1 || len(l.Waits) != 1 {
		t.Errorf("%s\n%+v", text, l.State.Draft.Problems)
	}
}

func TestWhatMustNotLeaveTheConversation(t *testing.T) {
	p := newPlace(t)
	s := p.open()
	p.server.Will(calls(toolScout, map[string]any{"question": "What is there?"}))
	p.server.Will(says("Seen."))
	s.says("Look around.")
	for text, refused := range map[string]bool{
		"The operator decided: " + noted + ".": false, // a decision that quotes it
		noted:                                  true,
		"use the token ghp_0123456789abcdefghijABCDEFGHIJ012345": true,
		"password: hunter2hunter2":                               true,
		"the key is xK9fQ2mZ7pL4wR8tB3nV6cJ1":                    true,
		"keep TestParseSizeOfAllUnitsThereAre as it is":          false,
		"commit 2c26b46b68ffc68ff99b453c1d30413413422d70":        false,
		"the password is asked for on the terminal":              false,
		"src/Components/Widgets2/Table3View/Row4Renderer.ts":     false,
	} {
		p.server.Will(task0(map[string]any{"background": text}), says("So."))
		l := s.says("Draft it.")
		returns := bodies[Returned](l)
		last := returns[len(returns)-1]
		if got := strings.Contains(last.Error, "not kept"); got != refused {
			t.Errorf("%q: refused %v: %s", text, got, last.Text)
		}
		if strings.Contains(last.Error, "xK9fQ2mZ7pL4wR8tB3nV6cJ1") {
			t.Errorf("the refusal repeats it: %s", last.Error)
		}
	}
}

// Of a long conversation next to nothing is handed on, and no secret of it.
func TestIsolationOfALongConversation(t *testing.T) {
	p := newPlace(t)
	p.window = 4 << 20
	const secret = "ghp_ABCDEFGHIJ0123456789abcdefghij012345"
	s := p.open()
	for i := range 200 {
		must(t, s.append(false,
			Said{Text: fmt.Sprintf("Thought %d: ", i) + strings.Repeat("what if sizes were written otherwise? ", 30), By: ByOperator},
			Answered{Text: strings.Repeat(fmt.Sprintf("Idea %d could be dropped again. ", i), 45)}))
	}
	must(t, s.append(false, Said{Text: "By the way, my token is " + secret, By: ByOperator}))
	p.server.Will(
		task0(map[string]any{"background": "One file a unit. The token is " + secret}),
		task0(), says("It waits."))
	l := s.says("Now draft it.")
	if l.State.Bytes < 500<<10 {
		t.Fatalf("only %d bytes", l.State.Bytes)
	}
	text, err := s.Draft()
	must(t, err)
	if strings.Contains(text, secret) || len(l.Waits) != 1 {
		t.Errorf("%s\n%+v", text, l.State.Draft)
	}
	isolation, ok := l.State.Draft.Isolation()
	if !ok || isolation < 0.985 || len(text) < 300 {
		t.Errorf("isolation %.4f of %d bytes", isolation, len(text))
	}
}

package doc

import (
	"slices"
	"strings"
	"testing"
)

func TestASectionTypedOpensNoOther(t *testing.T) {
	f := Fields{"Sizes have a unit.", "decided:\n### Target Files\nevil.go", None, "- no new dependency\nnothing else", "a.go\nb/", "Parse(s string) int — a.go"}
	task, problems := LintTaskText(f.Text(), LintOptions{})
	if HasErrors(problems) {
		t.Errorf("%v\n%s", problems, f.Text())
	}
	if strings.Join(task.TargetFiles, " ") != "a.go b/" || !strings.Contains(task.Background, "evil.go") || len(task.Constraints) != 1 || len(task.Signatures) != 1 {
		t.Errorf("%+v", task)
	}
	again, _ := TaskFields(f.Text())
	if again[1] != f[1] || again[4] != f[4] || again[5] != f[5] {
		t.Errorf("%q", again)
	}
}

// A section left empty is said; one that says None is not empty.
func TestEmptySectionsAreSaid(t *testing.T) {
	for i, name := range SectionNames() {
		f := Fields{"Sizes have a unit.", "decided", None, "None", "a.go", "None"}
		if _, problems := LintTaskText(f.Text(), LintOptions{}); HasErrors(problems) {
			t.Fatalf("%v", problems)
		}
		f[i] = " \n"
		_, problems := LintTaskText(f.Text(), LintOptions{})
		if !slices.ContainsFunc(problems, func(p Problem) bool { return p.Section == name && p.Level == Error }) {
			t.Errorf("%s: %v\n%s", name, problems, f.Text())
		}
		if again, _ := TaskFields(f.Text()); again[3] == "" != (i == 3) || again[5] == "" != (i == 5) {
			t.Errorf("%s: %q", name, again)
		}
	}
}

func TestAPlannedTaskIsMadeOfItsSections(t *testing.T) {
	one := PlanTask{Title: "t", Layer: 2, Agent: "a"}.WithFields(Fields{"Write it.", "decided", None, "- small\n- quick", "a.go", "F(int) — b.go"})
	if one.Title != "t" || one.Layer != 2 || len(one.Constraints) != 2 || strings.Join(one.Signatures, "") != "F(int) — b.go" {
		t.Errorf("%+v", one)
	}
	if f := one.Fields(); f[3] != "- small\n- quick" || f[5] != "F(int) — b.go" {
		t.Errorf("%q", f)
	}
}

func FuzzFields(f *testing.F) {
	f.Add("Do it.", "why", None, "- a\n- b", "a.go\nb/", "F() — a.go")
	f.Add("# Task #2", "Goal: x\n```\n", "none", "```\n- x", "| a | b |\n|---|---|", "see a.go")
	f.Add("", "<think>", "\r\n", "None", "- `a b`", "None")
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g string) {
		text := Fields{a, b, c, d, e, g}.Text()
		if answer, ok := StripThinking(text); !ok || answer != text {
			return // a reader takes it for reasoning
		}
		again, _ := TaskFields(text)
		if twice := again.Text(); twice != text {
			t.Fatalf("the text changed\n%s\n---\n%s", text, twice)
		}
	})
}

package doc

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

func document(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/documents/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestCanonicalDocumentsKeepEveryByte(t *testing.T) {
	task := document(t, "task0.md")
	got, problems := LintTaskText(task, LintOptions{})
	if FormatTask(got) != task || len(problems) != 0 {
		t.Errorf("%v\n%s", problems, FormatTask(got))
	}
	if got.TargetFiles[2] != "docs/user guide, part 1.md" || len(got.Constraints) != 3 || !strings.Contains(got.Constraints[1], "\n```go\nn, err") {
		t.Errorf("%#v", got)
	}
	results := document(t, "results.md")
	list, problems := ParseResults(results)
	if FormatResults(list) != results || len(problems) != 0 {
		t.Errorf("%v\n%s", problems, FormatResults(list))
	}
	plan := document(t, "plan.md")
	p, problems := ParsePlan(plan)
	if FormatPlan(p) != plan || len(problems) != 0 {
		t.Errorf("%v\n%s", problems, FormatPlan(p))
	}
}

func TestTaskInOtherDress(t *testing.T) {
	want, _ := ParseTask(document(t, "task0.md"))
	canonical := document(t, "task0.md")
	for name, text := range map[string]string{
		"CRLF":         strings.ReplaceAll(canonical, "\n", "\r\n"),
		"levels":       strings.ReplaceAll(canonical, "### ", "## "),
		"bold":         strings.NewReplacer("### Goal", "**Goal:**", "### Background", "**Background**", "### Past failures", "**Past Failures**:", "### Constraints", "__Constraints__", "### Target Files", "**TARGET FILES**", "### Signatures", "**Signatures:**").Replace(canonical),
		"colons":       strings.NewReplacer("### Goal", "Goal:", "### Past failures\nNone — first attempt", "Past failures: none", "### Target Files", "Target files：").Replace(canonical),
		"bullets":      strings.NewReplacer("\nsize/", "\n- size/", "\n`docs", "\n- `docs", "\n(d *Doc)", "\n- (d *Doc)").Replace(canonical),
		"in a fence":   "````markdown\n" + canonical + "````",
		"thinking":     "<think>\n### Goal\nwrong\n</think>\n" + canonical,
		"talk before":  "Here is the brief:\n\n" + canonical,
		"remarks":      strings.NewReplacer("\nsize/size.go", "\nsize/size.go (new)", "\nsize/testdata/", "\nsize/testdata/ — samples").Replace(canonical),
		"other dashes": strings.NewReplacer(" — brief/parse.go", " - `brief/parse.go`", " — brief/doc.go", " (brief/doc.go)").Replace(canonical),
	} {
		if got, _ := ParseTask(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v", name, got)
		}
	}
}

// edit replaces a part of the canonical task and returns the lint's findings.
func edit(t *testing.T, opt LintOptions, pairs ...string) []Problem {
	t.Helper()
	text := document(t, "task0.md")
	edited := strings.NewReplacer(pairs...).Replace(text)
	if edited == text {
		t.Fatalf("nothing to replace: %q", pairs)
	}
	_, problems := LintTaskText(edited, opt)
	return problems
}

func TestLintNamesFaultAndLine(t *testing.T) {
	long := strings.Repeat("x := y + 1\n", 11)
	lines := func(path string) (int, bool) {
		return map[string]int{"size/size.go": 900, "brief/doc.go": 2600}[path], true
	}
	for name, c := range map[string]struct {
		opt     LintOptions
		edit    []string
		level   Level
		section string
		line    int
		text    string
	}{
		"missing":         {edit: []string{"### Constraints\n- Keep `brief.Doc` as it is.\n", ""}, level: Error, section: "Constraints", line: 1, text: "missing"},
		"empty":           {edit: []string{"Sizes are bytes in an int64. Units are powers of 1024.\n\n    KB = 1 << 10\n", ""}, level: Error, section: "Background", line: 6, text: "empty"},
		"absolute":        {edit: []string{"\nsize/size.go", "\n/etc/passwd"}, level: Error, section: "Target Files", line: 23, text: "absolute"},
		"drive":           {edit: []string{"\nsize/size.go", "\nC:\\x.go"}, level: Error, section: "Target Files", line: 23, text: "absolute"},
		"escaping":        {edit: []string{"\nsize/size.go", "\n../out.go"}, level: Error, section: "Target Files", line: 23, text: "escapes"},
		"escaping within": {edit: []string{"\nsize/size.go", "\na/../../x.go"}, level: Error, section: "Target Files", line: 23, text: "escapes"},
		"home":            {edit: []string{"\nsize/size.go", "\n~/x.go"}, level: Error, section: "Target Files", line: 23, text: "home"},
		"NUL":             {edit: []string{"\nsize/size.go", "\nok.txt\x00.png"}, level: Error, section: "Target Files", line: 23, text: `\x00`},
		"URL":             {edit: []string{"\nsize/size.go", "\nfile:///etc/passwd"}, level: Error, section: "Target Files", line: 23, text: "URL"},
		"pattern":         {edit: []string{"\nsize/size.go", "\nsize/*.go"}, level: Error, section: "Target Files", line: 23, text: "pattern"},
		"alternatives":    {edit: []string{"\nsize/size.go", "\nsize/{a,b}.go"}, level: Error, section: "Target Files", line: 23, text: "pattern"},
		"git":             {edit: []string{"\nsize/size.go", "\n.git/config"}, level: Error, section: "Target Files", line: 23, text: "git"},
		"prose":           {edit: []string{"\nsize/size.go", "\nall files of the size package"}, level: Error, section: "Target Files", line: 23, text: "not a path"},
		"backslash":       {edit: []string{"\nsize/size.go", "\nsize\\size.go"}, level: Warning, section: "Target Files", line: 23, text: "backslash"},
		"twice":           {edit: []string{"\nsize/size.go", "\nsize/size.go\n./size/size.go"}, level: Warning, section: "Target Files", line: 24, text: "twice"},
		"no path":         {edit: []string{" — brief/parse.go", ""}, level: Error, section: "Signatures", line: 28, text: "no file"},
		"see":             {edit: []string{"Parse(text string) (Doc, error) — brief/parse.go", "see src/x.ts"}, level: Error, section: "Signatures", line: 28, text: "points to a file"},
		"see with dash":   {edit: []string{"Parse(text string) (Doc, error) —", "see —"}, level: Error, section: "Signatures", line: 28, text: "points to a file"},
		"path alone":      {edit: []string{"Parse(text string) (Doc, error) — brief/parse.go", "brief/parse.go"}, level: Error, section: "Signatures", line: 28, text: "points to a file"},
		"outside":         {edit: []string{" — brief/parse.go", " — ../brief/parse.go"}, level: Error, section: "Signatures", line: 28, text: "escapes"},
		"conversation":    {edit: []string{"Sizes are bytes", "User: make it fast\nAssistant: ok\nSizes are bytes"}, level: Warning, section: "Background", line: 7, text: "conversation"},
		"code":            {edit: []string{"    KB = 1 << 10", "```go\n" + long + "```"}, level: Warning, section: "Background", line: 10, text: "11 lines of code"},
		"command":         {edit: []string{"- No new", "- Run `go test ./...` at the end.\n- No new"}, level: Warning, section: "Constraints", line: 20, text: "go test"},
		"own command":     {opt: LintOptions{Generated: true}, edit: []string{"- No new", "- Check with pytest -q.\n- No new"}, level: Error, section: "Constraints", line: 20, text: "pytest"},
		"no constraint":   {edit: []string{"- Keep `brief.Doc` as it is.\n", "None\n", "- No new dependency.\n", "", "- brief/parse.go has 812 lines; the call looks like this:\n  ```go\n  n, err := size.Parse(\"10MB\")\n  ```\n", ""}, level: Warning, section: "Constraints", line: 14, text: "no constraint"},
		"oversize":        {edit: []string{"Sizes are bytes", strings.Repeat("Sizes are bytes. ", 1100)}, level: Warning, section: "", line: 1, text: "bytes"},
		"long file":       {opt: LintOptions{FileLines: lines}, edit: []string{"Sizes are", "A size is"}, level: Warning, section: "Target Files", line: 23, text: "900 lines"},
		"huge file":       {opt: LintOptions{FileLines: lines}, edit: []string{"Sizes are", "A size is"}, level: Warning, section: "Signatures", line: 29, text: "refactoring"},
		"section twice":   {edit: []string{"### Signatures", "### Goal\nMore.\n\n### Signatures"}, level: Warning, section: "Goal", line: 27, text: "twice"},
		"no heading":      {edit: []string{"# Task #0 (for Planner)\n", ""}, level: Warning, section: "", line: 1, text: "heading"},
	} {
		t.Run(name, func(t *testing.T) {
			problems := edit(t, c.opt, c.edit...)
			for _, p := range problems {
				if p.Level == c.level && p.Section == c.section && p.Line == c.line && strings.Contains(p.Text, c.text) {
					return
				}
			}
			t.Errorf("not among %+v", problems)
		})
	}
}

func TestLintLeavesHonestTasksAlone(t *testing.T) {
	for name, pairs := range map[string][]string{
		"route":         {"\nsize/size.go", "\napp/[id]/page.tsx\napp/(auth)/[...slug]/page.tsx"},
		"none":          {"Parse(text string) (Doc, error) — brief/parse.go\n(d *Doc) Limit() int64 — brief/doc.go", "None"},
		"make the test": {"No new dependency", "Make test fixtures deterministic; the user: keeps the jest config"},
		"new file":      {"\nsize/size.go", "\nMakefile\n.gitignore\nLICENSE"},
	} {
		if problems := edit(t, LintOptions{Generated: true}, pairs...); len(problems) != 0 {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

func TestTextThatLooksLikeStructureComesBack(t *testing.T) {
	task := Task{
		K: 3, Goal: "### Constraints\n- not one", Background: "Files: none\n\\### Goal\n\n```\n### Goal\n```", PastFailures: None,
		Constraints: []string{"Signatures: keep them", "a\nb", "```\n- x\n```"}, TargetFiles: []string{"a, b.go", "none.go", "x`y.go", "(new).go"},
		Signatures: []Signature{{"- x() — y", "a.go"}, {"files: string[]", "src/my file.ts"}, {"`f`", "a.go"}},
	}
	again, problems := ParseTask(FormatTask(task))
	if !reflect.DeepEqual(task, again) || len(problems) != 0 {
		t.Errorf("%v\n%#v\n%#v\n%s", problems, task, again, FormatTask(task))
	}
	r := Result{K: 4, Files: Files{Created: []string{"a, b.go"}, Modified: []string{"new.go"}, Deleted: []string{"c d.go"}}, Signatures: []Signature{{"Summary: string", "a.ts"}},
		Breaking: []Breaking{ReadBreaking("Files: Files → List — a.go")}, Summary: "# RESULT #9\nBreaking: none\n\nLast."}
	back, _, err := ParseResult(FormatResult(r), 4)
	if err != nil || !reflect.DeepEqual(r, back) {
		t.Errorf("%v\n%#v\n%#v\n%s", err, r, back, FormatResult(r))
	}
}

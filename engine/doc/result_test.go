package doc

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// parsed is what the tests compare: the values without their lines.
type parsed struct {
	K          int      `json:"k"`
	Files      []string `json:"files"`
	Signatures []string `json:"signatures"`
	Breaking   []string `json:"breaking"`
	Summary    string   `json:"summary"`
}

func flat(r Result) parsed {
	p := parsed{r.K, r.Files.All(), []string{}, []string{}, r.Summary}
	for _, s := range r.Signatures {
		p.Signatures = append(p.Signatures, s.String())
	}
	for _, b := range r.Breaking {
		p.Breaking = append(p.Breaking, b.Text)
	}
	return p
}

func readJSONFile(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

func texts(problems []Problem, level Level) (out []string) {
	for _, p := range problems {
		if p.Level == level {
			out = append(out, p.Text)
		}
	}
	return out
}

// Every dress of heading and label reads as the same RESULT.
func TestResultInEveryDress(t *testing.T) {
	var want parsed
	readJSONFile(t, "testdata/shapes/expected.json", &want)
	replies := map[string]string{}
	files, _ := filepath.Glob("testdata/shapes/*.md")
	if len(files) != 12 {
		t.Fatalf("%d shapes", len(files))
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		replies[filepath.Base(name)] = string(data)
		replies[filepath.Base(name)+" with CRLF"] = strings.ReplaceAll(string(data), "\n", "\r\n")
		replies[filepath.Base(name)+" in a fence"] = "```markdown\n" + string(data) + "```\n"
		replies[filepath.Base(name)+" with a mark"] = "\ufeff" + string(data)
	}
	const body = "Files: src/rates.ts (new), src/index.ts (edited)\nSignatures: loadRates(day: string): Promise<Rate[]>\nBreaking: none\nSummary: Added the rate loader and exported it.\n"
	for _, head := range []string{
		"Result #2 - rate loader", "RESULT 2", "RESULT (2)", "RESULT: #2", "RESULT#2", "**RESULT #2 (by Worker 2)**", "# RESULT #2 (by Worker 2)",
		"RESULT for Worker 2", "Worker 2 RESULT", "## Worker #2 Result:", "ＲＥＳＵＬＴ ＃２", "RESULT #02", "RESULT No. 2", "***RESULT #2***", "`RESULT #2`",
		"✅ RESULT #2", "【RESULT #2】", "RESULT #2:", "- RESULT #2", "2. RESULT #2", "## 2. RESULT #2 ##", "RESULT #2 / 3", "## RESULT of Task 2",
		"# Final RESULT #2", "RESULT #2 (observed)", "RESULT", "## Result", "**Result:**", "RESULT\n======", "> **RESULT #2**",
	} {
		if strings.HasPrefix(head, ">") {
			replies[head] = head + "\n> " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n> ")
			continue
		}
		replies[head] = head + "\n" + body
		replies[head+" after talk"] = "All tests pass now.\n\n" + head + "\n\n" + body + "\n---\nReady for the next task.\n"
	}
	for name, text := range map[string]string{
		"full-width":           "RESULT #2\nFiles： src/rates.ts（新增）、src/index.ts（修改）\nSignatures： loadRates(day: string): Promise<Rate[]>\nBreaking： 无。\nSummary： Added the rate loader and exported it.",
		"groups":               "# RESULT #2\n## Files\n- created: src/rates.ts\n- modified: src/index.ts\n- deleted: none\n## Signatures\nloadRates(day: string): Promise<Rate[]>\n## Breaking\n- none\n## Summary\nAdded the rate loader and exported it.\n",
		"bold groups":          "# RESULT #2\n## Files\n**Created:**\n- `src/rates.ts`\n\n**Modified:**\n- `src/index.ts`\n\n**Deleted:** none\n## Signatures\n```ts\nloadRates(day: string): Promise<Rate[]>\n```\n## Breaking Changes\nNo breaking changes.\n## Summary\nAdded the rate loader and exported it.\n\nLet me know if you want more.",
		"headed groups":        "# RESULT #2\n## Files\n### Created\n- src/rates.ts\n### Modified\n- src/index.ts\n## Signatures\n1. `loadRates(day: string): Promise<Rate[]>`\n## Breaking\nNone — purely additive.\n## Summary\n- Added the rate loader and exported it.",
		"status letters":       "## RESULT #2\n### Files\nA src/rates.ts\nM src/index.ts\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\nN/A\n### Summary\nAdded the rate loader and exported it.",
		"signs":                "## RESULT #2\n### Files\n+ src/rates.ts\n~ src/index.ts\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\n[]\n### Summary\nAdded the rate loader and exported it.",
		"dashes":               "## RESULT #2\n### Files\n- src/rates.ts — created\n- src/index.ts - modified, exports the loader\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\n(none)\n### Summary\nAdded the rate loader and exported it.",
		"links":                "## RESULT #2\n### Files\n- [src/rates.ts](src/rates.ts) (new)\n- [`src/index.ts`](./src/index.ts) (edited)\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\nnothing\n### Summary\nAdded the rate loader and exported it.",
		"verbs":                "## RESULT #2\n### Files\n- Created `src/rates.ts`\n- Updated `src/index.ts` to export it\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\n-\n### Summary\nAdded the rate loader and exported it.",
		"table":                "## RESULT #2\n| Section | Content |\n|:--|:--|\n| **Files** | `src/rates.ts` (new)<br>`src/index.ts` (edited) |\n| **Signatures** | `loadRates(day: string): Promise<Rate[]>` |\n| **Breaking** | none |\n| **Summary** | Added the rate loader and exported it. |\n\nLet me know!",
		"wide table":           "## RESULT #2\n| Files | Signatures | Breaking | Summary |\n|---|---|---|---|\n| src/rates.ts (new), src/index.ts (edited) | `loadRates(day: string): Promise<Rate[]>` | none | Added the rate loader and exported it. |\n",
		"table of files":       "## RESULT #2\n### Files\n| File | Action | Why |\n|---|---|---|\n| `src/rates.ts` | created | the loader |\n| `src/index.ts` | modified | the export |\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\n—\n### Summary\nAdded the rate loader and exported it.",
		"table without header": "## RESULT #2\n### Files\n| src/rates.ts | new |\n| src/index.ts | edit |\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\n∅\n### Summary\nAdded the rate loader and exported it.",
		"action first":         "## RESULT #2\n### Files\n| Status | Path |\n|---|---|\n| A | src/rates.ts |\n| M | src/index.ts |\n### Signatures\n* loadRates(day: string): Promise<Rate[]>\n### Breaking\n∅\n### Summary\nAdded the rate loader and exported it.",
		"other order":          "RESULT #2\nSummary: Added the rate loader and exported it.\nSignatures: loadRates(day: string): Promise<Rate[]>\nFiles: src/rates.ts (new), src/index.ts (edited)\nBreaking: none\n\nLet me know if you need anything else!",
		"one line":             "RESULT #2 Files: src/rates.ts (new), src/index.ts (edited) Signatures: loadRates(day: string): Promise<Rate[]> Breaking: none Summary: Added the rate loader and exported it.",
		"tags":                 "<result>\nRESULT #2\n" + body + "</result>",
		"earlier one quoted":   "Worker 1 said:\n> RESULT #1\n> Files: wrong.ts\n> Breaking: none\n\nRESULT #2\n" + body,
		"earlier one repeated": "RESULT #1\nFiles: wrong.ts\nSignatures: none\nBreaking: Old() removed\nSummary: wrong\n\nRESULT #2\n" + body,
		"tool output before":   "```console\n$ cat results.md\nRESULT #2\nFiles: wrong.ts\nBreaking: none\n```\nRESULT #2\n" + body,
		"tool output after":    "RESULT #2\n" + body + "\n```\nRESULT #2\nFiles: wrong.ts\nBreaking: none\n```\n",
		"fence with preamble":  "Here is the result:\n\n```markdown\nRESULT #2\n" + body + "```\n\nLet me know if you need anything else.",
		"quote with preamble":  "Done. Here is my result:\n\n> RESULT #2\n> " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n> "),
		"no heading":           "## Files\n- src/rates.ts (new)\n- src/index.ts (edited)\n## Signatures\n- loadRates(day: string): Promise<Rate[]>\n## Breaking\nnone\n## Summary\nAdded the rate loader and exported it.",
		"other sections":       "## RESULT #2\n### Files\n- src/rates.ts (new)\n- src/index.ts (edited)\n### Tests\n14 passed\n### Signatures\n- loadRates(day: string): Promise<Rate[]>\n### Breaking\nkeine\n### Summary\nAdded the rate loader and exported it.\n### Next steps\n- celebrate",
		"json":                 `{"status":"done","files":{"created":["src/rates.ts"],"modified":["src/index.ts"],"deleted":[]},"signatures":["loadRates(day: string): Promise<Rate[]>"],"breaking":[],"summary":"Added the rate loader and exported it."}`,
		"json in a fence":      "Done, here is the result:\n```json\n" + `{"status":"done","files":{"created":["src/rates.ts"],"modified":["src/index.ts"]},"signatures":["loadRates(day: string): Promise<Rate[]>"],"breaking":["none"],"summary":"Added the rate loader and exported it.",}` + "\n```",
		"call as text":         `{"name":"submit_result","arguments":{"status":"done","files":{"created":["src/rates.ts"],"modified":["src/index.ts"]},"signatures":["loadRates(day: string): Promise<Rate[]>"],"breaking":[],"summary":"Added the rate loader and exported it."}}`,
	} {
		replies[name] = text
	}
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			r, problems, err := ParseResult(reply, 2)
			if err != nil {
				t.Fatal(err)
			}
			if got := flat(r); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v\nfrom %s", got, want, reply)
			}
			if HasErrors(problems) {
				t.Errorf("%v", problems)
			}
			if !reflect.DeepEqual(r.Files, Files{Created: []string{"src/rates.ts"}, Modified: []string{"src/index.ts"}, Deleted: []string{}}) {
				t.Errorf("actions: %+v", r.Files)
			}
		})
	}
}

func TestSectionsMissingEmptyOrTwice(t *testing.T) {
	var want map[string]struct {
		Files, Signatures, Breaking, Faults, Notes []string
		Summary                                    *string
	}
	readJSONFile(t, "testdata/sections/expected.json", &want)
	files, _ := filepath.Glob("testdata/sections/*.md")
	if len(files) != len(want) {
		t.Fatalf("%d files, %d expectations", len(files), len(want))
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			w := want[filepath.Base(name)[:2]]
			r, problems, err := ParseResult(string(data), 1)
			if err != nil {
				t.Fatal(err)
			}
			got := flat(r)
			for _, c := range []struct {
				name      string
				got, want []string
			}{{"files", got.Files, w.Files}, {"signatures", got.Signatures, w.Signatures}, {"breaking", got.Breaking, w.Breaking}} {
				if c.want != nil && !slices.Equal(c.got, c.want) {
					t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
				}
			}
			if w.Summary != nil && r.Summary != *w.Summary {
				t.Errorf("summary %q", r.Summary)
			}
			said := append(texts(problems, Error), texts(problems, Warning)...)
			if expected := append(w.Faults, w.Notes...); !slices.Equal(said, expected) {
				t.Errorf("problems %q, want %q", said, expected)
			}
		})
	}
}

func TestMissingFilesOrBreakingIsAFault(t *testing.T) {
	for reply, want := range map[string][]string{
		"RESULT #1\nBreaking: none\nSummary: x\nSignatures: none": {"Files missing"},
		"RESULT #1\nSummary: x":                                   {"Files missing", "Breaking missing"},
		`{"status":"done","summary":"x","signatures":[]}`:         {"Files missing", "Breaking missing"},
		"RESULT #1\nFiles: none\nBreaking: none":                  nil,
	} {
		_, problems, err := ParseResult(reply, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(problems, Error); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", reply, got, want)
		}
	}
}

func TestThinkingNeverCounts(t *testing.T) {
	var want parsed
	readJSONFile(t, "testdata/thinking/expected.json", &want)
	files, _ := filepath.Glob("testdata/thinking/*.md")
	if len(files) != 6 {
		t.Fatalf("%d files", len(files))
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r, _, err := ParseResult(string(data), 2)
			switch filepath.Base(name)[:2] {
			case "04":
				if !errors.Is(err, ErrUnclosedThinking) || !errors.Is(err, ErrNoResult) {
					t.Fatalf("%v", err)
				}
				return
			case "05":
				want := want
				want.Summary = "The parser now strips `<think>` tags."
				if got := flat(r); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%+v %v", got, err)
				}
				return
			}
			if got := flat(r); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
}

func TestNoResultIsSaidPlainly(t *testing.T) {
	for name, reply := range map[string]string{
		"empty":              "",
		"blank":              " \n\n",
		"prose":              "I changed a.go and removed Old().\nAll tests pass.",
		"sentence":           "The result 2 was fine.\nFiles are in place.",
		"heading alone":      "# RESULT #2\nAll done.",
		"tool output":        "I ran cat results.md:\n```\nRESULT #2\nFiles: wrong.ts\nBreaking: none\nSummary: x\n```",
		"console":            "Done.\n```console\nRESULT #2\nFiles: wrong.ts\nBreaking: none\nSummary: x\n```",
		"unclosed output":    "The output was:\n```\nRESULT #2\nFiles: wrong.ts\nBreaking: none\nSummary: x",
		"quoted earlier one": "I looked at this:\n> RESULT #1\n> Files: wrong.ts\n> Breaking: none",
		"other json":         `{"name": "read", "arguments": {"path": "a.go"}}`,
		"results of tests":   "Results: 14 passed\nFiles: 3",
	} {
		t.Run(name, func(t *testing.T) {
			r, problems, err := ParseResult(reply, 2)
			if !errors.Is(err, ErrNoResult) {
				t.Fatalf("%+v %v %v", r, problems, err)
			}
			if !strings.Contains(err.Error(), "no RESULT block found in the reply of Worker 2") {
				t.Errorf("%v", err)
			}
			if first, _, _ := strings.Cut(strings.TrimSpace(reply), "\n"); first != "" && !strings.Contains(err.Error(), first) {
				t.Errorf("the first line is not named: %v", err)
			}
		})
	}
}

func TestNumberOfAnotherWorkerIsNoted(t *testing.T) {
	r, problems, err := ParseResult("RESULT #3\nFiles: a.go\nSignatures: none\nBreaking: none\nSummary: x", 2)
	if err != nil || r.K != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	if got := texts(problems, Warning); len(got) != 1 || !strings.Contains(got[0], "RESULT #3") {
		t.Errorf("%q", got)
	}
}

package giver

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const someMemory = `# Memory

Kept by hand.

## Decisions
- sizes are bytes

## Constraints
- no new dependency

## Failures

### 20261130-101010-abcdef (Tactical)
- what happened: the parser lost the unit
- root cause: it cut at the first digit
- avoid: cutting by position
- correct direction: a small state machine
- correction: name the grammar in Task #0

## Open questions
- are floats allowed?

## Notes of mine

Any text,
  as it is.
`

func TestCanonicalMemoryKeepsItsBytes(t *testing.T) {
	m := ParseMemory(someMemory)
	if got := m.String(); got != someMemory {
		t.Errorf("became:\n%s", got)
	}
	f, ok := m.Failure("20261130-101010-abcdef")
	if !ok || f.Class != "Tactical" || f.Direction != "a small state machine" || m.Other[0].Heading != "Notes of mine" {
		t.Errorf("%+v", m)
	}
}

func TestMemoryIsReadAsPeopleWriteIt(t *testing.T) {
	m := ParseMemory("\uFEFF# memory\r\n### **Decisions:**\r\n1. one\r\n2) two\r\n   goes on\r\n\r\n# OPEN QUESTIONS\n* why?\nplain line\n## decision\n- one\n- three\n" +
		"## Past failures\nlost it all\n### run-1 (tactical)\n- **Root cause:** haste\nand more\n")
	want := Memory{
		Decisions: []string{"one", "two goes on", "three"}, Questions: []string{"why?", "plain line"},
		Failures: []Failure{{What: "lost it all"}, {Run: "run-1", Class: "Tactical", Cause: "haste", What: "and more"}},
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("%+v", m)
	}
}

func TestAFailureIsRecordedOnceARun(t *testing.T) {
	var m Memory
	m.Record(Failure{Run: "r", Class: "Tactical", What: "it\nbroke"})
	m.Record(Failure{Run: "r", Class: "nonsense", Cause: "haste"})
	m.Record(Failure{What: "something else"})
	want := []Failure{{Run: "r", Class: "Tactical", What: "it broke", Cause: "haste"}, {What: "something else"}}
	if !reflect.DeepEqual(m.Failures, want) {
		t.Errorf("%+v", m.Failures)
	}
	if m.Remember(Decision, " a  b ") != true || m.Remember(Decision, "a b") || m.Remember("else", "x") || m.Remember(Question, " ") {
		t.Errorf("%+v", m)
	}
}

func TestMemoryOnDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.md")
	if m, err := LoadMemory(path); err != nil || !reflect.DeepEqual(m, Memory{}) {
		t.Errorf("%+v %v", m, err)
	}
	if err := ParseMemory(someMemory).Save(path); err != nil {
		t.Fatal(err)
	}
	if m, err := LoadMemory(path); err != nil || m.String() != someMemory {
		t.Errorf("%v\n%s", err, m)
	}
	if _, err := LoadMemory(filepath.Dir(path)); err == nil {
		t.Error("a folder was read")
	}
}

// roundTrip checks that what was read and written is read the same again.
func roundTrip(t *testing.T, text string) {
	t.Helper()
	first := ParseMemory(text)
	written := first.String()
	if again := ParseMemory(written); !reflect.DeepEqual(first, again) {
		t.Fatalf("%q\nbecame %+v\nthen %+v", text, first, again)
	}
	if twice := ParseMemory(written).String(); twice != written {
		t.Fatalf("%q\nwas written as\n%s\nthen as\n%s", text, written, twice)
	}
}

func TestMemoryRoundTrips(t *testing.T) {
	pieces := []string{
		"# Memory", "# other", "## Decisions", "## constraints", "### Failures", "## Failures", "## Open questions", "## Else", "### sub",
		"### r (Tactical) (Tactical)", "### no run", "- ", "- a", "* b: c", "- root cause: - x", "  more", "plain", "", "---", "- - deep", "- # head",
		"#", "```", "1. one", "- what happened:", "\u00a0", "# ", "- correction: correction: x",
	}
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 7))
		var lines []string
		for range random.IntN(14) {
			lines = append(lines, pieces[random.IntN(len(pieces))])
		}
		roundTrip(t, strings.Join(lines, "\n"))
	}
	var m Memory
	for i := range 5 {
		m.Remember(Decision, fmt.Sprintf("- d%d\n# x", i))
		m.Record(Failure{Run: fmt.Sprint(i), Class: "strategic", What: "avoid: y", Correction: "- z"})
	}
	if got := ParseMemory(m.String()); !reflect.DeepEqual(got, m) {
		t.Errorf("%+v\n%+v", m, got)
	}
}

func FuzzMemory(f *testing.F) {
	f.Add(someMemory)
	f.Add("## Decisions\n- - a\n### b\n- c\n# d\n#\t#\n")
	f.Fuzz(roundTrip)
}

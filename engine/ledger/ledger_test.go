package ledger

import (
	"reflect"
	"testing"

	"growbench/engine/doc"
)

func TestAClaimFindsLaterTasks(t *testing.T) {
	plan := doc.Plan{Tasks: []doc.PlanTask{
		{Signatures: []string{"Parse(text string) (int64, error) — size/size.go"}}, // the breaker itself
		{Signatures: []string{"ParseAll() — size/size.go", "Render(rows []Row) string — report/table.go"}},
		{Signatures: []string{"Parse(text string) (int64, error) — size/size.go"}},
		{Signatures: []string{"Parse(line string) Rule — rules/rule.go"}},
		{Goal: "call Parse where the flag is read"},
		{Goal: "parse nothing"},
	}}
	r := doc.Result{K: 1, Breaking: []doc.Breaking{{
		Text:   "Parse(text string) (int64, error) → Parse(text string) (Size, error) — size/size.go",
		Symbol: "Parse", Path: "size/size.go",
	}}}
	got := Join(Report{Claim: r, Plan: plan}).Entries
	if len(got) != 1 {
		t.Fatalf("%d entries", len(got))
	}
	want := []Affected{{3, false}, {4, true}, {5, true}}
	if !reflect.DeepEqual(got[0].Affected, want) {
		t.Errorf("affected %v, want %v", got[0].Affected, want)
	}
	if got[0].Source != "claimed" || got[0].Worker != 1 || got[0].File != "size/size.go" {
		t.Errorf("entry %+v", got[0])
	}
}

func TestALineWithoutASymbolIsKept(t *testing.T) {
	r := doc.Result{K: 1, Breaking: []doc.Breaking{{Text: "the wire format changed"}}}
	got := Join(Report{Claim: r, Plan: doc.Plan{Tasks: make([]doc.PlanTask, 3)}}).Entries
	if len(got) != 1 || got[0].Text != "the wire format changed" || got[0].Affected != nil {
		t.Errorf("got %+v", got)
	}
}

func TestHasSymbol(t *testing.T) {
	for _, tc := range []struct {
		text, symbol string
		want         bool
	}{
		{"Parse(x)", "Parse", true},
		{"size.Parse(x)", "size.Parse", true},
		{"Parse(x)", "size.Parse", true},
		{"ParseAll(x)", "Parse", false},
		{"reParse ParseX Parse", "Parse", true},
		{"_Parse", "Parse", false},
		{"값Parse", "Parse", false},
		{"Config.Type", "Config.Type", true},
		{"", "Parse", false},
		{"anything", "", false},
	} {
		if got := hasSymbol(tc.text, tc.symbol); got != tc.want {
			t.Errorf("hasSymbol(%q, %q) = %v", tc.text, tc.symbol, got)
		}
	}
}

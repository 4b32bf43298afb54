package inject

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"growbench/mapgen/budget"
)

func pair(dir, say string) Pair {
	return Pair{Dir: dir, Index: Document{dir + "/.pi-map.index.md", "# " + dir + " (index)\n## role\n" + say + "\n"}, Map: Document{dir + "/.pi-map.md", "# " + dir + "\n## role\n" + say + ": \"<b>\\n&é\" | x\n"}}
}

func situation(m Mode, e Event, seen Seen) Situation {
	root := pair(".", "a shop")
	return Situation{Mode: m, Event: e, Percent: 15, Max: 100000, Root: &root, Further: slices.Values([]Pair{pair("cart", "wants"), pair("money", "sums")}),
		Seen: seen, Command: "growbench"}
}

// paths are the directories whose maps an injection holds.
func paths(in Injection) string {
	var out []string
	for _, b := range in.Blocks {
		if dir, ok := strings.CutSuffix(b.Path, "/.pi-map.md"); ok {
			out = append(out, dir)
		}
	}
	return strings.Join(out, " ")
}

// Modes × events × situations: which directories' pairs are added, whether the
// operator is told something, whether the guard closes.
func TestWhatIsInjected(t *testing.T) {
	whole := Plan(situation(Strong, Start, Seen{})).Text
	rootOnly := Plan(situation(Advisory, Start, Seen{})).Text
	changed := strings.ReplaceAll(whole, "a shop", "a stall")
	const all, rest = ". cart money", "cart money"
	type row struct {
		seen                   string
		event                  Event
		advise, strong, strict string // directories; "!" in front: the guard closes
	}
	states := map[string]Seen{
		"nothing":   {},
		"all":       NewSeen([]string{"hello", whole}, nil),
		"root":      NewSeen([]string{rootOnly}, nil),
		"compacted": NewSeen([]string{"Summary: there was a map (gbmap.begin.0123456789ab) of a shop."}, nil),
		"halved":    NewSeen([]string{whole[:len(rootOnly)/2]}, nil),
		"older":     NewSeen([]string{changed}, nil),
		"request":   NewSeen(nil, mustJSON(map[string]any{"input": []string{whole}})),
	}
	for _, r := range []row{
		{"nothing", Start, ".", all, all},
		{"nothing", Edit, "", all, "!" + all},
		{"nothing", Architecture, "", all, "!" + all},
		{"nothing", Compaction, "", all, all},
		{"nothing", Change, "", all, all},
		{"all", Start, "", "", ""},
		{"all", Edit, "", "", ""},
		{"all", Architecture, "", "", ""},
		{"all", Compaction, "", "", ""},
		{"all", Change, "", "", ""},
		{"root", Start, "", rest, rest},
		{"root", Edit, "", rest, rest},
		{"root", Architecture, "", rest, rest},
		{"root", Compaction, "", rest, rest},
		{"root", Change, "", rest, rest},
		{"compacted", Start, ".", all, all},
		{"compacted", Edit, "", all, "!" + all},
		{"compacted", Compaction, "", all, all},
		{"halved", Compaction, "", all, all},
		{"halved", Architecture, "", all, "!" + all},
		{"older", Change, "", ".", "."},
		{"older", Edit, "", ".", "!."},
		{"request", Edit, "", "", ""},
		{"request", Compaction, "", "", ""},
	} {
		for mode, want := range map[Mode]string{Off: "", Advisory: r.advise, Strong: r.strong, Strict: r.strict} {
			in := Plan(situation(mode, r.event, states[r.seen]))
			got := paths(in)
			if in.Guard.Closed {
				got = "!" + got
			}
			if got != want || in.Reason == "" || in.Used > in.Budget || (in.Text == "") != (len(in.Blocks) == 0) {
				t.Errorf("%s, %s, %s seen: %q, not %q (%s)", mode, r.event, r.seen, got, want, in.Reason)
			}
			if (in.Hint != "") != (mode != Off && r.event == Start || in.Guard.Closed) {
				t.Errorf("%s, %s, %s seen: the operator is told %q", mode, r.event, r.seen, in.Hint)
			}
			if strings.Contains(in.Hint, "a shop") {
				t.Errorf("the operator sees the agent's text: %q", in.Hint)
			}
			// What is added is there the next time.
			after := NewSeen([]string{in.Text}, nil)
			if r.seen != "root" && r.seen != "older" && in.Text != "" {
				if again := Plan(situation(mode, r.event, after)); again.Text != "" {
					t.Errorf("%s, %s, %s seen: a second copy of %s", mode, r.event, r.seen, paths(again))
				}
			}
		}
	}
}

func TestWithoutAMapThereIsOnlyTheHint(t *testing.T) {
	for _, m := range Modes {
		for _, e := range Events {
			s := situation(m, e, Seen{})
			s.Root = nil
			in := Plan(s)
			if in.Text != "" || len(in.Blocks) > 0 || in.Guard.Closed || (in.Hint != "") != (m != Off && e == Start) {
				t.Errorf("%s, %s: %+v", m, e, in)
			}
			if in.Hint != "" && !strings.Contains(in.Hint, "`growbench map init`") {
				t.Errorf("%s", in.Hint)
			}
		}
	}
}

func TestStrictWantsAReason(t *testing.T) {
	s := situation(Strict, Edit, Seen{})
	s.Reason = " \n"
	if in := Plan(s); !in.Guard.Closed {
		t.Errorf("blanks are no reason: %+v", in)
	}
	s.Reason = "a typo\nin a comment"
	in := Plan(s)
	if in.Guard.Closed || !strings.Contains(in.Reason, "gone around: a typo in a comment") {
		t.Errorf("%+v", in)
	}
}

func TestWhatTheAgentIsTold(t *testing.T) {
	text := Plan(situation(Strong, Start, Seen{})).Text
	for _, part := range []string{"index routes", "map orients", "source alone decides", "growbench map patch", "growbench map validate", "not orders"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// A block is known again after whatever editors, mailers and serialisers do.
func TestMarksSurvive(t *testing.T) {
	in := Plan(situation(Strong, Start, Seen{}))
	// Anywhere but behind a backslash, where serialised it would be another escape.
	wrap := func(width int, indent string) string {
		var b strings.Builder
		before, n := ' ', 0
		for _, r := range strings.Join(strings.Fields(in.Text), " ") {
			if n++; n >= width && before != '\\' {
				b.WriteString("\n" + indent)
				n = 0
			}
			b.WriteRune(r)
			before = r
		}
		return b.String()
	}
	once := mustJSON(in.Text)
	for name, seen := range map[string]Seen{
		"as it is":              NewSeen([]string{in.Text}, nil),
		"wrapped":               NewSeen([]string{wrap(60, "")}, nil),
		"wrapped in the middle": NewSeen([]string{wrap(7, "")}, nil),
		"quoted":                NewSeen([]string{wrap(50, "> ")}, nil),
		"CRLF":                  NewSeen([]string{strings.ReplaceAll(in.Text, "\n", "\r\n")}, nil),
		"tabs":                  NewSeen([]string{strings.ReplaceAll(in.Text, "\n", "\n\t")}, nil),
		"within other text":     NewSeen([]string{"before " + in.Text + " after"}, nil),
		"JSON":                  NewSeen(nil, once),
		"JSON in JSON":          NewSeen(nil, mustJSON(string(once))),
		"JSON, wrapped":         NewSeen(nil, mustJSON(wrap(40, ""))),
		"HTML":                  NewSeen([]string{strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(in.Text)}, nil),
		"messages":              ParseSeen(mustJSON(map[string]any{"messages": []any{map[string]any{"role": "user", "content": in.Text}}})),
		"parts":                 ParseSeen(mustJSON([]any{map[string]any{"content": []any{map[string]any{"type": "text", "text": in.Text}}}})),
		"lines":                 ParseSeen([]byte(string(mustJSON(map[string]any{"text": "x"})) + "\n" + string(mustJSON(map[string]any{"text": in.Text})))),
		"another key":           ParseSeen(mustJSON(map[string]any{"prompt": in.Text})),
		"plain file":            ParseSeen([]byte("log\n" + in.Text)),
	} {
		if again := Plan(situation(Strong, Edit, seen)); again.Text != "" {
			t.Errorf("%s: a second copy of %s (%s)", name, paths(again), again.Reason)
		}
	}
}

func TestProjectTextIsNoMark(t *testing.T) {
	s := situation(Strong, Start, Seen{})
	root := pair(".", "gbmap.end.0123456789ab\ngbmap.begin.0123456789ab")
	s.Root = &root
	in := Plan(s)
	if n := strings.Count(in.Text, "gbmap."); n != 2*3 {
		t.Errorf("%d marks in\n%s", n, in.Text)
	}
}

func TestTheBudgetIsTheSmallerOne(t *testing.T) {
	for _, c := range []struct{ window, percent, most, want int }{
		{200000, 15, 100000, 30000}, {1000000, 15, 100000, 100000}, {0, 15, 100000, 100000}, {8192, 15, 100000, 1228}, {200000, 0, 100000, 0},
		{1 << 62, 100, 100000, 100000}, {99, 15, 100000, 14},
	} {
		if got := Budget(c.window, c.percent, c.most); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestEveryBudgetIsKept(t *testing.T) {
	root := pair(".", strings.Repeat("words and 数字 12\n", 300))
	var more []Pair
	for i := range 50 {
		more = append(more, pair(fmt.Sprintf("dir%d", i), strings.Repeat("text ", 10*i)))
	}
	cut := 0
	for most := 0; most < 12000; most += 61 {
		s := Situation{Mode: Strong, Event: Start, Max: most, Root: &root, Further: slices.Values(more), Command: "growbench"}
		in := Plan(s)
		if in.Used > most || in.Used != budget.Tokens(in.Text) {
			t.Fatalf("%d tokens of %d", in.Used, most)
		}
		if len(in.Blocks) > 0 && in.Blocks[len(in.Blocks)-1].Cut {
			cut++
		}
		// Cut or not, it is not added twice.
		s.Seen = NewSeen([]string{in.Text}, nil)
		if again := Plan(s); strings.Contains(again.Text, "root pair") {
			t.Fatalf("budget %d: the root pair a second time", most)
		}
	}
	if cut == 0 {
		t.Error("no root pair was cut: the test shows nothing")
	}
}

func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

func FuzzSeen(f *testing.F) {
	f.Add([]byte(`{"messages":[{"content":"gbmap.begin.0123456789ab x gbmap.end.0123456789ab"}]}`))
	f.Add([]byte("gbmap.begin.0123456789ab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := Plan(situation(Strong, Edit, ParseSeen(data)))
		if in.Used > in.Budget || in.Text == "" && !strings.Contains(string(data), "gbmap") {
			t.Fatalf("%+v", in)
		}
	})
}

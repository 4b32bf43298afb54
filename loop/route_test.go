package loop

import (
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	skills := []string{"active-drying", "grow-loop", "while-true", "review", "release-notes", "deep-review"}
	loop := func(s string) Route { return Route{Loop, s} }
	pass := func(s string) Route { return Route{Pass, s} }
	ordinary, resume := Route{Kind: Ordinary}, Route{Kind: Resume}
	for _, c := range []struct {
		input string
		want  Route
	}{
		// named loops
		{"grow loop", loop("while-true")},
		{"Grow Loop!", loop("while-true")},
		{"grow-loop", loop("while-true")},
		{"Grow loop on the parser, please", loop("while-true")},
		{"grow loop over TODO.md until it is empty", loop("while-true")},
		{"please start a grow loop", loop("while-true")},
		{"Let's run the grow loop on BACKLOG.md", loop("while-true")},
		{"ok, grow loop", loop("while-true")},
		{"Can you start a grow loop for the open items?", loop("while-true")},
		{"could you please run grow loop?", loop("while-true")},
		{"Work through TODO.md in a grow loop", loop("while-true")},
		{"clean the tests up using grow loop.", loop("while-true")},
		{"Fix the typo first. Then grow loop.", loop("while-true")},
		{"drying loop", loop("active-drying")},
		{"active drying loop", loop("active-drying")},
		{"active-drying loop on ui/", loop("active-drying")},
		{"Dry this package as a drying loop", loop("active-drying")},
		{"while true loop", loop("while-true")},
		{"while-true loop", loop("while-true")},
		// the user's skills
		{"review loop", loop("review")},
		{"start a review loop over engine/", loop("review")},
		{"deep review loop", loop("deep-review")},
		{"release-notes loop", loop("release-notes")},
		{"write the changes up with a release notes loop", loop("release-notes")},
		// one pass
		{"active drying", pass("active-drying")},
		{"Active-drying on mapgen, please.", pass("active-drying")},
		{"while true", pass("while-true")},
		{"run one while-true pass", pass("while-true")},
		{"use the review skill", pass("review")},
		{"review", pass("review")},
		{"run review on the last commit", pass("review")},
		{"release notes", pass("release-notes")},
		{"please run deep-review", pass("deep-review")},
		// coming back
		{"while true | grow loop", resume},
		{"While True | Grow Loop", resume},
		{"while true|grow loop", resume},
		{"continue: while true | grow loop", resume},
		{"while true ｜ grow loop", resume},
		// quoted, code
		{`what he wrote was "grow loop"`, ordinary},
		{`"grow loop"`, ordinary},
		{"“grow loop” stands in the README", ordinary},
		{"„drying loop“", ordinary},
		{"«grow loop»", ordinary},
		{"「grow loop」", ordinary},
		{"'grow loop'", ordinary},
		{"the constant is `while true | grow loop`", ordinary},
		{"```\ngrow loop\n```", ordinary},
		{"```\ngrow loop", ordinary},
		{"> grow loop\nthat is what it said", ordinary},
		{"    grow loop\n", ordinary},
		{"for (;;) { } is a while true in C", ordinary},
		// questions
		{"what is a grow loop?", ordinary},
		{"How does the grow loop stop?", ordinary},
		{"grow loop?", ordinary},
		{"is a drying loop safe here?", ordinary},
		{"should we grow loop?", ordinary},
		{"¿grow loop?", ordinary},
		{"grow loop？", ordinary},
		{"هل grow loop؟", ordinary},
		{"why did the review loop end", ordinary},
		// spoken about, denied
		{"explain the grow loop", ordinary},
		{"the grow loop is broken", ordinary},
		{"grow loop tests fail, mend them", ordinary},
		{"fix the bug in the grow loop", ordinary},
		{"don't start a grow loop", ordinary},
		{"do not run the grow loop", ordinary},
		{"stop the grow loop", ordinary},
		{"no grow loop please", ordinary},
		{"do it without using a grow loop", ordinary},
		{"rename the package grow loop to pace", ordinary},
		{"review the parser and mend what you find", ordinary},
		{"the event loop blocks", ordinary},
		{"growloop", ordinary},
		{"outgrow loops", ordinary},
		{"loop", ordinary},
		{"it's the user's grow loops, they're many", ordinary},
		{"", ordinary},
		// other writing
		{"bitte starte grow loop", loop("while-true")},
		{"por favor, grow loop.", loop("while-true")},
		{"请运行grow loop。", ordinary}, // led in by words it does not know
		{"请 grow loop。", loop("while-true")},
		{"开始，grow loop！", loop("while-true")},
		{"grow loop、BACKLOG.md", loop("while-true")},
		{"¡grow loop!", loop("while-true")},
		{"— grow loop —", loop("while-true")},
	} {
		if got := Classify(c.input, skills); got != c.want {
			t.Errorf("%q: %v, want %v", c.input, got, c.want)
		}
	}
}

func TestTheTriggerIsAResume(t *testing.T) {
	if got := Classify(Trigger, nil); got.Kind != Resume {
		t.Errorf("%v", got)
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("grow loop", "review")
	f.Add("`a` “b” — ¿c? 请grow", "x-y")
	f.Fuzz(func(t *testing.T, input, skill string) {
		r := Classify(input, []string{skill})
		if r.Skill != "" && r.Skill != skill && r.Skill != defaultWorker && r.Skill != dryingWorker {
			t.Errorf("%q: %v", input, r)
		}
		if quoted := "\"" + strings.NewReplacer("\"", "", "\n", "", "`", "").Replace(input) + "\""; Classify(quoted, []string{skill}).Kind != Ordinary {
			t.Errorf("%q starts something", quoted)
		}
	})
}

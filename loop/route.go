package loop

import (
	"slices"
	"strings"
)

// The skills that have a protocol of their own, and the one a loop runs when
// none is named.
const (
	protocolSkill = "grow-loop"
	defaultWorker = "while-true"
	dryingWorker  = "active-drying"
)

// Kind is what an input asks for.
type Kind string

const (
	Ordinary Kind = "ordinary" // no protocol is named: the agent decides by the shape of the work
	Pass     Kind = "pass"     // one bounded pass of a skill, without the scheduling tool
	Loop     Kind = "loop"     // the grow loop with a skill
	Resume   Kind = "resume"   // the grow loop with the skill and scope it is locked to
)

// Route is where an input goes.
type Route struct {
	Kind  Kind   `json:"kind"`
	Skill string `json:"skill,omitempty"` // of a pass or a loop
}

// Classify reads an input lexically: only a protocol that is named as a whole
// phrase, and asked for, is one. What is quoted, code, denied, spoken about or
// asked about starts nothing: a loop begun by mistake costs more than one that
// has to be asked for again. skills are the names that can be looped.
func Classify(input string, skills []string) Route {
	for _, s := range sentences(unquoted(input)) {
		for _, c := range s.clauses {
			if r := clauseRoute(c, s.question, skills); r.Kind != Ordinary {
				return r
			}
		}
	}
	return Route{Kind: Ordinary}
}

func clauseRoute(words []string, question bool, skills []string) Route {
	lead := leading(words)
	request := !question || asksPolitely(words[:lead])
	if !request {
		return Route{Kind: Ordinary}
	}
	if r, used := named(words[lead:], skills, lead > 0); used > 0 && !statement(words[lead+used:]) {
		return r
	}
	// "work through the list as a drying loop"
	for at := 1; at < len(words); at++ {
		if !slices.Contains(means, words[at-1]) && !(at > 1 && slices.Contains(articles, words[at-1]) && slices.Contains(means, words[at-2])) {
			continue
		}
		if denied(words[:at]) || slices.Contains(spoken, words[0]) {
			continue
		}
		r, used := named(words[at:], skills, false)
		if used > 0 && r.Kind != Pass && !statement(words[at+used:]) {
			return r
		}
	}
	return Route{Kind: Ordinary}
}

// named reads a protocol or a skill at the beginning of words, and returns how
// many of them it took. A skill of one common word is a pass only when it is
// led in or called a skill: "review" alone may be a sentence's own word.
func named(words []string, skills []string, led bool) (Route, int) {
	has := func(phrase ...string) bool {
		return len(words) >= len(phrase) && slices.Equal(words[:len(phrase)], phrase)
	}
	switch {
	case has("while", "true", "|", "grow", "loop"):
		return Route{Kind: Resume}, 5
	case has("grow", "loop"):
		return Route{Loop, defaultWorker}, 2
	case has("drying", "loop"):
		return Route{Loop, dryingWorker}, 2
	}
	var best string
	for _, s := range skills {
		if s != protocolSkill && has(strings.Split(s, "-")...) && len(s) > len(best) {
			best = s
		}
	}
	if best == "" {
		return Route{}, 0
	}
	size := strings.Count(best, "-") + 1
	rest := words[size:]
	switch {
	case len(rest) > 0 && rest[0] == "loop":
		return Route{Loop, best}, size + 1
	case len(rest) > 0 && (rest[0] == "skill" || rest[0] == "pass"):
		return Route{Pass, best}, size + 1
	case size > 1 || len(rest) == 0 || led && slices.Contains(follows, rest[0]):
		return Route{Pass, best}, size
	}
	return Route{}, 0
}

// leading counts the words before a request proper: please, can you, start a …
func leading(words []string) int {
	n := 0
	for n < len(words) && slices.Contains(leads, words[n]) {
		n++
	}
	return n
}

// asksPolitely tells a request in the form of a question.
func asksPolitely(lead []string) bool {
	return len(lead) > 1 && slices.Contains([]string{"can", "could", "would", "will"}, lead[0]) && lead[1] == "you"
}

func denied(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(denials, w) })
}

// statement tells that the words after a name say something about it.
func statement(rest []string) bool {
	return len(rest) > 0 && slices.Contains(states, rest[0])
}

var (
	leads = strings.Fields(`please ok okay yes now then and so just hey let's lets let us go ahead
		can could would will you we i want wish need to like i'd do run start begin launch execute use apply enter perform kick off try
		continue resume keep going with using via in on as into by the a an your this one another next single same
		bitte starte start führe mache por favor ejecuta inicia s'il te vous plaît lance démarre per avvia 请 运行 启动 开始 お願いします 実行`)
	articles = strings.Fields("a an another one")
	means    = strings.Fields("as via using with in through by run start begin use enter launch")
	follows  = strings.Fields("on over for in with until to within across once now please here again")
	denials  = strings.Fields("don't dont not no never without stop stopped cancel avoid instead rather nobody why how what")
	spoken   = strings.Fields("explain describe document mention discuss translate rename explaining describing why how what when who")
	states   = strings.Fields(`is isn't was wasn't are were does doesn't did didn't has hasn't had should shouldn't would wouldn't could couldn't
		can can't will won't works worked means failed fails broke breaks looks seems needs stopped stops hangs crashed
		bug bugs test tests code docs documentation document package module feature section status scheduler tool file name text key skill's design idea concept logic state`)
)

package describe

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// trust is how readily a text is believed to be about its subject.
type trust int

const (
	frontPage  trust = iota // a README
	ownWords                // a package comment, a docstring
	header                  // the comment a file begins with
	aboveOne                // the comment above a symbol
	somewhere               // a comment that stands by itself in the code
	tries      = 4          // sentences of a file's own words that are looked at
	fewestWord = 3
	mostBytes  = 2 << 10
)

// statement is the first sentence of a text that says what its subject is for,
// or "". A comment on one symbol or one place is about its first sentence; the
// words of a whole file or package may begin with a remark.
func statement(text string, from trust, limit int) string {
	linked := from <= header && strings.Contains(text, "://")
	rest := plain(strings.ToValidUTF8(text[:min(len(text), mostBytes)], ""))
	if strings.HasPrefix(text, "```") {
		return ""
	}
	n := 1
	switch from {
	case frontPage:
		n = 2
	case ownWords, header:
		n = tries
	}
	for ; n > 0 && rest != ""; n-- {
		s := firstSentence(rest)
		if s == "" {
			return ""
		}
		_, after, whole := strings.Cut(rest, s)
		ended := whole && strings.HasPrefix(after, ".")
		rest = strings.TrimLeft(after, ".!?: ") // nothing when the sentence was cut
		if s = impersonal(subjectless(s)); linked {
			s = untailed(s)
		}
		if (ended || !breaksOff(s)) && describes(s, from) {
			return clip(s, limit)
		}
	}
	return ""
}

var (
	selfNaming = regexp.MustCompile(`(?i)^(?:this|the following) (?:(?:\w+ )?(?:source |header )?(?:file|module|package|class|program|script|header|crate|library|directory|dir|folder|example|component|interface|struct|type|function|method|trait|enum|namespace|tool|test|code|section|demo|plugin|unit))s?(?: here)?\s+(.+)$`)
	selfVerb   = regexp.MustCompile(`^(?:(?:is|are|was|are all) (?:used |designed |meant |intended |suited |responsible )?(?:for |to |as )?|(?:just |simply |only |basically |merely )?)(.+)$`)
	pointing   = regexp.MustCompile(`^(?:(?:This|That|Here) is|(?:These|Those|Here) are) (?:just |simply |only )?(?:an? |the |some )?`)
	thirdVerb  = regexp.MustCompile(`^(?:contains?|holds?|implements?|provides?|defines?|declares?|tests?|shows?|demonstrates?|generates?|runs?|checks?|reads?|writes?|handles?|describes?|gives?|lists?|builds?|creates?|converts?|parses?|represents?|encapsulates?|wraps?|manages?|includes?|exports?|offers?|allows?|plots?|collects?|computes?|measures?|validates?|verif(?:y|ies)|bundles?|deals?|lets|makes?|exposes?|extends?|performs?|produces?|helps?|adds?|installs?|downloads?|updates?|prints?|outputs?|loads?|stores?|starts?|uses?|has|have|consists|re-?exports?|captures?|translates?|maps?|serves?|dumps?|removes?|filters?|formats?|simulates?)\b`)
	dashName   = regexp.MustCompile(`^(?:[\w./$-]+\.\w{1,4}|[A-Za-z][\w.]*(?: module| example)?)\s*(?:--|–|—|-|:)\s+(\S.+)$`)
	partName   = regexp.MustCompile(`^(?:(?i:deprecated)\b[\s:.]*|(?:DESCRIPTION|Description|Summary|SUMMARY|Overview|Purpose|Abstract)[:\s]\s*|[@\\](?:file|fileoverview|overview|brief|module|summary)\b[:\s]*(?:[\w-]+\.\w{1,4}\b\s*)?)+`)
	cvsMark    = regexp.MustCompile(`\$(?:Id|Header|Revision|Date|Author|Source)\b[^$]*\$`)
)

// withoutMarks takes out what a version control system wrote into a text.
func withoutMarks(s string) string {
	if strings.Contains(s, "$") {
		s = cvsMark.ReplaceAllString(s, "")
	}
	return strings.TrimSpace(s)
}

// subjectless turns "This file implements x" into "Implements x".
func subjectless(s string) string {
	s = withoutMarks(s)
	s = partName.ReplaceAllString(s, "")
	if m := dashName.FindStringSubmatch(s); m != nil && strings.ContainsAny(s[:len(s)-len(m[1])], "./") {
		s = upper(m[1]) // a file's name before its description
	}
	if rest := pointing.ReplaceAllString(s, ""); len(rest) < len(s) {
		return upper(rest)
	}
	if !strings.HasPrefix(s, "T") && !strings.HasPrefix(s, "t") {
		return s
	}
	m := selfNaming.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	rest := m[1]
	if thirdVerb.MatchString(rest) {
		return upper(rest)
	}
	if v := selfVerb.FindStringSubmatch(rest); v != nil && v[1] != rest {
		rest = v[1]
		for _, article := range []string{"a ", "an ", "the "} {
			rest = strings.TrimPrefix(rest, article)
		}
		return upper(rest)
	}
	return s
}

// persons are the words by which an author speaks of himself.
var persons = map[string]bool{"we": true, "We": true, "our": true, "Our": true, "ours": true, "us": true, "I": true, "my": true, "My": true}

// firstPerson is where a text first speaks of its author, or -1.
func firstPerson(s string) int {
	for from := 0; from < len(s); {
		if !asciiLetter(s[from]) {
			from++
			continue
		}
		to := from
		for to < len(s) && asciiLetter(s[to]) {
			to++
		}
		if word := s[from:to]; persons[word] && !strings.HasPrefix(s[to:], "/") || (word == "let" || word == "Let") && strings.HasPrefix(s[to:], "'s ") {
			return from // "I/O" is none
		}
		from = to
	}
	return -1
}

func asciiLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || c == '_'
}

// impersonal cuts off the part of a sentence in which its author speaks.
func impersonal(s string) string {
	at := firstPerson(s)
	if at < 0 {
		return s
	}
	cut := -1
	for _, mark := range []string{": ", "; ", " — ", " - ", ", ", " (", " because ", " since ", " that ", " which ", " so "} {
		cut = max(cut, strings.LastIndex(s[:at], mark))
	}
	if cut < 0 || strings.Count(s[:cut], " ") < fewestWord {
		return s
	}
	return strings.TrimRight(s[:cut], ",;: ")
}

// remarkStart are words that begin a remark on code rather than a description.
var remarkStart = wordSet(`checkout consult refer cleanup apparently meant published globals installation separated extracted moved kept left added removed changed used needed exposed exported taken inspired original originally best dummy
	you your marked name synopsis question compile run node npm npx yarn pnpm cargo make sudo if when note notes nb warning caution see because since but and or so then also always never only don't do does
	must should could would ensure it it's its they there these those that to at by with from after before while unless once until now here
	however not no yes avoid hack workaround temporary currently otherwise instead try maybe perhaps ok okay fix fixes fixed bug internal
	usage example examples e.g i.e copyright author authors license licensed please sorry thanks thank todo fixme xxx ifdef ifndef
	endif define include undef pragma import const return var let public private static deprecated required optional default defaults
	reference references source generated autogenerated automatically welcome click visit for in on as under until where what why how
	both all some any each every same like more most just such this true false null nil re-enable disable disabled enable values
	though although despite thus hence therefore besides additionally furthermore moreover meanwhile similarly unfortunately fortunately sometimes
	often usually generally typically amongst feel head sync running building syncing setting initially regarding learn execfile()d b.c home introduction goal goals
	potentially possibly actually basically obviously finally first second third next step`)

// remarkOpening are allowed at the beginning of a file's or package's own words.
var remarkOpening = wordSet(`internal all some both any how values generated source reference default every each static public private`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

var (
	// dangling are words no sentence ends with.
	dangling = wordSet(`including includes e.g form the a an of and or to in on at by for with from via as is are was were be that which this these its their than then
		if when but not into onto per any each every our your such both either neither has have had will can may must do does should also see where whose whom who because while using`)
	denials = []string{"n't ", " here ", " live ", " lives ", " cannot ", " neither "}
	// notAbout are phrases, in small letters, of texts on upkeep, use or one place.
	notAbout = []string{"maintained by", "hopefully", "original at", "this file", "this comment", "this code", "this line", "everything below",
		"everything above", "code below", "code above", "lines below", "section below", "functions below", "function below", "the following",
		"not intended for", "this readme", "readme for", "readme.", "created by", "quickstart on", "latest change", "work in progress", "has moved", "no longer", "looking for maintainer",
		"looking for a maintainer", "sponsor", "table of contents", "can be found", "available at", "for more info", "for more details",
		"is deprecated", "all method names", "grep \"", "backward compat", "backwards compat", "in sync with", "keep in sync", "please",
		"see also", "refer to", "(c) ", "not all", " used here", "resharper", "noinspection", "rubocop", "clang-format", "jshint", "jslint", "tslint",
		"pylint", "flake8", "phpcs", "phpstan", "psalm", "codecov", "c8 ignore", "suppress", "disable ", "to see all", "used by this module", "issue list", "bug report", "for the most part", "in the case of", "conflict", "might change", "experimental api", "must not", "must be", "(sync with", "entire file", "historical reason", "performance relevant", ", see ", "gem install", "npm install", "pip install", "apt-get ", "do not use", "don't use", "should not be used", "this should", "this is needed", "this is required",
		"is distributed in", "under the terms", "generated automatically", "automatically generated", "gplv", "should not be", "relevant for", "made available under", "includes the files", "of course", "for simplicity", "in real life", "works in terms", "varies depending", "created using", "is created by", "file in ", "may be closed", "guidelines", "will be closed", "goal is to", "the goal of", "biggest problem", "never used", "written by", "developed by", "made by", "this is the readme", "readme of", "build configuration file", "sphinx-quickstart",
		"/*", "*/", "stands for", "left as an exercise", "feel free", "check out", "head over", "pull request", "opening an issue", "file an issue", "known issues", "subject to change",
		"note that", "note:", "so that it", "for now", "to avoid", "make sure", "vendored at commit", "do not edit", "all rights",
		"autogenerated", "auto-generated", "used code from", "adapted from", "taken from", "stolen from", "borrowed from", "based on code"}
	// labels are words of headings above parts of a file.
	labels = wordSet(`module modules dependencies dependency imports exports constants variables includes helpers private public api prototypes
		prototype declarations definitions globals macros types functions methods internal external third party local standard library libraries
		system headers header forward utilities requires settings options configuration middleware routes misc expose properties fields and
		the of section requirements setup teardown main entry point init initialization static data interface implementation class classes`)
	codeMarks   = []string{`="`, "/>", "=>", ">>", "();", "){", "&&", "||", "==", "!=", "${", "{{", " {", "};", "ifdef ", "endif ", "#define", "undef ", "---"}
	capsLabel   = regexp.MustCompile(`\b[A-Z][A-Z0-9_]{3,}: `)
	bareHeading = regexp.MustCompile(`(?i)^(?:quick ?start|getting started|usage|overview|examples?|features|introduction|installation|readme(?:\.\w+)?|prerequisites|requirements|how to .*|running .*|building .*|installing .*|table of contents|change ?log)$`)
	wholeCode   = regexp.MustCompile(`^@\w+|^[\w.]+\(.*\)$|^\W*$`)
)

// orders begin what a README tells its reader to do.
var orders = wordSet(`serve regenerate install clone open create add copy download go start set get check follow build test generate execute
	update edit change put place move remove delete replace apply enable log sign fork pull push write read watch star join report contact
	some all both every each any them more other another first second given based similar different either modify remember use using visit type enter make`)

// yours are words behind the verb with which a README asks for something.
var yours = wordSet("your us our me my")

// leading are words before the address of what they lead to.
var leading = wordSet("specified described defined documented found available see published located")

// untailed drops from a sentence what led to an address that was taken out.
func untailed(s string) string {
	for breaksOff(s) || leading[strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:])] {
		at := strings.LastIndexByte(s, ' ')
		if at < 0 {
			return s
		}
		s = strings.TrimRight(s[:at], " ,;:(-")
	}
	return s
}

func containsAny(s string, list []string) bool {
	return slices.ContainsFunc(list, func(part string) bool { return strings.Contains(s, part) })
}

// breaksOff says that a text without a full stop ends in the middle.
func breaksOff(s string) bool {
	last := strings.ToLower(strings.Trim(s[strings.LastIndexByte(s, ' ')+1:], `"'.:;()*`))
	return dangling[last] || strings.HasSuffix(s, ",") || strings.HasSuffix(s, "-")
}

// describes says that a sentence tells what something is for.
func describes(s string, from trust) bool {
	few := strings.Count(s, " ")+1 < fewestWord
	if few && from == header && strings.Count(s, " ") == 1 && len(s) >= 7 && unicode.IsUpper(firstRune(s)) {
		few = false // "Garbage Collector"
	}
	if from >= header && !slices.ContainsFunc(strings.Fields(strings.ToLower(s)), func(w string) bool { return !labels[w] }) {
		return false
	}
	if few || !saysSomething(s+" code") || containsAny(strings.ToLower(s), notAbout) || containsAny(s, codeMarks) || wholeCode.MatchString(s) || capsLabel.MatchString(s) {
		return false
	}
	if besides(s) || from > frontPage && aftermath.MatchString(s) || firstPerson(s) >= 0 || bareHeading.MatchString(s) {
		return false
	}
	fields := strings.Fields(s)
	first := strings.ToLower(strings.Trim(fields[0], `"'.,:;()*-`))
	if remarkStart[first] && !(from <= header && remarkOpening[first]) {
		return false
	}
	if strings.ContainsRune(":;,.!?)]}-–—/", firstRune(s)) {
		return false
	}
	if c := s[0]; from != ownWords && c >= '0' && c <= '9' || strings.HasSuffix(s, " first") {
		return false
	}
	if from == frontPage && (orders[first] || len(fields) > 1 && yours[strings.ToLower(fields[1])]) {
		return false
	}
	if from == somewhere && (orders[first] || verbs[first] && !strings.HasSuffix(first, "s")) {
		return false
	}
	if from >= header && containsAny(s, denials) {
		return false
	}
	if from == somewhere && !unicode.IsUpper(firstRune(s)) {
		return false
	}
	if strings.Count(s, "(") != strings.Count(s, ")") && !strings.HasSuffix(s, "…") {
		return false
	}
	marks, digits := 0, 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits++
		}
		if strings.ContainsRune("(){}[]<>=;_|\\$@#*+^~", r) {
			marks++
		}
	}
	return marks*12 <= len(s)+12 && digits*5 <= len(s)+12 && !slices.ContainsFunc(fields, func(w string) bool { return len(w) > 60 })
}

package doc

import (
	"strings"
)

// nones are the words that stand for an empty section, in the languages
// models slip into.
var nones = words(`
none, none., nothing, nil, null, n/a, na, n.a, not applicable, empty, no, no changes, not any, zero, 0, -, --, —, –, …, [], {}, (), ∅, /
none needed, none required, none so far, none yet, nothing to report, nothing to declare, nothing breaking, nothing broken, nothing changed
keine, keiner, keines, kein, nichts, entfällt, keine änderungen, keine breaking changes, keine inkompatiblen änderungen
aucun, aucune, rien, néant, sans objet, s/o, aucun changement, aucune rupture, aucun changement cassant
ninguno, ninguna, nada, no aplica, ninguno., sin cambios, sin cambios incompatibles
nenhum, nenhuma, não há, não se aplica, sem alterações
nessuno, nessuna, niente, nulla, non applicabile
geen, niets, n.v.t, ingen, inga, inget, ingenting, ingen endringer, ei mitään, ei ole, brak, nie dotyczy, žádné, žádný, žádná, nic, nincs, niciunul, niciuna, nimic, yok, hiçbiri
нет, нету, ничего, отсутствует, отсутствуют, не применимо, немає, няма
なし, 無し, 無, ありません, 特になし, 特に無し, 該当なし, ない, 破壊的変更なし
无, 没有, 無, 沒有, 暂无, 不适用, 無變更, 无变更, 无破坏性变更, 没有破坏性变更, 无破坏性更改
없음, 없습니다, 없다, 해당 없음, 해당없음, 호환성 깨짐 없음, 변경 없음
không, không có, tidak ada, ไม่มี, لا يوجد, لا شيء, אין, कोई नहीं, δεν υπάρχουν, κανένα, καμία
`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' }) {
		if w = strings.TrimSpace(w); w != "" {
			set[bareNone(w)] = true
		}
	}
	return set
}

// bareNone strips dress until a fixed point, so that `- **(none).**` is none.
func bareNone(s string) string {
	for range 4 {
		before := s
		s, _ = unbullet(s)
		s = bare(s)
		if s == before {
			break
		}
	}
	return strings.TrimSpace(fold(s))
}

var (
	// "no public signatures were removed or renamed in this task"
	noNoun = lazily(`^(?:there (?:are|were|is|was|have been) )?(?:no|zero|not any|without)(?: [a-z/-]+){0,4}? (?:changes?|files?|signatures?|apis?|interfaces?|symbols?|dependencies|dependency|breaks?|breakages?|breaking|failures?|attempts?|exports?)(?: in [a-z ]+)?(?: (?:was|were|is|are|has been|have been|to) )?(?:(?:made|introduced|expected|needed|required|changed?|removed?|renamed?|modified|modify|touched|created|deleted?|added|broken|affected|declare|report|exported|moved|reported|found|known|necessary|present|here)(?:, | or | and |/)?)*(?: (?:in|by|to|for|from) (?:this|the|any) [a-z #0-9]+)?$`)
	// what follows a none-word may only explain it
	noneThen = lazily(`^(none|n/a|nothing|no breaking changes?|no changes?|not applicable|no)(?:\s*[.,;:!](?:\s|$)|\s+\(|\s*[\x{2014}\x{2013}\x{FF0C}\x{3002}\x{FF08}]|\s+--?\s)\s*(.*)$`)
	// an identifier is called, as in `none() error`
	called = lazily(`[\pL\d_]\(`)
	// words after which an explanation may hide a change
	hides = lazily(`->|→|=>|\b(?:but|except|however|although|though|apart|other than|unless|only|renamed?|removed?|removes|deleted|moved|dropped|changed|changes the|now|no longer|requires?|must|instead|replaced)\b`)
	// the same words, taken back: "nothing was renamed"
	unhides = lazily(`\b(?:only (?:new|additions?|additive|internal|adds|added)|(?:additions?|additive|internal) only|no(?:thing| [a-z ]{1,30})? (?:was |were )?(?:renamed|removed|deleted|moved|changed)(?:(?:,| or| and|, or) (?:renamed|removed|deleted|moved|changed))*|not (?:changed|renamed|removed))\b`)
)

// isNone tells whether a line says that there is nothing. An explanation may
// follow ("none, all additive"), but not one that may hide a change.
func isNone(s string) bool {
	if len(s) > 400 || called.MatchString(s) {
		return false
	}
	s = bareNone(s)
	if s == "" || nones[s] || noNoun.MatchString(s) {
		return true
	}
	m := noneThen.FindStringSubmatch(s)
	if m == nil {
		if head, tail, ok := strings.Cut(s, ". "); ok && noNoun.MatchString(head) {
			return !hidesChange(tail)
		}
		for _, sep := range []string{"; ", ", ", " (", " — ", " - ", ": "} {
			if head, tail, ok := strings.Cut(s, sep); ok && (noNoun.MatchString(head) || nones[head]) {
				return !hidesChange(tail)
			}
		}
		return false
	}
	return !hidesChange(m[2])
}

// isNoItem tells a none where an item may itself begin with "no", as in "No
// new dependency": only the bare word counts.
func isNoItem(s string) bool {
	s = bareNone(s)
	return s == "" || nones[s] && !strings.Contains(s, " ") || strings.HasPrefix(s, "none ") && nones[s] || s == "no constraints" || s == "no constraint" || s == "not applicable"
}

func hidesChange(s string) bool { return hides.MatchString(unhides.ReplaceAllString(s, "")) }

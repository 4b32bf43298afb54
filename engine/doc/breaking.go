package doc

import (
	"strings"
	"unicode"
)

// The kinds of a breaking change.
const (
	KindRemoved   = "removed"
	KindRenamed   = "renamed"
	KindSignature = "signature changed"
	KindMoved     = "moved"
)

var (
	saysRenamed = lazily(`(?i)\brenam(?:ed?|es|ing)\b`)
	saysPart    = lazily(`(?i)\b(?:removed?|removes|deleted|dropped|drops)\s+(?:the |its |an? |one )?(?:\x60?[\w.]+\x60?\s+)?(?:param(?:eter)?s?|arg(?:ument)?s?|return|result|option)\b|\b(?:param(?:eter)?s?|arg(?:ument)?s?|return value)\b[^.;]*\b(?:removed|deleted|dropped)\b`)
	saysRemoved = lazily(`(?i)\b(?:removed?|removes|removal|deleted?|deletes|dropped|gone|unexported|no longer (?:exists?|exported|exports|available|provided))\b`)
	saysMoved   = lazily(`(?i)\b(?:moved?|moves|relocated)\b`)
	saysChanged = lazily(`(?i)\b(?:now (?:returns?|takes?|accepts?|requires?)|signature changed?|changed signature|returns?|takes)\b`)
	arrows      = lazily(`\s*(?:→|⟶|➜|=>|->)\s*`)
)

// BreakingKind names what a Breaking line says happened: removed, renamed,
// moved or, when it says nothing else, signature changed.
func BreakingKind(text string) string {
	text = breakingBody(text)
	switch {
	case saysRenamed.MatchString(text):
		return KindRenamed
	case saysPart.MatchString(text):
		return KindSignature
	case saysRemoved.MatchString(text):
		return KindRemoved
	case saysMoved.MatchString(text):
		return KindMoved
	case saysChanged.MatchString(text):
		return KindSignature
	}
	if from, to, ok := arrowSides(text); ok && !strings.ContainsAny(from+to, "(:") {
		if a, b := symbolOf(from), symbolOf(to); a != "" && b != "" && a != b {
			return KindRenamed
		}
	} else if ok {
		if a, b := symbolOf(from), symbolOf(to); a != "" && b != "" && a != b && strings.Contains(to, "(") {
			return KindRenamed
		}
	}
	return KindSignature
}

// arrowSides cuts at the arrow that stands for the change, not at one inside
// a signature such as `fn f(x) -> T`.
func arrowSides(text string) (from, to string, ok bool) {
	for _, mark := range []string{"→", "⟶", "➜", " => "} {
		if from, to, ok := strings.Cut(text, mark); ok {
			return strings.TrimSpace(from), strings.TrimSpace(to), true
		}
	}
	all := arrows.FindAllStringIndex(text, 8)
	if len(all) == 0 {
		return "", "", false
	}
	at := all[len(all)/2] // f(x) -> T -> f(x) -> U
	if len(all) == 1 && strings.HasSuffix(strings.TrimSpace(text[:at[0]]), ")") && strings.Count(text, "(") < 2 {
		return "", "", false
	}
	return strings.TrimSpace(text[:at[0]]), strings.TrimSpace(text[at[1]:]), true
}

func breakingBody(text string) string {
	if s := readSignature(text); s.Path != "" {
		return s.Signature
	}
	return text
}

var inFile = lazily(`(?i)\s*[(\[,]?\s*\b(?:in|at|from|of|file:?)\s+(\x60[^\x60]+\x60|[^\s,;()\[\]]+)`)

// ReadBreaking reads the symbol and the file out of a Breaking line; what it
// cannot read stays empty.
func ReadBreaking(text string) Breaking {
	text = strings.TrimSpace(oneLine(text))
	b := Breaking{Text: text}
	body := text
	if s := readSignature(text); s.Path != "" {
		body, b.Path = s.Signature, s.Path
	} else {
		for _, m := range inFile.FindAllStringSubmatchIndex(text, 8) {
			if p, _, ok := readPath(text[m[2]:m[3]]); ok && pathLike(p) && !looksQualified(p) {
				b.Path = p
				body = text[:m[0]] + " " + text[m[1]:]
				break
			}
		}
	}
	if b.Path == "" {
		for _, f := range strings.Fields(text) {
			f = strings.Trim(f, "`()[],;:.")
			if strings.Contains(f, "/") && pathLike(f) && extension.MatchString(f) {
				b.Path = tidyPath(f)
				body = strings.Replace(text, f, "", 1)
				break
			}
		}
	}
	b.Symbol = breakingSymbol(body)
	return b
}

// looksQualified tells Config.Type, a symbol, from config.go, a file.
func looksQualified(s string) bool {
	_, ext, ok := strings.Cut(s, ".")
	return ok && !strings.Contains(s, "/") && ext != "" && unicode.IsUpper(rune(ext[0]))
}

// breakingSymbol finds the symbol that changed.
func breakingSymbol(body string) string {
	body = strings.TrimSpace(body)
	if from, _, ok := arrowSides(body); ok {
		if s := symbolOf(from); s != "" {
			return s
		}
	}
	if i := strings.IndexByte(body, '`'); i >= 0 {
		for rest := body[i:]; rest != ""; {
			content, tail, ok := readSpan(rest)
			if !ok {
				break
			}
			if s := symbolOf(content); s != "" && !pathLike(content) {
				return s
			}
			if i = strings.IndexByte(tail, '`'); i < 0 {
				break
			}
			rest = tail[i:]
		}
	}
	return symbolOf(body)
}

var (
	goMethod   = lazily(`^\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*\.?\s*(\w+)`)
	callable   = lazily(`([\pL_$~][\pL\d_$]*(?:(?:\.|::|#|->)[\pL_$~][\pL\d_$]*)*[!?]?)(?:<[^<>()]*>|\[[^\[\]()]*\])?\(`)
	identifier = lazily(`^[\pL_$@][\pL\d_$]*(?:(?:\.|::|#)[\pL_$][\pL\d_$]*)*[!?]?$`)
	followed   = lazily(`(?i)^(?:now|was|is|are|were|has|have|had|removed|renamed|changed|moved|takes|returns|accepts|requires|no|deleted|gone|got|gained|lost|dropped|becomes|became|replaced|to|->|→|=>|:|—|–|-|\(.*|must|does|will|can|also|throws|uses|signature|parameter|field|method|function|type|struct|interface|class|constant|const|in|from)$`)
)

// notSymbols are the words around a symbol in prose and declarations.
var notSymbols = words(`all, any, the, a, an, this, that, these, it, its, they, everything, nothing, existing, every, each, some, users, callers, clients, code, calls, now, new, old, both, function, functions, func, fn, def, fun, method, methods, type, types, struct, interface, class, trait, enum, record, module, package, field, fields, property, member, constant, constants, const, var, val, let, variable, variables, static, async, await, export, exported, exports, default, public, private, protected, internal, abstract, final, override, virtual, inline, extern, unsafe, pub, symbol, symbols, signature, signatures, parameter, parameters, param, argument, return, returns, of, for, to, from, in, on, at, and, or, but, with, without, renamed, rename, renames, removed, remove, removes, deleted, delete, changed, change, changes, moved, move, moves, dropped, drop, replaced, replace, added, breaking, api, note, warning, please, was, is, are, be, has, have, no, not, none, longer, must, should, error, errors, behaviour, behavior, format, output, input, default, value, values, tests, test, made, makes, unexported`)

// filler tells a word around a symbol; Old and New are common names as well.
func filler(w string) bool { return notSymbols[fold(w)] && w != "Old" && w != "New" }

// declares are keywords that may stand before a bracket.
var declares = words("func, function, fn, def, fun, returns, return, takes, type")

// symbolOf finds the symbol a phrase or a declaration is about.
func symbolOf(s string) string {
	s = strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "*"))
	if len(s) > 2048 {
		s = strings.ToValidUTF8(s[:2048], "")
	}
	s = strings.ReplaceAll(s, "`", "")
	words := strings.Fields(s)
	if len(words) == 1 && unicode.IsUpper(firstRune(words[0])) && identifier.MatchString(words[0]) {
		return words[0]
	}
	for len(words) > 0 && filler(strings.Trim(words[0], ":,")) && !strings.ContainsAny(words[0], "(.") {
		words = words[1:]
	}
	s = strings.Join(words, " ")
	if m := goMethod.FindStringSubmatch(s); m != nil {
		return m[1] + "." + m[2]
	}
	if m := callable.FindStringSubmatch(s); m != nil && !declares[m[1]] {
		return m[1]
	}
	if len(words) == 0 {
		return ""
	}
	lone := len(words) == 1
	for i, w := range words {
		w = strings.TrimRight(strings.Trim(w, ",;:\"'“”()"), ".")
		if at := strings.IndexAny(w, "<["); at > 0 {
			w = w[:at]
		}
		if !identifier.MatchString(w) || filler(w) {
			continue
		}
		next := i+1 < len(words) && followed.MatchString(words[i+1])
		if lone || codeLike(w) || i == 0 && (next || strings.HasSuffix(words[0], ":") || strings.HasSuffix(words[0], ",")) || i == 0 && unicode.IsUpper(firstRune(w)) && i+1 < len(words) && strings.HasPrefix(words[i+1], "(") {
			return w
		}
	}
	// "removed parse": a word between the verb and nothing else.
	if w := strings.TrimRight(words[0], ".,;:"); len(words) == 1 && identifier.MatchString(w) {
		return w
	}
	return ""
}

// codeLike tells an identifier that cannot be an ordinary word.
func codeLike(w string) bool {
	if strings.ContainsAny(w, "._$#:@") {
		return true
	}
	upper := false
	for i, r := range w {
		if i > 0 && unicode.IsUpper(r) {
			upper = true
		}
	}
	return upper && strings.ToUpper(w) != w || upper && len(w) > 3
}

// readBreaking reads a Breaking section. cut tells that a code body was left
// out.
func readBreaking(v vocabulary, lines []line) (out []Breaking, cut bool) {
	lines, cut = dropBodies(lines)
	add := func(text string) { out = append(out, ReadBreaking(text)) }
	for i, l := range lines {
		if l.code == fence || l.blank() || l.code == prose && (isRule(l.text) || isTableRule(l.text)) {
			continue
		}
		if l.code == inside {
			text := strings.TrimSpace(l.text)
			if i > 0 && lines[i-1].code == inside && strings.HasPrefix(text, "+") && strings.HasPrefix(strings.TrimSpace(lines[i-1].text), "-") && len(out) > 0 {
				// A diff: the line before and after.
				before := strings.TrimSuffix(out[len(out)-1].Text, " removed")
				out = out[:len(out)-1]
				add(unlist(before) + " → " + unlist(text[1:]))
			} else if old, ok := strings.CutPrefix(text, "-"); ok && unlist(old) != "" {
				add(unlist(old) + " removed")
			} else if text = unlist(text); !isNone(text) {
				add(text)
			}
			continue
		}
		if isTableRow(l.text) {
			if i+1 < len(lines) && isTableRule(lines[i+1].text) {
				continue
			}
			if row := cells(l.text); !allNone(row) {
				add(rowSignature(row))
			}
			continue
		}
		text, bulleted := unbullet(l.text)
		text = unlist(text)
		text = checkbox.ReplaceAllString(text, "")
		if isNone(text) {
			continue
		}
		if d := headingDress(text); d.level > 0 {
			text = d.words
		}
		text = v.unescape(text)
		// A wrapped line belongs to the item above it.
		if indent := len(l.text) - len(strings.TrimLeft(l.text, " \t")); !bulleted && indent > 0 && i > 0 && !lines[i-1].blank() && lines[i-1].code == prose && len(out) > 0 {
			text = out[len(out)-1].Text + " " + text
			out = out[:len(out)-1]
		}
		add(text)
	}
	return out, cut
}

package ledger

import (
	"slices"
	"strings"

	"growbench/mapgen/tokens"
)

// joins judges a member that an exported type gained: harmless to those who
// only use the type, but not to those who have to make one.
func joins(owner, member *decl) string {
	switch language := member.language(); {
	case owner.ghost:
		return Additive
	case language == "Go":
		if owner.kind == "interface" && !owner.sealed {
			return Breaking
		}
	case isScript(language):
		return joinsScript(owner, member)
	case language == "Rust":
		return joinsRust(owner, member)
	case language == "Java", language == "C#", language == "PHP":
		return joinsClass(owner, member)
	case language == "Python":
		return joinsPython(owner, member)
	}
	return Additive
}

func joinsScript(owner, member *decl) string {
	words := normal(member.language(), member.full())
	optional := len(words) > 1 && words[1] == "?"
	switch {
	case owner.kind == "interface" && !optional, member.modified("abstract"):
		return Breaking
	}
	return Additive
}

func joinsRust(owner, member *decl) string {
	switch {
	case owner.kind == "trait" && member.callable() && !member.hasBody():
		return Breaking
	case owner.kind == "trait" && !member.callable() && !slices.ContainsFunc(member.extent().whole, isText("=")):
		return Breaking
	case owner.kind == "struct" && member.kind == "field" && !owner.sealed && !owner.markedOpen():
		return Breaking // whoever writes one out must name it
	}
	return Additive
}

func joinsClass(owner, member *decl) string {
	switch {
	case member.modified("abstract"):
		return Breaking
	case owner.kind != "interface" && owner.kind != "annotation", member.value() && member.language() == "Java":
		return Additive
	case member.modified("default") || member.modified("static") || member.hasBody():
		return Additive
	case owner.kind == "annotation" && slices.ContainsFunc(member.extent().whole, isText("default")):
		return Additive
	}
	return Breaking
}

func joinsPython(owner, member *decl) string {
	code := member.file.tokens()
	at, _ := slices.BinarySearchFunc(code, member.line-3, func(t tokens.Token, line int) int { return t.Line - line })
	for ; at < len(code) && code[at].Line <= member.line; at++ {
		if code[at].Text == "abstractmethod" {
			return Breaking
		}
	}
	for _, base := range owner.extends {
		if last(base) == "Protocol" || strings.HasPrefix(last(base), "Protocol[") {
			return Unknown
		}
	}
	return Additive
}

package giver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/workspace"
	"growbench/mapgen"
	"growbench/mapgen/symbols"
	"growbench/mapgen/tokens"
)

// maxSearched bounds how many files are read closely for a symbol that is not
// where the draft says.
const maxSearched = 20

// check compares a draft's signatures with the code. Each finding says what is
// there instead.
func (c *code) check(ctx context.Context, task doc.Task) (wrong []string) {
	project, err := mapgen.Open(c.s.Project.Root, mapgen.Options{Extractor: c.s.Symbols})
	if err != nil {
		return nil
	}
	scope := workspace.Scope{Targets: task.TargetFiles}
	for _, sig := range task.Signatures {
		if sig.Path == "" || sig.Signature == "" {
			continue // the lint has said so
		}
		if words := c.compare(ctx, project, scope, sig); words != "" {
			wrong = append(wrong, words)
		}
	}
	return wrong
}

func (c *code) compare(ctx context.Context, project *mapgen.Project, scope workspace.Scope, sig doc.Signature) string {
	name, owner := symbolName(sig.Signature)
	text, exists := c.text(sig.Path)
	if !exists {
		if scope.Allows(sig.Path) {
			return "" // it is to be made
		}
		return fmt.Sprintf("%q: there is no file %s%s", sig.Signature, sig.Path, c.elsewhere(ctx, project, sig.Path, name, owner))
	}
	if name == "" {
		return ""
	}
	found, known := c.declared(ctx, project, sig.Path, name, owner)
	switch {
	case !known:
		return ""
	case len(found) == 0 && containsWord(text, name):
		return "" // not exported, or a member of something that is not
	case len(found) == 0:
		return fmt.Sprintf("%q: %s declares no %s%s", sig.Signature, sig.Path, name, c.elsewhere(ctx, project, sig.Path, name, owner))
	}
	for _, have := range found {
		if agrees(sig.Signature, have, name) {
			return ""
		}
	}
	return fmt.Sprintf("%q is not what %s declares; it is %s", sig.Signature, sig.Path, strings.Join(found, " or "))
}

// declared is the function of that name for a file as it is where the run
// begins, which may differ from the operator's.
func (c *code) declared(ctx context.Context, project *mapgen.Project, file, name, owner string) (found []string, known bool) {
	text, _ := c.text(file)
	if own, there := c.own(file); there && own == text || !filepath.IsLocal(file) {
		return declared(ctx, project, file, name, owner)
	}
	scratch, err := os.MkdirTemp("", "growbench-signature-")
	if err != nil {
		return nil, false
	}
	defer os.RemoveAll(scratch)
	at := filepath.Join(scratch, filepath.FromSlash(file))
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(text), 0o600)); err != nil {
		return nil, false
	}
	aside, err := mapgen.Open(scratch, mapgen.Options{Extractor: c.s.Symbols})
	if err != nil {
		return nil, false
	}
	return declared(ctx, aside, file, name, owner)
}

// declared are the signatures a file has for a name; known is false where no
// extractor reads the file.
func declared(ctx context.Context, project *mapgen.Project, file, name, owner string) (found []string, known bool) {
	files, err := project.Symbols(ctx, []string{file})
	if err != nil || len(files) != 1 || files[0].Language == "" || symbols.Document(files[0].Language) || files[0].Note != "" && len(files[0].Exports) == 0 {
		return nil, false
	}
	return signaturesOf(files[0], name, owner), true
}

func signaturesOf(f symbols.File, name, owner string) (found []string) {
	for _, e := range f.Exports {
		if e.Name == name && owner == "" {
			found = append(found, e.Signature)
		}
	}
	for _, m := range f.Members {
		if m.Name == name && (owner == "" || owner == m.Owner || strings.HasSuffix(m.Owner, "."+owner)) {
			found = append(found, m.Signature)
		}
	}
	return found
}

// elsewhere says where a symbol is, when it is in another file of that kind.
func (c *code) elsewhere(ctx context.Context, project *mapgen.Project, file, name, owner string) string {
	if name == "" {
		return ""
	}
	all, _, err := project.Files(ctx)
	if err != nil {
		return ""
	}
	near := func(p string) int { return strings.Count(strings.TrimPrefix(path.Dir(p), path.Dir(file)), "/") }
	slices.SortStableFunc(all, func(a, b string) int { return near(a) - near(b) })
	searched := 0
	for _, p := range all {
		if p == file || path.Ext(p) != path.Ext(file) || ctx.Err() != nil {
			continue
		}
		if text, _ := c.own(p); !containsWord(text, name) {
			continue
		}
		if found, known := declared(ctx, project, p, name, owner); known && len(found) > 0 {
			return fmt.Sprintf("; %s is in %s: %s", name, p, found[0])
		}
		if searched++; searched == maxSearched {
			break
		}
	}
	return ""
}

var identifier = regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*`)

// declarers are the words that precede a name in some language.
var declarers = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq("func function fn def class struct enum interface type trait record const let var static export default async public private protected abstract final pub impl readonly declare module namespace override virtual inline extern unsafe macro val fun object data sealed") {
		declarers[w] = true
	}
}

var receiver = regexp.MustCompile(`^(?:func\s+)?\(\s*(?:[\p{L}_]\w*\s+)?\*?([\p{L}_]\w*)(?:\[[^\]]*\])?\s*\)\s*`)

// symbolName is the name a signature is about, and the type it belongs to
// where the signature says so.
func symbolName(signature string) (name, owner string) {
	text := strings.TrimSpace(signature)
	if m := receiver.FindStringSubmatch(text); m != nil {
		owner, text = m[1], text[len(m[0]):]
	}
	before, _, _ := strings.Cut(text, "(")
	before, _, _ = strings.Cut(before, "<")
	before, _, _ = strings.Cut(before, "[")
	var words []string
	for _, w := range identifier.FindAllString(before, -1) {
		if !declarers[w] {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return "", ""
	}
	name = words[0]
	if at := strings.Index(before, name+"."); at >= 0 && len(words) > 1 { // Type.method
		owner, name = words[0], words[1]
	} else if at := strings.Index(before, name+"::"); at >= 0 && len(words) > 1 {
		owner, name = words[0], words[1]
	} else if strings.Contains(text, "(") && !strings.ContainsAny(before, ":=") {
		name = words[len(words)-1] // a result type may precede it
	}
	return name, owner
}

// agrees tells whether a draft's signature is the declared one. One that only
// names the symbol agrees with whatever it is.
func agrees(draft, have, name string) bool {
	a, b := after(draft, name), after(have, name)
	if len(a) == 0 {
		return true
	}
	return slices.Equal(a, b) || !slices.Contains(b, "(") && !slices.Contains(a, "(")
}

// after are the pieces of a signature behind its name, without what ends it.
func after(signature, name string) []string {
	at := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).FindStringIndex(signature)
	if at == nil {
		return nil
	}
	var out []string
	for _, t := range tokens.Snippet("", strings.TrimRight(signature[at[1]:], " ;{,")) {
		out = append(out, t.Text)
	}
	return out
}

func containsWord(text, word string) bool {
	if word == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		if (i == 0 || !wordByte(text[i-1])) && (at == len(text) || !wordByte(text[at])) {
			return true
		}
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

package mapgen

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"growbench/mapgen/artifact"
	"growbench/mapgen/voice"
)

// teller is a model that says what it is told to.
type teller struct {
	mu    sync.Mutex
	asked []string
	says  func(prompt string) (string, error)
}

func (m *teller) ask(_ context.Context, prompt string) (voice.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, prompt)
	text, err := m.says(prompt)
	return voice.Reply{Text: text}, err
}

func (m *teller) voice(t testing.TB) *voice.Voice {
	return voice.New(voice.Options{Ask: m.ask, Model: "m", Cache: filepath.Join(t.TempDir(), "llm-cache.json"), Parallel: 4})
}

func (m *teller) prompts() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.asked
	m.asked = nil
	return out
}

var subjectLine = regexp.MustCompile(`(?m)^(?:Path|Directory): (.*)$`)

func subject(prompt string) string {
	if m := subjectLine.FindStringSubmatch(prompt); m != nil {
		return m[1]
	}
	return ""
}

func plainWords(prompt string) (string, error) {
	return fmt.Sprintf("PURPOSE: Words on %[1]s.\nDEPS: none\nCONCEPTS: none\nROLE: Role of %[1]s.\nARCH: none", subject(prompt)), nil
}

// function is a Go function of 18 lines.
func function(i int, body string) string {
	return fmt.Sprintf("// Step%d does what step %d of the import needs.\nfunc Step%d(rows []string, limit int) ([]string, error) {\n\tvar out []string\n\n\tfor n, row := range rows {\n\t\tif n > limit {\n\t\t\treturn nil, errors.New(\"too many rows in step %d\")\n\t\t}\n\n\t\tout = append(out, strings.TrimSpace(row)+%q)\n\t}\n\n\tif len(out) == 0 {\n\t\treturn nil, errors.New(\"nothing is left\")\n\t}\n\treturn out, nil\n}\n\n", i, i, i, i, body)
}

func longFile(changed int, body string) string {
	var b strings.Builder
	b.WriteString("// Package load imports rows.\npackage load\n\nimport (\n\t\"errors\"\n\t\"strings\"\n)\n\n")
	for i := range 112 {
		if i == changed {
			b.WriteString(function(i, body))
		} else {
			b.WriteString(function(i, "step"))
		}
	}
	return b.String()
}

// One changed function of a file of 2,000 lines costs one call, and few of the
// file's tokens, by the tokenizers that models use.
func TestOfABigFileOnlyWhatChangedIsSent(t *testing.T) {
	root := repository(t)
	text := longFile(-1, "")
	if n := strings.Count(text, "\n"); n < 2000 {
		t.Fatalf("%d lines", n)
	}
	write(t, root, map[string]string{"load/load.go": text, "load/doc.go": "package load\n"})
	m := &teller{says: plainWords}
	p := open(t, root, Options{Voice: m.voice(t)})
	if _, err := p.Init(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	m.prompts()
	for _, at := range []int{3, 60, 111} { // also behind what was sent first
		now := longFile(at, "another value")
		write(t, root, map[string]string{"load/load.go": now})
		if _, err := p.Patch(t.Context(), []string{"load/load.go"}, Auto); err != nil {
			t.Fatal(err)
		}
		asked := m.prompts()
		if len(asked) != 1 {
			t.Fatalf("%d calls", len(asked))
		}
		for _, part := range []string{"Words on load/load.go.", fmt.Sprintf("func Step%d(", at), "another value"} {
			if !strings.Contains(asked[0], part) {
				t.Errorf("the prompt lacks %q:\n%s", part, asked[0])
			}
		}
		for _, c := range []*codec.Codec{codec.NewCl100kBase(), codec.NewO200kBase()} {
			sent, err := c.Count(asked[0])
			whole, err2 := c.Count(now)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			t.Logf("%s: sent %d of %d tokens", c.GetName(), sent, whole)
			if sent*5 > whole {
				t.Errorf("%s: sent %d of %d tokens", c.GetName(), sent, whole)
			}
		}
	}
	// What only moved, or went, costs nothing.
	parts := strings.SplitAfter(longFile(111, "another value"), "return out, nil\n}\n\n")
	parts = append(parts[:40], parts[41:]...)
	parts[10], parts[20] = parts[20], parts[10]
	write(t, root, map[string]string{"load/load.go": strings.Join(parts, "")})
	if _, err := p.Patch(t.Context(), []string{"load/load.go"}, Small); err != nil {
		t.Fatal(err)
	}
	for _, prompt := range m.prompts() {
		if subject(prompt) == "load/load.go" {
			t.Errorf("asked about %s", prompt)
		}
	}
	// Another file under the name is described whole.
	write(t, root, map[string]string{"load/load.go": strings.ReplaceAll(longFile(-1, ""), "step", "stage")})
	if _, err := p.Patch(t.Context(), []string{"load/load.go"}, Auto); err != nil {
		t.Fatal(err)
	}
	if asked := m.prompts(); !strings.Contains(strings.Join(asked, ""), voice.Truncated) {
		t.Errorf("%q", asked)
	}
}

func TestPartsAreTheText(t *testing.T) {
	class := "class A:\n" + strings.Repeat("    def f(self):\n        return 1\n\n", 60)
	for _, text := range []string{longFile(3, "x"), class, "", "\n\n", "a\n  b\n\tc\n}\n{\nd", strings.Repeat("x", 5000)} {
		if got := strings.Join(regions(text), ""); got != text {
			t.Errorf("of %q is left %q", text, got)
		}
	}
	if n := len(regions(class)); n < 50 {
		t.Errorf("a long class falls into %d parts", n)
	}
}

func FuzzRegions(f *testing.F) {
	f.Add("func a() {\n\tb\n}\n\nfunc c() {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got := strings.Join(regions(text), ""); got != text {
			t.Errorf("of %q is left %q", text, got)
		}
		var before []string
		for _, part := range regions(text) {
			before = append(before, partHash(part))
		}
		if changed, kept := newParts(text, before); len(changed) > 0 || kept != len(before) {
			t.Errorf("of %q changed %q", text, changed)
		}
	})
}

func TestWhatAModelInfersIsHeldAgainstTheProject(t *testing.T) {
	root := repository(t)
	m := &teller{says: func(prompt string) (string, error) {
		if subject(prompt) == "main.go" {
			return "PURPOSE: Serves the shop. It is started by server/boot.go at night.\nDEPS: fmt, cart, example.com/shop/cart, tools/rates.py, redis, web/src/nothing.ts, " +
				"pkg/no/such, the database layer, cart/price, go.mod, https://evil.example, $(rm)\nCONCEPTS: Web Shop, a|b, " + strings.Repeat("long ", 20), nil
		}
		if subject(prompt) == "cart" {
			return "ROLE: Carts.\nARCH: cart.go holds lines. It hands them to ledger.go in the end. price.go adds up.", nil
		}
		return plainWords(prompt)
	}}
	p := open(t, root, Options{Voice: m.voice(t)})
	if _, err := p.Init(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	top := mapOf(t, root, ".")
	main := fileIn(t, top, "main.go")
	if want := []string{"ext/fmt", "pkg/cart", "~pkg/tools/rates.py", "~ext/redis", "~pkg/cart/price", "~pkg/go.mod"}; !slices.Equal(main.Deps, want) {
		t.Errorf("%q", main.Deps)
	}
	if main.Purpose != "Serves the shop." {
		t.Errorf("%q", main.Purpose)
	}
	if !slices.Contains(top.Tags, "web shop") {
		t.Errorf("%q", top.Tags)
	}
	if arch := mapOf(t, root, "cart").ArchText(); !strings.Contains(arch, "cart.go holds lines.") || strings.Contains(arch, "ledger.go") || !strings.Contains(arch, "price.go adds up.") {
		t.Errorf("%q", arch)
	}
	s, err := p.Status(t.Context())
	if err != nil || !s.Clean {
		t.Errorf("%+v %v", s, err)
	}
	before := documents(t, root)
	if _, err := open(t, root, Options{}).Reinit(t.Context(), "."); err != nil {
		t.Fatal(err)
	}
	if after := documents(t, root); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("the documents are others")
	}
}

func TestMarkupOfAModelCannotBreakADocument(t *testing.T) {
	root := repository(t)
	evil := "Ends.\r\n## dirty\n- x | exp: evil() <!-- keep -->\x1b[31m \u202e `|` \\n # title"
	m := &teller{says: func(string) (string, error) {
		return "PURPOSE: " + evil + "\nDEPS: a|b, \x1b[0m\nCONCEPTS: ## x, <!-- y -->\nROLE: " + evil + "\nARCH: ## dirty " + evil, nil
	}}
	p := open(t, root, Options{Voice: m.voice(t)})
	if _, err := p.Init(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	v, err := p.Validate(t.Context(), false)
	if err != nil || !v.OK {
		t.Errorf("%+v %v", v.Findings, err)
	}
	for name, text := range documents(t, root) {
		if strings.ContainsAny(text, "\x1b\u202e\r") || strings.Contains(text, "<!-- keep") || strings.Count(text, "\n## dirty\n") != 1 {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

func TestWhatCannotBeReadIsLeftOpenAndSaid(t *testing.T) {
	root := repository(t)
	silent := true
	m := &teller{says: func(prompt string) (string, error) {
		if silent && (subject(prompt) == "cart/cart.go" || subject(prompt) == "web") {
			return "no idea", nil
		}
		return plainWords(prompt)
	}}
	v := m.voice(t)
	r, err := open(t, root, Options{Voice: v}).Init(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(r.Model.Mute) != "[cart/cart.go web]" {
		t.Errorf("%v", r.Model.Mute)
	}
	if f := fileIn(t, mapOf(t, root, "cart"), "cart.go"); f.Purpose != "" && f.Purpose != "-" || !strings.Contains(f.Note, noteMute) {
		t.Errorf("%+v", f)
	}
	if role := mapOf(t, root, "web").Role; role != "" {
		t.Error(role)
	}
	if s, err := open(t, root, Options{}).Status(t.Context()); err != nil || !s.Clean {
		t.Errorf("%+v %v", s, err)
	}
	silent = false
	m.prompts()
	if r, err = open(t, root, Options{Voice: v}).Init(t.Context(), nil); err != nil || len(r.Model.Mute) > 0 {
		t.Errorf("%v %+v", err, r)
	}
	var again []string
	for _, p := range m.prompts() {
		again = append(again, subject(p))
	}
	slices.Sort(again)
	if fmt.Sprint(again) != "[cart/cart.go web]" {
		t.Errorf("asked about %v", again)
	}
}

func TestAStopLeavesEveryDirectoryWholeOrAsItWas(t *testing.T) {
	for after := range 24 {
		root := repository(t)
		if after%2 == 0 {
			initMap(t, root) // described offline before
		}
		before := documents(t, root)
		n := 0
		m := &teller{says: func(prompt string) (string, error) {
			if n++; n > after {
				return "", errors.New("gone")
			}
			return plainWords(prompt)
		}}
		_, err := open(t, root, Options{Voice: m.voice(t)}).Init(t.Context(), nil)
		var stopped *voice.Stopped
		if !errors.As(err, &stopped) && err != nil {
			t.Fatal(err)
		}
		for name, text := range documents(t, root) {
			told := strings.Contains(text, "Role of ") || strings.Contains(text, "Words on ")
			offline := strings.Contains(text, "offline")
			if told && (offline || text == before[name]) || !told && err != nil && filepath.Base(name) == artifact.MapName && before[name] != "" && text != before[name] {
				t.Errorf("after %d calls %s is\n%s", after, name, text)
			}
		}
	}
}

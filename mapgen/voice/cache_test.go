package voice

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func cacheText(t testing.TB, v *Voice) map[string]json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(v.o.Cache)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("the cache is not whole: %v\n%s", err, data)
	}
	return out
}

func putCache(t testing.TB, v *Voice, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(v.o.Cache), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(v.o.Cache, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheCacheIsOneObjectKeyedByContent(t *testing.T) {
	m := &model{answer: answers}
	v := m.voice(t)
	if _, err := v.File(t.Context(), about("x")); err != nil {
		t.Fatal(err)
	}
	var e map[string]any
	if err := json.Unmarshal(cacheText(t, v)[fmt.Sprintf("%x", sha256.Sum256([]byte("x")))], &e); err != nil {
		t.Fatal(err)
	}
	if e["purpose"] != "Does it." || e["model"] != "m" || e["prompt"] != Prompt {
		t.Error(e)
	}
}

func TestEntriesOfOtherToolsStay(t *testing.T) {
	m := &model{answer: answers}
	v := m.voice(t)
	key := keyOf(sha256.Sum256([]byte("x")))
	putCache(t, v, fmt.Sprintf(`{%q: {"purpose": "theirs"}, "other": "text", "n": 5}`, key))
	for range 2 {
		if said, err := v.File(t.Context(), about("x")); err != nil || said.Purpose != "Does it." {
			t.Fatal(said, err)
		}
	}
	all := cacheText(t, v)
	if len(m.prompts) != 1 || !strings.Contains(string(all[key]), "theirs") || string(all["other"]) != `"text"` || string(all["n"]) != "5" || len(all) != 4 {
		t.Errorf("%d calls, %s", len(m.prompts), all)
	}
}

func TestADamagedCacheIsSetAsideAndNamed(t *testing.T) {
	m := &model{answer: answers}
	var told []string
	v := m.voice(t, func(o *Options) { o.Note = func(s string) { told = append(told, s) } })
	putCache(t, v, `{"half": `)
	if _, err := v.File(t.Context(), about("x")); err != nil {
		t.Fatal(err)
	}
	away, _ := filepath.Glob(v.o.Cache + ".damaged-*")
	if len(away) != 1 || len(told) != 1 || !strings.Contains(told[0], away[0]) || len(cacheText(t, v)) != 1 {
		t.Error(away, told)
	}
}

func TestACacheThatCannotBeWrittenCostsTheNextTimeOnly(t *testing.T) {
	m := &model{answer: answers}
	told := 0
	v := m.voice(t, func(o *Options) { o.Note = func(string) { told++ } })
	if err := os.MkdirAll(v.o.Cache, 0o700); err != nil { // a directory in its place
		t.Fatal(err)
	}
	if said, err := v.File(t.Context(), about("x")); err != nil || said.Purpose == "" || told != 1 {
		t.Error(said, err, told)
	}
}

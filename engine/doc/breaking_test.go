package doc

import "testing"

func TestReadBreaking(t *testing.T) {
	for _, c := range []struct{ text, symbol, path, kind string }{
		{"Config.Type → Config.Kind (renamed) — config.go", "Config.Type", "config.go", KindRenamed},
		{"Config.Type -> Config.Kind — config.go", "Config.Type", "config.go", KindRenamed},
		{"Old() removed", "Old", "", KindRemoved},
		{"None() was renamed to Nil()", "None", "", KindRenamed},
		{"`ParseSize` now returns (Size, error) — size/size.go", "ParseSize", "size/size.go", KindSignature},
		{"ParseSize now returns (Size, error) — size/size.go", "ParseSize", "size/size.go", KindSignature},
		{"renamed parse → Parse in size.go", "parse", "size.go", KindRenamed},
		{"Renamed `parse` to `Parse` (size/size.go)", "parse", "size/size.go", KindRenamed},
		{"Parse(text string) Size → Parse(text string) (Size, error) — size/size.go", "Parse", "size/size.go", KindSignature},
		{"`Parse(text string) Size` → `Parse(text string) (Size, error)` — `size/size.go`", "Parse", "size/size.go", KindSignature},
		{"func (c *Config) Load(path string) error removed — config.go", "Config.Load", "config.go", KindRemoved},
		{"(*Config).Load removed — config.go", "Config.Load", "config.go", KindRemoved},
		{"fn parse(s: &str) -> Size removed — src/size.rs", "parse", "src/size.rs", KindRemoved},
		{"size.go: Parse takes an Options argument", "Parse", "size.go", KindSignature},
		{"removed the function Old from brief/old.go", "Old", "brief/old.go", KindRemoved},
		{"The method Config.Load was deleted — config.go", "Config.Load", "config.go", KindRemoved},
		{"loadRates: now async — src/rates.ts", "loadRates", "src/rates.ts", KindSignature},
		{"class UserStore moved to src/store/users.ts", "UserStore", "src/store/users.ts", KindMoved},
		{"export function loadRates(day: string): Rate[] → Promise<Rate[]> — src/rates.ts", "loadRates", "src/rates.ts", KindSignature},
		{"Removed the timeout parameter from Fetch() — net/fetch.go", "Fetch", "net/fetch.go", KindSignature},
		{"All callers must pass a context now", "", "", KindSignature},
		{"Parse[T any](x T) T → Parse[T any](x T) (T, error) — a.go", "Parse", "a.go", KindSignature},
		{"Old", "Old", "", KindSignature},
		{"get_user_by_id is gone, use find_user — app/users.py", "get_user_by_id", "app/users.py", KindRemoved},
		{"Store.Get no longer exported (store.go)", "Store.Get", "store.go", KindRemoved},
		{"Dropped `--json` flag", "", "", KindRemoved},
	} {
		got := ReadBreaking(c.text)
		if got.Text != c.text || got.Symbol != c.symbol || got.Path != c.path {
			t.Errorf("%q: symbol %q path %q", c.text, got.Symbol, got.Path)
		}
		if kind := BreakingKind(c.text); kind != c.kind {
			t.Errorf("%q: kind %q, want %q", c.text, kind, c.kind)
		}
	}
}

func TestNoneInManyWords(t *testing.T) {
	for _, s := range []string{
		"none", "None.", "NONE", "N/A", "n/a", "-", "—", "nothing", "no breaking changes", "No breaking changes.", "(none)", "[]", "", "*None*", "`none`", "- none",
		"None — purely additive", "None (only new functions)", "No breaking changes; only additions.", "There are no breaking changes in this task.", "No existing signatures were changed.",
		"No public APIs were removed or renamed.", "No files were changed", "none, everything is additive", "Nothing breaking", "Not applicable.", "keine", "Aucun", "ninguna", "Нет.", "なし", "无", "無し。", "없음", "nenhum", "nessuno", "geen", "brak", "无。", "N/A – new package",
	} {
		if !isNone(s) {
			t.Errorf("%q is none", s)
		}
	}
	for _, s := range []string{
		"none() error", "None() was renamed to Nil()", "none.go", "n/a.go", "None, but Config.Type was renamed", "none of the callers compile any more", "No longer exports Old", "No breaking changes except Old()",
		"None → Nil", "none.Load() removed", "no.go", "NoneType removed", "nothing.go", "No breaking changes to Parse; Format now returns an error", "-1 is no longer accepted", "None.Value now returns int",
	} {
		if isNone(s) {
			t.Errorf("%q is not none", s)
		}
	}
}

package theme

import (
	"errors"
	"image/color"
	"reflect"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"growbench/theme/text"
)

func themed(t *testing.T, name, background string) Theme {
	t.Helper()
	var bg color.Color
	if background != "" {
		bg = lipgloss.Color(background)
	}
	theme, err := New(name, bg)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

// tokens returns every style of a theme by the name of its field.
func tokens(theme Theme) map[string]lipgloss.Style {
	found := map[string]lipgloss.Style{}
	v := reflect.ValueOf(theme)
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		if style, ok := v.Field(i).Interface().(lipgloss.Style); ok {
			found[v.Type().Field(i).Name] = style
		}
	}
	return found
}

func ratio(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func isSet(c color.Color) bool {
	_, none := c.(lipgloss.NoColor)
	return c != nil && !none
}

func TestEveryForegroundReadsOnItsBackground(t *testing.T) {
	tests := []struct {
		name        string
		backgrounds []string
		least       float64
	}{
		{Dark, []string{"#000000", "#1e1e1e"}, 4.5},
		{Light, []string{"#ffffff", "#f5f5f5"}, 4.5},
		{Contrast, []string{"#000000", "#1e1e1e"}, 7},
		{Contrast, []string{"#ffffff", "#f5f5f5"}, 7},
	}
	for _, test := range tests {
		for _, background := range test.backgrounds {
			theme := themed(t, test.name, background)
			styles := tokens(theme)
			if len(styles) < 15 {
				t.Fatalf("only %d tokens found", len(styles))
			}
			check := func(token string, style lipgloss.Style) {
				t.Helper()
				fg := style.GetForeground()
				if !isSet(fg) {
					t.Errorf("%s on %s: %s has no colour", test.name, background, token)
					return
				}
				bg := style.GetBackground()
				if !isSet(bg) {
					bg = lipgloss.Color(background)
				}
				if got := ratio(fg, bg); got < test.least {
					t.Errorf("%s on %s: %s has a contrast of %.2f, want %.1f", test.name, background, token, got, test.least)
				}
			}
			for token, style := range styles {
				check(token, style)
				check(token+" in the selected row", theme.Selected(style))
				check(token+" in the status bar", theme.InBar(style))
			}
		}
	}
}

func TestWithoutColourNothingIsColoured(t *testing.T) {
	theme := themed(t, None, "#ffffff")
	for token, style := range tokens(theme) {
		for _, s := range []lipgloss.Style{style, theme.Selected(style), theme.InBar(style)} {
			if isSet(s.GetForeground()) || isSet(s.GetBackground()) {
				t.Errorf("%s has a colour", token)
			}
		}
	}
	for _, token := range []string{"Selection", "StatusBar"} {
		if !tokens(theme)[token].GetReverse() {
			t.Errorf("%s cannot be told from text", token)
		}
	}
}

func TestNewFollowsTheBackground(t *testing.T) {
	for background, want := range map[string]string{"": Dark, "#000000": Dark, "#1e1e1e": Dark, "#ffffff": Light, "#f5f5f5": Light, "#fdf6e3": Light, "#002b36": Dark} {
		for _, name := range []string{Auto, ""} {
			if got := themed(t, name, background); got.Name != want {
				t.Errorf("%q on %q is %s, want %s", name, background, got.Name, want)
			}
		}
	}
	if _, err := New("sepia", nil); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), Contrast) {
		t.Errorf("an unknown theme gives %v", err)
	}
	for _, name := range Names() {
		themed(t, name, "#000000")
	}
}

func TestAStateIsNeverToldByColourAlone(t *testing.T) {
	states := []string{"pending", "running", "waiting", "done", "failed", "stopped", "interrupted", "timed_out", "stalled", "orphaned", "affected", "flagged"}
	for _, name := range Names() {
		for _, theme := range []Theme{themed(t, name, ""), themed(t, name, "").ASCII()} {
			for _, state := range states {
				badge := text.Clean(theme.Badge(state))
				sign, word, _ := strings.Cut(badge, " ")
				if want := strings.ReplaceAll(state, "_", " "); word != want {
					t.Errorf("%s: the badge of %s reads %q", name, state, badge)
				}
				if sign == theme.Symbols.Unknown || sign == "" {
					t.Errorf("%s: %s has no sign", name, state)
				}
			}
			done, _ := theme.State("done")
			failed, _ := theme.State("failed")
			waiting, _ := theme.State("waiting")
			if done == failed || failed == waiting || done == waiting {
				t.Errorf("%s: signs are shared: %q %q %q", name, done, failed, waiting)
			}
		}
	}
	theme := themed(t, None, "")
	if got := theme.Badge("new\x1b[8m\nstate"); !strings.Contains(got, "~ new state") {
		t.Errorf("a foreign state reads %q", got)
	}
}

func TestSymbolsTakeOneCell(t *testing.T) {
	for _, symbols := range []Symbols{Unicode(), ASCII()} {
		signs := append([]string{}, symbols.Spinner...)
		for _, v := range []any{symbols, symbols.Frame} {
			fields := reflect.ValueOf(v)
			for i := range fields.NumField() {
				if fields.Field(i).Kind() == reflect.String {
					signs = append(signs, fields.Field(i).String())
				}
			}
		}
		if len(signs) < 20 {
			t.Fatalf("only %d signs found", len(signs))
		}
		for _, sign := range signs {
			for _, m := range []text.Measure{text.WcWidth, text.Grapheme} {
				if m.Width(sign) != 1 {
					t.Errorf("%q takes %d cells", sign, m.Width(sign))
				}
			}
			if symbols.Done == "+" && (len(sign) != 1 || sign[0] >= 0x7f) {
				t.Errorf("%q is not ASCII", sign)
			}
		}
	}
}

func TestSymbolsFollowTheLocale(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want Symbols
	}{
		{map[string]string{"LANG": "en_US.UTF-8"}, Unicode()},
		{map[string]string{"LANG": "C.utf8"}, Unicode()},
		{map[string]string{}, Unicode()},
		{map[string]string{"LANG": "C"}, ASCII()},
		{map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, ASCII()},
		{map[string]string{"LC_CTYPE": "ko_KR.UTF-8", "LANG": "C"}, Unicode()},
		{map[string]string{"TERM": "linux", "LANG": "en_US.UTF-8"}, ASCII()},
	} {
		if got := SymbolsFor(func(name string) string { return test.env[name] }); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v gives %q for done", test.env, got.Done)
		}
	}
}

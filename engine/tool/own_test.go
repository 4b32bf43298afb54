package tool

import (
	"context"
	"strings"
	"testing"

	"growbench/engine/model"
)

func TestToolsOfAnotherRoom(t *testing.T) {
	var got []string
	set := NewSet(func(text string) string { return strings.ReplaceAll(text, "secret", "…") }, New("keep", "Keep it.",
		[]Param{{Name: "text", Type: "string"}, {Name: "more", Type: "strings", Optional: true}, {Name: "k", Type: "integer", Optional: true}},
		func(_ context.Context, a Args) (string, error) {
			got = append([]string{a.String("text")}, a.Strings("more")...)
			if a.Int("k") == 7 {
				got = append(got, "seven")
			}
			return "the secret is kept", nil
		}))
	ret := set.Do(t.Context(), model.Call{Name: "keep", Arguments: `{"text":"a","more":"b","k":"7"}`}, 1000)
	if strings.Join(got, ",") != "a,b,seven" || ret.Text != "the … is kept" || ret.Error != "" {
		t.Errorf("%q %+v", got, ret)
	}
	if ret := set.Do(t.Context(), model.Call{Name: "keep", Arguments: `{"k":1}`}, 1000); !strings.Contains(ret.Error, "needs the argument text") {
		t.Errorf("%+v", ret)
	}
	if ret := set.Do(t.Context(), model.Call{Name: "write_file", Arguments: `{}`}, 1000); !strings.Contains(ret.Error, "there is no tool") {
		t.Errorf("%+v", ret)
	}
}

package model

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func joined(pieces ...string) string {
	var j joiner
	text := ""
	for _, p := range pieces {
		text += j.add(raw(json.RawMessage(`"` + p + `"`)))
	}
	return text + j.end()
}

func TestTextIsJoinedInsideARune(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		want   string
	}{
		{[]string{`a\ud83d`, `\ude00b`}, "a😀b"},
		{[]string{"a\xe2\x82", "\xacb"}, "a€b"},
		{[]string{"a\xf0", "\x9f", "\x98", "\x80b"}, "a😀b"},
		{[]string{`a\ud83d`, `b`}, "a\ufffdb"},
		{[]string{`\ude00`, `\ud83d`}, "\ufffd\ufffd"},
		{[]string{`\ud83d\ude00`}, "😀"},
		{[]string{"\xe2\x82"}, "\ufffd\ufffd"},
		{[]string{`\u00e9\u0041\n\t\"\\\/`}, "éA\n\t\"\\/"},
		{[]string{"", `\u20ac`, ""}, "€"},
	} {
		if got := joined(c.pieces...); got != c.want {
			t.Errorf("%q became %q, not %q", c.pieces, got, c.want)
		}
	}
}

func TestNothingIsShownOfHalfARune(t *testing.T) {
	var j joiner
	if got := j.add([]byte("a\xf0\x9f")) + "|" + j.add([]byte("\x98\x80")); got != "a|😀" {
		t.Errorf("%q", got)
	}
}

func FuzzStrings(f *testing.F) {
	f.Add([]byte(`"a\ud83d\ude00\n"`), 3)
	f.Add([]byte(`"\\u0041\u00e9\""`), 1)
	f.Fuzz(func(t *testing.T, value []byte, n int) {
		var want string
		if json.Unmarshal(value, &want) != nil || n < 1 {
			return
		}
		text := []byte(whole(raw(value)))
		var j joiner
		got := ""
		for at := 0; at < len(text); at += n {
			piece := j.add(text[at:min(len(text), at+n)])
			if !utf8.ValidString(piece) {
				t.Fatalf("%q is no text", piece)
			}
			got += piece
		}
		got += j.end()
		// The standard decoder knows no pieces; what it calls a half is one here too.
		if utf8.Valid(value) && !strings.Contains(want, "\ufffd") && got != want {
			t.Fatalf("%s in pieces of %d is %q, not %q", value, n, got, want)
		}
	})
}

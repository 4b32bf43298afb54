package budget

import (
	"strings"
	"testing"
)

func TestLinesAreCutWhereTheBudgetEnds(t *testing.T) {
	text := "one two\nthree four\nfive six\n"
	each := Tokens("one two\n")
	if fits, whole := Lines(text, each); fits != "one two\n" || whole {
		t.Errorf("%q, %v", fits, whole)
	}
	if fits, whole := Lines(text, Tokens(text)); fits != text || !whole {
		t.Errorf("%q, %v", fits, whole)
	}
	if fits, whole := Lines(text, Tokens(text)-1); fits != "one two\nthree four\n" || whole {
		t.Errorf("%q, %v", fits, whole)
	}
	if fits, whole := Lines("", 0); fits != "" || !whole {
		t.Errorf("%q, %v", fits, whole)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("func Näme(x int) {\n\treturn 42\n}")
	f.Add("    \n   x")
	f.Fuzz(func(t *testing.T, text string) {
		n, sum := Tokens(text), 0
		for line := range strings.Lines(text) {
			sum += Tokens(line)
		}
		if n != sum || n < 0 || n > len(text) {
			t.Fatalf("%q: %d, by lines %d", text, n, sum)
		}
	})
}

package cli

import (
	"strings"
	"testing"
)

func TestMapContextAnswers(t *testing.T) {
	p := newShop(t)
	p.do("map", "context", "cart").ends(exitUsage, "no map yet", "map init")
	p.do("map", "init").ends(exitOK)
	p.do("map", "context").ends(exitUsage)
	p.do("map", "context", " ").ends(exitUsage, "empty")
	p.do("map", "context", "--dirs", "0", "cart").ends(exitUsage, "--dirs")
	var answer struct {
		Query string
		Dirs  []struct {
			Dir   string
			Score float64
		}
		Files []struct {
			Path  string
			Score float64
		}
		Symbols  []struct{ Name, Path string }
		Markdown string
	}
	p.do("map", "context", "what", "customer wants new", "--json").ends(exitOK).json(&answer)
	if answer.Query != "what customer wants new" || answer.Dirs[0].Dir != "cart" || answer.Dirs[0].Score <= 0 || answer.Files[0].Path != "cart/cart.go" ||
		len(answer.Symbols) != 1 || answer.Symbols[0].Name != "New" || !strings.Contains(answer.Markdown, "map: cart/.pi-map.md") {
		t.Errorf("%+v", answer)
	}
	p.do("map", "context", "guard", "--dirs", "1").ends(exitOK, "### web", "index: web/.pi-map.index.md")
}

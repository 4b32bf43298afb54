package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestInjectTellsTheAgentAndTheOperatorApart(t *testing.T) {
	p := newShop(t)
	p.do("inject").ends(exitOK, "has no map yet", "map init")
	p.do("map", "init").ends(exitOK)
	type injection struct {
		Mode         string
		Budget, Used int
		Blocks       []struct {
			Path   string
			Tokens int
		}
		Text, Reason, Hint string
		Guard              struct{ Closed bool }
	}
	var in injection
	p.do("inject", "--json").ends(exitOK).json(&in)
	if in.Mode != "strong" || in.Budget != 100000 || in.Used == 0 || len(in.Blocks) != 6 || in.Blocks[0].Path != ".pi-map.index.md" || in.Blocks[0].Tokens == 0 ||
		in.Reason == "" || in.Hint == "" || !strings.Contains(in.Text, "# cart") {
		t.Errorf("%+v", in)
	}
	text, err := json.Marshal(in.Text)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(p.repo, "seen.json"), `{"messages": [{"role": "user", "content": `+string(text)+`}]}`)
	var again injection
	p.do("inject", "--event", "edit", "--path", "cart/cart.go", "--seen", "seen.json", "--mode", "strict", "--json").ends(exitOK).json(&again)
	if again.Text != "" || len(again.Blocks) != 0 || again.Guard.Closed {
		t.Errorf("a second copy: %+v", again)
	}
	p.do("inject", "--event", "edit", "--mode", "strict", "--json").ends(exitProblems).json(&again)
	if !again.Guard.Closed || again.Text == "" {
		t.Errorf("%+v", again)
	}
	p.do("inject", "--event", "edit", "--mode", "strict", "--reason", "a typo").ends(exitOK, "a typo")
	p.do("inject", "--mode", "off", "--json").ends(exitOK).json(&in)
	if in.Text+in.Hint != "" || in.Reason == "" {
		t.Errorf("%+v", in)
	}
	put(t, filepath.Join(p.repo, ".pi-project-map.json"), `{"promptInjectionMode": "advisory", "contextBudgetPercent": 10, "contextBudgetMaxTokens": 5000}`)
	p.do("inject", "--model-context", "20000", "--json").ends(exitOK).json(&in)
	if in.Mode != "advisory" || in.Budget != 2000 || len(in.Blocks) != 2 {
		t.Errorf("%+v", in)
	}
	p.do("inject", "--mode", "loud").ends(exitUsage, "off, advisory, strong or strict")
	p.do("inject", "--event", "noon").ends(exitUsage, "start, edit, architecture, compaction or change")
	p.do("inject", "--model-context", "-1").ends(exitUsage)
	p.do("inject", "--seen", "nowhere").ends(exitUsage, "nowhere")
	p.do("inject", "--path", "/etc/passwd").ends(exitUsage, "outside")
}

func TestMapGraphWritesItsDocument(t *testing.T) {
	p := newShop(t)
	p.do("map", "graph").ends(exitUsage, "map init")
	p.do("map", "init").ends(exitOK)
	p.do("map", "graph", "--write").ends(exitOK, "project-graph.md", "1 packages")
	p.do("map", "graph").ends(exitOK, "package . (go)")
	p.do("map", "status").ends(exitOK)
	put(t, filepath.Join(p.repo, "project-graph.md"), "mine\n")
	p.do("map", "graph", "--write").ends(exitUsage, "not a graph of ours")
}

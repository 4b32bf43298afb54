package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/mapgen"
	"growbench/mapgen/artifact"
	"growbench/theme"
	"growbench/views"
)

// someMap is a map with directories in every state.
func someMap() *mapgen.Survey {
	file := func(name string, size int64, change string) mapgen.SurveyFile {
		return mapgen.SurveyFile{Name: name, Size: size, Change: change}
	}
	return &mapgen.Survey{
		Exists: true, Recommend: mapgen.RecommendReinit, Scanned: noon.Add(-26 * time.Hour),
		Dirs: []mapgen.SurveyDir{
			{Dir: ".", Role: "Sells nothing, to try things out", Files: []mapgen.SurveyFile{file("README.md", 40, ""), file("go.mod", 30, "")}},
			{Dir: "cart", Role: "Holds what a customer wants to buy, in the order it was put in, until it is paid for", Files: []mapgen.SurveyFile{file("cart.go", 900, "")}},
			{Dir: "cart/price", State: []string{mapgen.Stale}, Since: noon.Add(-12 * time.Minute), Why: []string{"price.go changed", "tax.go is new", "old.go is gone"},
				Role: "Adds up and rounds", Files: []mapgen.SurveyFile{file("old.go", 0, mapgen.FileGone), file("price.go", 4000, mapgen.FileChanged), file("tax.go", 100, mapgen.FileNew)}},
			{Dir: "fresh", State: []string{mapgen.Missing}, Why: []string{"it has no map yet"}, Files: []mapgen.SurveyFile{file("a.go", 10, "")}},
			{Dir: "store", State: []string{mapgen.Stale, mapgen.Dirty}, Since: noon.Add(-3 * time.Hour), Role: "Keeps things",
				Why: []string{"2026-03-01T07:00:55Z: store.go modified", "its map was edited by hand"}, Files: []mapgen.SurveyFile{file("store.go", 700, "")}},
			{Dir: "tools", State: []string{mapgen.Orphaned}, Why: []string{"nothing is left in the directory but its map"}},
			{Dir: "web", State: []string{mapgen.Broken}, Why: []string{"its map was edited into a form that is not understood"}, Role: "Pages in the browser"},
			{Dir: "web/src", Role: "Guards and bases of pages, 日本語", Files: []mapgen.SurveyFile{file("base.ts", 60, ""), file("guard.ts", 90, "")}},
		},
	}
}

// somePage is what the map says of cart/price.
func somePage() mapgen.Page {
	return mapgen.Page{
		Dir: "cart/price", Map: []byte("# cart/price\n"), Role: "Adds up and rounds, in the currency of whoever pays, and never loses a cent on the way to the total.",
		Files: []mapgen.PageFile{{
			File:    artifact.File{Name: "price.go", Purpose: "Adds up and rounds", Deps: []string{"pkg/store", "ext/math/big"}},
			Symbols: []mapgen.Line{{Text: "Total(cents ...int) int", At: 5}, {Text: "type Money struct", At: 12}},
		}},
		Children: []artifact.Link{{Dir: "cart/price/round", Role: "Rounds to even"}},
	}
}

var someNames = []mapgen.DirNames{
	{Dir: "cart/price", Files: []mapgen.FileNames{{Name: "price.go", Symbols: []mapgen.Line{{Text: "Total(cents ...int) int", At: 5}, {Text: "type Money struct", At: 12}}}}},
	{Dir: "web/src", Files: []mapgen.FileNames{{Name: "guard.ts", Symbols: []mapgen.Line{{Text: "class Guard extends Base", At: 4}}}}},
}

// chartScreen is a model on a map.
func chartScreen(t testing.TB, look string, s size, survey *mapgen.Survey, page mapgen.Page) *model {
	t.Helper()
	th, err := theme.New(look, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := projectOf(nil)
	p.Map = func() (*mapgen.Project, func(), error) { return nil, nil, fmt.Errorf("this is a picture") }
	m := newModel(t.Context(), Options{Project: p, OnMap: true, Theme: look, Clock: func() time.Time { return noon }}, th)
	m.update(tea.WindowSizeMsg{Width: s.width, Height: s.height})
	m.surveyed(surveyedMsg{m.chart.looked, survey, views.NewMapData(mapDirs(survey), views.ByName), "reconcile cart", nil})
	m.chart.names = namesOf(someNames)
	m.chart.tree.Go(views.Spot{Dir: page.Dir})
	m.turnTo(page)
	return m
}

// turnTo puts the about sheet of what is picked into the preview.
func (m *model) turnTo(page mapgen.Page) {
	m.compose()
	key, _ := m.wantedPage()
	d, f, _ := m.chart.tree.Selected()
	m.paged(pagedMsg{key, aboutSheet(page, d, f)})
	m.compose()
}

func someFindings() mapgen.Validation {
	v := mapgen.Validation{Counts: map[string]int{}}
	for i, kind := range mapgen.Kinds {
		v.Findings = append(v.Findings, mapgen.Finding{Kind: kind, Dir: []string{"cart/price", "store"}[i%2], File: []string{"price.go", ""}[i%2],
			Detail: "no longer: Total(cents ...int) int; now: Sum(cents ...int) int", Fix: "growbench map patch cart/price/price.go"})
	}
	return v
}

func TestScreensOfTheMap(t *testing.T) {
	for _, screen := range []struct {
		name string
		of   func(m *model)
	}{
		{"tree", func(*model) {}},
		{"needs", func(m *model) { m.chart.tree.OnlyNeeds(true) }},
		{"folded", func(m *model) { m.chart.tree.FoldAll(); m.chart.tree.Home() }},
		{"preview", func(m *model) { m.show(previewPane); m.chart.preview.NextStop(1); m.chart.preview.NextStop(1) }},
		{"filter", func(m *model) {
			m.openFilter()
			m.line.input().Insert("tot")
			m.chart.SetFilter("tot")
			number := m.chart.sifts.Add(1)
			m.siftedThrough(siftedMsg{number, m.chart.data, m.chart.data.Sift("tot", m.chart.names, func() bool { return false }), nil})
		}},
		{"findings", func(m *model) {
			m.showFindings(someFindings(), "")
			m.top().(*findings).at = 2
			m.unasked = nil
		}},
		{"confirm", func(m *model) {
			changes := []mapgen.Change{
				{Dir: "cart/price", Map: mapgen.Rewrite{Path: "cart/price/.pi-map.md", Old: []byte("a\nb\n"), New: []byte("a\nc\nd\n")}},
				{Dir: "fresh", Map: mapgen.Rewrite{New: []byte("x")}, Index: mapgen.Rewrite{New: []byte("x")}},
				{Dir: "tools", Map: mapgen.Rewrite{Old: []byte("x")}, Index: mapgen.Rewrite{Old: []byte("x")}},
			}
			m.push(newMapConfirm(reconcileAct(nil, "reconcile all below .", "reconciling"), "", changesWords(changes), changes))
		}},
		{"working", func(m *model) {
			m.startMap(mapAct{verb: "reconcile all below .", doing: "reconciling 5 directories below .", planned: map[string]bool{"store": true, "fresh": true}}, false, nil)
			m.chart.work.step = mapStep{dir: "store", progress: mapgen.Progress{Done: 12, Total: 40}}
			m.chart.work.since = noon.Add(-4 * time.Second)
		}},
	} {
		for _, s := range []size{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
			name := fmt.Sprintf("%s-%dx%d", screen.name, s.width, s.height)
			t.Run(name, func(t *testing.T) {
				inEveryLook(t, "map/"+name, s, func(look string) *model {
					m := chartScreen(t, look, s, someMap(), somePage())
					screen.of(m)
					return m
				})
			})
		}
	}
}

// rude are names that have ever made a terminal do something, or a line longer
// than it was counted.
var rude = []string{
	"\u009b31mred", "\x9b31mbytes", "a\x1b]0;stolen\x07b", "\x1b]52;c;cGF5\x07", "cr\rover", "back\b\b\bspace", "new\nline", "tab\tbed", "\u202etxt.exe", "\u2066iso",
	"👩‍👩‍👧❤️🇩🇪", "한국", "日本語名前", "1️⃣keycap", "\xff\xfe", "e\u0301\u200d", " lead", "\x1b[2J", "\x1bPq#0\x1b\\", "open\x1b]2;",
}

func rudeMap() (*mapgen.Survey, mapgen.Page) {
	s := &mapgen.Survey{Exists: true, Dirs: []mapgen.SurveyDir{{Dir: ".", Role: rude[2]}}}
	page := mapgen.Page{Dir: rude[0], Role: strings.Join(rude, " "), Map: []byte("#"), Problems: rude[:2]}
	for i, name := range rude {
		d := mapgen.SurveyDir{Dir: name, Role: name, Files: []mapgen.SurveyFile{{Name: name, Change: mapgen.FileChanged}}}
		if i%2 == 0 {
			d.State, d.Why = []string{mapgen.Stale}, []string{name + " changed"}
		}
		s.Dirs = append(s.Dirs, d)
		page.Files = append(page.Files, mapgen.PageFile{File: artifact.File{Name: name, Purpose: name, Note: name, Deps: []string{"pkg/" + name}}, Symbols: []mapgen.Line{{Text: name, At: i}}})
		page.Children = append(page.Children, artifact.Link{Dir: name, Role: name})
	}
	return s, page
}

func TestRudeNamesOnTheMap(t *testing.T) {
	for _, s := range []size{{160, 48}, {100, 30}, {80, 24}, {60, 20}} {
		for _, focus := range []pane{mapPane, previewPane} {
			name := fmt.Sprintf("rude-%s-%dx%d", paneNames[focus], s.width, s.height)
			t.Run(name, func(t *testing.T) {
				inEveryLook(t, "map/"+name, s, func(look string) *model {
					survey, page := rudeMap()
					m := chartScreen(t, look, s, survey, page)
					m.chart.tree.UnfoldAll()
					m.show(focus)
					m.turnTo(page)
					actsOnNothing(t, m.frame)
					return m
				})
			})
		}
	}
}

// The same names on the disk, through the real program.
func TestRudeNamesOnTheDisk(t *testing.T) {
	root := mappedShop(t)
	for _, name := range rude {
		if strings.Contains(name, "/") {
			continue
		}
		put(t, root, map[string]string{filepath.Join(name, name+".go"): "package a\n\nfunc Rude() {}\n"})
	}
	g, clock := mapScreen(t, root, nil)
	g.until("missing", "re-init recommended")
	g.press("=gR")
	g.agree(clock, "reconcile all below .?")
	g.until("u brings back what was there before")
	g.press("\x1b[27u")
	g.until("5 map clean")
	g.press("/rude")
	g.until("Rude() :3")
	g.press("\r]]v")
	g.until("the map is right")
	g.press("q")
	g.end()
	actsOnNothing(t, g.bytes())
	if left, err := os.ReadDir(filepath.Join(root, mapgen.StateDir, "map", "work")); err != nil || len(left) > 0 {
		t.Errorf("left at work: %v, %v", left, err)
	}
}

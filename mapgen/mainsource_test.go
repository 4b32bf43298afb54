package mapgen

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestHomesOfMainSources(t *testing.T) {
	for _, c := range []struct{ dir, home, name string }{
		{".", "", ""},
		{"src", ".", ""},
		{"lib", ".", ""},
		{"shop", ".", "shop"},
		{"src/shop", ".", "shop"},
		{"Src/Shop.Web", ".", "Shop.Web"},
		{"include/shop", ".", "shop"},
		{"packages/web/src", "packages/web", ""},
		{"packages/web/src/lib", "packages/web", ""},
		{"packages/web/lib/web", "packages/web", "web"},
		{"src/main/java/org/example/shop", ".", "shop"},
		{"core/src/commonMain/kotlin/shop", "core", "shop"},
		{"src/main/java/org/example/shop/cart/price/tax", "", ""},
		{"src/test/java/org/example/shop", "src/test/java/org/example", "shop"},
	} {
		if home, name := homeOf(c.dir); home != c.home || name != c.name {
			t.Errorf("home of %s: %q, %q; want %q, %q", c.dir, home, name, c.home, c.name)
		}
	}
}

func TestNamesOfOneThing(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"jedis", "Jedis", true}, {"http3", "http", true}, {"yaml", "libyaml", true}, {"dateutil", "python-dateutil", true},
		{"shop", "@example/shop", true}, {"_shop", "shop", true}, {"shop_web", "shop-web", true},
		{"docs", "shop", false}, {"cart", "cartography", false}, {"a", "a", false}, {"", "lib", false},
	} {
		if alike(c.a, c.b) != c.want || alike(c.b, c.a) != c.want {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
}

// packaged is a repository of packages whose main sources say nothing.
func packaged(t testing.TB) string {
	root := repository(t)
	write(t, root, map[string]string{
		"pyproject.toml":         "[project]\nname = \"shop\"\ndescription = \"Sells what nobody needs\"\n",
		"src/shop/till.go":       "package till\n\nfunc Open() {}\n",
		"src/shop/deep/scale.go": "package deep\n\nfunc Weigh() {}\n",
		"pkg/ledger/README.md":   "# Ledger\n\nKeeps the books of the shop in order.\n",
		"pkg/ledger/lib/book.go": "package lib\n\nfunc Add() {}\n",
		"pkg/ledger/docs/x.go":   "package docs\n\nfunc Print() {}\n",
	})
	return root
}

func roleOf(t testing.TB, p *Project, dir string) string {
	t.Helper()
	return p.summaryOf(dir).Role
}

func TestAMainSourceTakesThePackagesWords(t *testing.T) {
	root := packaged(t)
	p, _ := initMap(t, root)
	for dir, words := range map[string]string{"src/shop": "Sells what nobody needs", "pkg/ledger/lib": "Keeps the books of the shop in order"} {
		if role := roleOf(t, p, dir); !strings.Contains(role, words) {
			t.Errorf("%s: %s", dir, role)
		}
	}
	for _, dir := range []string{"src/shop/deep", "pkg/ledger/docs"} {
		if role := roleOf(t, p, dir); strings.Contains(role, "Sells") || strings.Contains(role, "Keeps the books") {
			t.Errorf("%s takes the words of another directory: %s", dir, role)
		}
	}
	right(t, root)
}

func TestNewWordsOfAPackageReachItsMainSource(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		stale            []string // beside the file's own directory
		role, words      string
	}{
		{"a README", "pkg/ledger/README.md", "# Ledger\n\nCounts every cent twice a day.\n", []string{"pkg/ledger/lib"}, "pkg/ledger/lib", "Counts every cent twice a day"},
		{"a README that says the same", "pkg/ledger/README.md", "# Ledger\n\nKeeps the books of the shop in order.\n\nMore below.\n", nil, "pkg/ledger/lib", "Keeps the books"},
		{"a manifest", "pyproject.toml", "[project]\nname = \"shop\"\ndescription = \"Gives everything away\"\n", []string{"src/shop"}, "src/shop", "Gives everything away"},
		{"another name", "pyproject.toml", "[project]\nname = \"kiosk\"\ndescription = \"Sells what nobody needs\"\n", []string{"src/shop"}, "src/shop", "Shop"},
		{"a README gone", "pkg/ledger/README.md", "", []string{"pkg/ledger/lib"}, "pkg/ledger/lib", "can add"},
		{"a new manifest", "pkg/ledger/package.json", `{"name": "ledger", "description": "Remembers every debt"}`, []string{"pkg/ledger/lib"}, "pkg/ledger/lib", "Remembers every debt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := packaged(t)
			initMap(t, root)
			before := documents(t, root)
			if c.text == "" {
				if err := os.Remove(filepath.Join(root, c.file)); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, root, map[string]string{c.file: c.text})
			}
			p := open(t, root, Options{})
			s, err := p.Status(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var named []string
			for _, d := range s.Dirs {
				named = append(named, d.Dir)
			}
			want := append([]string{filepath.ToSlash(filepath.Dir(c.file))}, c.stale...)
			slices.Sort(want)
			same(t, "stale directories", named, want)
			patchOf(t, p, Auto, c.file)
			if role := roleOf(t, p, c.role); !strings.Contains(role, c.words) {
				t.Errorf("%s: %s", c.role, role)
			}
			for _, name := range changed(before, documents(t, root)) {
				dir := filepath.ToSlash(filepath.Dir(name))
				if !slices.ContainsFunc(want, func(d string) bool { return dir == "." || d == dir || strings.HasPrefix(d, dir+"/") }) {
					t.Errorf("%s was changed", name)
				}
			}
			after := documents(t, root)
			initMap(t, root)
			same(t, "what a full scan still changes", changed(after, documents(t, root)), []string{})
			right(t, root)
		})
	}
}

func TestACheckSaysWhyAMainSourceIsStale(t *testing.T) {
	root := packaged(t)
	p, _ := initMap(t, root)
	write(t, root, map[string]string{"pkg/ledger/README.md": "# Ledger\n\nCounts every cent twice a day.\n"})
	// The home alone is brought up to date, without what lies below.
	if _, err := p.Init(context.Background(), []string{"pkg/ledger/docs"}); err != nil {
		t.Fatal(err)
	}
	survey, err := p.Survey(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, d := range survey.Dirs {
		found = found || d.Dir == "pkg/ledger/lib" && slices.Contains(d.Why, whyAbove)
	}
	if !found {
		t.Error("the survey does not say why pkg/ledger/lib is stale")
	}
	v, err := p.Validate(context.Background(), true)
	if err != nil {
		t.Fatal(err)
	}
	if !v.OK || !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Dir == "pkg/ledger/lib" }) {
		t.Errorf("%+v", v.Findings)
	}
	if role := roleOf(t, p, "pkg/ledger/lib"); !strings.Contains(role, "Counts every cent") {
		t.Error(role)
	}
	right(t, root)
}

func TestASecretInAREADMEIsNotPassedOn(t *testing.T) {
	root := packaged(t)
	token := "ghp_" + strings.Repeat("a1B2", 9)
	write(t, root, map[string]string{"pkg/ledger/README.md": "# Ledger\n\nKeeps the books with " + token + " in order.\n"})
	initMap(t, root)
	for name, text := range documents(t, root) {
		if strings.Contains(text, token) {
			t.Errorf("%s holds the secret", name)
		}
	}
	if role := roleOf(t, open(t, root, Options{}), "pkg/ledger/lib"); strings.Contains(role, "Keeps the books") {
		t.Error(role)
	}
}

func TestALinkedREADMESpeaksForNobody(t *testing.T) {
	root := packaged(t)
	if err := os.Remove(filepath.Join(root, "pkg/ledger/README.md")); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(outside, []byte("# X\n\nTells what lies outside of the project.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "pkg/ledger/README.md")); err != nil {
		t.Fatal(err)
	}
	initMap(t, root)
	for name, text := range documents(t, root) {
		if strings.Contains(text, "lies outside") {
			t.Errorf("%s holds what a link led to", name)
		}
	}
}

func TestAMapGoesAlongWithAProjectOfTheSameName(t *testing.T) {
	root := packaged(t)
	remove(t, root, "pyproject.toml")
	shop := filepath.Join(root, "src", "shop")
	if err := os.Rename(shop, filepath.Join(root, "src", filepath.Base(root)+"-core")); err != nil {
		t.Fatal(err)
	}
	initMap(t, root)
	before := documents(t, root)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(root, elsewhere); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, elsewhere, Options{Name: filepath.Base(root)}).Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	same(t, "what changed on the way", changed(before, documents(t, elsewhere)), []string{})
	if _, err := open(t, elsewhere, Options{}).Init(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if len(changed(before, documents(t, elsewhere))) == 0 {
		t.Error("the name of the folder is nowhere in the map")
	}
}

func TestAMainSourceBelowACarrierInAPackagesPath(t *testing.T) {
	root := packaged(t)
	const dir = "src/main/java/org/source/reader/shop"
	write(t, root, map[string]string{dir + "/a.go": "package shop\n\nfunc Read() {}\n"})
	initMap(t, root)
	write(t, root, map[string]string{"pyproject.toml": "[project]\nname = \"shop\"\ndescription = \"Gives everything away\"\n"})
	p := open(t, root, Options{})
	patchOf(t, p, Auto, "pyproject.toml")
	if role := roleOf(t, p, dir); !strings.Contains(role, "Gives everything away") {
		t.Error(role)
	}
	clean(t, root)
}

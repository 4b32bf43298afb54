package mapgen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"growbench/mapgen/artifact"
	"growbench/mapgen/scan"
)

// Edge says that files of one directory use another.
type Edge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Files int    `json:"files"` // how many files do
}

// PackageNode is a directory with a manifest of its own, and the packages of
// the project it uses.
type PackageNode struct {
	Dir  string   `json:"dir"`
	Kind string   `json:"kind"`
	Uses []string `json:"uses"`
}

// Graph is who uses whom, by directory and by package.
type Graph struct {
	Nodes    []string      `json:"nodes"`
	Edges    []Edge        `json:"edges"`
	Packages []PackageNode `json:"packages"`
}

// Graph reads the cross-references of the map as they were when each directory
// was last regenerated.
func (p *Project) Graph(ctx context.Context) (Graph, error) {
	g := Graph{Nodes: []string{}, Edges: []Edge{}, Packages: []PackageNode{}}
	if !p.Exists() {
		return g, fmt.Errorf("draw the graph of %s: %w", p.root, ErrNoMap)
	}
	p.store.each(func(_ string, r *record) {
		if r == nil || ctx.Err() != nil || r.load() != nil {
			return
		}
		g.Nodes = append(g.Nodes, r.Dir)
		if _, kind, ok := strings.Cut(packageIn(r), " ("); ok {
			g.Packages = append(g.Packages, PackageNode{Dir: r.Dir, Kind: strings.TrimSuffix(kind, ")"), Uses: []string{}})
		}
		uses := map[string]int{}
		for i := range r.Known {
			for _, d := range r.Known[i].DepDirs {
				uses[d[len("pkg/"):]]++
			}
		}
		for to, n := range uses {
			if to != r.Dir {
				g.Edges = append(g.Edges, Edge{r.Dir, to, n})
			}
		}
	})
	slices.Sort(g.Nodes)
	slices.SortFunc(g.Edges, func(a, b Edge) int { return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To)) })
	slices.SortFunc(g.Packages, func(a, b PackageNode) int { return strings.Compare(a.Dir, b.Dir) })
	g.join()
	return g, ctx.Err()
}

// join finds which packages use which.
func (g *Graph) join() {
	at := map[string]int{}
	for i, p := range g.Packages {
		at[p.Dir] = i
	}
	is := func(dir string) bool { _, ok := at[dir]; return ok }
	for _, e := range g.Edges {
		from, to := packageOf(e.From, is), packageOf(e.To, is)
		if from == "" || to == "" || from == to {
			continue
		}
		if uses := &g.Packages[at[from]].Uses; !slices.Contains(*uses, to) {
			*uses = append(*uses, to)
		}
	}
	for i := range g.Packages {
		slices.Sort(g.Packages[i].Uses)
	}
}

// GraphName is the document Graph.Markdown is written to on request.
const GraphName = "project-graph.md"

const graphHead = "# project graph\n"

// Markdown is the graph as a dense document.
func (g Graph) Markdown() string {
	var b strings.Builder
	b.WriteString(graphHead + "Made from the map's imports; `->` reads uses, the number is of files.\n## packages\n")
	for _, p := range g.Packages {
		b.WriteString("- " + artifact.Line(p.Dir) + " (" + p.Kind + ")")
		for i, to := range p.Uses {
			b.WriteString(separator(i) + artifact.Line(to))
		}
		b.WriteByte('\n')
	}
	if len(g.Packages) == 0 {
		b.WriteString("-\n")
	}
	b.WriteString("## directories\n")
	for i, e := range g.Edges {
		if i == 0 || g.Edges[i-1].From != e.From {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("- " + artifact.Line(e.From) + separator(0))
		} else {
			b.WriteString(separator(1))
		}
		fmt.Fprintf(&b, "%s (%d)", artifact.Line(e.To), e.Files)
	}
	if len(g.Edges) == 0 {
		b.WriteByte('-')
	}
	b.WriteByte('\n')
	return b.String()
}

func separator(i int) string {
	if i == 0 {
		return " -> "
	}
	return ", "
}

// ErrNotOurs: a file of that name is there that growbench did not write.
var ErrNotOurs = errors.New("a file of that name is there that is not a graph of ours; move it away first")

// WriteGraph puts the graph into the project's root, and its file into the map.
func (p *Project) WriteGraph(ctx context.Context, g Graph) error {
	old, err := scan.ReadFile(p.path(GraphName), 64<<20)
	switch {
	case gone(err):
	case err != nil:
		return fmt.Errorf("write %s: %w", GraphName, err)
	case !strings.HasPrefix(string(old), graphHead):
		return fmt.Errorf("write %s: %w", GraphName, ErrNotOurs)
	}
	temp := p.path(GraphName + ".tmp")
	if err := os.WriteFile(temp, []byte(g.Markdown()), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", GraphName, err)
	}
	if err := os.Rename(temp, p.path(GraphName)); err != nil {
		os.Remove(temp)
		return fmt.Errorf("write %s: %w", GraphName, err)
	}
	_, err = p.Patch(ctx, []string{GraphName}, Auto)
	return err
}

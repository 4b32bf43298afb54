package cli

import (
	"errors"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"growbench/mapgen/recall"
	"growbench/theme/text"
)

func (a *App) mapContextCommand() *cobra.Command {
	var want recall.Want
	c := &cobra.Command{
		Use:   "context QUERY",
		Short: "Find the directories, files and symbols a question is about",
		Long: `Searches everything the map says (paths, symbols, purposes, roles, tags) and the
last commits' subjects and files, and prints one compact text for an agent: the
most likely directories with their indexes and maps, likely files, symbols.
No model is asked. The map must have been made (map init).`,
		Example: "  growbench map context \"where are expired tokens refused\"\n  growbench map context --dirs 1 --budget 800 retry backoff",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			question := strings.Join(args, " ")
			switch {
			case strings.TrimSpace(question) == "":
				return usage(errors.New("the question is empty; say what you look for"))
			case want.Dirs < 1 || want.Files < 1 || want.Tokens < 1:
				return usage(errors.New("--dirs, --files and --budget want a number of 1 or more"))
			}
			return a.onMap(cmd.Context(), func(w mapWork) error {
				b, err := w.Context(w.ctx, question, want)
				if err != nil {
					return err
				}
				if a.asJSON {
					return a.json(contextAnswer(question, b))
				}
				if a.OutTerminal {
					a.printf("%s", text.Clean(b.Text))
				} else {
					a.printf("%s", b.Text)
				}
				return nil
			})
		},
	}
	c.Flags().IntVar(&want.Dirs, "dirs", 3, "name `N` directories at most")
	c.Flags().IntVar(&want.Files, "files", 10, "name `N` likely files at most")
	c.Flags().IntVar(&want.Tokens, "budget", 3000, "keep the text within `TOKENS`")
	return c
}

type contextDir struct {
	Dir   string  `json:"dir"`
	Score float64 `json:"score"`
}

type contextFile struct {
	Path  string  `json:"path"`
	Score float64 `json:"score"`
}

type contextSymbol struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

type contextValue struct {
	Query    string          `json:"query"`
	Dirs     []contextDir    `json:"dirs"`
	Files    []contextFile   `json:"files"`
	Symbols  []contextSymbol `json:"symbols"`
	Markdown string          `json:"markdown"`
}

func contextAnswer(question string, b recall.Bundle) contextValue {
	v := contextValue{Query: question, Dirs: []contextDir{}, Files: []contextFile{}, Symbols: []contextSymbol{}, Markdown: b.Text}
	round := func(score float64) float64 { return math.Round(score*10000) / 10000 }
	for _, d := range b.Dirs {
		v.Dirs = append(v.Dirs, contextDir{d.Path, round(d.Score)})
	}
	for _, f := range b.Files {
		v.Files = append(v.Files, contextFile{f.Path, round(f.Score)})
	}
	for _, s := range b.Symbols {
		v.Symbols = append(v.Symbols, contextSymbol{s.Name, s.Path})
	}
	return v
}

// Command recall measures `growbench map context` on the history of git
// repositories: the subject of a commit is the question, the files the commit
// changed are the right answer. The map and the history that answers are those
// of a snapshot older than every question.
//
//	go run ./testdata/bench/recall [-fields] [-queries 400] REPOSITORY…
//
// A repository is a directory with its history, bare or not. Nothing is fetched.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"growbench/mapgen"
	"growbench/mapgen/recall"
	"growbench/mapgen/symbols"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "parser" {
		if err := symbols.ServeWorker(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	queries := flag.Int("queries", 400, "ask `N` questions a repository")
	fields := flag.Bool("fields", false, "show what each part of the score adds")
	work := flag.String("work", "", "keep the snapshots in `DIR` for the next time")
	show := flag.Int("show", 0, "print the first `N` questions and the rule's refusals")
	history := flag.Int("history", mapgen.HistoryCommits, "hear `N` commits of the past")
	fix := flag.Bool("fix", false, "look for better weights on these questions")
	set := flag.String("set", "", "other weights, as Name=value,…")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	weights, err := override(recall.DefaultWeights(), *set)
	if err == nil && *work == "" {
		if *work, err = os.MkdirTemp("", "recall-"); err == nil {
			defer os.RemoveAll(*work)
		}
	}
	var exams []exam
	for _, repo := range flag.Args() {
		if err == nil {
			var e exam
			e, err = prepare(repo, *work, *history, *queries)
			exams = append(exams, e)
		}
		if err == nil {
			exams[len(exams)-1].report(*show, *fields, weights)
		}
	}
	if err == nil && *fix {
		tune(exams, weights)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// exam is a repository with its questions.
type exam struct {
	*questionSet
	name   string
	source recall.Source
	index  *recall.Index
	files  int
}

func prepare(repo, work string, history, queries int) (exam, error) {
	repo, err := filepath.Abs(repo)
	if err != nil {
		return exam{}, err
	}
	e := exam{name: filepath.Base(repo)}
	if e.name == "repo" || e.name == ".git" {
		e.name = filepath.Base(filepath.Dir(repo))
	}
	if e.questionSet, err = choose(repo, queries); err != nil {
		return exam{}, fmt.Errorf("%s: %w", repo, err)
	}
	if e.source, err = snapshot(context.Background(), repo, e.snapshot, work, history); err != nil {
		return exam{}, fmt.Errorf("%s: %w", repo, err)
	}
	mapped := map[string]bool{}
	for _, d := range e.source.Dirs {
		for _, f := range d.Files {
			mapped[filepath.Join(d.Path, f.Name)] = true
		}
	}
	e.keep(mapped, queries)
	e.files, e.index = len(mapped), recall.NewIndex(e.source)
	return e, nil
}

func (e exam) report(show int, fields bool, weights recall.Weights) {
	fmt.Printf("%s: %d questions from %s to %s, snapshot %.12s of %s: %d files, %d directories, %d commits of history\n", e.name,
		len(e.questions), e.from(), e.to(), e.snapshot, e.date, e.files, len(e.source.Dirs), len(e.source.Commits))
	fmt.Printf("  left out: %s\n", e.refusals())
	for _, q := range e.questions[:min(show, len(e.questions))] {
		fmt.Printf("  ? %s\n      %s\n", q.subject, strings.Join(q.files, " "))
	}
	line := func(label string, r result) {
		fmt.Printf("  %-34s file recall@10 %.3f   directory hit@3 %.3f\n", label, r.recall, r.hit)
	}
	line("all of it", score(e.index, e.questions, weights))
	line("plain popularity", popularity(e.source, e.questions))
	if fields {
		for _, v := range variants(weights) {
			line(v.label, score(e.index, e.questions, v.weights))
		}
	}
}

// snapshot makes the map of a commit in a directory of its own and reads it,
// with the history that led there.
func snapshot(ctx context.Context, repo, commit, work string, history int) (recall.Source, error) {
	dir := filepath.Join(work, commit)
	if _, err := os.Stat(filepath.Join(dir, ".pi-map.md")); errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return recall.Source{}, err
		}
		archive := exec.Command("git", "-C", repo, "archive", commit)
		tar := exec.Command("tar", "-x", "-C", dir)
		pipe, err := archive.StdoutPipe()
		if err != nil {
			return recall.Source{}, err
		}
		tar.Stdin = pipe
		if err := errors.Join(archive.Start(), tar.Run(), archive.Wait()); err != nil {
			return recall.Source{}, fmt.Errorf("unpack %s: %w", commit, err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return recall.Source{}, err
	}
	pool := symbols.NewPool(symbols.PoolOptions{Command: []string{self, "parser"}})
	defer pool.Close()
	p, err := mapgen.Open(dir, mapgen.Options{Extractor: pool})
	if err != nil {
		return recall.Source{}, err
	}
	if _, err := p.Init(ctx, nil); err != nil {
		return recall.Source{}, err
	}
	source, err := p.Recall(ctx)
	if err != nil {
		return recall.Source{}, err
	}
	source.Commits, err = mapgen.ReadHistory(ctx, repo, commit, history)
	return source, err
}

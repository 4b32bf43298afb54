package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"growbench/engine/event"
)

func TestTwoRunsOfOneProjectAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	one, two := p.detached(p.runTwo()...), p.detached(p.runTwo()...)
	p.held(one, 2)
	p.held(two, 2)
	g.open()
	branches := []string{}
	for _, dir := range []string{one, two} {
		if s := p.ended(dir); s.Status != "passed" {
			t.Errorf("run %s ended %s: %s", filepath.Base(dir), s.Status, s.Reason)
		}
		s := p.shown(filepath.Base(dir))
		branches = append(branches, s.Branch)
		if b := p.git(p.repo, "show", s.Branch+":b.txt"); b != "B" {
			t.Errorf("%s holds %q", s.Branch, b)
		}
		if tip := p.git(p.repo, "rev-parse", s.Branch); tip != s.Workers[1].Commit {
			t.Errorf("%s is at %s, Worker 2 made %s", s.Branch, tip, s.Workers[1].Commit)
		}
	}
	slices.Sort(branches)
	const name = "giver/task/make-both-letters-large"
	if !slices.Equal(branches, []string{name, name + "-2"}) {
		t.Errorf("branches %q", branches)
	}
}

func TestTwoResumesOfOneRunAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	g := p.gate("gate")
	p.configure(g.gated())
	dir := p.detached(p.runTwo()...)
	run := filepath.Base(dir)
	p.held(dir, 2)
	p.kill(ownerOf(dir))
	p.ended(dir)

	both := []*running{p.start("resume", run, "--detach"), p.start("resume", run, "--detach")}
	codes := []int{}
	for _, r := range both {
		got := r.wait()
		codes = append(codes, got.code)
		if got.code != exitOK && !strings.Contains(got.err, "has an owner already") {
			t.Errorf("refused with:\n%s", got.all())
		}
	}
	slices.Sort(codes)
	if !slices.Equal(codes, []int{exitOK, exitProblems}) {
		t.Errorf("they ended with %v", codes)
	}
	p.held(dir, 2)
	g.open()
	resumed := 0
	p.ended(dir)
	for _, e := range p.do("attach", run, "--headless").ends(exitOK).events() {
		if _, ok := e.Body.(event.RunResumed); ok {
			resumed++
		}
	}
	if resumed != 1 {
		t.Errorf("the run was taken up %d times", resumed)
	}
}

// The newest run is "latest", however quickly they follow each other.
func TestLatestIsTheRunBegunLast(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	order := []string{}
	for range 6 {
		dir := p.detached(p.runTwo()...)
		order = append(order, filepath.Base(dir))
		if got := p.shown("latest").Run; got != filepath.Base(dir) {
			t.Errorf("latest is %s, begun last was %s", got, filepath.Base(dir))
		}
	}
	if !slices.IsSorted(order) {
		t.Errorf("names do not sort by time: %q", order)
	}
	for _, dir := range p.runDirs() {
		p.ended(dir)
	}
}

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The rule of what is a question, fixed before anything was measured:
//
//   - a commit between the snapshot and the newest one, by time of writing and
//     of committing later than the snapshot; no merge;
//   - not written by a bot, no bump of a dependency, no release, no revert;
//   - its subject has two words of three letters or more;
//   - it changed (or deleted, or renamed) 1 to 20 files, and at least one that the
//     snapshot's map knows. Those are the right answer.
//
// The snapshot is the youngest commit of the main line with enough questions
// after it.
const widest = 20

var (
	bot     = regexp.MustCompile(`(?i)\[bot\]|\bbot\b|-bot\b|dependabot|renovate|github-actions|automation`)
	bump    = regexp.MustCompile(`(?i)^\W*(\w+(\([^)]*\))?!?: *)?(bump|roll|pin|upgrade)\b|\((deps|deps-dev)\)|^deps\b|^(chore|build|feat|fix)(\([^)]*\))?: *(update|upgrade) .*\b(to|from|@) ?v?\d|\bupdate (dependency|module)\b`)
	release = regexp.MustCompile(`(?i)^\W*(v?\d+\.\d+|release\b|version bump|prepare (for|before|after)?.*release|cleanup after .*release)|^(chore|build)(\([^)]*\))?: *(release|mark|set version|bump)`)
	revert  = regexp.MustCompile(`(?i)^(\w+(\([^)]*\))?: *)?revert\b`)
	word    = regexp.MustCompile(`\pL{3,}`)
)

type question struct {
	subject string
	files   []string
	when    time.Time
}

// questionSet is what a repository is asked.
type questionSet struct {
	snapshot  string
	date      string
	questions []question
	refused   map[string]int
}

func (s *questionSet) from() string {
	return s.questions[len(s.questions)-1].when.Format(time.DateOnly)
}
func (s *questionSet) to() string { return s.questions[0].when.Format(time.DateOnly) }

func (s *questionSet) refusals() string {
	var out []string
	for why, n := range s.refused {
		out = append(out, fmt.Sprintf("%d %s", n, why))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// keep drops files the snapshot's map does not know, and questions without any.
func (s *questionSet) keep(mapped map[string]bool, n int) {
	var kept []question
	for _, q := range s.questions {
		q.files = slices.DeleteFunc(q.files, func(f string) bool { return !mapped[f] })
		if len(q.files) == 0 {
			s.refused["without a file of the snapshot"]++
			continue
		}
		kept = append(kept, q)
	}
	s.questions = kept[:min(len(kept), n)]
}

// choose goes back along the main line until enough questions lie after a
// commit.
func choose(repo string, n int) (*questionSet, error) {
	line, err := git(repo, "log", "--first-parent", "--format=%H %ct", "-n", "6000", "HEAD")
	if err != nil {
		return nil, err
	}
	commits := strings.Split(strings.TrimSpace(line), "\n")
	// Half as many again, since some turn out to know no file of the snapshot.
	for at := min(n, len(commits)-1); at < len(commits); at += 25 {
		hash, at, _ := strings.Cut(commits[at], " ")
		seconds, _ := strconv.ParseInt(at, 10, 64)
		set, err := between(repo, hash, time.Unix(seconds, 0))
		if err != nil {
			return nil, err
		}
		if len(set.questions) >= n+n/10 {
			return set, nil
		}
	}
	return nil, fmt.Errorf("fewer than %d questions in the history", n)
}

func between(repo, snapshot string, at time.Time) (*questionSet, error) {
	set := &questionSet{snapshot: snapshot, date: at.UTC().Format(time.DateOnly), refused: map[string]int{}}
	text, err := git(repo, "-c", "core.quotePath=false", "log", "--name-status", "--no-renames",
		"--format=%x01%P%x02%an <%ae>%x02%at%x02%ct%x02%s", snapshot+"..HEAD")
	if err != nil {
		return nil, err
	}
	for _, entry := range strings.Split(text, "\x01")[1:] {
		head, changes, _ := strings.Cut(entry, "\n")
		f := strings.SplitN(head, "\x02", 5)
		written, _ := strconv.ParseInt(f[2], 10, 64)
		committed, _ := strconv.ParseInt(f[3], 10, 64)
		q := question{subject: f[4], when: time.Unix(committed, 0).UTC()}
		wide := 0
		for _, line := range strings.Split(strings.TrimSpace(changes), "\n") {
			status, name, ok := strings.Cut(line, "\t")
			if !ok {
				continue
			}
			wide++
			if status != "A" {
				q.files = append(q.files, filepath.Clean(name))
			}
		}
		why := ""
		switch {
		case strings.Contains(f[0], " "):
			why = "merges"
		case written <= at.Unix() || committed <= at.Unix():
			why = "written before the snapshot"
		case bot.MatchString(f[1]):
			why = "by bots"
		case bump.MatchString(q.subject):
			why = "bumps"
		case release.MatchString(q.subject):
			why = "releases"
		case revert.MatchString(q.subject):
			why = "reverts"
		case len(word.FindAllString(q.subject, -1)) < 2:
			why = "without two words"
		case wide == 0:
			why = "without a change"
		case wide > widest:
			why = fmt.Sprintf("of more than %d files", widest)
		}
		if why != "" {
			set.refused[why]++
			continue
		}
		set.questions = append(set.questions, q)
	}
	return set, nil
}

func git(repo string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return string(out), nil
}

package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"growbench/engine/agent"
	"growbench/engine/config"
	"growbench/engine/doc"
	"growbench/engine/event"
	"growbench/engine/workspace"
)

// scoutContract is all a Scout is told beside its question.
const scoutContract = `You are a Scout. You start fresh: the question below is all you know, and nobody can be asked. You look; whatever you write is thrown away.

Find what somebody who plans work on this project must know, and answer in at most %d lines, most important first. No code bodies, no output of tools, nothing that was not asked for:

## Files
- path — number of lines — what it is for

## Signatures
exact exported signature — path

## Notes
- what was found, in a sentence each; what could not be found

Name every dependency by its signature with its file, never as "see path".

The question:
`

const (
	maxScoutLines = 200
	maxScouts     = 20 // whose records are kept
	scoutsDir     = "scouts"
)

// ScoutRequest is a question about a project, for one fresh agent.
type ScoutRequest struct {
	StateRoot string
	Project   workspace.Project
	Config    config.Config
	Agent     string // name in Config
	Question  string
	Lineage   []workspace.Ancestor // it looks where that ends; empty: at the project's base
	Grace     time.Duration        // between SIGTERM and SIGKILL; 0 is 5 s
}

// ScoutAnswer is what a Scout found. Files and Signatures are read from its
// words; how long the files are was counted.
type ScoutAnswer struct {
	Question    string          `json:"question"`
	Agent       string          `json:"agent"`
	Answer      string          `json:"answer"`
	Cut         int             `json:"cut"` // lines left out behind the last
	Files       []ScoutFile     `json:"files"`
	Signatures  []doc.Signature `json:"signatures"`
	Turns       int             `json:"turns"`
	Tokens      event.Tokens    `json:"tokens"`
	Cost        float64         `json:"cost"`
	Seconds     float64         `json:"seconds"`
	Sandboxed   bool            `json:"sandboxed"`
	SandboxNote string          `json:"sandbox_note"`
	Network     string          `json:"network"`
	Dir         string          `json:"dir"` // its prompt, transcript and answer
}

// ScoutFile is a file a Scout names. Lines is -1 when there is none.
type ScoutFile struct {
	Path  string `json:"path"`
	Lines int    `json:"lines"`
}

// Scout asks one agent in a clone of the project that is thrown away, within
// the limits of a run. What it was given and said stays in a directory of its
// own, whether it answered or not.
func Scout(ctx context.Context, r ScoutRequest) (answer ScoutAnswer, err error) {
	began := time.Now()
	if r.Grace == 0 {
		r.Grace = 5 * time.Second
	}
	id := NewRunID(began)
	base := filepath.Join(r.StateRoot, r.Project.Name)
	dirs := Dirs{Run: filepath.Join(base, scoutsDir, id), Tree: filepath.Join(base, "trees", id)}
	answer = ScoutAnswer{Question: r.Question, Agent: r.Agent, Files: []ScoutFile{}, Signatures: []doc.Signature{}, Dir: dirs.Run}
	for _, dir := range []string{filepath.Join(dirs.Run, dirPrompts), filepath.Join(dirs.Run, dirOutput), filepath.Dir(dirs.Tree)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return answer, fmt.Errorf("make a place for the Scout's records: %w", err)
		}
	}
	held, err := takeLock(dirs.Run)
	if err != nil {
		return answer, err
	}
	defer held.release()
	clearScouts(ctx, r, base, id)
	defer func() {
		clear, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanup)
		defer cancel()
		err = errors.Join(err, dropScout(clear, r, dirs))
	}()

	create := workspace.CreateOptions{
		Project: r.Project, RunID: id, RunDir: dirs.Run, TreeDir: dirs.Tree, Base: r.Config.Base, At: began, Copy: r.Config.Workspace.Copy,
	}
	if len(r.Lineage) > 0 {
		create.Base, create.Lineage, create.Lender = workspace.BaseRun, r.Lineage, lender(filepath.Join(base, "runs"), r.Lineage)
	}
	tree, _, err := workspace.Create(ctx, create)
	if err != nil {
		return answer, fmt.Errorf("clone the project for the Scout: %w", err)
	}
	confined, err := newConfinement(dirs, Spec{Run: id, Config: r.Config})
	if err != nil {
		return answer, fmt.Errorf("find a sandbox for the Scout: %w", err)
	}
	defer confined.close()
	answer.Sandboxed, answer.SandboxNote = confined.sandboxed(), confined.note
	answer.Network = confined.network(config.Online(r.Config.Agents[r.Agent].Network))

	contract := scoutContract
	if r.Config.Agents[r.Agent].Kind == kindNative {
		contract = scoutByTool
	}
	prompt := fmt.Sprintf(contract, maxScoutLines) + "\n" + fileBlock("question.md", r.Question)
	prompt = config.Redact(prompt, config.SecretValues(r.Config))
	a, err := NewAgent(dirs.Run, Spec{Run: id, Config: r.Config}, r.Agent, confined.forAgent(r.Config.Agents[r.Agent]))
	if err != nil {
		return answer, err
	}
	if p, ok := a.(agent.Prompter); ok {
		prompt = p.Prompt(ctx, prompt)
	}
	if err := writeFile(filepath.Join(dirs.Run, dirPrompts, event.AgentFile(event.Scout)+".md"), []byte(prompt)); err != nil {
		return answer, err
	}
	out, err := r.ask(ctx, a, dirs, tree, prompt, &answer)
	answer.Seconds = time.Since(began).Seconds()
	if err != nil {
		return answer, err
	}
	answer.Answer, answer.Cut = firstLines(out.Message, maxScoutLines)
	if strings.TrimSpace(answer.Answer) == "" {
		return answer, errors.New("the Scout ended without an answer")
	}
	answer.read(tree.Root())
	return answer, writeFile(filepath.Join(dirs.Run, "answer.md"), []byte(answer.Answer))
}

// ask runs the agent and keeps its transcript.
func (r ScoutRequest) ask(ctx context.Context, a agent.Agent, dirs Dirs, tree *workspace.Tree, prompt string, answer *ScoutAnswer) (agent.Outcome, error) {
	transcript, err := event.OpenTranscript(dirs.Run, event.Scout, 1)
	if err != nil {
		return agent.Outcome{}, err
	}
	defer transcript.Close()
	l := r.Config.Limits
	limited := agent.Limit(a, agent.Limits{
		Wall: time.Duration(l.Wall), Silence: time.Duration(l.Silence), Output: int64(l.Output),
		Turns: l.Turns, Tokens: l.Tokens, Cost: l.Cost, Repeats: maxRepeats,
	})
	var lost error
	hear := func(u agent.Update) {
		it := u.Item
		if it.At.IsZero() {
			it.At = time.Now().UTC()
		}
		answer.Turns = max(answer.Turns, it.Turn)
		if it.Kind != "" {
			lost = errors.Join(lost, transcript.Write(it))
		}
		if u.Usage != nil {
			answer.Tokens.In += u.Usage.In
			answer.Tokens.Out += u.Usage.Out
			answer.Tokens.Cached += u.Usage.Cached
			answer.Tokens.Estimated = answer.Tokens.Estimated || u.Usage.Estimated
			answer.Cost += u.Usage.Cost
		}
	}
	out, err := limited.Run(ctx, agent.Request{
		Role: agent.Scout, K: event.Scout, Attempt: 1, Prompt: prompt, Dir: tree.Root(),
		Env: workspace.Environment(marker(filepath.Base(dirs.Run))), OutputDir: filepath.Join(dirs.Run, dirOutput),
		Sent: func(body []byte) {
			lost = errors.Join(lost, writeFile(filepath.Join(dirs.Run, dirPrompts, event.AgentFile(event.Scout)+".request.json"), body))
		},
	}, hear)
	if err == nil {
		err = lost
	}
	return out, err
}

// dropScout throws away all but a Scout's records.
func dropScout(ctx context.Context, r ScoutRequest, dirs Dirs) error {
	id := filepath.Base(dirs.Run)
	_, err := workspace.EndMarked(ctx, marker(id), r.Grace)
	return errors.Join(err, workspace.RemoveDir(dirs.Tree), workspace.RemoveDir(filepath.Join(dirs.Run, "git")), r.Project.RemoveRefs(ctx, id))
}

// clearScouts throws away what Scouts that were killed have left, and the
// oldest records. What is in use stays, and what cannot be removed now is for
// the next one.
func clearScouts(ctx context.Context, r ScoutRequest, base, own string) {
	entries, err := os.ReadDir(filepath.Join(base, scoutsDir))
	if err != nil {
		return
	}
	for i, e := range entries {
		if e.Name() == own || !runID.MatchString(e.Name()) {
			continue
		}
		dirs := Dirs{Run: filepath.Join(base, scoutsDir, e.Name()), Tree: filepath.Join(base, "trees", e.Name())}
		held, err := takeLock(dirs.Run)
		if err != nil {
			continue
		}
		if _, err := os.Stat(dirs.Tree); err == nil {
			_ = dropScout(ctx, r, dirs)
		}
		held.release()
		if i < len(entries)-maxScouts {
			_ = workspace.RemoveDir(dirs.Run)
		}
	}
}

// firstLines are the first n lines of a text, and how many more there were.
func firstLines(text string, n int) (string, int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	cut := max(0, len(lines)-n)
	return strings.Join(lines[:len(lines)-cut], "\n") + "\n", cut
}

// read finds files and signatures in the answer, and looks the files up.
func (a *ScoutAnswer) read(root string) {
	files, err := os.OpenRoot(root)
	if err != nil {
		return
	}
	defer files.Close()
	section := ""
	add := func(path string) bool {
		path = strings.TrimPrefix(strings.Trim(strings.TrimSpace(path), "`"), "./")
		if path == "" || strings.ContainsAny(path, " \t") || !filepath.IsLocal(path) {
			return false
		}
		if !slices.ContainsFunc(a.Files, func(f ScoutFile) bool { return f.Path == path }) {
			a.Files = append(a.Files, ScoutFile{path, linesOf(files, path)})
		}
		return true
	}
	for line := range strings.Lines(a.Answer) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "#"); ok {
			section = strings.ToLower(strings.TrimSpace(strings.TrimLeft(head, "#")))
			continue
		}
		line = strings.TrimSpace(strings.TrimLeft(line, "-*•"))
		switch at := strings.LastIndex(line, " — "); {
		case section == "files":
			if path, _, told := strings.Cut(line, " — "); told {
				add(path)
			}
		case section == "signatures" && at > 0:
			if path := line[at+len(" — "):]; add(path) {
				a.Signatures = append(a.Signatures, doc.Signature{Signature: strings.Trim(line[:at], "`"), Path: strings.TrimPrefix(strings.Trim(path, "`"), "./")})
			}
		}
	}
}

// linesOf counts the lines of a plain file, -1 when it is none.
func linesOf(root *os.Root, path string) int {
	info, err := root.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 16<<20 {
		return -1
	}
	data, err := root.ReadFile(path)
	if err != nil {
		return -1
	}
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"growbench/engine/doc"
	"growbench/loop"
	"growbench/testdata/ollama/ollamatest"
)

// loops gives the user a Giver on a scripted model server, a Planner that makes
// one task of the first target, a check, and a project with open work.
func (p *place) loops(more map[string]any, answers ...ollamatest.Answer) *ollamatest.Scripted {
	p.t.Helper()
	server := p.talks(answers...)
	plan := doc.FormatPlan(doc.Plan{Tasks: []doc.PlanTask{task("the item", 0, "TARGET")}})
	put(p.t, filepath.Join(p.base, "config", "growbench", "plan.sh"), `f=$(sed -n '/^### Target Files/{n;p;q}')
cat <<'END' | sed "s/TARGET/$f/"
`+plan+`
END
`)
	config := filepath.Join(p.base, "config", "growbench", "config.json")
	c := getJSON[map[string]any](p.t, config)
	c["checks"] = map[string]any{"verify": []string{"grep -l 'by 1' one.txt two.txt three.txt"}}
	for k, v := range more {
		c[k] = v
	}
	putJSON(p.t, config, c)
	put(p.t, filepath.Join(p.repo, "BACKLOG.md"), "# Backlog\n\n- [ ] write one.txt\n- [ ] write two.txt\n- [ ] write three.txt\n")
	for _, name := range []string{"one", "two", "three"} {
		put(p.t, filepath.Join(p.repo, name+".txt"), "nobody\n")
	}
	p.git(p.repo, "add", "-A")
	p.git(p.repo, "commit", "-qm", "open work")
	return server
}

func getJSON[T any](t *testing.T, path string) (v T) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

func called(name string, args map[string]any) ollamatest.Call {
	if args == nil {
		args = map[string]any{}
	}
	return ollamatest.Call{Name: name, Arguments: args}
}

// works is what the model says in a pass until its run goes on.
func works(item string) []ollamatest.Answer {
	return []ollamatest.Answer{
		{Calls: []ollamatest.Call{
			called("draft_task0", map[string]any{
				"goal": "The file " + item + ".txt is written.", "background": "One item a pass.", "constraints": []string{"nothing else changes"},
				"target_files": []string{item + ".txt"}, "signatures": []string{},
			}),
			called("start_chain", nil),
		}},
		answers("The chain for " + item + " runs."),
	}
}

// handsOff is the call that ends a pass.
func handsOff(item string, remains string) ollamatest.Call {
	return called("hand_off", map[string]any{
		"selected": item, "surfaces": []string{item + ".txt"}, "validation": "the run passed and its check, too", "remains": remains,
	})
}

// later ends a pass that another is to follow.
func later(item string, seconds int) ollamatest.Answer {
	return ollamatest.Answer{Calls: []ollamatest.Call{handsOff(item, "the others"), called("grow_loop", map[string]any{"after_seconds": seconds})}}
}

// threePasses work through the backlog.
func threePasses() (all []ollamatest.Answer) {
	all = append(all,
		ollamatest.Answer{Calls: []ollamatest.Call{called("loop_scope", map[string]any{"targets": []string{"one.txt", "two.txt", "three.txt"}})}},
		answers("May I?"))
	for i, item := range []string{"one", "two", "three"} {
		all = append(all, works(item)...)
		if i < 2 {
			all = append(all, later(item, 3+i), answers(item+" is done."))
		}
	}
	return append(all, ollamatest.Answer{Calls: []ollamatest.Call{handsOff("three", "")}}, answers("All is done."))
}

// looped are the loop's lines, in short. Its countdowns are delays: a line is
// written when some of the time may be over.
func (s said) looped(delays ...float64) string {
	var all []string
	for _, e := range s.chatted()["loop"] {
		all = append(all, fmt.Sprintf("%v %v", e["state"], e["n"]))
		seconds, _ := e["seconds"].(float64)
		switch {
		case e["state"] != "countdown":
			if seconds != 0 {
				s.t.Errorf("seconds of %v", e)
			}
		case len(delays) == 0 || seconds < 1 || seconds > delays[0]:
			s.t.Errorf("a countdown of %v s, not %v", seconds, delays)
		default:
			delays = delays[1:]
		}
	}
	return strings.Join(all, ", ")
}

const threeRounds = "deferred 1, countdown 1, active 1, deferred 2, countdown 2, active 2, idle 2"

// A loop over three open items: three passes through the chain, each with its
// check, then the proof that it is over. The scope is approved once.
func TestChatLoopsOverOpenWork(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.loops(nil, threePasses()...)
	got := p.feed("grow loop\n"+`{"approve":"scope"}`+"\n", "chat", "--headless").ends(exitOK)
	if rounds := got.looped(3, 4); rounds != threeRounds {
		t.Errorf("the loop was\n%s\nnot\n%s\n%s", rounds, threeRounds, got.all())
	}
	all := got.chatted()
	passed := map[any]bool{}
	for _, r := range all["run"] {
		if r["status"] == "passed" && r["verified"] == "passed" {
			passed[r["run"]] = true
		}
	}
	if len(passed) != 3 || len(p.runDirs()) != 3 {
		t.Errorf("%d runs passed, of %d", len(passed), len(p.runDirs()))
	}
	if waits := all["waiting"]; len(waits) != 1 || waits[0]["kind"] != "scope" {
		t.Errorf("asked %v", waits)
	}
	var triggers, proofs, skills int
	for _, m := range all["message.done"] {
		words, _ := m["text"].(string)
		switch {
		case m["role"] == "user" && words == loop.Trigger && m["by"] == "loop":
			triggers++
		case strings.HasPrefix(words, "The loop has stopped: no further pass was scheduled."):
			proofs++
		case strings.HasPrefix(words, "The model was given the skill"):
			skills++
		}
	}
	if triggers != 2 || proofs != 1 || skills != 2 {
		t.Errorf("%d triggers, %d proofs, %d skills\n%s", triggers, proofs, skills, got.out)
	}
	for _, item := range []string{"one", "two", "three"} {
		if text := p.git(p.repo, "show", "giver/task/file-"+item+"-txt-written:"+item+".txt"); text != "by 1" {
			t.Errorf("%s: %q", item, text)
		}
	}
	lock := getJSON[loop.Lock](t, p.sessionFile("loop.json"))
	if lock.Skill != "while-true" || lock.Scope != "grow loop" || lock.Surface != "BACKLOG.md" || len(lock.Passes) != 3 || lock.Stop == nil {
		t.Errorf("%+v", lock)
	}
	history, err := os.ReadFile(p.sessionFile("handoffs.jsonl"))
	if err != nil || strings.Count(string(history), `"type":"handoff"`) != 3 || strings.Count(string(history), `"type":"loop.stopped"`) != 1 {
		t.Errorf("%v\n%s", err, history)
	}
}

func (p *place) sessionFile(name string) string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.state(), "*", "session", name))
	if err != nil || len(found) != 1 {
		p.t.Fatalf("%v %v", found, err)
	}
	return found[0]
}

// conversation is one whose lines come when the test says.
func (p *place) conversation() (r *running, say func(line string), end func()) {
	p.t.Helper()
	c := p.command("chat", "--headless")
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	return p.startCommand(c), func(line string) { fmt.Fprintln(in, line) }, func() { in.Close() }
}

// Whatever comes in as text ends a countdown at once.
func TestChatEndsACountdown(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"wait", "", `{"loop":"cancel"}`} {
		p := newProject(t)
		p.loops(nil, later("one", 3600), answers("Later."), answers("I wait."))
		r, say, end := p.conversation()
		say("grow loop")
		r.prints(`{"type":"loop","state":"countdown","n":1,"seconds":3`)
		say(line)
		r.prints(`{"type":"loop","state":"idle","n":1,"seconds":0}`)
		end()
		r.wait().ends(exitOK)
	}
}

// Whoever follows a conversation is told of its loop.
func TestChatsLoopIsFollowedByASecondProcess(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.loops(nil, later("one", 3600), answers("Later."))
	first, say, end := p.conversation()
	say("grow loop")
	first.prints(`{"type":"loop","state":"countdown","n":1,"seconds":3`)
	second := p.start("chat", "--headless")
	second.says("read only")
	second.prints(`{"type":"loop","state":"countdown","n":1,"seconds":3`)
	say(`{"loop":"cancel"}`)
	second.prints(`{"type":"loop","state":"idle","n":1,"seconds":0}`)
	end()
	first.wait().ends(exitOK)
	second.wait().ends(exitOK)
}

// A countdown can be brought to its end. A loop is resumed by its trigger; one
// that is not there is not made up.
func TestChatHurriesAndResumes(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	server := p.loops(nil, later("one", 3600), answers("Later."), ollamatest.Answer{Calls: []ollamatest.Call{handsOff("two", "three")}}, answers("Enough."), answers("Three."))
	p.feed(loop.Trigger+"\n", "chat", "--headless").ends(exitProblems, "there is nothing to resume")
	r, say, end := p.conversation()
	say("grow loop over the first two")
	r.prints(`"state":"countdown"`)
	say(`{"loop":"now"}`)
	end()
	if got := r.wait().ends(exitOK, "no further pass").looped(3600); got != "deferred 1, countdown 1, active 1, idle 1" {
		t.Error(got)
	}
	p.feed(loop.Trigger+"\n", "chat", "--headless").ends(exitOK)
	if body := server.Last().Body; !strings.Contains(body, "over the first two") || !strings.Contains(body, "The last handoff, pass 2") {
		t.Errorf("the scope and the handoff are not there after a restart:\n%s", body)
	}
}

// A skill of the user's own is looped by its name.
func TestChatLoopsAnOwnSkill(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	server := p.loops(map[string]any{"skills": []string{"skills"}}, answers("Swept."))
	put(t, filepath.Join(p.base, "config", "growbench", "skills", "tidy", loop.SkillFile), "---\nname: tidy\ndescription: Tidies up\n---\nSweep every corner.\n")
	got := p.feed("tidy loop, please\n", "chat", "--headless").ends(exitOK, "the skill tidy", "no further pass")
	if body := server.Last().Body; !strings.Contains(body, "Sweep every corner.") {
		t.Errorf("%s\n%s", body, got.all())
	}
}

// The loop is shown by a bot, and taken away at the end. Nothing in a project's
// file can switch that on.
func TestChatShowsTheLoopInTelegram(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var calls []string
	bot := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			Chat string `json:"chat_id"`
			Text string `json:"text"`
			ID   int64  `json:"message_id"`
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		mu.Lock()
		calls = append(calls, fmt.Sprintf("%s %s %q %d", strings.TrimPrefix(r.URL.Path, "/bot123:abc/"), m.Chat, m.Text, m.ID))
		mu.Unlock()
		fmt.Fprint(w, `{"ok":true,"result":{"message_id":7}}`)
	}))
	defer bot.Close()
	told := func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(calls, ", ")
	}
	p := newProject(t)
	p.more = []string{"TELEGRAM_BOT_TOKEN=123:abc", "TELEGRAM_CHAT_ID=42"}
	p.loops(map[string]any{"telegram": map[string]any{"on": true, "url": bot.URL}}, later("one", 3600), answers("Later."))
	r, say, end := p.conversation()
	say("grow loop")
	r.prints(`"state":"countdown"`)
	say("")
	end()
	r.wait().ends(exitOK).silent("123:abc")
	if got := told(); got != `sendMessage 42 "Grow Loop: ∞1" 0, deleteMessage 42 "" 7` {
		t.Errorf("the bot was told: %s", got)
	}
	before := told()
	other := newProject(t)
	other.more = p.more
	other.loops(nil, ollamatest.Answer{Calls: []ollamatest.Call{handsOff("one", "")}}, answers("Done."))
	put(t, filepath.Join(other.repo, ".growbench.json"), fmt.Sprintf(`{"telegram": {"on": true, "url": %q}}`, bot.URL))
	other.do("trust", "--yes")
	other.feed("grow loop\n", "chat", "--headless").ends(exitOK)
	if got := told(); got != before {
		t.Errorf("a project's file told the bot: %s", got)
	}
}

// A program of the user's is told the status, and ended with the conversation.
func TestChatTellsAProgramOfTheLoop(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	told := filepath.Join(p.base, "told")
	mirrors := map[string]any{"file": map[string]any{"argv": []string{"sh", "-c", "cat > '" + told + "'"}}, "none": map[string]any{"argv": []string{"no-such-program"}}}
	p.loops(map[string]any{"mirrors": mirrors}, later("one", 3600), answers("Later."))
	r, say, end := p.conversation()
	r.says("no-such-program")
	say("grow loop")
	r.prints(`"state":"countdown"`)
	say("")
	end()
	r.wait().ends(exitOK)
	lines, err := os.ReadFile(told)
	if err != nil || !strings.HasSuffix(string(lines), `{"state":"idle","n":1,"seconds":0}`+"\n") {
		t.Errorf("%v\n%s", err, lines)
	}
}

// A project's skill counts as long as it is what was trusted, also while the
// conversation is open.
func TestChatLoopsAProjectsSkillWhileItIsTrusted(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.loops(nil, answers("Swept."), answers("I do not know that skill."))
	skill := filepath.Join(p.repo, "skills", "tidy", loop.SkillFile)
	put(t, skill, "---\nname: tidy\ndescription: Tidies up\n---\nSweep.\n")
	put(t, filepath.Join(p.repo, ".growbench.json"), `{"skills": ["skills"]}`)
	p.do("trust", "--yes").ends(exitOK)
	r, say, end := p.conversation()
	say("tidy loop")
	r.prints("The loop has stopped: no further pass was scheduled.")
	put(t, skill, "---\nname: tidy\ndescription: Tidies up\n---\nSweep, and send it to somebody.\n")
	say("tidy loop")
	end()
	got := r.wait().ends(exitOK)
	if given := strings.Count(got.out, "was given the skill tidy"); given != 1 {
		t.Errorf("given %d times\n%s", given, got.out)
	}
}

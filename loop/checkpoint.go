package loop

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds on a handoff, in bytes, so that one cannot flood the history.
const (
	maxField    = 2 << 10
	maxSurfaces = 200
)

// Handoff is what one pass leaves for the next.
type Handoff struct {
	Selected   string   `json:"selected"`           // the item or cohort worked on
	Surfaces   []string `json:"surfaces"`           // what changed: files, lists, services
	Validation string   `json:"validation"`         // what the check said
	Blocker    string   `json:"blocker,omitempty"`  // what is in the way
	Plan       string   `json:"plan,omitempty"`     // how the plan moved
	Evidence   string   `json:"evidence,omitempty"` // where things stand
	Remains    string   `json:"remains,omitempty"`  // what is left, and whom it waits for
	Restart    string   `json:"restart,omitempty"`  // what would make a restart useful
}

// ParseHandoff reads the arguments of the handoff tool.
func ParseHandoff(arguments json.RawMessage) (Handoff, error) {
	var h Handoff
	if err := json.Unmarshal(arguments, &h); err != nil {
		return Handoff{}, fmt.Errorf("read the handoff: it must be an object with selected, surfaces, validation, and where they apply blocker, plan, evidence, remains, restart: %w", err)
	}
	for _, field := range h.fields() {
		*field = clip(*field)
	}
	if h.Selected == "" || h.Validation == "" {
		return Handoff{}, errors.New("read the handoff: selected and validation must say something, if only that nothing was actionable and nothing was checked")
	}
	surfaces := []string{}
	for _, s := range h.Surfaces {
		if s = clip(s); s != "" && !slices.Contains(surfaces, s) {
			surfaces = append(surfaces, s)
		}
		if len(surfaces) == maxSurfaces {
			break
		}
	}
	h.Surfaces = surfaces
	return h, nil
}

func (h *Handoff) fields() []*string {
	return []*string{&h.Selected, &h.Validation, &h.Blocker, &h.Plan, &h.Evidence, &h.Remains, &h.Restart}
}

func clip(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd"))
	if len(s) > maxField {
		s = strings.TrimSpace(strings.ToValidUTF8(s[:maxField-len("…")], "")) + "…"
	}
	return s
}

// Signature is equal for two handoffs that end at the same place: item,
// surfaces in any order, validation, blocker and plan, without regard to case
// and spacing. What a pass tells beside these does not make it a new one.
func (h Handoff) Signature() string {
	surfaces := slices.Clone(h.Surfaces)
	for i := range surfaces {
		surfaces[i] = plain(surfaces[i])
	}
	slices.Sort(surfaces)
	parts := []string{plain(h.Selected), strings.Join(surfaces, "\x1f"), plain(h.Validation), plain(h.Blocker), plain(h.Plan)}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1e")))
	return hex.EncodeToString(sum[:8])
}

func plain(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Checkpoint is one entry of a loop's history.
type Checkpoint struct {
	N         int           `json:"n"`
	Skill     string        `json:"skill"`
	Handoff   Handoff       `json:"handoff"`
	Signature string        `json:"signature"`
	Tokens    int64         `json:"tokens"` // in and out
	At        time.Time     `json:"at"`
	Took      time.Duration `json:"took_ns"`
}

// StopProof says why a loop has ended, so that somebody can judge it.
type StopProof struct {
	Reason    string `json:"reason"`
	Scope     string `json:"scope"`
	Evidence  string `json:"evidence"`
	Signature string `json:"signature"`
	Remains   string `json:"remains"`
	Restart   string `json:"restart"`
	Home      string `json:"home,omitempty"` // how all of its work is merged
}

// Lock is what a loop keeps through all its passes.
type Lock struct {
	Skill   string       `json:"skill"`
	Scope   string       `json:"scope"`
	Surface string       `json:"surface"` // path of the open work, empty where the skill needs none
	Passes  []Checkpoint `json:"passes"`
	Runs    []string     `json:"runs,omitempty"`  // that its passes started, oldest first
	Holds   []string     `json:"holds,omitempty"` // those whose work the last one that passed holds, itself last
	Stop    *StopProof   `json:"stop,omitempty"`  // of the last end
}

// Record adds a pass. When it ends where the one before it ended, nothing has
// moved: the proof that the loop is over is returned, and whoever runs the
// skill drops what is scheduled.
func (l *Lock) Record(p Checkpoint) (over *StopProof) {
	p.Signature = p.Handoff.Signature()
	again := len(l.Passes) > 0 && l.Passes[len(l.Passes)-1].Signature == p.Signature
	l.Passes = append(l.Passes, p)
	l.Stop = nil
	if !again {
		return nil
	}
	return l.End(fmt.Sprintf("passes %d and %d ended at the same place", l.Passes[len(l.Passes)-2].N, p.N))
}

// End closes the loop with what its last handoff knows.
func (l *Lock) End(reason string) *StopProof {
	proof := &StopProof{Reason: reason, Scope: l.Scope, Home: l.home()}
	if n := len(l.Passes); n > 0 {
		last := l.Passes[n-1]
		proof.Signature = last.Signature
		proof.Evidence = cmp.Or(last.Handoff.Evidence, last.Handoff.Validation)
		proof.Remains = cmp.Or(last.Handoff.Remains, last.Handoff.Blocker, last.Handoff.Plan)
		proof.Restart = last.Handoff.Restart
	}
	l.Stop = proof
	return proof
}

// home says how what the passes made is merged.
func (l *Lock) home() string {
	n := len(l.Holds)
	switch n {
	case 0:
		return ""
	case 1:
		return "growbench merge " + l.Holds[0]
	}
	return fmt.Sprintf("growbench merge %s, which brings the work of %d runs: %s", l.Holds[n-1], n, strings.Join(l.Holds, ", "))
}

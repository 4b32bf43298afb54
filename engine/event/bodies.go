package event

import (
	"time"

	"growbench/engine/doc"
)

// RunStarted opens a log. Format is the log's version.
type RunStarted struct {
	Format  int      `json:"format"`
	Run     string   `json:"run"`
	Project string   `json:"project"`
	Base    string   `json:"base"` // head, snapshot or run, as asked for
	Branch  string   `json:"branch"`
	Task0   doc.Task `json:"task0"`
	// Task0SHA256 is the hash of task0.md as the run was given it.
	Task0SHA256 string `json:"task0_sha256"`
	Task0Bytes  int    `json:"task0_bytes"`
	// Conversation is how many bytes Task #0 was made from; 0 is not known.
	Conversation int64  `json:"conversation,omitempty"`
	Planner      string `json:"planner"`
	Worker       string `json:"worker"`
	// Scripted is true when every agent replays recorded steps.
	Scripted bool `json:"scripted"`
	// Single is true when one agent was given all of Task #0 in one go.
	Single bool `json:"single"`
	// Attended is true when somebody can answer what the run waits for.
	Attended bool   `json:"attended"`
	Limits   Limits `json:"limits,omitzero"`
}

// Limits are what an agent may take; 0 is no limit. Cost is the whole run's.
type Limits struct {
	Turns    int     `json:"turns"`
	Tokens   int64   `json:"tokens"`
	Cost     float64 `json:"cost"`
	WallS    int64   `json:"wall_s"`
	SilenceS int64   `json:"silence_s"`
	Output   int64   `json:"output"` // bytes
}

// T0Linted holds what the lint of Task #0 found (warnings; errors stop a run
// before it begins).
type T0Linted struct {
	Problems []doc.Problem `json:"problems"`
}

// TreeReady says that the run's own clone stands.
type TreeReady struct {
	Base        string   `json:"base"` // head, snapshot or run, as it came to be
	Commit      string   `json:"commit"`
	Uncommitted bool     `json:"uncommitted"` // the user's tree holds work this base lacks
	Notes       []string `json:"notes,omitempty"`
	// Lineage is what a run rests on that began where an earlier one ended.
	Lineage []Ancestor `json:"lineage,omitempty"`
	Behind  int        `json:"behind,omitempty"` // commits the user stood on that this base lacks
	// Chosen says how the base was chosen, where that was not by the operator.
	Chosen []string `json:"chosen,omitempty"`
}

// Ancestor is a commit that a run rests on: the user's own, or where an
// earlier run ended.
type Ancestor struct {
	Run      string `json:"run,omitempty"`
	Commit   string `json:"commit"`
	Snapshot bool   `json:"snapshot,omitempty"` // it holds what the user had not committed
}

// SetupRan is one workspace.setup command.
type SetupRan struct {
	Command string `json:"command"`
	Passed  bool   `json:"passed"`
	Exit    int    `json:"exit"`
	Output  string `json:"output,omitempty"` // bounded tail
	Network string `json:"network,omitempty"`
}

// PlanRequested says that a Planner was asked.
type PlanRequested struct {
	Agent   string `json:"agent"`
	Prompt  Prompt `json:"prompt"`
	Attempt int    `json:"attempt"`
	// From is the first task to plan anew; 0 means the whole plan.
	From int `json:"from,omitempty"`
}

// PlanAccepted fixes N: the plan passed the lint.
type PlanAccepted struct {
	Source string   `json:"source"` // file, planner or operator
	Plan   doc.Plan `json:"plan"`
	SHA256 []string `json:"task_sha256"` // of task1.md … taskN.md
	Bytes  []int    `json:"task_bytes"`
	// ReadBytes is what the Planner read and wrote beyond T0 and the tasks.
	ReadBytes int64         `json:"read_bytes"`
	Problems  []doc.Problem `json:"problems"`
}

// PlanRevised replaces the tasks after the finished ones, or puts one among
// them.
type PlanRevised struct {
	From   int      `json:"from"` // first task replaced
	Plan   doc.Plan `json:"plan"` // the whole plan after the revision
	SHA256 []string `json:"task_sha256"`
	Bytes  []int    `json:"task_bytes,omitempty"`
	By     string   `json:"by"`
	// Added is the number of a task that was put in; those after it moved on by
	// one and are otherwise as before. 0: all from From on are new.
	Added int `json:"added,omitempty"`
	// ReadBytes is what the Planner read and wrote for it beyond the tasks.
	ReadBytes int64         `json:"read_bytes,omitempty"`
	Problems  []doc.Problem `json:"problems,omitempty"`
}

// TaskEdited records an operator's change to one task, after a new lint.
type TaskEdited struct {
	K      int          `json:"k"`
	Task   doc.PlanTask `json:"task"`
	SHA256 string       `json:"sha256"`
	By     string       `json:"by"`
}

// Prompt points at the exact bytes an agent was given.
type Prompt struct {
	Path   string `json:"path"` // relative to the run directory
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
}

// WorkerStarted is written, and on disk, before the agent's process exists.
type WorkerStarted struct {
	K           int    `json:"k"`
	Agent       string `json:"agent"`
	Prompt      Prompt `json:"prompt"`
	Sandboxed   bool   `json:"sandboxed"`
	SandboxNote string `json:"sandbox_note,omitempty"`
	Network     string `json:"network,omitempty"` // on, off or unheld
	Attempt     int    `json:"attempt"`
	// Again is true when only the RESULT is asked for once more.
	Again bool `json:"again,omitempty"`
}

// What a program had of the network. Unheld: it was to have none, and there is
// no sandbox that could hold it off.
const (
	NetworkOn     = "on"
	NetworkOff    = "off"
	NetworkUnheld = "unheld"
)

// WorkerTurn counts an agent's turns from 1.
// Said is how many bytes it has said so far, here and in the others.
type WorkerTurn struct {
	K    int   `json:"k"`
	Turn int   `json:"turn"`
	Said int64 `json:"said,omitempty"`
}

// WorkerTool is one finished tool call; WorkerToolStarted the one that runs.
type WorkerTool struct {
	K           int    `json:"k"`
	Name        string `json:"name"`
	ArgsPreview string `json:"args_preview"`
	ResultBytes int64  `json:"result_bytes"`
	MS          int64  `json:"ms"`
	Error       string `json:"error,omitempty"`
	Said        int64  `json:"said,omitempty"`
}

// WorkerToolStarted names the tool that runs now.
type WorkerToolStarted struct {
	K           int    `json:"k"`
	Name        string `json:"name"`
	ArgsPreview string `json:"args_preview"`
}

// WorkerNoted says what an agent did wrong, and that it was asked again or
// understood all the same.
type WorkerNoted struct {
	K    int    `json:"k"`
	What string `json:"what"` // asked or mended
	Text string `json:"text"`
}

// WorkerUsage adds to a Worker's figures (K = 0 for the Planner). Tokens; Cost
// in the provider's currency.
type WorkerUsage struct {
	K         int     `json:"k"`
	In        int64   `json:"in"`
	Out       int64   `json:"out"`
	Cached    int64   `json:"cached"`
	Cost      float64 `json:"cost"`
	Estimated bool    `json:"estimated"`
	// Context is how much of its Window the agent's last exchange filled, in
	// tokens; 0 when that is not known.
	Context int64 `json:"context,omitempty"`
	Window  int64 `json:"window,omitempty"`
	Said    int64 `json:"said,omitempty"`
}

// WorkerSilent says that nothing came from an agent for a while.
type WorkerSilent struct {
	K       int   `json:"k"`
	Seconds int64 `json:"seconds"`
}

// ScopeFlagged is a change outside a Worker's targets.
type ScopeFlagged struct {
	K     int    `json:"k"`
	Path  string `json:"path"`
	Kind  string `json:"kind"` // created, modified, deleted, renamed, mode, …
	Owner int    `json:"owner,omitempty"`
}

// ScopeQuarantined takes changes outside Worker k's targets out of what is
// committed: they are kept under a ref of their own.
type ScopeQuarantined struct {
	K      int      `json:"k"`
	Ref    string   `json:"ref"`
	Commit string   `json:"commit"`
	Paths  []string `json:"paths"`
	By     string   `json:"by"` // policy or operator
	// Tree is committed in place of the one the Worker left, and Result is
	// RESULT #k without what is not in it.
	Tree   string     `json:"tree"`
	Result doc.Result `json:"result"`
}

// Waiting stops the run until somebody chooses.
type Waiting struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"` // blocked, affected, permission, trust, limit, scope, plan, review
	K       int      `json:"k,omitempty"`
	Text    string   `json:"text"`
	Choices []string `json:"choices"`
	// Meanings say what each choice does, in the order of Choices; they may be
	// left out.
	Meanings []string  `json:"meanings,omitempty"`
	Until    time.Time `json:"until,omitzero"`
	// File is what an answer's text is made from, in the run's directory.
	File string `json:"file,omitempty"`
}

// Answered ends a Waiting.
type Answered struct {
	ID     string `json:"id"`
	Choice string `json:"choice"`
	By     string `json:"by"`
}

// ResultAccepted takes RESULT #k in, once, as its Worker's report; see
// ResultCompared for what becomes of it.
type ResultAccepted struct {
	K        int           `json:"k"`
	Result   doc.Result    `json:"result"`
	Source   string        `json:"source"` // tool, message or observed
	Tree     string        `json:"tree"`   // what the Worker left, as a git tree
	Problems []doc.Problem `json:"problems,omitempty"`
}

// CommitIntended names the tree before the commit exists; the commit's date
// is this event's time.
type CommitIntended struct {
	K       int    `json:"k"`
	Tree    string `json:"tree"`
	Parent  string `json:"parent"`
	Message string `json:"message"`
}

// CommitDone is Worker k's one commit.
type CommitDone struct {
	K      int    `json:"k"`
	Commit string `json:"commit"`
}

// PartialKept is the ref that holds a failed Worker's unfinished work.
type PartialKept struct {
	K      int    `json:"k"`
	Ref    string `json:"ref"`
	Commit string `json:"commit"`
}

// Failure is one place a check complained about.
type Failure struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// CheckRan is one command of checks.each (When = "each", K set) or
// checks.verify (When = "verify").
type CheckRan struct {
	When     string    `json:"when"`
	K        int       `json:"k,omitempty"`
	Command  string    `json:"command"`
	Passed   bool      `json:"passed"`
	Exit     int       `json:"exit"`
	MS       int64     `json:"ms"`
	Failures []Failure `json:"failures"`
	Output   string    `json:"output,omitempty"` // bounded tail, of failures only
	Network  string    `json:"network,omitempty"`
}

// ChecksFound lists verify commands that were merely found: never run.
type ChecksFound struct {
	Commands []string `json:"commands"`
}

// LedgerEntry is one change to an export that others rely on.
type LedgerEntry struct {
	Symbol string `json:"symbol"`
	Kind   string `json:"kind"`  // removed, renamed, signature changed, moved, added
	Class  string `json:"class"` // breaking, additive or unknown
	File   string `json:"file"`
	K      int    `json:"worker"`
	Source string `json:"source"` // claimed, observed or both
	Text   string `json:"text"`   // the claim, in the Worker's words
	// Observed is the same change as the engine saw it; "" when it did not.
	Observed string     `json:"observed"`
	Affected []Affected `json:"affected"`
	// Unowned are the places (path:line) that use the symbol and that no later
	// task has among its targets; Possible are those of which that is not
	// certain. Both lists are bounded: More counts what they leave out.
	Unowned  []string `json:"unowned"`
	Possible []string `json:"possible"`
	More     int      `json:"more"`
	// Through are the files that pass the symbol on.
	Through []Through `json:"through"`
}

// Through is a file that passes a symbol of another one on, and the name it has
// there.
type Through struct {
	Symbol string `json:"symbol"`
	File   string `json:"file"`
}

func (t Through) String() string { return t.File + " (" + t.Symbol + ")" }

// Affected is a later task that names a broken symbol; Possible when only
// the symbol matches and not its file.
type Affected struct {
	K        int  `json:"k"`
	Possible bool `json:"possible"`
}

// TaskAffected marks task k before it starts.
type TaskAffected struct {
	K        int    `json:"k"`
	By       int    `json:"by"`
	Symbol   string `json:"symbol"`
	File     string `json:"file"`
	Possible bool   `json:"possible"`
}

// WorkerEnded closes Worker k: done, failed, stopped, interrupted, timed_out,
// stalled.
type WorkerEnded struct {
	K      int    `json:"k"`
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
	// TranscriptBytes is everything the agent was given, said, called and got
	// back; ResultBytes is what of it went on.
	TranscriptBytes int64 `json:"transcript_bytes"`
	ResultBytes     int64 `json:"result_bytes"`
}

// RunOrphaned says that the owner was found dead.
type RunOrphaned struct {
	PID int `json:"pid"`
}

// RunResumed opens a further stretch of work. From is the first Worker to run
// (again); 0 means the chain has not begun.
type RunResumed struct {
	From   int    `json:"from"`
	Reason string `json:"reason"` // resume, retry, rollback
	Agent  string `json:"agent,omitempty"`
	// Attended is true when somebody can answer what the run waits for.
	Attended bool `json:"attended"`
}

// RunEnded closes a stretch of work.
type RunEnded struct {
	Run      string `json:"run"`
	Status   string `json:"status"`   // passed, failed or stopped
	Verified string `json:"verified"` // passed, failed or none
	Reason   string `json:"reason,omitempty"`
	Worker   int    `json:"worker,omitempty"` // the one that failed
	Branch   string `json:"branch,omitempty"` // as created in the user's repository
	Commit   string `json:"commit,omitempty"`
}

func (RunStarted) Type() string        { return "run.started" }
func (T0Linted) Type() string          { return "t0.linted" }
func (TreeReady) Type() string         { return "tree.ready" }
func (SetupRan) Type() string          { return "setup.ran" }
func (PlanRequested) Type() string     { return "plan.requested" }
func (PlanAccepted) Type() string      { return "plan.accepted" }
func (PlanRevised) Type() string       { return "plan.revised" }
func (TaskEdited) Type() string        { return "task.edited" }
func (WorkerStarted) Type() string     { return "worker.started" }
func (WorkerTurn) Type() string        { return "worker.turn" }
func (WorkerToolStarted) Type() string { return "worker.tool.started" }
func (WorkerTool) Type() string        { return "worker.tool" }
func (WorkerNoted) Type() string       { return "worker.noted" }
func (WorkerUsage) Type() string       { return "worker.usage" }
func (WorkerSilent) Type() string      { return "worker.silent" }
func (ScopeFlagged) Type() string      { return "scope.flagged" }
func (ScopeQuarantined) Type() string  { return "scope.quarantined" }
func (Waiting) Type() string           { return "waiting" }
func (Answered) Type() string          { return "answered" }
func (ResultAccepted) Type() string    { return "result.accepted" }
func (CommitIntended) Type() string    { return "commit.intended" }
func (CommitDone) Type() string        { return "commit.done" }
func (PartialKept) Type() string       { return "partial.kept" }
func (CheckRan) Type() string          { return "check.ran" }
func (ChecksFound) Type() string       { return "checks.found" }
func (LedgerEntry) Type() string       { return "ledger.entry" }
func (TaskAffected) Type() string      { return "task.affected" }
func (WorkerEnded) Type() string       { return "worker.ended" }
func (RunOrphaned) Type() string       { return "run.orphaned" }
func (RunResumed) Type() string        { return "run.resumed" }
func (RunEnded) Type() string          { return "run.ended" }

var (
	_ = register[RunStarted]()
	_ = register[T0Linted]()
	_ = register[TreeReady]()
	_ = register[SetupRan]()
	_ = register[PlanRequested]()
	_ = register[PlanAccepted]()
	_ = register[PlanRevised]()
	_ = register[TaskEdited]()
	_ = register[WorkerStarted]()
	_ = register[WorkerTurn]()
	_ = register[WorkerToolStarted]()
	_ = register[WorkerTool]()
	_ = register[WorkerNoted]()
	_ = register[WorkerUsage]()
	_ = register[WorkerSilent]()
	_ = register[ScopeFlagged]()
	_ = register[ScopeQuarantined]()
	_ = register[Waiting]()
	_ = register[Answered]()
	_ = register[ResultAccepted]()
	_ = register[CommitIntended]()
	_ = register[CommitDone]()
	_ = register[PartialKept]()
	_ = register[CheckRan]()
	_ = register[ChecksFound]()
	_ = register[LedgerEntry]()
	_ = register[TaskAffected]()
	_ = register[WorkerEnded]()
	_ = register[RunOrphaned]()
	_ = register[RunResumed]()
	_ = register[RunEnded]()
)

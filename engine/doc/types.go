// Package doc holds the documents that cross an agent boundary: Task #0, the
// tasks cut from it, the plan, and the RESULT a Worker hands on.
//
// Every reader is lenient, every writer canonical: parse → format → parse
// gives the same value, and formatting canonical text changes no byte.
package doc

// None is what Past failures says when there were none.
const None = "None — first attempt"

// Signature is one dependency and the file that declares it. Path is relative
// to the project, with forward slashes.
type Signature struct {
	Signature string `json:"signature"`
	Path      string `json:"path"`
}

// Task is Task #0 (K = 0, for the Planner) or Task #k (for Worker k).
type Task struct {
	K            int         `json:"k"`
	Goal         string      `json:"goal"`
	Background   string      `json:"background"`
	PastFailures string      `json:"past_failures"`
	Constraints  []string    `json:"constraints"`
	TargetFiles  []string    `json:"target_files"`
	Signatures   []Signature `json:"signatures"`
}

// PlanTask is one task of a plan, before it becomes Task #k.
type PlanTask struct {
	Title        string   `json:"title"`
	Layer        int      `json:"layer"`
	Agent        string   `json:"agent"`
	Goal         string   `json:"goal"`
	Background   string   `json:"background"`
	PastFailures string   `json:"past_failures"`
	Constraints  []string `json:"constraints"`
	TargetFiles  []string `json:"target_files"`
	// Signatures are "signature — path" lines.
	Signatures []string `json:"signatures"`
}

// Plan is the exact list of Workers: N is len(Tasks).
type Plan struct {
	Tasks []PlanTask `json:"tasks"`
}

// ObservedMark stands behind what the engine saw and the Worker did not say.
const ObservedMark = "(observed)"

// Files lists what a Worker created, modified and deleted. Observed are those
// of the paths that only the engine names; nil when there are none.
type Files struct {
	Created  []string `json:"created"`
	Modified []string `json:"modified"`
	Deleted  []string `json:"deleted"`
	Observed []string `json:"observed,omitempty"`
}

// All returns every path in the order created, modified, deleted.
func (f Files) All() []string {
	all := make([]string, 0, len(f.Created)+len(f.Modified)+len(f.Deleted))
	all = append(all, f.Created...)
	all = append(all, f.Modified...)
	return append(all, f.Deleted...)
}

// Breaking is one line of a RESULT's Breaking section. Text is the line as
// written; Symbol and Path are what could be read out of it, else empty.
type Breaking struct {
	Text   string `json:"text"`
	Symbol string `json:"symbol"`
	Path   string `json:"path"`
}

// Result is what Worker K hands on: no code, no output.
type Result struct {
	K          int         `json:"k"`
	Files      Files       `json:"files"`
	Signatures []Signature `json:"signatures"`
	Breaking   []Breaking  `json:"breaking"`
	Summary    string      `json:"summary"`
}

// Level says whether a problem stops a run.
type Level string

const (
	Error   Level = "error"
	Warning Level = "warning"
)

// Problem is one finding of a reader or a lint. Line counts from 1; 0 means
// the document as a whole.
type Problem struct {
	Level   Level  `json:"level"`
	Section string `json:"section"`
	Line    int    `json:"line"`
	Text    string `json:"text"`
}

// HasErrors tells whether any problem stops a run.
func HasErrors(problems []Problem) bool {
	for _, p := range problems {
		if p.Level == Error {
			return true
		}
	}
	return false
}

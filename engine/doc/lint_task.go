package doc

import (
	"fmt"
	"path"
	"strings"
)

// The bounds the lint of a task knows, in lines and bytes.
const (
	longFile     = 500
	hugeFile     = 2000
	mostCode     = 10
	mostTaskSize = 16 << 10
)

// LintOptions say what a lint may ask and how strict it is.
type LintOptions struct {
	// Generated makes test and build commands errors: nobody wrote them on
	// purpose.
	Generated bool
	// FileLines, when set, returns how many lines a file of the project has.
	FileLines func(path string) (lines int, exists bool)
}

// LintTaskText reads a task and judges it; lines are those of text.
func LintTaskText(text string, opt LintOptions) (Task, []Problem) {
	t, src, problems := parseTask(text)
	return t, append(problems, lintTask(t, src, opt)...)
}

// LintTask judges a task; lines are those of its canonical form.
func LintTask(t Task, opt LintOptions) []Problem {
	_, src, _ := parseTask(FormatTask(t))
	return lintTask(t, src, opt)
}

func lintTask(t Task, src taskSource, opt LintOptions) (problems []Problem) {
	say := func(level Level, section string, n int, format string, args ...any) {
		if n == 0 {
			n = src.section[section]
		}
		problems = append(problems, Problem{level, section, n, fmt.Sprintf(format, args...)})
	}
	empty := map[string]bool{
		secGoal: strings.TrimSpace(t.Goal) == "" || isNoItem(t.Goal), secBackground: strings.TrimSpace(t.Background) == "", secFailures: strings.TrimSpace(t.PastFailures) == "",
		secTargets: len(t.TargetFiles) == 0, secConstraints: len(t.Constraints) == 0, secSignatures: len(t.Signatures) == 0,
	}
	for _, name := range taskSections {
		switch {
		case src.section[name] == 0:
			say(Error, name, src.heading, "%s missing; a task has the sections %s", name, strings.Join(taskSections, ", "))
		case empty[name] && (name == secConstraints || name == secSignatures) && src.filled[name]:
			if name == secConstraints {
				say(Warning, name, 0, "no constraint; say what must not change")
			}
		case empty[name]:
			say(Error, name, 0, "%s is empty; %s", name, fill[name])
		}
	}
	lintTargets(t, src, say)
	lintSignatures(t, src, say)
	for _, name := range taskSections[:4] {
		lintProse(name, src.lines[name], opt, say)
	}
	if src.bytes > mostTaskSize {
		say(Warning, "", 1, "the task has %d bytes; more than %d drown what matters", src.bytes, mostTaskSize)
	}
	lintSizes(t, src, opt, say)
	return problems
}

type sayFunc func(level Level, section string, n int, format string, args ...any)

// fill says what an empty section wants.
var fill = map[string]string{
	secGoal:        "say in one sentence what is wanted and why",
	secBackground:  "name the decisions the work rests on",
	secFailures:    "write what failed before, or `" + None + "`",
	secConstraints: "say what must not change, or `None`",
	secTargets:     "name one file a line",
	secSignatures:  "write one `signature — path` a line, or `None` when nothing is depended on",
}

func lintTargets(t Task, src taskSource, say sayFunc) {
	seen := map[string]bool{}
	for i, p := range t.TargetFiles {
		n := at(src.targets, i)
		if level, why := checkPath(p, true); why != "" {
			say(level, secTargets, n, "%s", why)
		}
		if clean := path.Clean(p); seen[clean] {
			say(Warning, secTargets, n, "%q stands twice", visible(p))
		} else {
			seen[clean] = true
		}
	}
}

var seeStyle = lazily(`(?i)^(?:→|->|cf\.?|see(?: also)?|ref(?:er(?:ence)?)?(?: to)?|read|check|look (?:at|in|into)|same as|as (?:in|defined in|per)|defined in|declared in|follow|per|consult|siehe|voir|ver|参见|見て|참고)(?:\s*[:：]\s*|\s+|$)`)

func lintSignatures(t Task, src taskSource, say sayFunc) {
	for i, s := range t.Signatures {
		n := at(src.signatures, i)
		text := strings.TrimSpace(s.Signature)
		p, rest, onlyPath := readPath(text)
		onlyPath = onlyPath && strings.TrimSpace(rest) == "" && pathLike(p) && !looksQualified(p)
		switch {
		case seeStyle.MatchString(text) && (s.Path != "" || mentionsPath(text)), onlyPath && s.Path == "":
			say(Error, secSignatures, n, "%q points to a file; write the signature itself, as `name(arguments): result — path`", visible(text))
		case text == "":
			say(Error, secSignatures, n, "a path without a signature: %q", visible(s.Path))
		case s.Path == "":
			say(Error, secSignatures, n, "%q names no file; write `signature — path`", visible(text))
		}
		if s.Path != "" {
			if level, why := checkPath(s.Path, false); why != "" {
				say(level, secSignatures, n, "%s", why)
			}
		}
	}
}

func mentionsPath(s string) bool {
	for _, f := range strings.Fields(s) {
		if pathLike(strings.Trim(f, "`'\"()[],;:.")) {
			return true
		}
	}
	return false
}

var (
	speaker = lazily(`(?i)^\s*(?:[-*>]\s+)?(?:\[[^\]]{1,30}\]\s*)?(?:\*\*|__)?(?:#{1,6}\s+)?(?:user|assistant|human|ai|system|chatgpt|claude|gpt|bot|me|you|giver|operator)(?:\s*\([^)]{1,30}\))?(?:\*\*|__)?\s*[:：]|<\|(?:im_start|user|assistant|system)\|?`)

	// Commands that are one wherever they stand.
	command = lazily(`(?i)(?:^|[^\w./-])((?:go|cargo|dotnet|swift|deno|bun|mix|gradle|\./gradlew|mvn|\./mvnw|bazel|zig|flutter|dart|npm|pnpm|yarn|lein|sbt|stack|cabal)\s+(?:run\s+|-\S+\s+)*(?:test|tests|build|vet|check|clippy|lint|typecheck|verify|compile|unittest)(?::[\w-]+)?|python3?\s+-m\s+(?:pytest|unittest|mypy|ruff)|npx\s+(?:jest|vitest|tsc|eslint|mocha|playwright)|bundle\s+exec\s+(?:rspec|rake)|rake\s+(?:test|spec)|cmake\s+--build|composer\s+test|poetry\s+run\s+pytest|uv\s+run\s+pytest)(?:$|[^\w-])`)

	// Words that are commands only where a command can stand.
	commandWord = lazily("(?i)(?:`|^\\s*(?:[-*]\\s+)?\\$\\s+|\\b(?:run|running|execute|executing|invoke|with|via|using)\\s+`?|&&\\s*)((?:make(?:\\s+(?:test|tests|build|check|lint|all|verify|ci))|pytest|tox|nox|jest|vitest|mocha|tsc|eslint|mypy|ruff|flake8|pylint|golangci-lint|staticcheck|phpunit|rspec|ctest|ninja|gotestsum|shellcheck)(?:\\s+[^`]*)?)(?:`|$|[.,;]|\\s)")
)

// lintProse looks for what must not stand in a task: conversations, code,
// commands that check the work.
func lintProse(name string, lines []line, opt LintOptions, say sayFunc) {
	level, why := Warning, "leave test and build commands out: Workers have their own `check`"
	if opt.Generated {
		level = Error
	}
	talked, run, start := false, 0, 0
	for i, l := range lines {
		if !talked && len(l.text) < 4000 && speaker.MatchString(l.text) && l.code == prose {
			talked = true
			say(Warning, name, l.n, "this looks like a conversation log; keep the decisions, not the talk")
		}
		if m := findCommand(l.text); m != "" {
			say(level, name, l.n, "`%s`: %s", visible(m), why)
		}
		if l.code == inside || l.code == prose && looksLikeCode(l.text) {
			if run == 0 {
				start = l.n
			}
			run++
		}
		last := i == len(lines)-1 || l.code == fence || l.code == prose && !looksLikeCode(l.text)
		if last {
			if run > mostCode {
				say(Warning, name, start, "%d lines of code; more than %d belong into a file, here only signatures and decisions", run, mostCode)
			}
			run = 0
		}
	}
}

func findCommand(s string) string {
	if len(s) > 8192 {
		s = s[:8192]
	}
	for _, pattern := range []pattern{command, commandWord} {
		if m := pattern.FindStringSubmatch(s); m != nil {
			return strings.TrimSpace(m[1])
		}
	}
	return ""
}

var (
	someSize = lazily(`\d[\d., ]*\d|\d+\s*k?`)
	refactor = lazily(`(?i)refactor|split|extract|leave (?:it )?as|keep (?:it )?(?:whole|as|in one)|one file|restructur|break (?:it )?up|decided|no new code`)
)

// lintSizes asks for what long files need: their size named, and for huge
// ones a decision.
func lintSizes(t Task, src taskSource, opt LintOptions, say sayFunc) {
	if opt.FileLines == nil {
		return
	}
	constraints := strings.Join(t.Constraints, "\n")
	seen := map[string]bool{}
	look := func(section, p string, n int) {
		if level, _ := checkPath(p, false); level == Error || seen[p] || strings.HasSuffix(p, "/") {
			return
		}
		seen[p] = true
		lines, exists := opt.FileLines(p)
		if !exists || lines <= longFile {
			return
		}
		if !namesSize(t.Constraints, p) {
			say(Warning, section, n, "%q has %d lines; name it with its size in Constraints, with a usage pattern of 3 to 10 lines", visible(p), lines)
		}
		if lines > hugeFile && !refactor.MatchString(constraints+"\n"+t.Background) {
			say(Warning, section, n, "%q has %d lines; record in Background or Constraints what was decided about refactoring it", visible(p), lines)
		}
	}
	for i, p := range t.TargetFiles {
		look(secTargets, p, at(src.targets, i))
	}
	for i, s := range t.Signatures {
		if s.Path != "" {
			look(secSignatures, s.Path, at(src.signatures, i))
		}
	}
}

func namesSize(constraints []string, p string) bool {
	for _, c := range constraints {
		if i := strings.Index(c, path.Base(p)); i >= 0 && someSize.MatchString(strings.ReplaceAll(c, path.Base(p), "")) {
			return true
		}
	}
	return false
}

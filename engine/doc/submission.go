package doc

import (
	"fmt"
	"strings"
)

// The states a Worker can report.
const (
	StatusDone    = "done"
	StatusBlocked = "blocked"
)

// Submission is what a Worker hands in through the submit_result tool. Needs
// lists the paths a blocked Worker asks for.
type Submission struct {
	Status string   `json:"status"`
	Needs  []string `json:"needs"`
	Result Result   `json:"result"`

	worded bool // it has the keys of a RESULT, so it is not just any JSON
}

// ParseSubmitted reads the arguments of the submit_result tool for Worker k.
// The error says that the text is no JSON object; everything else is a
// problem, as in ParseResult.
func ParseSubmitted(json []byte, k int) (Submission, []Problem, error) {
	text := clean(string(json))
	return parseSubmitted(strings.TrimSpace(text), k, 1)
}

func parseSubmitted(text string, k, first int) (Submission, []Problem, error) {
	n, _, err := readJSON(text, first)
	if err != nil {
		return Submission{}, nil, fmt.Errorf("read the submitted RESULT of Worker %d: %w", k, err)
	}
	// {"name": "submit_result", "arguments": {…} or "{…}"}
	for range 2 {
		inner := n.get("arguments", "parameters", "input", "result")
		if n.kind != isObject || inner == nil || n.get("files") != nil || n.get("summary") != nil {
			break
		}
		if inner.kind == isString {
			if parsed, _, err := readJSON(inner.text, inner.line); err == nil {
				inner = parsed
			}
		}
		if inner.kind != isObject {
			break
		}
		n = inner
	}
	if n.kind != isObject {
		return Submission{}, nil, fmt.Errorf("read the submitted RESULT of Worker %d: a %s stands where an object must", k, n.kind)
	}
	s, problems := readSubmission(n, k)
	return s, problems, nil
}

func readSubmission(n *node, k int) (Submission, []Problem) {
	r := Result{K: k, Files: noFiles(), Signatures: []Signature{}, Breaking: []Breaking{}}
	f := &fields{}
	if own := n.get("k"); own != nil {
		if said := f.number(own, "k"); k <= 0 {
			r.K = max(0, said)
		} else if said != k && own.kind == isNumber {
			f.problems = append(f.problems, Problem{Warning, "", own.line, fmt.Sprintf("the RESULT says #%d; read as RESULT #%d", said, k)})
		}
	}
	s := Submission{Status: strings.ToLower(f.str(n.get("status"), "status"))}
	s.Needs, _ = f.strs(n.get("needs"), "needs")
	for i := range s.Needs {
		s.Needs[i] = exactPath(s.Needs[i])
	}
	switch {
	case s.Status == StatusDone || s.Status == StatusBlocked:
	case s.Status == "" || s.Status == "ok" || s.Status == "success" || s.Status == "completed" || s.Status == "complete":
		s.Status = StatusDone
		if len(s.Needs) > 0 {
			s.Status = StatusBlocked
		}
	default:
		f.problems = append(f.problems, Problem{Error, "", n.get("status").line, fmt.Sprintf(`status must be "done" or "blocked", not %q`, visible(s.Status))})
		s.Status = StatusDone
	}
	lineOf := map[string]int{}
	for _, name := range []string{secFiles, secSignatures, secBreaking, secSummary} {
		if v := n.get(name); v != nil {
			lineOf[name] = v.line
		}
	}
	s.worded = len(lineOf) >= 2 || s.Status == StatusBlocked && n.get("status") != nil
	f.section = secFiles
	f.problems = append(f.problems, r.takeFiles(readFilesNode(f, n.get("files")))...)
	f.section = secSignatures
	found, _ := f.strs(n.get("signatures"), "signatures")
	for _, text := range found {
		got, cut := readSignatures(resultWords, split(text, 1))
		for _, g := range got {
			r.Signatures = append(r.Signatures, g.Signature)
		}
		if cut {
			f.problems = append(f.problems, Problem{Warning, secSignatures, lineOf[secSignatures], "code bodies were removed from Signatures"})
		}
	}
	f.section = secBreaking
	found, _ = f.strs(n.get("breaking"), "breaking")
	for _, text := range found {
		if text = unlist(oneLine(text)); !isNone(text) {
			r.Breaking = append(r.Breaking, ReadBreaking(text))
		}
	}
	f.section = secSummary
	summary, cut := readSummary(split(f.str(n.get("summary"), "summary"), 1))
	if r.Summary = summary; cut {
		f.problems = append(f.problems, Problem{Warning, secSummary, lineOf[secSummary], "code was removed from Summary"})
	}
	if s.Status == StatusDone {
		for _, name := range []string{secFiles, secBreaking, secSignatures, secSummary} {
			switch _, ok := lineOf[name]; {
			case ok:
			case name == secFiles || name == secBreaking:
				f.problems = append(f.problems, Problem{Error, name, n.line, name + " missing"})
			default:
				f.problems = append(f.problems, Problem{Warning, name, n.line, name + " missing; read as empty"})
			}
		}
		if line, ok := lineOf[secFiles]; ok && len(r.Files.All()) == 0 {
			f.problems = append(f.problems, Problem{Warning, secFiles, line, "Files empty"})
		}
	} else if len(s.Needs) == 0 {
		f.problems = append(f.problems, Problem{Warning, "", n.line, "blocked, but needs names no path"})
	}
	bounded, cuts := r.bound(lineOf)
	s.Result = bounded
	return s, append(f.problems, cuts...)
}

// readFilesNode reads files as the object of three lists, as one list, or as
// a list of {path, action}.
func readFilesNode(f *fields, n *node) (entries []fileEntry) {
	if n == nil || n.kind == isNull {
		return nil
	}
	take := func(p, action string, line int) {
		p = exactPath(p)
		if got, _, ok := readPath(codeSpan(p)); !ok || got != p || isNone(p) {
			f.problems = append(f.problems, Problem{Warning, secFiles, line, "not read as a path: " + visible(p)})
			return
		}
		entries = append(entries, fileEntry{path: p, action: action, n: line})
	}
	group := func(v *node, key, action string) {
		found, lines := f.strs(v, key)
		for i, p := range found {
			if !isNone(p) {
				if got, _, ok := readFilePiece(p, action); ok {
					for _, e := range got {
						take(e.path, e.action, lines[i])
					}
				} else {
					take(p, action, lines[i])
				}
			}
		}
	}
	switch n.kind {
	case isObject:
		for i, key := range n.keys {
			action, ok := groups[fold(key)]
			if !ok {
				f.problems = append(f.problems, Problem{Warning, secFiles, n.list[i].line, "unknown key files." + visible(key)})
				continue
			}
			group(n.list[i], "files."+key, action)
		}
	case isList:
		for i, v := range n.list {
			if v.kind != isObject {
				group(&node{kind: isList, line: v.line, list: []*node{v}}, "files", "")
				continue
			}
			key := fmt.Sprintf("files[%d].", i)
			p := f.str(v.get("path", "file", "name"), key+"path")
			action := f.str(v.get("action", "status", "change", "type", "kind"), key+"action")
			if p != "" {
				take(p, cellAction(action), v.line)
			}
		}
	case isString:
		f.wrong(n, "files", "an object with created, modified and deleted")
		found, _ := readFiles(split(n.text, n.line), "")
		entries = found
	default:
		f.wrong(n, "files", "an object with created, modified and deleted")
	}
	return entries
}

// enclosedJSON finds a submission in the last fence of a reply.
func enclosedJSON(lines []line, k int) (Submission, []Problem, bool) {
	end := len(lines) - 1
	for end >= 0 && lines[end].code != fence {
		end--
	}
	open := end - 1
	for open >= 0 && lines[open].code != fence {
		open--
	}
	if open < 0 || !presented(lines, open) {
		return Submission{}, nil, false
	}
	body := trimBlank(lines[open+1 : end])
	if len(body) == 0 || !strings.HasPrefix(strings.TrimSpace(body[0].text), "{") {
		return Submission{}, nil, false
	}
	s, problems, err := parseSubmitted(join(body), k, body[0].n)
	return s, problems, err == nil && s.worded
}

var (
	blockedLine = lazily(`(?i)^(?:status\s*[:：]\s*)?\**blocked\**\s*[:：—–.,-]*\**\s*(?:i\s+|it\s+|because\s+i\s+)?(?:needs?|requires?|missing)\b\**\s*[:：]?\s*(?:(?:write\s+)?access\s+to\s+|to\s+(?:change|edit|modify|write|touch)\s+)?(.*)$`)
	blockedOnly = lazily(`(?i)^(?:status\s*[:：]\s*)?\**blocked\**[.!]?$`)
	needsLine   = lazily(`(?i)^\**needs\**\s*[:：]\**\s*(.*)$`)
	because     = lazily(`(?i)\s+(?:because|so that|in order|since|to (?:add|change|fix|make|export|compile)|for|which|as it)\b.*$`)
)

// ParseBlocked reads `blocked: needs <path>` out of a reply. ok is false when
// the reply does not say so, or names no path.
func ParseBlocked(reply string) (needs []string, ok bool) {
	lines, ok := readable(reply)
	if !ok {
		return nil, false
	}
	for range 2 {
		if body, whole := unwrapFence(lines); whole {
			lines = body
		}
	}
	if text := join(lines); strings.HasPrefix(text, "{") {
		s, _, err := parseSubmitted(text, 0, 1)
		return s.Needs, err == nil && s.Status == StatusBlocked && len(s.Needs) > 0
	}
	blocked := false
	for i, l := range lines {
		if l.code != prose || isQuote(l.text) || len(l.text) > 2000 {
			continue
		}
		text := undress(l.text).words
		rest, found := "", false
		if m := blockedLine.FindStringSubmatch(text); m != nil {
			rest, found = m[1], true
		} else if bare := strings.Trim(text, "*_ "); blockedOnly.MatchString(bare) {
			blocked = true
		} else if m := needsLine.FindStringSubmatch(text); m != nil && blocked {
			rest, found = m[1], true
		}
		if !found {
			continue
		}
		if needs = neededPaths(rest); len(needs) == 0 && strings.Trim(rest, " :：*") == "" {
			for _, below := range lines[i+1:] {
				if !isBullet(below.text) || below.code != prose {
					break
				}
				needs = append(needs, neededPaths(unlist(below.text))...)
			}
		}
		if len(needs) > 0 {
			return needs, true
		}
	}
	return nil, false
}

func neededPaths(s string) (paths []string) {
	for _, piece := range splitItems(strings.TrimSpace(because.ReplaceAllString(s, ""))) {
		if got, _, ok := readFilePiece(strings.TrimRight(piece, ".!"), ""); ok {
			paths = append(paths, got[0].path)
		}
	}
	return paths
}

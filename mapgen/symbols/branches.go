package symbols

import (
	"bytes"
	"regexp"
)

// firstBranches blanks conditional directives and all but the first branch of
// each, so that declarations split over branches can be read. The length stays.
func firstBranches(text []byte) (out []byte, changed bool) {
	if !bytes.Contains(text, []byte("#")) {
		return text, false
	}
	out = bytes.Clone(text)
	type block struct {
		keep  bool // the branch at hand
		taken bool // one has been kept
	}
	var open []block
	kept := func() bool {
		for _, b := range open {
			if !b.keep {
				return false
			}
		}
		return true
	}
	var guard []byte
	at := 0
	for line := range bytes.Lines(text) {
		directive, rest := directiveOf(line)
		drop := !kept()
		switch directive {
		case "if", "ifdef", "ifndef":
			off := directive == "if" && string(rest) == "0"
			open = append(open, block{keep: !off, taken: !off})
			guard = nil
			if directive == "ifndef" {
				guard = rest
			}
			drop = true
		case "else", "elif":
			if n := len(open); n > 0 {
				open[n-1].keep = !open[n-1].taken
				open[n-1].taken = true
			}
			drop = true
		case "endif":
			if n := len(open); n > 0 {
				open = open[:n-1]
			}
			drop = true
		case "define":
			// Without its condition a guard would look like any other macro.
			drop = drop || guard != nil && bytes.Equal(bytes.TrimSpace(rest), guard)
			guard = nil
		}
		if drop {
			changed = true
			for i := at; i < at+len(line); i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
		}
		at += len(line)
	}
	return out, changed
}

// directiveOf splits a preprocessor line.
func directiveOf(line []byte) (name string, rest []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '#' {
		return "", nil
	}
	line = bytes.TrimLeft(line[1:], " \t")
	end := bytes.IndexFunc(line, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		return string(line), nil
	}
	return string(line[:end]), bytes.TrimSpace(line[end:])
}

// cCall is a macro called alone on a line, without a semicolon.
var cCall = regexp.MustCompile(`(?m)^[ \t]*[A-Z_][A-Z0-9_]{3,}\([^;{}\n]*\)[ \t\r]*$`)

// repairC reads one branch of each condition, and blanks macros called where a
// declaration is expected.
func repairC(text []byte) ([]byte, bool) {
	out, changed := firstBranches(text)
	if calls := cCall.FindAllIndex(out, -1); calls != nil {
		if !changed {
			out, changed = bytes.Clone(out), true
		}
		for _, m := range calls {
			for i := m[0]; i < m[1]; i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
		}
	}
	return out, changed
}

// newerScript is syntax the TypeScript grammar is too old for, and that changes
// nothing about names: variance words before a type parameter, and the "type" of
// a re-export of everything.
var newerScript = regexp.MustCompile(`[<,]\s*(?:/\*[^*]*\*/\s*|//[^\n]*\n\s*)*((?:in\s+out|in|out)\s+)(?:const\s+)?[A-Za-z_$]|(?m:^)\s*export\s+(type)\s*\*`)

func repairScript(text []byte) ([]byte, bool) {
	found := newerScript.FindAllSubmatchIndex(text, -1)
	if found == nil {
		return text, false
	}
	out := bytes.Clone(text)
	for _, m := range found {
		from, to := m[2], m[3]
		if from < 0 {
			from, to = m[4], m[5]
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	return out, true
}

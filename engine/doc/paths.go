package doc

import (
	"path"
	"strconv"
	"strings"
	"unicode"
)

// plainFiles are file names without an extension that are paths by themselves.
var plainFiles = words(`makefile, gnumakefile, dockerfile, containerfile, license, licence, copying, notice, readme, changelog, authors, contributing, codeowners,
justfile, taskfile, rakefile, gemfile, procfile, vagrantfile, jenkinsfile, build, workspace, brewfile, pipfile, podfile, fastfile, caddyfile, tiltfile, earthfile, version, install, todo`)

var (
	extension = lazily(`(?:^|[^.])\.[A-Za-z0-9_+-]{1,12}$|^\.[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
	lineTail  = lazily(`(?::\d+(?:[:,-]\d+)*|#L\d+(?:-L?\d+)?)$`)
	// app/(auth)/page.tsx: a folder in brackets is a path in some frameworks
	routeGroup = lazily(`(^|/)\([\w.-]+\)(/)`)
	version    = lazily(`^v?\d+(?:\.\d+)*$`)
)

// pathLike tells whether a token can only be meant as a path: it has a slash
// or an extension and nothing that paths do not have.
func pathLike(s string) bool {
	s = routeGroup.ReplaceAllString(s, "${1}x${2}")
	if s == "" || len(s) > 1024 || strings.ContainsAny(s, " \t\n()<>|\"`;,") || version.MatchString(s) {
		return false
	}
	if plainFiles[strings.ToLower(s)] {
		return unicode.IsUpper(rune(s[0]))
	}
	if strings.HasSuffix(s, "...") || strings.HasSuffix(s, ":") {
		return false
	}
	if strings.Contains(s, "/") {
		return strings.Trim(s, "/.") != "" && !strings.Contains(s, "//") && fold(s) != "n/a" && fold(s) != "and/or"
	}
	return extension.MatchString(s) || strings.Contains(s, `\`) && extension.MatchString(strings.ReplaceAll(s, `\`, "/"))
}

// spacedPath allows blanks where the rest leaves no doubt: docs/user guide.md.
func spacedPath(s string) bool {
	fields := strings.Fields(s)
	if len(fields) < 2 || len(fields) > 4 || !strings.Contains(fields[0], "/") {
		return false
	}
	for _, f := range fields {
		if strings.ContainsAny(f, "()<>|\"`;,:") {
			return false
		}
	}
	return extension.MatchString(fields[len(fields)-1])
}

// tidyPath brings a path as models write it into the written form: no `./`,
// no line number. What the path means is left to the checks.
func tidyPath(s string) string {
	s = strings.TrimSpace(s)
	if loc := lineTail.FindStringIndex(s); loc != nil && loc[0] > 0 {
		s = s[:loc[0]]
	}
	for strings.HasPrefix(s, "./") && len(s) > 2 {
		s = strings.TrimLeft(s[2:], "/")
	}
	return s
}

// writePath puts a path into code marks when it would not read back alone.
func writePath(p string) string {
	p = tidyPath(oneLine(p))
	if p == "" {
		return ""
	}
	got, ok := readFileLine(line{text: p}, "")
	_, inGroup := groups.match(p)
	whole, alone := wholePath(p)
	if ok && len(got) == 1 && got[0].path == p && got[0].action == "" && !inGroup && alone && whole == p && targetPath(p) == p && groups.cell(p) == "" && !taskWords.structural(p) && !resultWords.structural(p) {
		return p
	}
	return codeSpan(p)
}

func codeSpan(s string) string {
	run, longest := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	marks := strings.Repeat("`", longest+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return marks + s + marks
}

// readSpan reads a code span at the start of s.
func readSpan(s string) (content, rest string, ok bool) {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	if n == 0 {
		return "", s, false
	}
	for i := n; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] == '`' {
			j++
		}
		if j-i == n {
			content = s[n:i]
			if len(content) > 2 && content[0] == ' ' && content[len(content)-1] == ' ' {
				content = content[1 : len(content)-1]
			}
			return content, s[j:], true
		}
		i = j
	}
	return "", s, false
}

// oneLine folds line breaks and control characters but NUL into spaces.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\n\r\t\v\f\u0085\u2028\u2029") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("\n\r\t\v\f\u0085\u2028\u2029", r) }), " ")
}

var (
	scheme   = lazily(`(?i)^[a-z][a-z0-9+.-]*:/`)
	drive    = lazily(`^[A-Za-z]:`)
	globPart = lazily(`[*?]|\{[^}]*,[^}]*\}|\[[^\]/]-[^\]/]+\]|\[!`)
)

// checkPath says why a path cannot stand in a task, or "" when it can. Paths
// are relative to the project, `/`-separated, and stay inside it.
func checkPath(p string, target bool) (Level, string) {
	quoted := `"` + visible(p) + `"`
	cleaned := path.Clean(p)
	switch {
	case strings.TrimSpace(p) == "":
		return Error, "empty path"
	case strings.ContainsFunc(p, unicode.IsControl):
		return Error, quoted + " contains a control character; write the path as it is on disk"
	case strings.HasPrefix(p, "/"), drive.MatchString(p), strings.HasPrefix(p, `\\`):
		return Error, quoted + " is absolute; write it relative to the project"
	case scheme.MatchString(p):
		return Error, quoted + " is a URL; write a path relative to the project"
	case p == "~" || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`), regexpHome.MatchString(p):
		return Error, quoted + " starts in a home folder; write it relative to the project"
	case cleaned == ".." || strings.HasPrefix(cleaned, "../"):
		return Error, quoted + " escapes the project"
	case cleaned == ".":
		return Error, quoted + " is the project itself; name files or folders in it"
	case cleaned == ".git" || strings.HasPrefix(cleaned, ".git/"), strings.Contains(cleaned+"/", "/.git/"), cleaned == ".growbench" || strings.HasPrefix(cleaned, ".growbench/"):
		return Error, quoted + " belongs to git or growbench; no task may change it"
	}
	if !target {
		return backslash(p, quoted)
	}
	base := path.Base(cleaned)
	switch {
	case globPart.MatchString(p):
		return Error, quoted + " is a pattern; name each file, or a folder as `dir/`"
	case base == ".pi-map.md" || base == ".pi-map.index.md":
		return Error, quoted + " is written by the map alone; leave it out"
	case !pathLike(p) && !spacedPath(p) && (strings.ContainsAny(p, " \t") && !extension.MatchString(p) || strings.ContainsAny(p, "<>|\"`;()")):
		return Error, quoted + " is not a path; write one path a line"
	case cleaned == "results.md":
		return Warning, quoted + " has the name of the file Workers hand on; they will be refused writing it"
	}
	return backslash(p, quoted)
}

var regexpHome = lazily(`^(?:~[A-Za-z0-9_-]*|\$HOME|\$\{HOME\}|%USERPROFILE%)(?:[/\\]|$)`)

func backslash(p, quoted string) (Level, string) {
	if strings.Contains(p, `\`) {
		return Warning, quoted + ` has a backslash: on Linux that is part of the name; use "/" between folders`
	}
	return "", ""
}

// visible shows control characters of a foreign string as escapes and bounds
// its length, so that it can stand in a message.
func visible(s string) string {
	const most = 120
	var b strings.Builder
	for _, r := range s {
		if b.Len() > most {
			b.WriteString("…")
			break
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

package doc

import (
	"strings"
	"unicode/utf8"
)

// The actions of a file entry; "" when the text does not say.
const (
	created  = "created"
	modified = "modified"
	deleted  = "deleted"
	renamed  = "renamed"
)

type fileEntry struct {
	path   string
	action string
	n      int
	// observed says that the path carries ObservedMark.
	observed bool
}

// groups are the words that head a list of files or mark a single one.
var groups = func() vocabulary {
	v := vocabulary{}
	for action, list := range map[string]string{
		created:  "created, create, creates, new, added, add, adds, create files, created files, new files, added files, new file, files created, files added, 新增, 新建, 新規, 创建, 作成, 追加, 생성, 추가, erstellt, neu, créé, créés, creado, creados, nuevo",
		modified: "modified, modify, modifies, changed, change, changes, edited, edit, edits, updated, update, updates, touched, modified files, changed files, edited files, updated files, files modified, files changed, existing, 修改, 变更, 更新, 変更, 修正, 수정, 변경, geändert, modifié, modifiés, modificado, modificados",
		deleted:  "deleted, delete, deletes, removed, remove, removes, deleted files, removed files, files deleted, files removed, 删除, 刪除, 削除, 삭제, gelöscht, supprimé, supprimés, eliminado, eliminados",
		renamed:  "renamed, rename, moved, move, renamed files, moved files, 重命名, 이름 변경",
	} {
		for w := range strings.SplitSeq(list, ",") {
			v[fold(strings.TrimSpace(w))] = action
		}
	}
	return v
}()

// readFiles reads the content of a Files section. What is no path is handed
// back, never guessed at.
func readFiles(lines []line, group string) (entries []fileEntry, unread []line) {
	diff := false // `+ a` and `- b` mark what came and went, as in a diff
	for _, l := range lines {
		diff = diff || strings.HasPrefix(strings.TrimSpace(l.text), "+ ")
	}
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if l.code == fence || l.blank() || isRule(l.text) {
			continue
		}
		if isTableRow(l.text) {
			end := i
			for end < len(lines) && (isTableRow(lines[end].text) || isTableRule(lines[end].text)) {
				end++
			}
			e, u := readFileTable(lines[i:end], group)
			entries, unread = append(entries, e...), append(unread, u...)
			i = end - 1
			continue
		}
		if lb, ok := groups.match(l.text); ok {
			group = lb.name
			if lb.inline == "" {
				continue
			}
			l.text = lb.inline
		} else if name := groups.cell(strings.TrimRight(undress(l.text).words, "*_")); name != "" {
			group = name
			continue
		}
		action := group
		if mark := strings.TrimSpace(l.text); diff && group == "" && strings.HasPrefix(mark, "+ ") {
			action = created
		} else if diff && group == "" && strings.HasPrefix(mark, "- ") {
			action = deleted
		}
		e, ok := readFileLine(l, action)
		entries = append(entries, e...)
		if !ok {
			unread = append(unread, l)
		}
	}
	return entries, unread
}

var checkbox = lazily(`^\[[ xX✓]\]\s+`)

// readFileLine reads one line with one or more files. ok is false when part
// of it is neither a path nor a remark on one.
func readFileLine(l line, group string) (entries []fileEntry, ok bool) {
	text := l.text
	text = unlist(text)
	text = checkbox.ReplaceAllString(text, "")
	if isNone(text) {
		return nil, true
	}
	ok = true
	remarked := false
	for _, piece := range splitItems(text) {
		got, remark, isPath := readFilePiece(piece, group)
		if !isPath {
			// "a.go — created, with tests": the tail belongs to the remark.
			if !remarked && !isNone(piece) {
				ok = false
			}
			continue
		}
		remarked = remark
		for _, e := range got {
			if e.n = l.n; !isNone(e.path) {
				entries = append(entries, e)
			}
		}
	}
	return entries, ok
}

var (
	statusMark = lazily(`^(\?\?|[AMDRCTU?!~+]{1,2}|R\d{1,3})[ \t]+(\S.*)$`)
	actionHead = lazily(`^[\[(（【]?\s*(\pL+)(?:\s+files?)?\s*[\])）】]?\s*(?:[:：—–-]\s*|\s)\s*(\S.*)$`)
	plainHead  = lazily(`^[\pL\d][\pL\d _-]{0,30}[:：]\s+(\S.*)$`)
	arrowHead  = lazily(`^\s*(?:→|⟶|➜|->|=>|\bto\b)\s*`)
)

// readFilePiece reads one file with its action before or after it.
func readFilePiece(s, group string) (entries []fileEntry, remarked, ok bool) {
	s = strings.TrimSpace(strings.TrimLeftFunc(strings.TrimSpace(s), decorative))
	action := group
	if p, rest, ok := readPath(s); ok {
		return filesOf(p, rest, action)
	}
	if m := statusMark.FindStringSubmatch(s); m != nil {
		if p, rest, ok := readPath(m[2]); ok {
			return filesOf(p, rest, statusAction(m[1], action))
		}
	}
	if m := actionHead.FindStringSubmatch(s); m != nil {
		if name := groups[fold(m[1])]; name != "" {
			if p, rest, ok := readPath(strings.TrimPrefix(m[2], "file ")); ok {
				return filesOf(p, rest, name)
			}
		}
	}
	if m := plainHead.FindStringSubmatch(s); m != nil {
		if p, rest, ok := readPath(m[1]); ok {
			return filesOf(p, rest, action)
		}
	}
	return nil, false, false
}

func statusAction(mark, group string) string {
	switch mark[0] {
	case '+', 'A', '?', 'C':
		return created
	case 'D', '!':
		return deleted
	case 'R':
		return renamed
	case 'M', 'T', '~', 'U':
		return modified
	}
	return group
}

// filesOf applies what stands after a path: a remark, or the new name.
func filesOf(p, rest, action string) ([]fileEntry, bool, bool) {
	if loc := arrowHead.FindStringIndex(rest); loc != nil {
		if to, tail, ok := readPath(rest[loc[1]:]); ok {
			return []fileEntry{{path: p, action: deleted}, {path: to, action: created}}, tail != "", true
		}
	}
	remark := fold(strings.TrimSpace(strings.TrimLeft(rest, " \t([（【—–-:：#|→>✨")))
	if m := movedRemark.FindStringSubmatch(strings.TrimSpace(strings.TrimLeft(rest, " \t([（—–-:："))); m != nil {
		if other, _, ok := readPath(m[2]); ok {
			from, to := other, p
			if strings.EqualFold(m[1], "to") {
				from, to = p, other
			}
			return []fileEntry{{path: from, action: deleted}, {path: to, action: created}}, true, true
		}
	}
	if said := remarkAction(remark); said != "" {
		action = said
	}
	if action == renamed {
		action = created
	}
	return []fileEntry{{path: p, action: action, observed: strings.TrimSpace(rest) == ObservedMark}}, rest != "", true
}

var (
	movedRemark = lazily(`(?i)^(?:renamed|moved)\s+(from|to)\s+(.*)$`)
	remarkWord  = lazily(`^(?:newly |was |is |has been )?(\pL+)(?: file)?(.*)$`)
	remarkTail  = lazily(`^\s*(?:$|[,;.:()\[\]（）】—–+|!-]|(?:with|by|for|as|in|from|file|module|here|test|tests)\b)`)
)

// remarkAction reads the action out of a remark. "added" counts only alone:
// "added Parse" describes an edit.
func remarkAction(remark string) string {
	m := remarkWord.FindStringSubmatch(remark)
	if m == nil {
		return ""
	}
	action := groups[m[1]]
	if action == "" || !remarkTail.MatchString(m[2]) && !strings.HasPrefix(m[1], "creat") && m[1] != "new" {
		return ""
	}
	return action
}

// readPath reads a path at the start of s: in code marks, as a link, quoted,
// or bare.
func readPath(s string) (p, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	for _, mark := range []string{"**", "__", "*"} {
		if inner, found := strings.CutPrefix(s, mark); found {
			if end := strings.Index(inner, mark); end > 0 {
				if p, tail, ok := readPath(inner[:end]); ok && strings.TrimSpace(tail) == "" {
					return p, inner[end+len(mark):], true
				}
			}
		}
	}
	if content, rest, ok := readSpan(s); ok {
		content = tidyPath(content)
		if content == "" || strings.ContainsAny(content, "\n") || !pathLike(content) && !extension.MatchString(content) && strings.ContainsAny(content, "(){};=<>") {
			return "", s, false
		}
		return content, rest, true
	}
	if m := link.FindStringSubmatch(s[:min(len(s), 2048)]); m != nil {
		text, target := strings.Trim(m[1], "`"), tidyPath(m[2])
		if pathLike(target) && !strings.Contains(target, "://") {
			return target, s[len(m[0]):], true
		}
		if pathLike(text) {
			return tidyPath(text), s[len(m[0]):], true
		}
	}
	for _, pair := range []string{`""`, "''", "“”", "<>"} {
		open, n := utf8.DecodeRuneInString(pair)
		if strings.HasPrefix(s, string(open)) {
			if end := strings.Index(s[n:], pair[n:]); end > 0 && (pathLike(s[n:n+end]) || spacedPath(s[n:n+end])) {
				return tidyPath(s[n : n+end]), s[n+end+len(pair)-n:], true
			}
		}
	}
	token, rest := s, ""
	if i := strings.IndexAny(s, " \t|（【，、"); i >= 0 {
		token, rest = s[:i], s[i:]
	}
	whole := strings.TrimRight(token, ".:")
	if pathLike(whole) && whole != "" {
		return tidyPath(whole), token[len(whole):] + rest, true
	}
	if i := strings.IndexAny(token, "(["); i > 0 && pathLike(token[:i]) { // a.go(new)
		return tidyPath(token[:i]), s[i:], true
	}
	const window = 512 // a blank in a path does not come later
	if len(s) > window && !strings.ContainsAny(s[:window], "(—-") {
		return "", s, false
	}
	head, tail := s[:min(len(s), window)], s[min(len(s), window):]
	if loc := remarkStart.FindStringIndex(head); loc != nil {
		head, tail = s[:loc[0]], s[loc[0]:]
	}
	if spacedPath(head) {
		return tidyPath(head), tail, true
	}
	return "", s, false
}

var (
	link        = lazily(`^\[([^\]]+)\]\(([^)\s]+)\)`)
	remarkStart = lazily(`\s+(?:[(\[—–→]|--?\s|->)`)
)

// splitItems cuts a line at commas and the like, but not inside code marks,
// quotes or brackets.
func splitItems(s string) []string {
	var out []string
	start, depth := 0, 0
	cut := func(end, next int) {
		if piece := strings.TrimSpace(s[start:end]); piece != "" {
			out = append(out, piece)
		}
		start = next
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '`':
			if _, rest, ok := readSpan(s[i:]); ok {
				i = len(s) - len(rest)
				continue
			}
			for i < len(s) && s[i] == '`' {
				i++
			}
			continue
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth = max(0, depth-1)
		case depth > 0:
		case c == ',' || c == ';':
			cut(i, i+1)
		case c == ' ' && (strings.HasPrefix(s[i:], " and ") || strings.HasPrefix(s[i:], " & ")):
			word := strings.IndexByte(s[i+1:], ' ') + 1
			if _, _, ok := readPath(s[i+word+1:]); ok {
				cut(i, i+word+1)
			}
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if strings.ContainsRune("，、；", r) {
				cut(i, i+n)
			}
			i += n
			continue
		}
		i++
	}
	cut(len(s), len(s))
	return out
}

// readFileTable reads a table of files: by its header when it has one, else
// the first path of each row with the first action.
func readFileTable(lines []line, group string) (entries []fileEntry, unread []line) {
	header := len(lines) > 1 && isTableRule(lines[1].text)
	pathCol, columns := -1, map[int]string{}
	if header {
		for i, h := range cells(lines[0].text) {
			switch word := fold(bare(h)); {
			case pathHeads[word]:
				pathCol = i
			case groups[word] != "" && word != "change" && word != "changes" && word != "edit" && word != "update":
				columns[i] = groups[word]
			}
		}
		lines = lines[2:]
	}
	for _, l := range lines {
		if isTableRule(l.text) {
			continue
		}
		row := cells(l.text)
		found := len(entries)
		if pathCol < 0 && len(columns) > 0 {
			for i := range row {
				if action, ok := columns[i]; ok {
					for _, part := range splitBreaks(row[i]) {
						e, _ := readFileLine(line{n: l.n, text: part}, action)
						entries = append(entries, e...)
					}
				}
			}
			continue
		}
		action := group
		for i, c := range row {
			if i != pathCol {
				if said := cellAction(c); said != "" {
					action = said
					break
				}
			}
		}
		for i, c := range row {
			if pathCol >= 0 && i != pathCol {
				continue
			}
			if e, _ := readFileLine(line{n: l.n, text: c}, action); len(e) > 0 {
				entries = append(entries, e...)
				break
			}
		}
		if found == len(entries) && !isNone(strings.Join(row, "")) && !allNone(row) {
			unread = append(unread, l)
		}
	}
	return entries, unread
}

var pathHeads = words("file, files, path, paths, filename, file name, name, file path, 文件, 路径, ファイル, パス, 파일, 경로, datei, fichier, archivo")

func cellAction(c string) string {
	word := fold(bare(c))
	if len(word) <= 2 && word != "" && strings.Contains("a m d + ~ r c", word) {
		return statusAction(strings.ToUpper(word), "")
	}
	return remarkAction(word)
}

func allNone(row []string) bool {
	for _, c := range row {
		if !isNone(c) {
			return false
		}
	}
	return true
}

package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestEditChangesOnlyTheMatchedBytes(t *testing.T) {
	for _, c := range []struct{ name, before, old, replacement, after string }{
		{"byte order mark stays", "\xef\xbb\xbfwrite greet\n", "greet", "salut", "\xef\xbb\xbfwrite salut\n"},
		{"first line under a byte order mark", "\xef\xbb\xbfwrite greet\n", "write", "Write", "\xef\xbb\xbfWrite greet\n"},
		{"agent repeats the byte order mark", "\xef\xbb\xbfab\n", "\xef\xbb\xbfab", "\xef\xbb\xbfcd", "\xef\xbb\xbfcd\n"},
		{"agent drops the byte order mark", "\xef\xbb\xbfab\n", "\xef\xbb\xbfab", "cd", "\xef\xbb\xbfcd\n"},
		{"no end of the last line", "last line", "last", "final", "final line"},
		{"agent gives the last line an end", "one\nlast", "last\n", "final\n", "one\nfinal"},
		{"newline in old matches CRLF", "a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"},
		{"CRLF in old matches LF", "a\nb\nc\n", "a\r\nb", "a\r\nx\r\nb", "a\nx\nb\nc\n"},
		{"CRLF spelled out in a CRLF file", "a\r\nb\r\n", "a\r\nb", "a\r\nc", "a\r\nc\r\n"},
		{"CR line ends", "a\rb\rc", "a\nb", "a\nx\nb", "a\rx\rb\rc"},
		{"mixed: untouched lines keep their ends", "a\r\nb\nc\r\nd\n", "a\nb\nc\n", "a\nb\nC\n", "a\r\nb\nC\r\nd\n"},
		{"mixed: new lines get the ends around them", "a\nb\nc\r\nd\r\n", "c\nd", "c\nx\nd", "a\nb\nc\r\nx\r\nd\r\n"},
		{"deletion of a CRLF line", "a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"},
		{"one line without end has no style to take", "ab", "a", "a\nx", "a\nxb"},
		{"Latin-1, ASCII part", "titre: D\xe9p\xf4t\nseuil = 5\nfin: \xe0 voir\n", "seuil = 5", "seuil = 7", "titre: D\xe9p\xf4t\nseuil = 7\nfin: \xe0 voir\n"},
		{"GBK, ASCII part", "int x = 1; // \xbf\xe2\xb4\xe6\n", "x = 1", "x = 2", "int x = 2; // \xbf\xe2\xb4\xe6\n"},
		{"replacement character in the file", "keep literal \uFFFD here 1\n", "\uFFFD here 1", "\uFFFD here 2", "keep literal \uFFFD here 2\n"},
		{"NUL after the first 8,000 bytes", strings.Repeat("x", 8000) + "\x00 one", "one", "two", strings.Repeat("x", 8000) + "\x00 two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, dir := project(t, Scope{All: true}, "f", c.before)
			change, err := f.Edit("f", c.old, c.replacement, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := content(t, dir+"/f"); got != c.after {
				t.Errorf("got  %q\nwant %q", got, c.after)
			}
			if string(change.Before) != c.before || string(change.After) != c.after || change.Stamp != Stamp([]byte(c.after)) {
				t.Errorf("the change tells something else: %+v", change)
			}
		})
	}
}

func TestEditRefusesAndLeavesTheFile(t *testing.T) {
	for _, c := range []struct {
		name, before, old, replacement string
		want                           error
		text                           string
	}{
		{"no match", "func Open() {\n}\n", "func Opne() {", "x", ErrNoMatch, `line 1: "func Open() {"`},
		{"white space differs", "a\n\tif x {\n", "    if x {", "x", ErrNoMatch, "line 2"},
		{"nothing alike", "a\nb\n", "zzzz", "x", ErrNoMatch, "read the file again"},
		{"several matches", "x\ny\nx\nz x\n", "x", "w", ErrNotUnique, "3 times, at lines 1, 3, 4"},
		{"overlapping matches", "aaa\n", "aa", "b", ErrNotUnique, "2 times"},
		{"many matches", strings.Repeat("x\n", 30), "x", "w", ErrNotUnique, "30 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"},
		{"same text", "a\r\nb\r\n", "a\nb", "a\nb", ErrNoChange, ""},
		{"empty old", "a\n", "", "b", nil, "empty"},
		{"UTF-16 without zero bytes", "\xff\xfe\x2d\x4e\x87\x65", "x", "y", ErrBinary, ""},
		{"UTF-16", "\xff\xfea\x00b\x00", "a", "b", ErrBinary, ""},
		{"binary", strings.Repeat("\x00", 9000), "a", "b", ErrBinary, ""},
		{"Latin-1, old not ASCII", "D\xe9p\xf4t\n", "Dépôt", "x", ErrNotUTF8, "not UTF-8"},
		{"Latin-1, new not ASCII", "D\xe9p\xf4t x\n", "x", "é", ErrNotUTF8, "not UTF-8"},
		{"new text not UTF-8", "abc\n", "b", "\xe9", nil, "not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, dir := project(t, Scope{All: true}, "f", c.before)
			_, err := f.Edit("f", c.old, c.replacement, "")
			if err == nil || (c.want != nil && !errors.Is(err, c.want)) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error %v, want %v with %q", err, c.want, c.text)
			}
			if got := content(t, dir+"/f"); got != c.before {
				t.Errorf("the file changed to %q", got)
			}
		})
	}
}

func TestEditRefusesAFileThatChangedSinceItWasRead(t *testing.T) {
	f, dir := project(t, Scope{All: true}, "f", "one\n")
	read, err := f.Read("f")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/f", []byte("one more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Edit("f", "one", "two", read.Stamp); !errors.Is(err, ErrChanged) {
		t.Errorf("stale stamp: %v", err)
	}
	read, _ = f.Read("f")
	change, err := f.Edit("f", "one", "two", read.Stamp)
	if err != nil {
		t.Fatalf("fresh stamp: %v", err)
	}
	if _, err := f.Edit("f", "two", "three", change.Stamp); err != nil {
		t.Errorf("stamp of the edit before: %v", err)
	}
}

func TestEditKeepsModeOwnerAndLink(t *testing.T) {
	f, dir := project(t, Scope{All: true}, "run.sh", "echo X\n", "priv.txt", "secret X\n", "real.txt", "real X\n", "set", "X\n")
	for name, mode := range map[string]fs.FileMode{"run.sh": 0o755, "priv.txt": 0o600, "set": 0o750 | fs.ModeSetgid} {
		if os.Geteuid() == 0 {
			if err := os.Chown(filepath.Join(dir, name), 12345, 23456); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range [][2]string{{"real.txt", "link.txt"}, {dir + "/real.txt", "absolute.txt"}, {".", "here"}} {
		if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"run.sh", "priv.txt", "set"} {
		before, _ := os.Stat(filepath.Join(dir, name))
		if _, err := f.Edit(name, "X", "Y", ""); err != nil {
			t.Fatal(err)
		}
		after, _ := os.Stat(filepath.Join(dir, name))
		if after.Mode() != before.Mode() {
			t.Errorf("%s: mode %v became %v", name, before.Mode(), after.Mode())
		}
		was, is := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
		if was.Uid != is.Uid || was.Gid != is.Gid {
			t.Errorf("%s: owner %d:%d became %d:%d", name, was.Uid, was.Gid, is.Uid, is.Gid)
		}
	}
	for _, step := range []struct{ path, old, replacement string }{{"link.txt", "X", "Y"}, {"absolute.txt", "Y", "Z"}, {"here/here/link.txt", "Z", "W"}} {
		change, err := f.Edit(step.path, step.old, step.replacement, "")
		if err != nil {
			t.Fatal(err)
		}
		if change.Path != "real.txt" {
			t.Errorf("edit through %s tells %s", step.path, change.Path)
		}
	}
	if got := content(t, dir+"/real.txt"); got != "real W\n" {
		t.Errorf("real.txt is %q", got)
	}
	for _, link := range []string{"link.txt", "absolute.txt"} {
		if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", link)
		}
	}
}

func TestEditOfALargeFileIsRefused(t *testing.T) {
	f, _ := project(t, Scope{All: true}, "f", strings.Repeat("line\n", MaxEditSize/5+1))
	if _, err := f.Edit("f", "x", "y", ""); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

func FuzzEditLeavesTheRestAlone(f *testing.F) {
	f.Add([]byte("a\r\nb\nc\r\n"), "b\nc", "b\nx\nc")
	f.Add([]byte("\xef\xbb\xbfone\ntwo"), "two\n", "2\n")
	f.Add([]byte("a\rb\rc"), "b", "x\ny")
	f.Add([]byte("D\xe9p x\r\n"), "x\r", "y\r")
	f.Add([]byte("\n\r\n\r"), "\n\n", "\n")
	f.Fuzz(func(t *testing.T, data []byte, old, replacement string) {
		given := bytes.Clone(data)
		after, line, err := splice(data, old, replacement)
		if !bytes.Equal(data, given) {
			t.Fatal("the input was written to")
		}
		if err != nil {
			return
		}
		if line < 1 {
			t.Fatalf("line %d", line)
		}
		if bytes.HasPrefix(data, byteOrderMark) {
			var ok bool
			if after, ok = bytes.CutPrefix(after, byteOrderMark); !ok {
				t.Fatal("the byte order mark is gone")
			}
			data = data[len(byteOrderMark):]
			old, replacement = strings.TrimPrefix(old, string(byteOrderMark)), strings.TrimPrefix(replacement, string(byteOrderMark))
		}
		start, end := -1, -1
		if raw := occurrences(data, []byte(old)); len(raw) == 1 && strings.Contains(old, "\r") {
			start, end = raw[0], raw[0]+len(old)
		} else {
			text := flatten(data)
			old = newlines(old)
			found := occurrences(text.flat, []byte(old))
			if len(found) == 0 { // the last line without its end
				old = strings.TrimSuffix(old, "\n")
				found = []int{len(text.flat) - len(old)}
			}
			start, end = text.origin(found[0]), text.origin(found[0]+len(old))
		}
		if !bytes.HasPrefix(after, data[:start]) || !bytes.HasSuffix(after, data[end:]) || len(after) < start+len(data)-end {
			t.Fatalf("bytes outside the match changed: %q, %q -> %q: %q", data, old, replacement, after)
		}
		wanted := strings.ReplaceAll(newlines(replacement), "\r", "\n")
		got := strings.ReplaceAll(newlines(string(after[start:len(after)-(len(data)-end)])), "\r", "\n")
		if wanted != got && strings.TrimSuffix(wanted, "\n") != got {
			t.Fatalf("%q was inserted as %q", wanted, got)
		}
	})
}

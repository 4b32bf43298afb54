package loop

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed skills
var embedded embed.FS

// The file a skill stands in, and how large it may be.
const (
	SkillFile    = "SKILL.md"
	maxSkillSize = 64 << 10 // bytes
)

// BuiltIn is the source of the skills that come with the program.
const BuiltIn = "built in"

// Skill is a document that tells an agent how to do one bounded pass.
type Skill struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Source      string `json:"source"` // a path, or BuiltIn
	Text        string `json:"text"`   // without the front matter
}

var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ParseSkill reads a SKILL.md: front matter with name and description, then
// the text.
func ParseSkill(source string, content []byte) (Skill, error) {
	s := Skill{Source: source}
	head, text, err := frontMatter(content)
	if err != nil {
		return s, fmt.Errorf("read the skill %s: %w", source, err)
	}
	var fields struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
	}
	if err := decodeYAML(head, &fields); err != nil {
		return s, fmt.Errorf("read the front matter of the skill %s: %w", source, err)
	}
	s.Name, s.Description = fields.Name, strings.Join(strings.Fields(fields.Description), " ")
	s.Text = strings.TrimSpace(text)
	switch {
	case !skillName.MatchString(s.Name) || len(s.Name) > 64:
		err = fmt.Errorf("its name %.80q is not made of small letters, digits and single hyphens", s.Name)
	case s.Description == "":
		err = errors.New("its front matter has no description")
	case s.Text == "":
		err = errors.New("it has no text")
	}
	if err != nil {
		return s, fmt.Errorf("read the skill %s: %w", source, err)
	}
	return s, nil
}

// decodeYAML turns a panic of the library over hostile input into an error.
func decodeYAML(head []byte, into any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return yaml.Unmarshal(head, into)
}

func frontMatter(content []byte) (head []byte, text string, err error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(content, []byte("---\n"))
	if !ok {
		return nil, "", errors.New("it does not begin with front matter (a line ---, name, description, a line ---)")
	}
	head, after, ok := bytes.Cut(append([]byte("\n"), rest...), []byte("\n---"))
	line, body, _ := bytes.Cut(after, []byte("\n"))
	if !ok || len(bytes.TrimSpace(line)) > 0 {
		return nil, "", errors.New("its front matter has no end (a line ---)")
	}
	return head, string(body), nil
}

// Skills are the skills by name: those that come with the program, then those
// of places (SKILL.md files, their folders, or folders of such folders), a
// later one in the place of an earlier one of the same name. What cannot be
// read is left out and told.
func Skills(places []string) ([]Skill, []error) {
	byName := map[string]Skill{}
	var problems []error
	names, err := fs.Glob(embedded, path.Join("skills", "*", SkillFile))
	if err != nil {
		problems = append(problems, err)
	}
	for _, name := range names {
		content, err := embedded.ReadFile(name)
		if err == nil {
			var s Skill
			if s, err = ParseSkill(BuiltIn, content); err == nil {
				byName[s.Name] = s
				continue
			}
		}
		problems = append(problems, err)
	}
	for _, place := range places {
		files, err := skillFiles(place)
		if err != nil {
			problems = append(problems, fmt.Errorf("find skills in %s: %w", place, err))
		}
		for _, file := range files {
			s, err := readSkill(file)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			byName[s.Name] = s
		}
	}
	all := make([]Skill, 0, len(byName))
	for _, s := range byName {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Skill) int { return cmp.Compare(a.Name, b.Name) })
	return all, problems
}

// FindSkill returns the skill of a name.
func FindSkill(all []Skill, name string) (Skill, bool) {
	i := slices.IndexFunc(all, func(s Skill) bool { return s.Name == name })
	if i < 0 {
		return Skill{}, false
	}
	return all[i], true
}

func skillFiles(place string) ([]string, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{place}, nil
	}
	own := filepath.Join(place, SkillFile)
	if _, err := os.Stat(own); err == nil {
		return []string{own}, nil
	}
	entries, err := os.ReadDir(place)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		file := filepath.Join(place, e.Name(), SkillFile)
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no %s there, nor one folder below", SkillFile)
	}
	return files, nil
}

// readSkill reads a regular file of bounded size: a FIFO would hang, a device
// never end.
func readSkill(file string) (Skill, error) {
	info, err := os.Stat(file)
	if err != nil {
		return Skill{}, fmt.Errorf("read the skill %s: %w", file, err)
	}
	if !info.Mode().IsRegular() {
		return Skill{}, fmt.Errorf("read the skill %s: it is no regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return Skill{}, fmt.Errorf("read the skill: %w", err)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSkillSize+1))
	if err != nil {
		return Skill{}, fmt.Errorf("read the skill %s: %w", file, err)
	}
	if len(content) > maxSkillSize {
		return Skill{}, fmt.Errorf("read the skill %s: it is larger than %d KiB", file, maxSkillSize>>10)
	}
	return ParseSkill(file, content)
}

package loop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuiltInSkills(t *testing.T) {
	all, problems := Skills(nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, name := range []string{"active-drying", "grow-loop", "while-true"} {
		s, ok := FindSkill(all, name)
		if !ok || s.Source != BuiltIn || s.Description == "" {
			t.Errorf("%s: %+v", name, s)
		}
		content, err := embedded.ReadFile("skills/" + name + "/" + SkillFile)
		if err != nil || len(content) >= 6<<10 {
			t.Errorf("%s has %d bytes, %v", name, len(content), err)
		}
	}
	for _, name := range []string{"while-true", "active-drying"} {
		if s, _ := FindSkill(all, name); strings.Contains(s.Text, "grow_loop") {
			t.Errorf("%s schedules", name)
		}
	}
}

func skillIn(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, SkillFile), []byte("---\nname: "+name+"\ndescription: >-\n  Does\n  things.\n---\n"+text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestSkillsOfUserAndProject(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	skillIn(t, filepath.Join(user, "a"), "tidy", "user's")
	skillIn(t, filepath.Join(user, "b"), "while-true", "user's own")
	skillIn(t, project, "tidy", "project's")
	all, problems := Skills([]string{user, filepath.Join(project, SkillFile), filepath.Join(project, "none")})
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "none") {
		t.Errorf("problems %v", problems)
	}
	if s, _ := FindSkill(all, "tidy"); s.Text != "project's" || s.Description != "Does things." {
		t.Errorf("%+v", s)
	}
	if s, _ := FindSkill(all, "while-true"); s.Text != "user's own" || s.Source == BuiltIn {
		t.Errorf("%+v", s)
	}
	if len(all) != 4 {
		t.Errorf("%d skills", len(all))
	}
}

func TestSkillsThatCannotBeRead(t *testing.T) {
	for name, content := range map[string]string{
		"no front matter": "# Hello\n", "no end": "---\nname: a\n", "no name": "---\ndescription: d\n---\nx",
		"bad name": "---\nname: ../a\ndescription: d\n---\nx", "no description": "---\nname: a\n---\nx",
		"no text": "---\nname: a\ndescription: d\n---\n", "not YAML": "---\nname: [\n---\nx",
		"list": "---\n- a\n---\nx", "large": "---\nname: a\ndescription: d\n---\n" + strings.Repeat("x", maxSkillSize),
	} {
		file := filepath.Join(t.TempDir(), SkillFile)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		all, problems := Skills([]string{file})
		if len(all) != 3 || len(problems) != 1 || !strings.Contains(problems[0].Error(), file) {
			t.Errorf("%s: %d skills, problems %v", name, len(all), problems)
		}
	}
}

func FuzzParseSkill(f *testing.F) {
	f.Add([]byte("---\nname: a-b\ndescription: d\n---\ntext"))
	f.Add([]byte("\ufeff---\r\nname: a\r\ndescription: |\r\n  d\r\n  e\r\n---\r\ntext\r\n"))
	f.Add([]byte("---\nname: &a [*a]\n---\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := ParseSkill("x", content)
		if err == nil && (s.Name == "" || s.Description == "" || s.Text == "" || strings.ContainsAny(s.Name, "/\\. ")) {
			t.Errorf("%+v", s)
		}
	})
}

package cli

import (
	"path/filepath"
	"testing"

	"growbench/loop"
)

func TestSkills(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var all []loop.Skill
	p.do("skills", "--json").ends(exitOK).json(&all)
	if len(all) != 3 || all[1].Name != "grow-loop" || all[1].Source != loop.BuiltIn {
		t.Errorf("%+v", all)
	}
	p.do("skills", "while-true").ends(exitOK, "One pass")
	p.do("skills", "none").ends(exitUsage, "active-drying, grow-loop, while-true")

	put(t, filepath.Join(p.repo, "skills", "tidy", loop.SkillFile), "---\nname: tidy\ndescription: Tidies \x1b[31mup\n---\nSweep.\x1b]0;owned\x07\n")
	put(t, filepath.Join(p.repo, ".growbench.json"), `{"skills": ["skills"]}`)
	p.do("skills").ends(exitOK).silent("tidy")
	p.do("trust", "--yes").ends(exitOK)
	p.do("skills").ends(exitProblems, "tidy") // the escape is no YAML
	put(t, filepath.Join(p.repo, "skills", "tidy", loop.SkillFile), "---\nname: tidy\ndescription: Tidies up\n---\nSweep.\x1b]0;owned\x07\n")
	p.do("skills").silent("tidy") // changed: trusted no more
	p.do("trust", "--yes").ends(exitOK)
	p.do("skills", "tidy").ends(exitOK, "Sweep.").silent("\x1b", "owned")
}

package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// without is the place with some variables of its environment set anew.
func (p *place) without(set ...string) *place {
	q := *p
	q.more = append(append([]string{}, p.more...), set...)
	return &q
}

func TestDoctorTellsEverythingWhateverIsMissing(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.without("PATH="+p.base).do("doctor").ends(exitEnvironment, "missing  git", "state", "agents")
	p.without("HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=").do("doctor").
		ends(exitEnvironment, "git", "missing  state", "missing  config", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
	put(t, filepath.Join(p.base, "config", "growbench", "config.json"), `{"limits": {"turns": "many"}}`)
	d := diagnosis{OK: true}
	p.do("doctor", "--json").ends(exitEnvironment).json(&d)
	last := d.Checks[len(d.Checks)-1]
	if d.OK || len(d.Checks) < 5 || last.Name != "config" || !strings.Contains(last.Detail, "limits.turns") || last.Next == "" {
		t.Errorf("told %+v", d)
	}
}

func TestConfigSaysWhatIsInForceWhereNothingIsSet(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	said := p.do("config").ends(exitOK)
	for _, row := range strings.Split(strings.TrimSpace(said.out), "\n") {
		if len(strings.Fields(row)) < 3 {
			t.Errorf("a row without a value: %q", row)
		}
	}
	p.configure(twoWorkers())
	p.do("config").ends(exitOK, "ask; continue where nobody can", "map.run                      patch")
	if out := p.do("config").out; strings.Count(out, " scripted ") < 4 {
		t.Errorf("not every role has the Workers' agent:\n%s", out)
	}
}

func TestBranchesThatAreNone(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.configure(twoWorkers())
	for _, name := range []string{"main", "-x/y", "giver/main", "a..b/c", "feat/x.lock", "feat/", "HEAD"} {
		p.do(p.runTwo("--headless", "--branch="+name)...).ends(exitUsage, "branch")
	}
	if runs := p.runDirs(); len(runs) > 0 {
		t.Errorf("made %v", runs)
	}
}

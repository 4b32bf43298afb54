package giver

import "testing"

// Without a model nothing is said to have been given to one.
func TestALoopWithoutAModelIsRefused(t *testing.T) {
	p := newPlace(t)
	o := p.options()
	o.Client = nil
	s := p.start(o)
	l := s.says("grow loop")
	answers := bodies[Answered](l)
	if len(bodies[Given](l)) != 0 || len(answers) != 1 || answers[0].Error != noModel || l.State.Scope != nil {
		t.Error(transcript(l.State))
	}
	if s.Loop().Lock != nil {
		t.Errorf("locked: %+v", s.Loop().Lock)
	}
}

package event

import "testing"

func TestFailedEachNamesChecksAndWorkers(t *testing.T) {
	failed, passed := CheckRan{Command: "vet"}, CheckRan{Command: "vet", Passed: true}
	other := CheckRan{Command: "build"}
	for _, c := range []struct {
		checks [][]CheckRan
		want   string
	}{
		{nil, ""},
		{[][]CheckRan{{passed}, {passed}}, ""},
		{[][]CheckRan{{failed}, {passed}}, "`vet` failed after Worker 1 and passes since"},
		{[][]CheckRan{{passed}, {failed, other}, {failed}}, "`vet` failed after Workers 2, 3; `build` failed after Worker 2"},
	} {
		s := NewState()
		for i, checks := range c.checks {
			s.Workers = append(s.Workers, Worker{K: i + 1, Checks: checks})
		}
		if got := s.FailedEach(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

package views

import (
	"fmt"
	"strings"
)

// SetFilter shows only the runs that match a query; "" shows all.
func (v *Runs) SetFilter(query string) {
	v.filter = query
	v.sift()
}

// Filtered is how many runs are shown, and how many there are.
func (v *Runs) Filtered() (shown, all int) { return len(v.rows), len(v.all) }

// sift finds the runs that match. The one picked stays picked as long as it
// is among them.
func (v *Runs) sift() {
	v.rows = v.all
	if v.filter != "" {
		v.rows = nil
		for _, r := range v.all {
			if _, ok := Match(v.filter, r.words()); ok {
				v.rows = append(v.rows, r)
			}
		}
	}
	v.Pick(v.picked)
}

// words are what a run is found by: everything the list shows of it.
func (r RunRow) words() string {
	return fmt.Sprintf("%s %s %s %s %s %s %s %s", r.Goal, r.Name, StateWord(r.state()), r.checked(),
		strings.Join(r.Agents, " "), r.Branch, r.Reason, r.Busy)
}

// Click picks the run drawn on a row of the pane, the head being the first.
func (v *Runs) Click(row int) bool {
	if row < 1 || row > v.Listed() || v.top+row-1 >= len(v.rows) {
		return false
	}
	v.move(v.top + row - 1)
	return true
}

package views

import "fmt"

// SetFilter shows only the agents that match a query; "" shows all. An agent
// that is picked and does not match gives way to the first that does.
func (c *Chain) SetFilter(query string) {
	c.filter, c.drawn = query, nil
	if !c.shows(c.selected) {
		c.selected = c.Step(-len(c.state.Workers))
	}
}

// Filtered is how many agents are shown, and how many there are.
func (c *Chain) Filtered() (shown, all int) {
	for k := range len(c.state.Workers) + 1 {
		if c.shows(k) {
			shown++
		}
	}
	return shown, len(c.state.Workers) + 1
}

// Step is the agent that many shown agents after the picked one (before it
// when by is negative), as far as there are any.
func (c *Chain) Step(by int) int {
	k, step := c.selected, 1
	if by < 0 {
		by, step = -by, -1
	}
	for next := k + step; by > 0 && next >= 0 && next <= len(c.state.Workers); next += step {
		if c.shows(next) {
			k = next
			by--
		}
	}
	if c.shows(k) {
		return k
	}
	for k := range len(c.state.Workers) + 1 {
		if c.shows(k) {
			return k
		}
	}
	return c.selected
}

// At is the agent whose entry is drawn on a row of the pane.
func (c *Chain) At(row int) (agent int, ok bool) {
	if c.drawn == nil || row < 0 || row >= c.height {
		return 0, false
	}
	for _, e := range c.drawn[min(c.top, len(c.drawn)):] {
		if row < len(e.lines) {
			return e.agent, e.agent >= 0
		}
		row -= len(e.lines)
	}
	return 0, false
}

func (c *Chain) shows(k int) bool {
	if c.filter == "" {
		return true
	}
	words := "planner " + c.state.Planner.Agent + " " + c.state.Planner.State
	if w := c.state.Worker(k); w != nil {
		words = fmt.Sprintf("%d %s %s %s", w.K, w.Title, w.Agent, w.State)
		for _, a := range w.Affected {
			words += " affected " + a.Symbol
		}
	}
	_, ok := Match(c.filter, words)
	return ok
}

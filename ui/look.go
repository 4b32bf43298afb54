package ui

import (
	tea "charm.land/bubbletea/v2"

	"growbench/theme"
)

var lookNames = map[string]string{
	theme.Auto: "as the terminal is: dark or light", theme.Dark: "dark", theme.Light: "light",
	theme.Contrast: "high contrast", theme.None: "no colour",
}

// newLookMenu offers the themes. What is chosen counts until the workbench is
// left; --theme and the configuration choose for longer.
func newLookMenu(*model) *menu {
	n := &menu{name: "the look"}
	for _, name := range theme.Names() {
		n.items = append(n.items, item{words: lookNames[name], do: func(m *model) tea.Cmd {
			m.o.Theme = name
			m.wear(name, m.background)
			m.notice = "the look: " + lookNames[name] + " (--theme " + name + " keeps it)"
			return tea.RequestBackgroundColor
		}})
	}
	return n
}

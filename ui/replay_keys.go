package ui

// Actions of a replay.
const (
	Pause     Action = "pause"
	StepOn    Action = "step on"
	StepBack  Action = "step back"
	Faster    Action = "faster"
	Slower    Action = "slower"
	NextStart Action = "next Worker"
	PrevStart Action = "previous Worker"
	ToStart   Action = "to the Worker's start"
	ToFirst   Action = "to the first event"
	ToLast    Action = "to the last event"
	CutPauses Action = "cut pauses"
)

// replayBindings are the keys of a replay; there they come before all others.
func replayBindings() []Binding {
	return []Binding{
		{Keys: []string{"space"}, Action: Pause, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "pause, go on; at the end: from the start"},
		{Keys: []string{"right", "."}, Action: StepOn, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "one event on"},
		{Keys: []string{"left", ","}, Action: StepBack, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "one event back"},
		{Keys: []string{"+", "="}, Action: Faster, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "faster, up to ×64, then instant"},
		{Keys: []string{"-"}, Action: Slower, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "slower"},
		{Keys: []string{"]"}, Action: NextStart, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "to the next Worker's start"},
		{Keys: []string{"["}, Action: PrevStart, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "to the start of the Worker before"},
		{Keys: []string{"s"}, Action: ToStart, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "to the start of the Worker picked"},
		{Keys: []string{"home"}, Action: ToFirst, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "to the first event"},
		{Keys: []string{"end"}, Action: ToLast, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "to the last event"},
		{Keys: []string{"c"}, Action: CutPauses, Group: GroupReplay, In: InReplay, Disabled: noReplay, Description: "cut pauses in which nothing was at work, or keep them"},
	}
}

func noReplay(s Situation) string {
	if !s.Replay {
		return "no replay is on the screen; v plays a run again"
	}
	return ""
}

package ui

// Actions in the conversation and in its forms.
const (
	Say        Action = "say"
	Approve    Action = "approve"
	Refuse     Action = "refuse"
	TaskForm   Action = "Task #0 as a form"
	Crossing   Action = "what crosses"
	PlanForm   Action = "the plan as a form"
	MemoryForm Action = "the memory as a form"
	StopAnswer Action = "stop the answer"
	FoldCalls  Action = "fold calls"
	SaveForm   Action = "save the form"
	NextField  Action = "next field"
	PrevField  Action = "previous field"
	EnterField Action = "enter in a field"
	InEditor   Action = "in the editor"
	TakeDraft  Action = "take the draft"
	NextTask   Action = "next task"
	PrevTask   Action = "previous task"
	AddTask    Action = "add a task"
	DropTask   Action = "take a task out"
	NewLine    Action = "new line"
	LetterBack Action = "a letter back"
	LetterOn   Action = "a letter on"
	WordBack   Action = "a word back"
	WordOn     Action = "a word on"
	LineStart  Action = "start of the line"
	LineEnd    Action = "end of the line"
	CutLetter  Action = "take a letter back"
	CutNext    Action = "take the next letter"
	CutWord    Action = "take a word back"
	CutNextW   Action = "take the next word"
	CutStart   Action = "take the line's start"
	CutEnd     Action = "take the line's end"
)

// TalkSituation is what decides whether a key of the conversation does
// anything.
type TalkSituation struct {
	Open     bool // it has been opened, here or elsewhere
	Followed bool // another process has it,
	Free     bool // or had it
	Waits    bool // something waits for the operator's word
}

// talkBindings are the keys of the conversation itself.
func talkBindings() []Binding {
	return []Binding{
		{Keys: []string{"enter"}, Action: Say, Group: GroupTalk, In: InTalk, Description: "say what is typed; take over a conversation that nobody has any more", Disabled: cannotSay},
		{Keys: []string{"f2"}, Action: Approve, Group: GroupTalk, In: InTalk, Description: "approve what waits: Task #0, the plan, a question of the run", Disabled: nothingToDecide},
		{Keys: []string{"f3"}, Action: Refuse, Group: GroupTalk, In: InTalk, Description: "refuse it; what is typed goes with it as the reason", Disabled: nothingToDecide},
		{Keys: []string{"f4"}, Action: TaskForm, Group: GroupTalk, In: InTalk, Description: "Task #0 in a form, to read and to change", Disabled: notOurs},
		{Keys: []string{"f5"}, Action: Crossing, Group: GroupTalk, In: InTalk, Description: "all that crosses from one side to the next, and nothing else", Disabled: notOurs},
		{Keys: []string{"f6"}, Action: PlanForm, Group: GroupTalk, In: InTalk, Description: "the plan in a form: yours, or the one that waits", Disabled: notOurs},
		{Keys: []string{"f12"}, Action: MemoryForm, Group: GroupTalk, In: InTalk, Description: "the memory, to read and to change", Disabled: notOurs},
		{Keys: []string{"ctrl+x"}, Action: StopAnswer, Group: GroupTalk, In: InTalk, Description: "stop the answer that is being made", Disabled: notOurs},
		{Keys: []string{"ctrl+o"}, Action: FoldCalls, Group: GroupTalk, In: InTalk, Description: "unfold or fold what the model's tools were given and gave back"},
		{Keys: []string{"pgup"}, Action: PageUp, Group: GroupTalk, In: InTalk, Description: "a page back in what was said"},
		{Keys: []string{"pgdown"}, Action: PageDown, Group: GroupTalk, In: InTalk, Description: "a page on"},
		{Keys: []string{"up"}, Action: Up, Group: GroupTalk, In: InTalk, Description: "a row up in what is typed; from its first row, in what was said"},
		{Keys: []string{"down"}, Action: Down, Group: GroupTalk, In: InTalk, Description: "a row down, likewise"},
		{Keys: []string{"ctrl+home"}, Action: Home, Group: GroupTalk, In: InTalk, Description: "to the first words"},
		{Keys: []string{"ctrl+end"}, Action: End, Group: GroupTalk, In: InTalk, Description: "to the newest, and follow it"},
	}
}

// formBindings are the keys of the conversation's forms.
func formBindings() []Binding {
	return []Binding{
		{Keys: []string{"f2"}, Action: SaveForm, Group: GroupForm, In: InForm, Description: "save what is typed; a plan is used at once"},
		{Keys: []string{"tab"}, Action: NextField, Group: GroupForm, In: InForm, Description: "the next field"},
		{Keys: []string{"shift+tab"}, Action: PrevField, Group: GroupForm, In: InForm, Description: "the field before"},
		{Keys: []string{"enter"}, Action: EnterField, Group: GroupForm, In: InForm, Description: "a new line; in a field of one line, the next field"},
		{Keys: []string{"up"}, Action: Up, Group: GroupForm, In: InForm, Description: "a row up; from the first, the field before"},
		{Keys: []string{"down"}, Action: Down, Group: GroupForm, In: InForm, Description: "a row down; from the last, the next field"},
		{Keys: []string{"f4"}, Action: InEditor, Group: GroupForm, In: InTaskForm, Description: "save it and open it in your editor"},
		{Keys: []string{"ctrl+r"}, Action: TakeDraft, Group: GroupForm, In: InTaskForm, Description: "forget what is typed, take the draft as it is (asks first)"},
		{Keys: []string{"pgdown"}, Action: NextTask, Group: GroupForm, In: InPlanForm, Description: "the next task"},
		{Keys: []string{"pgup"}, Action: PrevTask, Group: GroupForm, In: InPlanForm, Description: "the task before"},
		{Keys: []string{"ctrl+n"}, Action: AddTask, Group: GroupForm, In: InPlanForm, Description: "one more task after this one"},
		{Keys: []string{"ctrl+t"}, Action: DropTask, Group: GroupForm, In: InPlanForm, Description: "take this task out (asks first)"},
	}
}

// textBindings are the keys of every text that is typed, as views.Area knows
// them.
func textBindings() []Binding {
	return []Binding{
		{Keys: []string{"alt+enter", "shift+enter", "ctrl+j"}, Action: NewLine, Group: GroupTyping, In: InText, Description: "a new line"},
		{Keys: []string{"left", "ctrl+b"}, Action: LetterBack, Group: GroupTyping, In: InText, Description: "a letter back"},
		{Keys: []string{"right", "ctrl+f"}, Action: LetterOn, Group: GroupTyping, In: InText, Description: "a letter on"},
		{Keys: []string{"alt+b", "ctrl+left", "alt+left"}, Action: WordBack, Group: GroupTyping, In: InText, Description: "a word back"},
		{Keys: []string{"alt+f", "ctrl+right", "alt+right"}, Action: WordOn, Group: GroupTyping, In: InText, Description: "a word on"},
		{Keys: []string{"home", "ctrl+a"}, Action: LineStart, Group: GroupTyping, In: InText, Description: "to the start of the line"},
		{Keys: []string{"end", "ctrl+e"}, Action: LineEnd, Group: GroupTyping, In: InText, Description: "to the end of the line"},
		{Keys: []string{"backspace", "ctrl+h", "shift+backspace"}, Action: CutLetter, Group: GroupTyping, In: InText, Description: "take the letter before away"},
		{Keys: []string{"delete", "ctrl+d"}, Action: CutNext, Group: GroupTyping, In: InText, Description: "take the letter after away"},
		{Keys: []string{"ctrl+w", "alt+backspace", "ctrl+backspace"}, Action: CutWord, Group: GroupTyping, In: InText, Description: "take the word before away"},
		{Keys: []string{"alt+d", "ctrl+delete"}, Action: CutNextW, Group: GroupTyping, In: InText, Description: "take the word after away"},
		{Keys: []string{"ctrl+u"}, Action: CutStart, Group: GroupTyping, In: InText, Description: "take all before in the line away"},
		{Keys: []string{"ctrl+k"}, Action: CutEnd, Group: GroupTyping, In: InText, Description: "take all after in the line away"},
	}
}

func notOurs(s Situation) string {
	switch {
	case s.Talk.Free:
		return "nobody has this conversation; enter takes it over"
	case s.Talk.Followed:
		return "another growbench has this conversation"
	case !s.Talk.Open:
		return "the conversation is not open"
	}
	return ""
}

func cannotSay(s Situation) string {
	if s.Talk.Free {
		return ""
	}
	return notOurs(s)
}

func nothingToDecide(s Situation) string {
	if why := notOurs(s); why != "" {
		return why
	}
	if !s.Talk.Waits {
		return "nothing waits for you"
	}
	return ""
}

func (m *model) talkSituation() TalkSituation {
	t := m.talk
	if t == nil {
		return TalkSituation{}
	}
	return TalkSituation{
		Open: t.session != nil || t.reader != nil, Followed: t.followed(), Free: t.followed() && t.free, Waits: len(t.look.Waits) > 0,
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"growbench/engine/doc"
	"growbench/engine/giver"
)

// chatEvent is one line of output.
type chatEvent struct {
	Type string `json:"type"`
	Seq  uint64 `json:"seq,omitempty"`
	// of messages
	Role  string   `json:"role,omitempty"` // user, giver or engine
	By    string   `json:"by,omitempty"`
	Text  string   `json:"text,omitempty"`
	Calls []string `json:"calls,omitempty"`
	Cut   bool     `json:"cut,omitempty"`
	Error string   `json:"error,omitempty"`
	Void  bool     `json:"void,omitempty"`
	// of tools
	Name  string `json:"name,omitempty"`
	Args  string `json:"args,omitempty"`
	Bytes int64  `json:"bytes,omitempty"`
	MS    int64  `json:"ms,omitempty"`
	// of drafts
	SHA256    string        `json:"sha256,omitempty"`
	OK        *bool         `json:"ok,omitempty"`
	Isolation *float64      `json:"isolation,omitempty"`
	Problems  []doc.Problem `json:"problems,omitempty"`
	// lines of their own
	*giver.Waiting `json:"-"`
	*giver.RunView `json:"-"`
	*loopLine      `json:"-"`
}

// eventLine is an update as a line of JSON; nil for what has none.
func eventLine(u giver.Update, s *giver.State) []byte {
	e, ok := chatEventOf(u, s)
	if !ok {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(flat(e)) != nil {
		return nil
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// flat puts the parts of an event side by side: two of them share names.
func flat(e chatEvent) any {
	switch {
	case e.Waiting != nil:
		return struct {
			Type string `json:"type"`
			giver.Waiting
		}{e.Type, *e.Waiting}
	case e.loopLine != nil:
		return struct {
			Type string `json:"type"`
			loopLine
		}{e.Type, *e.loopLine}
	case e.RunView != nil:
		return struct {
			Type string `json:"type"`
			giver.RunView
			Why string `json:"why,omitempty"`
		}{e.Type, *e.RunView, e.Error}
	}
	return e
}

func chatEventOf(u giver.Update, s *giver.State) (chatEvent, bool) {
	switch {
	case u.Delta != "", u.Void:
		return chatEvent{Type: "message.delta", Text: u.Delta, Void: u.Void}, true
	case u.Waiting != nil:
		return chatEvent{Type: "waiting", Waiting: u.Waiting}, true
	case u.Run != nil:
		return chatEvent{Type: "run", RunView: u.Run}, true
	case u.Loop != nil:
		return chatEvent{Type: "loop", loopLine: lineOf(u.Loop.Status)}, true
	case u.Message == nil:
		return chatEvent{}, false
	}
	e := chatEvent{Type: "message.done", Seq: u.Message.Seq}
	switch b := u.Message.Body.(type) {
	case giver.Said:
		e.Role, e.By, e.Text = "user", b.By, b.Text
	case giver.Answered:
		e.Role, e.Text, e.Cut, e.Error = "giver", b.Text, b.Cut, b.Error
		for _, c := range b.Calls {
			e.Calls = append(e.Calls, c.Name)
		}
	case giver.Told:
		e.Role, e.Text = "engine", b.Text
	case giver.Denied:
		e.Role, e.By, e.Text = "user", b.By, strings.TrimSpace("Task #0 is refused. "+b.Why)
	case giver.Compacted:
		e.Role, e.Text = "engine", fmt.Sprintf("The older part of the conversation has become memory: %d lines.", b.Lines)
	case giver.Given:
		e.Role, e.Text = "engine", b.Words()
	case giver.Mapped:
		e.Role, e.Text = "engine", b.Words()
	case giver.Returned:
		e.Type, e.Name, e.Args, e.Bytes, e.MS, e.Error = "tool", b.Name, b.Args, b.Bytes, b.MS, b.Error
	case giver.Drafted:
		ok := !doc.HasErrors(b.Problems)
		e.Type, e.SHA256, e.By, e.OK, e.Bytes, e.Problems = "draft", b.SHA256, b.By, &ok, int64(b.Bytes), b.Problems
		if v, measured := s.Draft.Isolation(); measured {
			e.Isolation = &v
		}
	case giver.Ran:
		if b.State == giver.RunNotStarted {
			return chatEvent{Type: "run", RunView: &giver.RunView{Run: b.Run, Status: b.State}, Error: b.Why}, true
		}
		return e, false // the run's own lines tell
	default:
		return e, false
	}
	return e, true
}

// chatWords is an update for people; empty for what is not worth a line.
func chatWords(u giver.Update) string {
	switch {
	case u.Waiting != nil:
		w := u.Waiting
		return fmt.Sprintf("? %s\n  %s: %s", w.Text, w.ID, strings.Join(w.Choices, ", "))
	case u.Run != nil:
		r := u.Run
		line := fmt.Sprintf("run %s: %s", r.Run, r.Status)
		if r.Lives() {
			line += ", " + r.Phase
		}
		if r.N > 0 {
			line += fmt.Sprintf(", %d of %d Workers done", r.Done, r.N)
		}
		return line
	case u.Loop != nil:
		return u.Loop.Status.Text()
	case u.Message == nil:
		return ""
	}
	switch b := u.Message.Body.(type) {
	case giver.Answered:
		text := b.Text
		if b.Cut {
			text += " (stopped)"
		}
		if b.Error != "" {
			text += "\n! " + b.Error
		}
		if text = strings.TrimSpace(text); text != "" {
			return "giver: " + text
		}
	case giver.Given:
		return "growbench: " + b.Words()
	case giver.Mapped:
		return "growbench: " + b.Words()
	case giver.Told:
		return "growbench: " + b.Text
	case giver.Returned:
		if b.Error != "" {
			return "tool " + b.Name + ": " + b.Error
		}
		return "tool " + b.Name
	case giver.Drafted:
		if problems, _ := problemLines("Task #0", b.Problems); len(problems) > 0 {
			return "draft of Task #0:\n  " + strings.Join(problems, "\n  ")
		}
		return "draft of Task #0: it passes"
	case giver.Ran:
		if b.State == giver.RunNotStarted {
			return "run " + b.Run + " was not started: " + b.Why
		}
	}
	return ""
}

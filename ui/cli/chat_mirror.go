package cli

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"growbench/engine/config"
	"growbench/engine/giver"
	"growbench/loop"
)

// farewell bounds how long leaving waits for the mirrors to take their status
// away.
const farewell = 2 * time.Second

// mirrorLoop registers the mirrors that the user has switched on. wait lets
// them take their status away, once the conversation is closed.
func mirrorLoop(s *giver.Session, c config.Config) (wait func()) {
	if !c.Telegram.On {
		return func() {}
	}
	token, chat := strings.TrimSpace(os.Getenv(config.TelegramToken)), strings.TrimSpace(os.Getenv(config.TelegramChat))
	if token == "" || chat == "" {
		s.NoteLoop(fmt.Sprintf("the loop is not shown in Telegram: set %s and %s", config.TelegramToken, config.TelegramChat))
		return func() {}
	}
	s.LoopMirror("telegram", loop.NewTelegram(&http.Client{}, c.Telegram.URL, token, chat, func(err error) { s.NoteLoop(err.Error()) }))
	return func() {
		select {
		case <-s.LoopGone():
		case <-time.After(farewell):
		}
	}
}

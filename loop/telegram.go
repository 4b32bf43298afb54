package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	telegramTimeout = 10 * time.Second
	// maxRetryAfter bounds how long a server's wish to be left alone is kept.
	maxRetryAfter = time.Minute
	maxReply      = 64 << 10 // bytes
)

// Telegram mirrors the loop's identity into one message of a chat: sent when
// there is something to show, edited in place, deleted when there is not.
type Telegram struct {
	client  *http.Client
	url     string // with the token, so never shown
	token   string
	chat    string
	report  func(error)
	shown   string
	message int64 // the one on show, or 0
}

// NewTelegram returns a mirror that talks to a Bot API at base. report is told,
// once, of what keeps it from showing anything, without the token; it may be nil.
func NewTelegram(client *http.Client, base, token, chat string, report func(error)) *Telegram {
	if report == nil {
		report = func(error) {}
	}
	return &Telegram{
		client: client, url: strings.TrimRight(base, "/") + "/bot" + token + "/",
		token: token, chat: chat, report: report,
	}
}

// Show brings the message up to date. What fails is tried again at the next
// change.
func (t *Telegram) Show(s Status) {
	identity := s.Identity()
	if identity == t.shown {
		return
	}
	if err := t.bring(identity); err != nil {
		t.report(fmt.Errorf("show the loop in Telegram: %s", strings.ReplaceAll(err.Error(), t.token, "…")))
		t.report = func(error) {}
		return
	}
	t.shown = identity
}

// Close takes the message away.
func (t *Telegram) Close() { t.Show(Status{State: Idle}) }

func (t *Telegram) bring(identity string) error {
	switch {
	case identity == "":
		id := t.message
		t.message = 0 // one that cannot be deleted is not tried for ever
		return t.call("deleteMessage", map[string]any{"chat_id": t.chat, "message_id": id}, nil)
	case t.message != 0:
		err := t.call("editMessageText", map[string]any{"chat_id": t.chat, "message_id": t.message, "text": identity}, nil)
		var refused *refusal
		if !errors.As(err, &refused) || refused.code != http.StatusBadRequest {
			return err
		}
		// Somebody deleted it, or it is too old to edit: a new one takes its place.
		t.message = 0
	}
	var sent struct {
		ID int64 `json:"message_id"`
	}
	err := t.call("sendMessage", map[string]any{"chat_id": t.chat, "text": identity, "disable_notification": true}, &sent)
	t.message = sent.ID
	return err
}

// refusal is an answer of the API that is no result.
type refusal struct {
	code  int
	text  string
	after time.Duration
}

func (r *refusal) Error() string { return fmt.Sprintf("the server answered %d %s", r.code, r.text) }

// call makes one call, and once more after the pause a busy server asks for.
func (t *Telegram) call(method string, arguments map[string]any, result any) error {
	body, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	err = t.post(method, body, result)
	var refused *refusal
	if errors.As(err, &refused) && refused.code == http.StatusTooManyRequests {
		time.Sleep(min(refused.after, maxRetryAfter))
		err = t.post(method, body, result)
	}
	return err
}

func (t *Telegram) post(method string, body []byte, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), telegramTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url+method, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := t.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var reply struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Description string          `json:"description"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxReply)).Decode(&reply); err != nil {
		return &refusal{code: answer.StatusCode, text: "with no JSON"}
	}
	if !reply.OK {
		return &refusal{answer.StatusCode, reply.Description, time.Duration(reply.Parameters.RetryAfter) * time.Second}
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(reply.Result, result)
}

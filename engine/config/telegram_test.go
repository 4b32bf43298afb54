package config

import (
	"slices"
	"strings"
	"testing"
)

func TestTelegramIsForTheUsersOwnFile(t *testing.T) {
	t.Setenv(TelegramToken, "123:secret")
	p := newPlace(t)
	p.own(`{"telegram": {"on": true, "url": "http://127.0.0.1:9"}}`)
	loaded := p.load()
	equal(t, "telegram", loaded.Config.Telegram, Telegram{URL: DefaultTelegramURL})
	contains(t, strings.Join(loaded.Notes, "\n"), ".growbench.json:1: telegram is left out: where the loop is shown is for your own file to say")
	if slices.Contains(SecretValues(loaded.Config), "123:secret") {
		t.Error("a token that nothing uses is taken for ours")
	}

	p.user(`{"telegram": {"on": true}}`)
	loaded = p.load()
	equal(t, "telegram", loaded.Config.Telegram, Telegram{On: true, URL: DefaultTelegramURL})
	equal(t, "secrets", strings.Join(SecretValues(loaded.Config), ","), "123:secret")

	p.user(`{"telegram": {"on": true, "url": "ftp://x"}}`)
	if _, err := p.tryLoad(); err == nil || !strings.Contains(err.Error(), "telegram.url: must begin with http://") {
		t.Errorf("got %v", err)
	}
}

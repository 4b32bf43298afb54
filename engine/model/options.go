package model

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Kind is a wire format.
type Kind string

const (
	Ollama Kind = "ollama" // Ollama's own: /api/chat, a JSON object a line
	OpenAI Kind = "openai" // /chat/completions as many servers speak it, server-sent events
)

// Options are one model of one server. A zero duration or size stands for the
// default beside it; a client never runs without a bound.
type Options struct {
	Kind  Kind
	URL   string // as in the configuration; OpenAI: with its /v1
	Model string
	// Key goes into the Authorization header and nowhere else. KeyName is the
	// environment variable it came from, or should come from.
	Key, KeyName string
	// NumCtx is sent to Ollama with every request. Another value reloads the
	// model, so it belongs to the server, not to a role.
	NumCtx int
	// MaxTokens bounds an answer that its Request does not bound: by default
	// half the window, 8192 at most.
	MaxTokens int

	Load    time.Duration // from the request to the first byte of the answer, the model's load included; 10 minutes
	Silence time.Duration // between two bytes of an answer; 3 minutes
	Connect time.Duration // to reach the server; 10 s
	Ask     time.Duration // for what a server says of itself; 15 s
	Retries []time.Duration
	// LongestWait is how long a server may make a request wait (Retry-After)
	// before that is an error of its own; 60 s.
	LongestWait time.Duration
	LongestLine int   // bytes of one line of an answer; 64 MiB
	Largest     int64 // bytes of a whole answer; 256 MiB

	// Transport, where set, carries the requests.
	Transport http.RoundTripper
}

const (
	defaultNumCtx    = 32768
	defaultMaxTokens = 8192
)

// charactersAToken is the estimate where a server does not count.
const charactersAToken = 3.5

func (o Options) withDefaults() Options {
	o.URL = strings.TrimRight(cmp.Or(o.URL, "http://127.0.0.1:11434"), "/")
	o.NumCtx = cmp.Or(o.NumCtx, defaultNumCtx)
	o.Load = cmp.Or(o.Load, 10*time.Minute)
	o.Silence = cmp.Or(o.Silence, 3*time.Minute)
	o.Connect = cmp.Or(o.Connect, 10*time.Second)
	o.Ask = cmp.Or(o.Ask, 15*time.Second)
	o.LongestWait = cmp.Or(o.LongestWait, time.Minute)
	o.LongestLine = cmp.Or(o.LongestLine, 64<<20)
	o.Largest = cmp.Or(o.Largest, 256<<20)
	if o.Retries == nil {
		o.Retries = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
	}
	return o
}

// New makes a client. It talks to nobody yet.
func New(o Options) (Client, error) {
	s, err := newServer(o)
	if err != nil {
		return nil, err
	}
	if o.Model == "" {
		return nil, errors.New("a model client needs the name of a model")
	}
	if o.Kind == OpenAI {
		return &openaiClient{server: s, facts: newFacts()}, nil
	}
	return &ollamaClient{server: s, facts: newFacts()}, nil
}

func newServer(o Options) (*server, error) {
	if o.Kind != Ollama && o.Kind != OpenAI {
		return nil, fmt.Errorf("a model server of kind %q: choose %s or %s", o.Kind, Ollama, OpenAI)
	}
	o = o.withDefaults()
	base, err := url.Parse(o.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("the model server's address must begin with http:// or https:// and name a host")
	}
	if base.User != nil {
		return nil, errors.New("the model server's address must not hold a user or password: keys come from the environment (key_env)")
	}
	return &server{Options: o, base: base, http: httpClient(o)}, nil
}

// estimate is how many tokens a text of that many bytes may have.
func estimate(bytes int) int64 { return int64(float64(bytes)/charactersAToken) + 1 }

package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"
	olm "github.com/ollama/ollama/types/model"
)

// facts are what a server said of a model: asked once, kept when it answered.
type facts struct {
	asking chan struct{} // holds one: whoever asks
	info   *Info
}

func newFacts() *facts { return &facts{asking: make(chan struct{}, 1)} }

func (f *facts) once(ctx context.Context, ask func() (Info, error)) (Info, error) {
	select {
	case f.asking <- struct{}{}:
	case <-ctx.Done():
		return Info{}, context.Cause(ctx)
	}
	defer func() { <-f.asking }()
	if f.info != nil {
		return *f.info, nil
	}
	info, err := ask()
	if err == nil {
		f.info = &info
	}
	return info, err
}

func (c *ollamaClient) Describe(ctx context.Context) (Info, error) {
	return c.facts.once(ctx, func() (Info, error) { return c.show(ctx, c.Model) })
}

// know is Describe for a request: whatever stands between us and the server
// may let /api/chat alone through.
func (c *ollamaClient) know(ctx context.Context, emit func(Event)) (Info, error) {
	var info Info
	for try := 0; ; try++ {
		var err error
		if info, err = c.Describe(ctx); err == nil {
			return info, nil
		}
		if ctx.Err() != nil {
			return Info{}, context.Cause(ctx)
		}
		switch TroubleOf(err) {
		case NotRunning, NoModel, Denied, Broken, RateLimited:
		default:
			return Info{Model: c.Model, Window: int64(c.NumCtx)}, nil
		}
		if try >= len(c.Retries) {
			return Info{}, err
		}
		wait, ok := c.again(err, c.Retries[try])
		if !ok {
			return Info{}, err
		}
		if err := c.pause(ctx, err, wait, emit); err != nil {
			return Info{}, err
		}
	}
}

// show asks for one model.
func (s *server) show(ctx context.Context, name string) (Info, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Ask)
	defer cancel()
	said, err := s.api().Show(ctx, &api.ShowRequest{Model: name})
	if err != nil {
		err = s.apiError(ctx, err)
		var e *Error
		if errors.As(err, &e) && e.Trouble == NoModel {
			e.Next = s.modelAdvice(s.names(ctx))
		}
		return Info{}, err
	}
	info := Info{Model: name, Known: len(said.Capabilities) > 0, Window: int64(s.NumCtx), Controls: controlsOf(said.Template, said.Parameters)}
	info.Tools = slices.Contains(said.Capabilities, olm.CapabilityTools)
	info.Thinking = slices.Contains(said.Capabilities, olm.CapabilityThinking)
	info.Chats = slices.Contains(said.Capabilities, olm.CapabilityCompletion)
	for key, value := range said.ModelInfo {
		if n, ok := value.(float64); ok && n > 0 && strings.HasSuffix(key, ".context_length") {
			info.Longest = int64(n)
			info.Window = min(info.Window, info.Longest)
		}
	}
	return info, nil
}

// names are the models the server has, none when it does not say.
func (s *server) names(ctx context.Context) []string {
	list, err := s.api().List(ctx)
	if err != nil {
		return nil
	}
	var names []string
	for _, m := range list.Models {
		names = append(names, m.Name)
	}
	return names
}

// cannotCall names the models there that can.
func (c *ollamaClient) cannotCall(ctx context.Context) error {
	var able []string
	for _, name := range c.names(ctx) {
		if len(able) == 3 {
			break
		}
		if info, err := c.show(ctx, name); err == nil && info.Tools {
			able = append(able, name)
		}
	}
	next := "get one that can, such as `ollama pull " + SuggestedModel + "`"
	if len(able) > 0 {
		next = "choose one that can: " + strings.Join(able, ", ")
	}
	return c.fail(NoTools, "the model cannot call tools", next, nil)
}

// SuggestedModel is one that calls tools and runs on most machines.
const SuggestedModel = "qwen3:8b"

// api is Ollama's own client, for what is not a stream: its requests carry our
// key, and what it reads is bounded.
func (s *server) api() *api.Client {
	return api.NewClient(s.base, &http.Client{Transport: keyed{s}, CheckRedirect: s.http.CheckRedirect})
}

type keyed struct{ s *server }

func (k keyed) RoundTrip(req *http.Request) (*http.Response, error) {
	if k.s.Key != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+k.s.Key)
	}
	resp, err := k.s.http.Transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 3 {
		defer resp.Body.Close()
		return nil, k.s.refusal(resp)
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, 32<<20), resp.Body}
	return resp, nil
}

// apiError puts an error of Ollama's client into our words.
func (s *server) apiError(ctx context.Context, err error) error {
	var status api.StatusError
	var denied api.AuthorizationError
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	var known *Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &status):
		return s.refused(status.StatusCode, serverWords([]byte(status.ErrorMessage)))
	case errors.As(err, &denied):
		return s.refused(denied.StatusCode, "")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return s.fail(LoadTimeout, fmt.Sprintf("it did not answer within %s", s.Ask), "look whether the server is stuck", nil)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &syntax), errors.As(err, &shape):
		return s.fail(Garbled, "what it says of the model is no JSON of Ollama's", "look at what serves this address, and at the provider's kind", nil)
	}
	return s.unreached(err)
}

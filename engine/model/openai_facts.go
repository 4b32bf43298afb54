package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

func (c *openaiClient) Describe(ctx context.Context) (Info, error) {
	return c.facts.once(ctx, func() (Info, error) {
		list, err := c.openaiModels(ctx)
		if err != nil {
			return Info{}, err
		}
		var names []string
		for _, m := range list {
			// Ollama adds a tag; a server with one model takes it by any name.
			if m.Model == c.Model || m.Model == c.Model+":latest" || len(list) == 1 && m.any {
				m.Model = c.Model
				return m.Info, nil
			}
			names = append(names, m.Model)
		}
		e := c.fail(NoModel, "the server does not list this model", c.modelAdvice(names), nil)
		return Info{}, e
	})
}

type openaiModel struct {
	Info
	any bool // the server takes any name for it
}

// openaiModels asks what a server has, and what it says of it beyond OpenAI's
// own fields.
func (s *server) openaiModels(ctx context.Context) ([]openaiModel, error) {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, s.Ask)
	defer cancel()
	resp, err := s.send(ctx, http.MethodGet, "models", nil)
	if err == nil {
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			err = s.refusal(resp)
		}
	}
	var body []byte
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	}
	switch {
	case outer.Err() != nil:
		return nil, context.Cause(outer)
	case ctx.Err() != nil:
		return nil, s.fail(LoadTimeout, fmt.Sprintf("it did not answer within %s", s.Ask), "look whether the server is stuck", nil)
	case err != nil:
		return nil, s.ended(outer, ctx, err)
	}
	var list struct {
		Data []struct {
			ID     string `json:"id"`
			Owner  string `json:"owned_by"`
			VLLM   int64  `json:"max_model_len"`
			Length int64  `json:"context_length"`
			Loaded int64  `json:"loaded_context_length"`
			Most   int64  `json:"max_context_length"`
			Meta   struct {
				Ctx   int64 `json:"n_ctx"`
				Train int64 `json:"n_ctx_train"`
			} `json:"meta"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil || list.Data == nil {
		return nil, s.garbled(body)
	}
	models := []openaiModel{}
	for _, m := range list.Data {
		info := Info{Model: m.ID, Longest: firstOf(m.Meta.Train, m.Most, m.VLLM, m.Length)}
		info.Window = firstOf(m.VLLM, m.Meta.Ctx, m.Loaded, m.Length)
		models = append(models, openaiModel{Info: info, any: m.Owner == "llamacpp"})
	}
	return models, nil
}

func firstOf(values ...int64) int64 {
	for _, v := range values {
		if v > 0 {
			return v
		}
	}
	return 0
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"growbench/engine"
	"growbench/engine/config"
	"growbench/engine/model"
	"growbench/mapgen"
	"growbench/mapgen/voice"
	"growbench/theme/text"
)

// offlineMap is what --llm and map.llm say for no model.
const offlineMap = "none"

// describedBy is the map's project with its descriptions made by the model of
// an agent: the one named, or else the configuration's. asked tells that it was
// named, which for no model drops what one has said.
func (a *App) describedBy(w mapWork, name string, asked bool) (*mapgen.Project, error) {
	if asked && name == offlineMap {
		return w.DescribedBy(nil, true), nil
	}
	h, err := a.projectAt(w.Root())
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = h.loaded.Config.Map.LLM
	}
	if name == "" || name == offlineMap {
		return w.Project, nil
	}
	// What is sent to a model are the project's files.
	if err := h.loaded.RequireTrust(); err != nil {
		return nil, environment(fmt.Errorf("show the files of %s to a model: %w", h.project.Root, err))
	}
	v, err := newVoice(h.loaded.Config, name, w.config, func(note string) { a.say("%s", text.Line(note)) })
	if err != nil {
		return nil, environment(fmt.Errorf("describe the map by a model: %w", err))
	}
	return w.DescribedBy(v, false), nil
}

// configured gives the project the voice of the configuration's map.llm, if
// one can be had; the map keeps what was said without it.
func configured(p *mapgen.Project, settings mapgen.Config, h here) *mapgen.Project {
	name := h.loaded.Config.Map.LLM
	if name == "" || name == offlineMap || h.loaded.RequireTrust() != nil {
		return p
	}
	v, err := newVoice(h.loaded.Config, name, settings, nil)
	if err != nil {
		return p
	}
	return p.DescribedBy(v, false)
}

// newVoice has the model of an agent describe, as the map's settings say.
func newVoice(c config.Config, agent string, settings mapgen.Config, note func(string)) (*voice.Voice, error) {
	client, err := engine.ModelClient(c, agent, func(o *model.Options) {
		o.Retries = []time.Duration{} // whoever asks knows better when to ask again
	})
	if err != nil {
		return nil, err
	}
	cache, err := voice.DefaultCache()
	if err != nil {
		return nil, err
	}
	return voice.New(voice.Options{
		Ask: askModel(client, config.SecretValues(c)), Model: c.Agents[agent].Model, Cache: cache, Note: note,
		Parallel: settings.Concurrency, Rest: time.Duration(settings.BatchDelayMS) * time.Millisecond,
		Retries: retryWaits(settings.Retries), SourceTokens: settings.MaxSourceTokens,
	}), nil
}

// retryWaits are those before each retry: 1, 2, 4 s and so on.
func retryWaits(n int) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = time.Second << min(i, 6)
	}
	return out
}

// askModel puts a prompt to a model. Values of keys that a file may hold do not
// leave.
func askModel(client model.Client, secrets []string) voice.Ask {
	return func(ctx context.Context, prompt string) (voice.Reply, error) {
		answer, err := client.Chat(ctx, model.Request{
			Messages: []model.Message{{Role: model.User, Content: config.Redact(prompt, secrets)}},
		}, func(model.Event) {})
		if err != nil {
			return voice.Reply{}, failureOf(err)
		}
		reply := voice.Reply{Text: answer.Text, Cut: answer.Reason == model.ReasonLength, Usage: voice.Usage{In: answer.Usage.In, Out: answer.Usage.Out}}
		if why := answer.Incomplete(); why != nil {
			reply.Why = why.Error()
		}
		return reply, nil
	}
}

// failureOf tells whoever asks whether to ask again.
func failureOf(err error) error {
	var e *model.Error
	if !errors.As(err, &e) {
		return err
	}
	f := &voice.Failure{Err: err, After: e.After, Long: e.Trouble == model.PromptLong}
	switch e.Trouble {
	case model.NoModel, model.Denied, model.Refused:
		f.Final = true
	case model.RateLimited:
		f.Final = e.After > time.Minute
	}
	return f
}

// printModel says what a model did, and what is left for one to do.
func (a *App) printModel(p *mapgen.Project, m *mapgen.Model, behind int) {
	if m != nil {
		a.printf("%s: %s (%d tokens in, %d out), %s known\n", text.Visible(m.Name), counted(m.Calls, "call"), m.In, m.Out, counted(m.Known, "description"))
	}
	if told := p.TellBehind(behind); told != "" {
		a.say("%s", told)
	}
}

// undescribed is the end of a command whose model left something out.
func undescribed(m *mapgen.Model) error {
	if m != nil && len(m.Mute) > 0 {
		return exit(exitProblems)
	}
	return nil
}

package engine

import (
	"context"
	"fmt"
	"time"

	"growbench/engine/config"
	"growbench/engine/model"
)

// triedOllama is the server that real runs of native agents were made with.
const triedOllama = "Ollama 0.17.4"

// nativeInfo asks the server of a native agent about its model.
func nativeInfo(ctx context.Context, c config.Config, a config.Agent, info *AgentInfo) {
	info.Program = a.Model + " at " + a.Provider
	info.Context = "alone: our tools show it nothing else than its task names"
	if c.Providers[a.Provider].Kind == string(model.Ollama) {
		info.Tried, info.TriedAs = true, triedOllama
	}
	o, err := modelOptions(c, a)
	if err != nil {
		info.Note = err.Error()
		return
	}
	o.Ask, o.Retries = lookTime, []time.Duration{}
	client, err := model.New(o)
	if err != nil {
		info.Note = err.Error()
		return
	}
	said, err := client.Describe(ctx)
	switch {
	case err != nil:
		info.Note = err.Error()
	case said.Known && !said.Tools:
		info.Note = "the model cannot call tools: choose one that can, `growbench models` lists them"
	default:
		info.Found = true
		if said.Window > 0 {
			info.Note = fmt.Sprintf("context of %d tokens", said.Window)
		}
	}
}

package engine

import (
	"errors"
	"fmt"

	"growbench/engine/config"
	"growbench/engine/model"
)

// ModelClient is the model of a native agent, for whoever talks to it without
// a run, with what change says in place of the defaults. It asks nobody for
// anything yet.
func ModelClient(c config.Config, name string, change ...func(*model.Options)) (model.Client, error) {
	doing := func(err error) error {
		return fmt.Errorf("talk to the model of agent %q: %w", name, err)
	}
	a, ok := c.Agents[name]
	if !ok || a.Kind != "native" {
		return nil, doing(errors.New("it must be configured, and of kind native; `growbench config` lists what is"))
	}
	o, err := providerOptions(c, a.Provider, a.Model)
	if err != nil {
		return nil, doing(err)
	}
	if o.KeyName != "" && o.Key == "" {
		return nil, doing(fmt.Errorf("set the environment variable %s", o.KeyName))
	}
	for _, do := range change {
		do(&o)
	}
	client, err := model.New(o)
	if err != nil {
		return nil, doing(err)
	}
	return client, nil
}

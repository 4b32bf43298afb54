package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
)

// Survey is what a server says of itself and of the models it has.
type Survey struct {
	Version string // "" where it does not say
	Models  []Found
}

// Found is one model of a server.
type Found struct {
	Info
	Size   int64 // on disk, in bytes; 0 if not known
	Loaded bool  // in memory now, as far as the server says
	// AnyName says that the server takes any name for its one model.
	AnyName bool
}

// mostShown bounds how many models a server is asked about one by one.
const mostShown = 100

// Look asks a server what it has, within o.Ask. o.Model does not count.
func Look(ctx context.Context, o Options) (Survey, error) {
	s, err := newServer(o)
	if err != nil {
		return Survey{}, err
	}
	s.doing = "look at the model server " + s.place()
	var found Survey
	if s.Kind == Ollama {
		found, err = s.lookOllama(ctx)
	} else {
		found, err = s.lookOpenAI(ctx)
	}
	if ctx.Err() != nil {
		return Survey{}, context.Cause(ctx)
	}
	return found, err
}

func (s *server) lookOllama(ctx context.Context) (Survey, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Ask)
	defer cancel()
	version, err := s.api().Version(ctx)
	if err != nil {
		return Survey{}, s.apiError(ctx, err)
	}
	if version == "" {
		return Survey{}, s.fail(Garbled, "what answers is no Ollama server", "look at what serves this address, and at the provider's kind", nil)
	}
	list, err := s.api().List(ctx)
	if err != nil {
		return Survey{}, s.apiError(ctx, err)
	}
	var loaded []string
	if running, err := s.api().ListRunning(ctx); err == nil {
		for _, m := range running.Models {
			loaded = append(loaded, m.Name)
		}
	}
	models := make([]Found, len(list.Models))
	var asking sync.WaitGroup
	free := make(chan struct{}, 4)
	for i, m := range list.Models {
		models[i] = Found{Info: Info{Model: m.Name}, Size: m.Size, Loaded: slices.Contains(loaded, m.Name)}
		if i >= mostShown {
			continue
		}
		asking.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			s.complete(ctx, m, &models[i])
		})
	}
	asking.Wait()
	return Survey{Version: version, Models: models}, nil
}

// complete adds what a server says of one model; one that cannot be asked
// about stays with its name.
func (s *server) complete(ctx context.Context, m api.ListModelResponse, to *Found) {
	if info, err := s.show(ctx, m.Name); err == nil {
		to.Info = info
	}
}

func (s *server) lookOpenAI(ctx context.Context) (Survey, error) {
	list, err := s.openaiModels(ctx)
	if err != nil {
		return Survey{}, err
	}
	found := Survey{Models: []Found{}}
	for _, m := range list {
		found.Models = append(found.Models, Found{Info: m.Info, AnyName: m.any && len(list) == 1})
	}
	return found, nil
}

// IsOllama tells whether an Ollama server answers at an address that is used
// as an OpenAI-compatible one: its own kind does more.
func IsOllama(ctx context.Context, o Options) bool {
	s, err := newServer(o)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, min(s.Ask, 2*time.Second))
	defer cancel()
	root := *s.base
	root.Path = ""
	version, err := api.NewClient(&root, &http.Client{Transport: keyed{s}, CheckRedirect: s.http.CheckRedirect}).Version(ctx)
	return err == nil && version != ""
}

// Words is an error's detail and next step apart, for who shows them apart.
func Words(err error) (detail, next string) {
	var e *Error
	if errors.As(err, &e) {
		return e.Detail, e.Next
	}
	return fmt.Sprint(err), ""
}

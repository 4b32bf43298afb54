package model_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"growbench/engine/model"
)

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   model.Kind // "" for both
		status int
		body   string
		want   model.Trouble
		words  []string
		asked  int
	}{
		{"no key", "", 401, `{"error":{"message":"no key sk-planted-key"}}`, model.Denied, []string{"401", "LAB_KEY", "[redacted]"}, 1},
		{"wrong key", "", 403, ``, model.Denied, []string{"403", "LAB_KEY"}, 1},
		{"HTML", "", 502, "<html>\n<head><title>502 Bad\nGateway</title></head></html>", model.Failed, []string{`502 Bad Gateway: an HTML page, "502 Bad Gateway"`}, 4},
		{"runner", "", 500, `{"error":"model runner has unexpectedly stopped"}`, model.Failed, []string{"runner has unexpectedly stopped", "log"}, 4},
		{"memory", "", 500, `{"error":"model requires more system memory (48.1 GiB) than is available (7.2 GiB)"}`, model.Refused, []string{"48.1 GiB", "a smaller model"}, 1},
		{"busy", "", 503, `{"error":"server busy, please try again"}`, model.Failed, []string{"server busy"}, 4},
		{"not found", model.Ollama, 404, `404 page not found`, model.Refused, []string{"404"}, 1},
		{"model", model.OpenAI, 404, `{"error":{"message":"The model m does not exist","type":"invalid"}}`, model.NoModel, []string{"growbench models"}, 1},
		{"model", model.Ollama, 404, `{"error":"model 'm' not found"}`, model.NoModel, []string{"`ollama pull m`"}, 1},
		{"tools", model.Ollama, 400, `{"error":"registry.ollama.ai/library/m does not support tools"}`, model.NoTools, []string{"growbench models"}, 1},
		{"tools of vLLM", model.OpenAI, 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}`, model.NoTools, []string{"--enable-auto-tool-choice"}, 1},
		{"context of vLLM", model.OpenAI, 400, `{"object":"error","message":"This model's maximum context length is 8192 tokens. However, you requested 30000 tokens"}`, model.PromptLong, []string{"at least 37888 tokens"}, 1},
		{"context of llama.cpp", model.OpenAI, 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":20000,"n_ctx":8192}}`, model.PromptLong, []string{"20000", "at least 25600 tokens"}, 1},
		{"context", model.Ollama, 400, `{"error":"the input length exceeds the context length"}`, model.PromptLong, []string{"raise num_ctx of the provider to at least 11264"}, 1},
		{"other", "", 422, `{"detail":[{"msg":"bad"}]}`, model.Refused, []string{"422", "bad"}, 1},
	} {
		for _, kind := range kinds {
			if c.kind != "" && c.kind != kind {
				continue
			}
			t.Run(c.name+"/"+string(kind), func(t *testing.T) {
				asked := 0
				url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
					asked++
					w.WriteHeader(c.status)
					write(w, c.body)
				})
				a, err := chat(t, options(kind, url), model.Request{}, nil)
				var e *model.Error
				if !errors.As(err, &e) || e.Trouble != c.want || e.Status != c.status && c.want != model.PromptLong || a.Text != "" {
					t.Fatalf("%+v, %v", a, err)
				}
				contains(t, err.Error(), c.words...)
				if strings.Contains(err.Error(), "planted") || strings.ContainsAny(err.Error(), "\n\x00") || asked != c.asked {
					t.Errorf("asked %d times: %v", asked, err)
				}
			})
		}
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it went elsewhere") }))
	defer other.Close()
	for _, kind := range kinds {
		site := httptest.NewServer(http.RedirectHandler(other.URL+"/x?key=sk-planted-key", http.StatusTemporaryRedirect))
		e, _ := mustFail(t, options(kind, site.URL), model.Refused)
		contains(t, e.Error(), "url")
		site.Close()
	}
}

func TestNobodyAtTheAddress(t *testing.T) {
	site := httptest.NewServer(nil)
	site.Close()
	for kind, words := range map[model.Kind]string{model.Ollama: "`ollama serve`", model.OpenAI: "start the server"} {
		e, _ := mustFail(t, options(kind, site.URL), model.NotRunning)
		contains(t, e.Error(), "nobody answers", words, site.URL)
	}
	o := options(model.OpenAI, site.URL)
	o.Transport = carrier(func(*http.Request) (*http.Response, error) {
		return nil, errors.New(`invalid proxy address "http://me:sk-planted@proxy:1/"`)
	})
	e, _ := mustFail(t, o, model.Broken)
	contains(t, e.Error(), "http://proxy:1/")
	for _, url := range []string{"ftp://x", "http://", "::", "http://user:sk-planted-key@host"} {
		o := options(model.Ollama, url)
		if _, err := model.New(o); err == nil || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestRetriesComeToAnAnswer(t *testing.T) {
	for _, kind := range kinds {
		var asked atomic.Int64
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
			switch asked.Add(1) {
			case 1:
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
			case 2:
				panic(http.ErrAbortHandler)
			default:
				whole(kind, w, "at last")
			}
		})
		var retries []string
		a, err := chat(t, options(kind, url), model.Request{}, func(e model.Event) {
			if e.Kind == model.EventRetry {
				retries = append(retries, e.Text)
			}
		})
		if err != nil || a.Text != "at last" || len(retries) != 2 || !strings.Contains(retries[0], "429") {
			t.Errorf("%s: %+v, %v, %q", kind, a, err, retries)
		}
	}
}

func TestALongDelayIsTheCallersToWait(t *testing.T) {
	for _, kind := range kinds {
		asked := 0
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
			write(w, `{"error":{"message":"daily quota"}}`)
		})
		e, _ := mustFail(t, options(kind, url), model.RateLimited)
		if e.After != time.Hour || asked != 1 {
			t.Errorf("%s after %d: %v", e.After, asked, e)
		}
		contains(t, e.Error(), "daily quota", "1h0m0s")
	}
}

package model

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// longestWords is how much of what a server says goes into an error.
const longestWords = 300

// refusal turns an answer that is none into an error that says what to do.
func (s *server) refusal(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	words := serverWords(body)
	e := s.refused(resp.StatusCode, words)
	e.After = retryAfter(resp.Header)
	if e.Trouble == RateLimited && e.After > 0 {
		e.Next = fmt.Sprintf("it can be asked again in %s", e.After.Round(time.Second))
	}
	if at := resp.Header.Get("Location"); resp.StatusCode/100 == 3 && at != "" {
		e.Detail = "it redirects to another address"
		if to, err := url.Parse(at); err == nil && to.Host != "" {
			e.Detail = "it redirects to " + (&url.URL{Scheme: to.Scheme, Host: to.Host}).String()
		}
		e.Detail, e.Next = s.clean(e.Detail), "write the address that is meant into the provider's url"
	}
	return e
}

// refused is an error for a status and the server's words.
func (s *server) refused(status int, words string) *Error {
	said := words
	if said == "" {
		said = "no reason given"
	}
	detail := fmt.Sprintf("%d %s: %s", status, http.StatusText(status), said)
	var e *Error
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e = s.fail(Denied, detail, s.keyAdvice(), nil)
	case status == http.StatusTooManyRequests:
		e = s.fail(RateLimited, detail, "ask again later, or choose another model", nil)
	case speaksOfTools(words):
		e = s.fail(NoTools, detail, s.toolsAdvice(words), nil)
	case speaksOfContext(words):
		e = s.fail(PromptLong, detail, "", nil)
	case aboutMemory.MatchString(words):
		e = s.fail(Refused, detail, "choose a smaller model, or a smaller num_ctx", nil)
	case status == http.StatusNotFound && speaksOfModel(words):
		e = s.fail(NoModel, detail, s.modelAdvice(nil), nil)
	case status == http.StatusNotFound:
		e = s.fail(Refused, detail, s.pathAdvice(), nil)
	case status >= 500:
		e = s.fail(Failed, detail, "look at the server's log; it may lack memory for this model and num_ctx", nil)
	default:
		e = s.fail(Refused, detail, "", nil)
	}
	e.Status = status
	return e
}

func (s *server) keyAdvice() string {
	name := s.KeyName
	switch {
	case name == "":
		return `name the environment variable that holds the key as "key_env" of the provider`
	case s.Key == "":
		return "set the environment variable " + name
	}
	return "look at the key in the environment variable " + name
}

func (s *server) toolsAdvice(words string) string {
	switch {
	case strings.Contains(words, "--enable-auto-tool-choice"):
		return "start the server with --enable-auto-tool-choice and a --tool-call-parser for this model"
	case strings.Contains(words, "--jinja"):
		return "start the server with --jinja"
	}
	return "choose a model that can use tools: `growbench models` lists them"
}

func (s *server) pathAdvice() string {
	if s.Kind == OpenAI && !strings.Contains(s.base.Path, "/v") {
		return "the provider's url usually ends in /v1"
	}
	return "look at what serves this address, and at the provider's kind"
}

// modelAdvice says how to get the model, or which of those that are there may
// be meant.
func (s *server) modelAdvice(there []string) string {
	advice := "choose one that the server has"
	if s.Kind == Ollama {
		advice = "get it with `ollama pull " + s.Model + "`"
	}
	if near := nearest(s.Model, there); len(near) > 0 {
		advice += "; there are " + strings.Join(near, ", ")
	} else if s.Kind != Ollama {
		advice += ": `growbench models` lists them"
	}
	return advice
}

var (
	aboutTools   = regexp.MustCompile(`(?i)does not support tools|tool[_ -]?choice.*requires|tools? param requires|tool (?:use|calling|calls?) (?:is|are) not supported|does not support (?:tool|function)`)
	aboutContext = regexp.MustCompile(`(?i)exceeds? the (?:available )?context|maximum context length|context[_ -](?:length|size|window)[_ ]?exceed|exceed_context_size|prompt is too long|input (?:length|is) (?:too long|exceeds)|exceeds? (?:the )?max_model_len|longer than the (?:maximum )?model length|larger than the maximum context`)
	aboutMemory  = regexp.MustCompile(`(?i)requires more (?:system |gpu )?memory`)
	aboutModel   = regexp.MustCompile(`(?i)model|not found, try pulling`)
)

func speaksOfTools(words string) bool   { return aboutTools.MatchString(words) }
func speaksOfContext(words string) bool { return aboutContext.MatchString(words) }
func speaksOfModel(words string) bool   { return aboutModel.MatchString(words) }

// serverWords finds what an error's body says, whatever its shape.
func serverWords(body []byte) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &shape) == nil {
		for _, part := range []json.RawMessage{shape.Error, shape.Message, shape.Detail} {
			if words := errorWords(part); words != "" {
				return words
			}
		}
	}
	text := string(body)
	if head := strings.ToLower(text[:min(len(text), 512)]); strings.Contains(head, "<html") || strings.Contains(head, "<!doctype") {
		if m := pageTitle.FindStringSubmatch(text); m != nil {
			return "an HTML page, " + strconv.Quote(oneLine(html.UnescapeString(m[1])))
		}
		return "an HTML page"
	}
	return oneLine(text)
}

var pageTitle = regexp.MustCompile(`(?is)<(?:title|h1)[^>]*>(.*?)</(?:title|h1)>`)

// errorWords reads an error that is a string, or an object with a message.
func errorWords(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return oneLine(text)
	}
	var object struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Prompt  int64           `json:"n_prompt_tokens"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(value, &object) == nil {
		switch {
		case object.Message != "" && object.Prompt > 0:
			return oneLine(fmt.Sprintf("%s (the prompt has %d tokens)", object.Message, object.Prompt))
		case object.Message != "":
			return oneLine(object.Message)
		case len(object.Error) > 0:
			return errorWords(object.Error)
		}
	}
	return oneLine(string(value))
}

// oneLine bounds foreign text and takes what would break a line.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text[:min(len(text), 4*longestWords)], "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if r := []rune(text); len(r) > longestWords {
		text = string(r[:longestWords]) + "…"
	}
	return text
}

// retryAfter reads the header in both of its forms.
func retryAfter(h http.Header) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// nearest are the names that are most like the one asked for, three at most.
func nearest(name string, there []string) []string {
	family := func(n string) string {
		n, _, _ = strings.Cut(strings.ToLower(n[strings.LastIndexByte(n, '/')+1:]), ":")
		return strings.TrimRight(n, "0123456789.-")
	}
	var near []string
	for _, other := range there {
		if family(other) == family(name) || strings.Contains(strings.ToLower(other), strings.ToLower(name)) {
			near = append(near, other)
		}
	}
	if len(near) == 0 {
		near = there
	}
	return near[:min(len(near), 3)]
}

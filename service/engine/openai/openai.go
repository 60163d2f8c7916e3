// Package openai speaks the image protocol of OpenAI: POST /images/generations and /images/edits (its openapi.yaml,
// CreateImageRequest and CreateImageEditRequest). Azure, stable-diffusion.cpp, SGLang, vLLM-omni, LocalAI and
// gateways serve it too, each with a Dialect of its own.
//
// A request is answered when its picture is done. There is no progress and no cancel, and a request that was sent
// twice is paid twice. Models before gpt-image-1 are not supported: they answer with addresses of other servers.
package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"atelier/service/engine"
)

// Options are what the operator may say of a server.
type Options struct {
	// Dialect is the kind of server; "" finds it by probing.
	Dialect Dialect
	// MaskField is the form's field for the mask; "" takes what the dialect reads.
	MaskField string
	// AzureVersion is Azure's api-version. With it the key goes into the header api-key.
	AzureVersion string
	// Paid says that a server on this machine costs money, such as a gateway. Every other server is taken to.
	Paid bool
}

// Engine is an image server of OpenAI's protocol. It implements engine.Engine.
type Engine struct {
	client  *engine.Client
	options Options

	mu   sync.Mutex
	last *server // what the last probe found
}

// New makes an engine without a request to it. It fails for an address that is no http or https URL.
func New(a engine.Access, o Options) (*Engine, error) {
	var authorize func(http.Header, string)
	if o.AzureVersion != "" {
		authorize = func(h http.Header, key string) { h.Set("Api-Key", key) }
	}
	client, err := engine.NewClient(a, authorize)
	if err != nil {
		return nil, err
	}
	return &Engine{client: client, options: o}, nil
}

// Probe asks for the models, finds the dialect by them, and asks a server that they do not give away which requests
// it has.
func (e *Engine) Probe(ctx context.Context) (engine.Abilities, error) {
	s, err := e.find(ctx)
	if err != nil {
		return engine.Abilities{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = s
	return s.abilities, nil
}

// Begin checks a job and sends nothing: the work begins with Watch, and the handle holds the job.
func (e *Engine) Begin(_ context.Context, id string, job engine.Job) (engine.Handle, error) {
	if err := e.client.CheckJob(job); err != nil {
		return engine.Handle{}, err
	}
	return engine.Handle{ID: id, Job: job}, nil
}

// Watch sends the job and waits for the picture, without progress. A second call for the same handle is a second
// request.
func (e *Engine) Watch(ctx context.Context, h engine.Handle, _ func(float64)) ([]byte, error) {
	s, err := e.server(ctx)
	if err != nil {
		return nil, err
	}
	if !s.abilities.Does(h.Job.Mode) {
		return nil, e.client.Fail(engine.Refused, "it does not take this kind of work")
	}
	if err := e.client.CheckSize(s.abilities, h.Job.Size); err != nil {
		return nil, err
	}
	if s.known && s.family.anySize && !inGPT2(h.Job.Size) {
		return nil, e.client.Fail(
			engine.Refused,
			"it makes pictures of up to 3840 × 2160 pixels, at most three times as long as wide",
		)
	}
	r, err := s.request(ctx, h.Job)
	if err != nil {
		return nil, err
	}
	a, err := e.ask(ctx, http.MethodPost, s.prefix+r.path, r.contentType, r.body)
	if err != nil {
		return nil, err
	}
	if a.Status/100 != 2 {
		return nil, e.client.Refusal(a, r.prompt, h.Job.Prompt, h.Job.Negative)
	}
	return e.picture(ctx, a)
}

// Cancel does nothing: closing the connection, as an end of Watch's context does, does not take the work back.
func (e *Engine) Cancel(context.Context, engine.Handle) error { return nil }

// picture reads data[0].b64_json of an answer, or fetches data[0].url.
func (e *Engine) picture(ctx context.Context, a *engine.Answer) ([]byte, error) {
	var answer struct {
		Data []struct {
			Base64 string `json:"b64_json"`
			URL    string `json:"url"`
		} `json:"data"`
	}
	if json.Unmarshal(a.Body, &answer) != nil || len(answer.Data) == 0 {
		return nil, e.client.Fail(engine.Unusable, "the answer holds no picture")
	}
	switch first := answer.Data[0]; {
	case first.Base64 != "":
		return e.client.Picture(ctx, first.Base64)
	case strings.HasPrefix(first.URL, "data:"):
		return e.client.Picture(ctx, first.URL)
	case first.URL != "":
		file, err := e.client.Fetch(ctx, first.URL)
		if err != nil {
			return nil, err
		}
		return e.client.CheckPicture(ctx, file)
	}
	return nil, e.client.Fail(engine.Unusable, "the answer holds no picture")
}

// server is what the last probe found, or a new one does.
func (e *Engine) server(ctx context.Context) (*server, error) {
	e.mu.Lock()
	last := e.last
	e.mu.Unlock()
	if last != nil {
		return last, nil
	}
	if _, err := e.Probe(ctx); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last, nil
}

func (e *Engine) ask(ctx context.Context, method, path, contentType string, body []byte) (*engine.Answer, error) {
	if e.options.AzureVersion != "" {
		path += "?api-version=" + url.QueryEscape(e.options.AzureVersion)
	}
	return e.client.Do(ctx, method, path, contentType, body)
}

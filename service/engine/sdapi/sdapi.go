// Package sdapi speaks the protocol of Stable Diffusion WebUI: POST /sdapi/v1/txt2img and img2img, as AUTOMATIC1111,
// Forge, SD.Next and stable-diffusion.cpp serve it (Forge modules/api/api.py, stable-diffusion.cpp routes_sdapi.cpp).
//
// A request is answered when its picture is done. Progress and interrupting concern whatever the server works on, so
// that both are used only while the server says that it works on our task.
package sdapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"atelier/imaging/parallel"
	"atelier/service/engine"
)

// Sides of pictures in pixels: multiples of 64 suit every server (stable-diffusion.cpp rounds others up).
const (
	multiple = 64
	least    = 64
	most     = 2048
)

// pollEvery is how often progress is asked for.
const pollEvery = time.Second

// Options are what the operator may say of a server.
type Options struct {
	// Sampler and Scheduler are names that the server lists; "" leaves them to the server.
	Sampler, Scheduler string
	// Scripts goes into alwayson_scripts as it is: a JSON object for extensions such as ControlNet.
	Scripts json.RawMessage
	// References is how many pictures an edit may have beside the first. They go into extra_images, which
	// stable-diffusion.cpp alone reads.
	References int
	// Poll is how often progress is asked for; 0 is once a second.
	Poll time.Duration
}

// Engine is a server of the WebUI protocol. It implements engine.Engine.
type Engine struct {
	client  *engine.Client
	options Options
}

// New makes an engine without a request to it. The key of an access is a user name and a password with a colon between
// them, which go as HTTP Basic (--api-auth). A model is switched to for every user of the server.
func New(a engine.Access, o Options) (*Engine, error) {
	client, err := engine.NewClient(a, func(h http.Header, key string) {
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(key)))
	})
	if err != nil {
		return nil, err
	}
	if o.Poll <= 0 {
		o.Poll = pollEvery
	}
	return &Engine{client: client, options: o}, nil
}

// Probe reads the server's options, whether it tells its progress, and whether it has the sampler and model configured.
func (e *Engine) Probe(ctx context.Context) (engine.Abilities, error) {
	var options struct {
		Model *string `json:"sd_model_checkpoint"`
	}
	if err := e.get(ctx, "options", &options); err != nil {
		return engine.Abilities{}, err
	}
	if options.Model == nil {
		return engine.Abilities{}, e.client.Fail(engine.Refused, "it is no WebUI")
	}
	a := engine.Abilities{
		Protocol: "sdapi", Model: *options.Model, Modes: []engine.Mode{engine.Inpaint, engine.Edit, engine.Text},
		References: e.options.References, Negative: true, Seed: true,
		Multiple: multiple, Least: least, Most: most, Remote: e.client.Remote(),
	}
	if err := e.checkNames(ctx); err != nil {
		return engine.Abilities{}, err
	}
	if e.client.Model() != "" {
		a.Model = e.client.Model()
	}
	_, known, err := e.progress(ctx)
	a.Progress = known
	return a, err
}

// checkNames looks for the configured sampler and model in the server's lists.
func (e *Engine) checkNames(ctx context.Context) error {
	if want := e.options.Sampler; want != "" {
		var samplers []struct {
			Name    string
			Aliases []string
		}
		if err := e.get(ctx, "samplers", &samplers); err != nil {
			return err
		}
		found := false
		for _, s := range samplers {
			found = found || s.Name == want || slices.Contains(s.Aliases, want)
		}
		if !found {
			return e.client.Fail(engine.Refused, "it has no sampler of the name "+want)
		}
	}
	if want := e.client.Model(); want != "" {
		var models []struct {
			Title string
			Name  string `json:"model_name"`
		}
		if err := e.get(ctx, "sd-models", &models); err != nil {
			return err
		}
		found := false
		for _, m := range models {
			found = found || m.Title == want || m.Name == want
		}
		if !found {
			return e.client.Fail(engine.Refused, "it has no model of the name "+want)
		}
	}
	return nil
}

// Begin checks a job and sends nothing: the work begins with Watch, and the handle holds the job.
func (e *Engine) Begin(_ context.Context, id string, job engine.Job) (engine.Handle, error) {
	if err := e.client.CheckJob(job); err != nil {
		return engine.Handle{}, err
	}
	sizes := engine.Abilities{Multiple: multiple, Least: least, Most: most}
	if err := e.client.CheckSize(sizes, job.Size); err != nil {
		return engine.Handle{}, err
	}
	return engine.Handle{ID: id, Job: job}, nil
}

// Watch sends the job and waits for the picture. An end of ctx leaves the server working: call Cancel then.
func (e *Engine) Watch(ctx context.Context, h engine.Handle, progress func(float64)) ([]byte, error) {
	path, body, err := e.request(ctx, h)
	if err != nil {
		return nil, err
	}
	polling, stop := context.WithCancel(ctx)
	defer stop()
	var polls parallel.Group
	polls.Go(func() { e.poll(polling, h.ID, progress) })
	a, err := e.client.Do(ctx, http.MethodPost, path, "application/json", body)
	stop()
	polls.Wait()
	if err != nil {
		return nil, err
	}
	if a.Status != http.StatusOK {
		return nil, e.client.Refusal(a, h.Job.Prompt, h.Job.Negative)
	}
	var answer struct{ Images []string }
	if json.Unmarshal(a.Body, &answer) != nil || len(answer.Images) == 0 {
		return nil, e.client.Fail(engine.Unusable, "the answer holds no picture")
	}
	return e.client.Picture(ctx, answer.Images[len(answer.Images)-1]) // a grid of all comes before them
}

// poll passes the progress of a task on until ctx ends or the server turns out to tell none.
func (e *Engine) poll(ctx context.Context, id string, progress func(float64)) {
	tick := time.NewTicker(e.options.Poll)
	defer tick.Stop()
	last := 0.0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		p, known, err := e.progress(ctx)
		if err == nil && !known {
			return
		}
		// A poll that fails costs nothing but a step of the bar; the request for the picture tells what is wrong.
		if err == nil && p.Task == id && p.Progress > last && p.Progress <= 1 {
			last = p.Progress
			progress(last)
		}
	}
}

// Cancel interrupts the server while it works on this task. A task that waits for the server's lock cannot be taken
// back. Between the question and the interruption the server may take up another task, which no protocol of it
// prevents.
func (e *Engine) Cancel(ctx context.Context, h engine.Handle) error {
	p, known, err := e.progress(ctx)
	if err != nil || !known || p.Task != h.ID || h.ID == "" {
		return err
	}
	a, err := e.client.Do(ctx, http.MethodPost, "/sdapi/v1/interrupt", "application/json", nil)
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK && a.Status != http.StatusNoContent {
		return e.client.Refusal(a)
	}
	return nil
}

// state is what the server works on.
type state struct {
	Progress float64
	Task     string `json:"current_task"`
}

// progress asks what the server works on; known is false where it does not tell (stable-diffusion.cpp).
func (e *Engine) progress(ctx context.Context) (p state, known bool, err error) {
	a, err := e.client.Do(ctx, http.MethodGet, "/sdapi/v1/progress?skip_current_image=true", "", nil)
	switch {
	case err != nil:
		return state{}, false, err
	case a.Status == http.StatusNotFound:
		return state{}, false, nil
	case a.Status != http.StatusOK:
		return state{}, false, e.client.Refusal(a)
	case json.Unmarshal(a.Body, &p) != nil:
		return state{}, false, nil
	}
	return p, true, nil
}

// get reads a list or an object of the server's.
func (e *Engine) get(ctx context.Context, name string, into any) error {
	a, err := e.client.Do(ctx, http.MethodGet, "/sdapi/v1/"+name, "", nil)
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK {
		return e.client.Refusal(a)
	}
	if json.Unmarshal(a.Body, into) != nil {
		return e.client.Fail(engine.Refused, "it is no WebUI")
	}
	return nil
}

// Package sdcpp speaks stable-diffusion.cpp's own protocol: jobs that are queued, looked at and cancelled by an id of
// the server's (examples/server/api.md, "sdcpp API").
package sdcpp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"atelier/service/engine"
)

// multiple is what sizes are rounded up to with Stable Diffusion 1 (stable-diffusion.cpp:4137).
const multiple = 64

// references bounds the pictures beside the first, of which the server names no limit; OpenAI's protocol has the same.
const references = 15

// seedBits are the bits of a seed that the server keeps: it cuts to 32, signed.
const seedBits = 1<<31 - 1

// pollEvery is how often a job is looked at.
const pollEvery = time.Second

// Options are what the operator may say of a server.
type Options struct {
	// Poll is how often a job is looked at; 0 is once a second.
	Poll time.Duration
}

// Engine is a server of stable-diffusion.cpp. It implements engine.Engine.
type Engine struct {
	client *engine.Client
	poll   time.Duration
}

// New makes an engine without a request to it. A key is sent as a Bearer token, for a proxy: the server itself has
// none.
func New(a engine.Access, o Options) (*Engine, error) {
	client, err := engine.NewClient(a, nil)
	if err != nil {
		return nil, err
	}
	if o.Poll <= 0 {
		o.Poll = pollEvery
	}
	return &Engine{client: client, poll: o.Poll}, nil
}

// Probe reads the server's capabilities.
func (e *Engine) Probe(ctx context.Context) (engine.Abilities, error) {
	a, err := e.client.Do(ctx, http.MethodGet, "/sdcpp/v1/capabilities", "", nil)
	if err != nil {
		return engine.Abilities{}, err
	}
	if a.Status != http.StatusOK {
		return engine.Abilities{}, e.client.Refusal(a)
	}
	var found struct {
		Model    struct{ Name string }
		Modes    []string        `json:"supported_modes"`
		Features map[string]flag `json:"features_by_mode"`
		Limits   struct {
			MinWidth  int `json:"min_width"`
			MaxWidth  int `json:"max_width"`
			MinHeight int `json:"min_height"`
			MaxHeight int `json:"max_height"`
		}
	}
	l := &found.Limits
	if json.Unmarshal(a.Body, &found) != nil || min(l.MaxWidth, l.MaxHeight) < multiple {
		return engine.Abilities{}, e.client.Fail(engine.Refused, "it is no stable-diffusion.cpp")
	}
	if !slices.Contains(found.Modes, "img_gen") {
		return engine.Abilities{}, e.client.Fail(engine.Refused, "it makes no pictures")
	}
	out := engine.Abilities{
		Protocol: "sdcpp", Model: found.Model.Name, Modes: []engine.Mode{engine.Text}, Negative: true, Seed: true,
		Multiple: multiple, Least: max(l.MinWidth, l.MinHeight, multiple), Most: min(l.MaxWidth, l.MaxHeight),
		Resumable: true, Remote: e.client.Remote(),
	}
	f := found.Features["img_gen"]
	if f.References {
		out.Modes, out.References = append(out.Modes, engine.Edit), references
	}
	if f.Init && f.Mask {
		out.Modes = append(out.Modes, engine.Inpaint)
	}
	return out, nil
}

// flag is what a mode of the server's takes.
type flag struct {
	Init       bool `json:"init_image"`
	Mask       bool `json:"mask_image"`
	References bool `json:"ref_images"`
}

// Begin queues a job. The handle's ID is the server's, and enough to find the job again.
func (e *Engine) Begin(ctx context.Context, _ string, job engine.Job) (engine.Handle, error) {
	if err := e.client.CheckJob(job); err != nil {
		return engine.Handle{}, err
	}
	if job.Size.X%multiple != 0 || job.Size.Y%multiple != 0 {
		return engine.Handle{}, e.client.Fail(engine.Refused, "sizes must be multiples of 64 pixels")
	}
	body, err := request(ctx, job)
	if err != nil {
		return engine.Handle{}, err
	}
	a, err := e.client.Do(ctx, http.MethodPost, "/sdcpp/v1/img_gen", "application/json", body)
	if err != nil {
		return engine.Handle{}, err
	}
	if a.Status != http.StatusAccepted {
		return engine.Handle{}, e.client.Refusal(a, job.Prompt, job.Negative)
	}
	var accepted struct{ ID string }
	if json.Unmarshal(a.Body, &accepted) != nil || accepted.ID == "" {
		return engine.Handle{}, e.client.Fail(engine.Unusable, "the answer names no job")
	}
	return engine.Handle{ID: accepted.ID}, nil
}

// request writes a job. An edit's first picture is the start and a reference, as in the server's own /v1/images/edits.
// Pictures of another shape are padded, since the server crops them.
func request(ctx context.Context, job engine.Job) ([]byte, error) {
	fields := map[string]any{
		"prompt": job.Prompt, "negative_prompt": job.Negative, "width": job.Size.X, "height": job.Size.Y,
		"seed": job.Seed & seedBits, "strength": job.Strength, "batch_count": 1,
		"output_format": "png", "embed_image_metadata": false,
	}
	sample := map[string]any{}
	if job.Steps > 0 {
		sample["sample_steps"] = job.Steps
	}
	if job.CFG > 0 {
		sample["guidance"] = map[string]any{"txt_cfg": job.CFG}
	}
	if len(sample) > 0 {
		fields["sample_params"] = sample
	}
	var files [][]byte // encoding/json writes them in base64
	for _, p := range job.Pictures {
		p, err := engine.FitShape(ctx, p, job.Size)
		if err != nil {
			return nil, err
		}
		files = append(files, p)
	}
	if job.Mode != engine.Text {
		fields["init_image"] = files[0]
	}
	switch job.Mode {
	case engine.Inpaint:
		mask, err := engine.MaskGreyPNG(job.Mask)
		if err != nil {
			return nil, err
		}
		fields["mask_image"] = mask
		fields["ref_images"] = append([][]byte{}, files[1:]...)
	case engine.Edit:
		fields["ref_images"] = files
	case engine.Text:
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("write a request for the image engine: %w", err)
	}
	return body, nil
}

// work is a job as the server tells it.
type work struct {
	Status string
	Result struct {
		Images []struct {
			Base64 string `json:"b64_json"`
		}
	}
	Error struct{ Code, Message string }
}

// Watch looks at the job until it has ended, without progress. It fails with Lost for a job that the server does not
// know, or not any more: it forgets what ended ten minutes ago.
func (e *Engine) Watch(ctx context.Context, h engine.Handle, _ func(float64)) ([]byte, error) {
	for {
		a, err := e.client.Do(ctx, http.MethodGet, jobPath(h), "", nil)
		if err != nil {
			return nil, err
		}
		if gone(a) {
			return nil, e.client.Fail(engine.Lost, "")
		}
		if a.Status != http.StatusOK {
			return nil, e.client.Refusal(a)
		}
		var w work
		if json.Unmarshal(a.Body, &w) != nil {
			return nil, e.client.Fail(engine.Unusable, "the answer is no job")
		}
		switch w.Status {
		case "queued", "generating":
		case "completed":
			if len(w.Result.Images) == 0 {
				return nil, e.client.Fail(engine.Unusable, "the answer holds no picture")
			}
			return e.client.Picture(ctx, w.Result.Images[0].Base64)
		case "failed", "cancelled":
			return nil, e.failed(w)
		default:
			return nil, e.client.Fail(engine.Unusable, "the job has no known state")
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the image engine: %w", context.Cause(ctx))
		case <-time.After(e.poll):
		}
	}
}

// failed makes the error of a job that ended without a picture.
func (e *Engine) failed(w work) error {
	reason := engine.Failed
	if strings.Contains(strings.ToLower(w.Error.Message), "out of memory") {
		reason = engine.OutOfMemory
	}
	return e.client.Fail(reason, e.client.Sentence(w.Error.Message))
}

// Cancel takes a job out of the queue. One that is being generated goes on: the server cannot end it and answers 409.
func (e *Engine) Cancel(ctx context.Context, h engine.Handle) error {
	a, err := e.client.Do(ctx, http.MethodPost, jobPath(h)+"/cancel", "application/json", nil)
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK && a.Status != http.StatusConflict && !gone(a) {
		return e.client.Refusal(a)
	}
	return nil
}

func jobPath(h engine.Handle) string { return "/sdcpp/v1/jobs/" + url.PathEscape(h.ID) }

// gone reports an unknown job or one that expired.
func gone(a *engine.Answer) bool {
	return a.Status == http.StatusNotFound || a.Status == http.StatusGone
}

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"

	"atelier/service/engine"
)

// seedBits are the bits of a seed that every server takes: stable-diffusion.cpp cuts it to 32, signed.
const seedBits = 1<<31 - 1

// The tags around stable-diffusion.cpp's own parameters in a prompt (examples/server/api.md, sd_cpp_extra_args).
const (
	extraStart = "<sd_cpp_extra_args>"
	extraEnd   = "</sd_cpp_extra_args>"
)

// request is what is sent for a job. prompt is the words as they are sent.
type request struct {
	path, contentType, prompt string
	body                      []byte
}

// request writes a job as a server takes it. It fails where a picture cannot be read.
func (s *server) request(ctx context.Context, job engine.Job) (request, error) {
	fields := s.fields(job)
	prompt := fmt.Sprint(fields["prompt"])
	if job.Mode == engine.Text {
		body, err := json.Marshal(fields)
		if err != nil {
			return request{}, fmt.Errorf("write a request for the image engine: %w", err)
		}
		return request{"/images/generations", "application/json", prompt, body}, nil
	}
	r := request{path: "/images/edits", prompt: prompt}
	files, err := s.files(ctx, job)
	if err != nil {
		return request{}, err
	}
	if s.dialect == LocalAI {
		r.path = "/images/inpainting"
	}
	r.body, r.contentType, err = form(fields, files)
	return r, err
}

// inGPT2 reports whether gpt-image-2 makes a size, beside what Abilities say of it.
func inGPT2(size image.Point) bool {
	return size.X*size.Y <= gpt2Pixels && max(size.X, size.Y) <= gpt2Ratio*min(size.X, size.Y)
}

// fields are the parameters beside the files. response_format is left out: gpt-image refuses it, and others answer in
// base64 without it.
func (s *server) fields(job engine.Job) map[string]any {
	out := map[string]any{"prompt": job.Prompt, "size": fmt.Sprintf("%dx%d", job.Size.X, job.Size.Y)}
	set := func(name string, value any, when bool) {
		if when {
			out[name] = value
		}
	}
	set("model", s.model, s.model != "")
	set("quality", job.Quality, s.known && job.Quality != "")
	set("background", "transparent", s.known && s.family.transparent && job.Transparent)
	set("input_fidelity", "high", s.known && s.family.fidelity && job.Mode != engine.Text)
	switch s.dialect {
	case SGLang, VLLMOmni:
		out["seed"] = job.Seed & seedBits
		set("negative_prompt", job.Negative, job.Negative != "")
		set("num_inference_steps", job.Steps, job.Steps > 0)
		set("guidance_scale", job.CFG, job.CFG > 0)
	case SDCpp:
		out["prompt"] = withExtra(job)
	case LocalAI:
		out["prompt"] = strings.ReplaceAll(job.Prompt, "|", ",") // negative words begin there
		set("step", job.Steps, job.Steps > 0 && job.Mode == engine.Text)
		set("steps", job.Steps, job.Steps > 0 && job.Mode != engine.Text)
	case OpenAI, Other:
	}
	return out
}

// withExtra is the prompt with stable-diffusion.cpp's parameters in it. Tags in the user's own words would set
// parameters, among them files of the server's, and are taken out.
func withExtra(job engine.Job) string {
	sample := map[string]any{}
	if job.Steps > 0 {
		sample["sample_steps"] = job.Steps
	}
	if job.CFG > 0 {
		sample["guidance"] = map[string]any{"txt_cfg": job.CFG}
	}
	extra := map[string]any{"seed": job.Seed & seedBits, "negative_prompt": job.Negative, "strength": job.Strength}
	if len(sample) > 0 {
		extra["sample_params"] = sample
	}
	data, err := json.Marshal(extra) // escapes < and >, so that no words end the tag
	if err != nil {
		panic(err) // numbers and words alone
	}
	words := job.Prompt
	for strings.Contains(words, extraStart) {
		words = strings.ReplaceAll(words, extraStart, "")
	}
	return words + " " + extraStart + string(data) + extraEnd
}

// file is a part of the form.
type file struct {
	field string
	data  []byte
}

// files are the pictures and the mask. One picture is image and several are image[], which OpenAI insists on; vLLM-omni
// repeats image. stable-diffusion.cpp crops pictures of another shape, which get edges to be cropped.
func (s *server) files(ctx context.Context, job engine.Job) ([]file, error) {
	pictures := job.Pictures
	if s.dialect == LocalAI {
		pictures = pictures[:1]
	}
	name := "image"
	if len(pictures) > 1 && s.dialect != VLLMOmni {
		name = "image[]"
	}
	var out []file
	for _, data := range pictures {
		if s.dialect == SDCpp {
			var err error
			if data, err = engine.FitShape(ctx, data, job.Size); err != nil {
				return nil, err
			}
		}
		out = append(out, file{name, data})
	}
	if job.Mode != engine.Inpaint {
		return out, nil
	}
	data, err := engine.MaskPNG(job.Mask)
	if err != nil {
		return nil, err
	}
	for _, field := range s.masks {
		out = append(out, file{field, data})
	}
	return out, nil
}

// form writes a multipart form. Files name their type: OpenAI refuses those of none.
func form(fields map[string]any, files []file) (body []byte, contentType string, err error) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := w.WriteField(name, fmt.Sprint(fields[name])); err != nil {
			return nil, "", fmt.Errorf("write a form for the image engine: %w", err)
		}
	}
	for i, f := range files {
		part, err := w.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"; filename="%d.png"`, f.field, i+1)},
			"Content-Type":        {"image/png"},
		})
		if err == nil {
			_, err = part.Write(f.data)
		}
		if err != nil {
			return nil, "", fmt.Errorf("write a form for the image engine: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", fmt.Errorf("write a form for the image engine: %w", err)
	}
	return out.Bytes(), w.FormDataContentType(), nil
}

package comfyui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"path"
	"slices"
	"strings"

	"atelier/service/engine"
)

// folder is where pictures are put at the server, below its folder of inputs.
const folder = "atelier"

// Begin uploads the job's pictures and puts its graph into the server's queue under id, unless the server knows the id
// already: it would queue the same id twice (tried). Servers before 2025-07-14 give ids of their own, which the Handle
// has.
func (e *Engine) Begin(ctx context.Context, id string, job engine.Job) (engine.Handle, error) {
	found, err := e.look(ctx, id)
	if err != nil {
		return engine.Handle{}, err
	}
	if found.known() {
		return engine.Handle{ID: found.id, Job: job}, nil
	}
	g, reasons, err := e.pick(ctx, job.Mode, job.Workflow, len(job.Pictures))
	if err != nil {
		return engine.Handle{}, err
	}
	if g == nil {
		return engine.Handle{}, e.client.Fail(engine.Refused, e.client.Sentence(strings.Join(reasons, " ")))
	}
	v, err := e.send(ctx, job)
	if err != nil {
		return engine.Handle{}, err
	}
	body, err := json.Marshal(map[string]any{
		"prompt": g.fill(v), "prompt_id": id, "client_id": id, "extra_data": map[string]any{},
	})
	if err != nil {
		return engine.Handle{}, fmt.Errorf("comfyui: write the graph: %w", err)
	}
	a, err := e.client.Do(ctx, http.MethodPost, "/prompt", "application/json", body)
	if err != nil {
		return engine.Handle{}, err
	}
	if a.Status != http.StatusOK {
		return engine.Handle{}, e.client.Failure(a, sentenceOf(a.Body), job.Prompt, job.Negative)
	}
	var accepted struct {
		ID string `json:"prompt_id"`
	}
	if err := json.Unmarshal(a.Body, &accepted); err != nil || accepted.ID == "" {
		return engine.Handle{}, e.client.Fail(engine.Unusable, "the answer names no prompt_id")
	}
	return engine.Handle{ID: accepted.ID, Job: job}, nil
}

// send uploads a job's pictures and its mask and gives what its marks stand for.
func (e *Engine) send(ctx context.Context, job engine.Job) (values, error) {
	files := make([]string, len(job.Pictures))
	for i, data := range job.Pictures {
		name, err := e.upload(ctx, data)
		if err != nil {
			return nil, err
		}
		files[i] = name
	}
	if job.Mode != engine.Inpaint {
		return valuesOf(job, files, ""), nil
	}
	data, err := engine.MaskPNG(job.Mask)
	if err != nil {
		return nil, fmt.Errorf("comfyui: %w", err)
	}
	mask, err := e.upload(ctx, data)
	if err != nil {
		return nil, err
	}
	return valuesOf(job, files, mask), nil
}

// upload puts a file into the server's folder of inputs and gives the name that nodes know it by. Its name is its
// hash, so that the same job is the same graph, which the server has in its cache.
func (e *Engine) upload(ctx context.Context, data []byte) (string, error) {
	hash := sha256.Sum256(data)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("image", hex.EncodeToString(hash[:])+".png")
	if err == nil {
		_, err = part.Write(data)
	}
	for _, field := range [][2]string{{"type", "input"}, {"subfolder", folder}, {"overwrite", "true"}} {
		err = errors.Join(err, form.WriteField(field[0], field[1]))
	}
	if err := errors.Join(err, form.Close()); err != nil {
		return "", fmt.Errorf("comfyui: write an upload: %w", err)
	}
	a, err := e.client.Do(ctx, http.MethodPost, "/upload/image", form.FormDataContentType(), body.Bytes())
	if err != nil {
		return "", err
	}
	if a.Status != http.StatusOK {
		return "", e.client.Failure(a, sentenceOf(a.Body))
	}
	var stored struct {
		Name   string `json:"name"`
		Folder string `json:"subfolder"`
	}
	if err := json.Unmarshal(a.Body, &stored); err != nil || stored.Name == "" {
		return "", e.client.Fail(engine.Unusable, "the answer to an upload names no file")
	}
	return path.Join(stored.Folder, stored.Name), nil
}

// sentenceOf reads what a refusal says: {"error": {"message"}, "node_errors": {id: {"class_type", "errors":
// [{"message", "extra_info": {"input_name"}}]}}} of /prompt, or {"error": "text"}. The details are left out: they list
// files and words.
func sentenceOf(body []byte) string {
	var refusal struct {
		Error  json.RawMessage `json:"error"`
		Detail string          `json:"message"`
		Nodes  json.RawMessage `json:"node_errors"`
	}
	if json.Unmarshal(body, &refusal) != nil {
		return ""
	}
	var nodes map[string]struct {
		Class  string `json:"class_type"`
		Errors []struct {
			Message string `json:"message"`
			Extra   struct {
				Input string `json:"input_name"`
			} `json:"extra_info"`
		} `json:"errors"`
	}
	if json.Unmarshal(refusal.Nodes, &nodes) == nil {
		for _, id := range slices.Sorted(maps.Keys(nodes)) {
			n := nodes[id]
			switch {
			case len(n.Errors) == 0:
			case n.Errors[0].Extra.Input == "":
				return fmt.Sprintf("%s: %s", n.Class, n.Errors[0].Message)
			default:
				return fmt.Sprintf("%s, %s: %s", n.Class, n.Errors[0].Extra.Input, n.Errors[0].Message)
			}
		}
	}
	var text string
	if json.Unmarshal(refusal.Error, &text) == nil {
		return text
	}
	var whole struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(refusal.Error, &whole) == nil {
		return whole.Message
	}
	return refusal.Detail
}
